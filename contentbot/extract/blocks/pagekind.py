"""What kind of page it is, and how much of its text is content: one row of features for the whole page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np

from contentbot.extract.blocks.forest import Forest
from contentbot.extract.blocks.hints import Hints
from contentbot.extract.blocks.layout import Floats, Layout
from contentbot.extract.blocks.lexicon import WORD
from contentbot.extract.blocks.vocabulary import HEADINGS, LIST_ITEM, PARAGRAPH, PREFORMATTED, TAG

KINDS = ("article", "documentation", "service", "forum", "collection", "listing", "product")

# schema.org
_TYPES = (
    frozenset(["Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "TechArticle"]),
    frozenset(["Product", "ProductGroup", "Offer", "AggregateOffer"]),
    frozenset(["ItemList", "CollectionPage", "OfferCatalog"]),
    frozenset(["DiscussionForumPosting", "QAPage", "Question", "Answer", "Comment"]),
    frozenset(["FAQPage"]),
    frozenset(["Organization", "Service", "SoftwareApplication", "LocalBusiness", "Corporation"]),
    frozenset(["Recipe", "HowTo"]),
    frozenset(["BreadcrumbList"]),
    frozenset(["WebPage"]),
)
_ADDRESSES = tuple(
    map(
        re.compile,
        (
            r"blog|news|article|story|/20\d\d",
            r"product|/p/|/dp/|shop|item|/buy",
            r"forum|thread|/t/|topic|question|discuss|comments|community",
            r"docs?[./]|documentation|/api|guide|reference|wiki|learn|tutorial|manual",
            r"categor|collection|/c/|browse|/s/|/list|/all|best",
            r"service|solution|feature|pricing|platform|about|compan",
        ),
    )
)
# of text in lower case
_PHRASES = tuple(
    map(
        re.compile,
        (
            r"\b(?:repl(?:y|ies)|quote|likes?|posts?|joined|thread|member)\b",
            r"\b(?:add to (?:cart|bag|basket)|in stock|sku|shipping|size guide|wishlist|warenkorb|in den)\b",
            r"\b(?:sort by|filters?|results|showing|per page|view all)\b",
            r"\b(?:read more|continue reading|learn more|min read|weiterlesen)\b",
            r"\b(?:get started|book a demo|contact (?:us|sales)|free trial|request a|sign up|pricing)\b",
            r"\b(?:on this page|table of contents|edit this page|was this (?:page )?helpful|previous|next)\b",
            r"[$€£¥₹]\s?\d|\d\s?(?:€|eur|usd|zł|kr)\b",
            r"\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{2}\b|\bago\b",
            r"\?",
        ),
    )
)
_MAKERS = (("discourse", "phpbb", "xenforo"), ("wordpress",), ("shopify", "woocommerce"))
_PHRASE_LENGTH = 160


def read_page_features(layout: Layout, hints: Hints) -> Floats:
    """Return one row about the page."""
    return np.array(
        [
            *_shares(layout),
            *_declared(hints),
            *_address(hints.url),
            *_phrases(layout),
            len(hints.title),
            len(hints.description),
        ],
        np.float32,
    )


def _shares(layout: Layout) -> list[float]:
    length, tag, total, count = layout.length, layout.tag, layout.total or 1, layout.count

    def share(*tags: int) -> float:
        return float(length[np.isin(tag, tags)].sum()) / total

    paragraphs = (tag == PARAGRAPH) & (length > 80)
    return [
        count,
        np.log1p(total),
        float((layout.linked * length).sum()) / total,
        share(PARAGRAPH),
        share(LIST_ITEM),
        share(TAG["td"], TAG["tr"]),
        share(PREFORMATTED),
        share(TAG["div"]),
        int(np.isin(tag, HEADINGS[:5]).sum()),
        float(length[paragraphs].sum()) / total,
        int(paragraphs.sum()),
        int((length > 200).sum()) / count,
        float(length[length > 200].sum()) / total,
        float(length[length < 30].sum()) / total,
        layout.blocks.containers.images[0] / count,
    ]


def _declared(hints: Hints) -> list[float]:
    og_type = hints.og_type
    own = ["article" in og_type, "product" in og_type, "website" in og_type, "profile" in og_type or not og_type]
    made_by = [any(maker in hints.generator for maker in makers) for makers in _MAKERS]
    return [*own, *(not hints.types.isdisjoint(group) for group in _TYPES), *made_by]


def _address(url: str) -> list[float]:
    try:
        path = urlsplit(url.lower()).path.strip("/")
    except ValueError:
        path = ""
    kinds = [bool(pattern.search(url.lower())) for pattern in _ADDRESSES]
    return [
        *kinds,
        path.count("/") + 1 if path else 0,
        len(path),
        sum(map(str.isdigit, path)),
        path.count("-"),
        not url,
    ]


def _phrases(layout: Layout) -> list[float]:
    short = " \n ".join(text for text in layout.blocks.text if len(text) < _PHRASE_LENGTH).lower()
    return [len(phrase.findall(short)) / layout.count for phrase in _PHRASES]


def summarise(page: Floats, features: Floats, length: Floats, likely_kinds: Floats) -> Floats:
    """Return the row that the models of pages read: the page's own and what its blocks are like on the whole."""
    weight = length / max(float(length.sum()), 1)
    parts = [page, features.mean(0), (weight[:, None] * features).sum(0), features.max(0)[:30], likely_kinds]
    return np.concatenate(parts).astype(np.float32)


def page_words(layout: Layout, hints: Hints) -> set[str]:
    """Return the words that may tell a page's kind: class names, those of the address and of the title."""
    words = {name for names in set(layout.blocks.containers.names) for name in names}
    words.update(f"u:{word}" for word in re.findall("[a-z]{2,}", hints.url.lower()))
    words.update(f"t:{word}" for word in WORD.findall(hints.title.lower()))
    return words


@dataclass(frozen=True, slots=True)
class KindWords:
    """How much likelier each kind of page has a word than others have: a row of log odds for each word's number."""

    number: Mapping[str, int] = field(default_factory=dict)
    odds: Floats = field(default_factory=lambda: np.zeros((0, len(KINDS)), np.float32))

    def weigh(self, words: Iterable[str]) -> Floats:
        """Return for each kind what a page's words say together, and then what the strongest of them says."""
        known = sorted(self.number[word] for word in words if word in self.number)
        if not known:
            return np.zeros(2 * len(KINDS), np.float32)
        rows = self.odds[known]
        return np.concatenate([rows.sum(0) / np.sqrt(len(known) + 5), np.maximum(rows.max(0), 0)]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class PageModel:
    """The models that look at the whole page."""

    words: KindWords
    kind: Forest
    share: Forest

    def judge(self, layout: Layout, hints: Hints, page: Floats, features: Floats) -> Floats:
        """Return the probability of each of `KINDS`, and the share of the page's text that is content."""
        row = summarise(page, features, layout.length, self.words.weigh(page_words(layout, hints)))[None]
        return np.concatenate([self.kind.shares(row, len(KINDS))[0], self.share.probabilities(row)])
