"""From what was seen of a site to a proposal."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from statistics import median
from urllib.parse import urlsplit

import py3langid
from lxml.html import HtmlElement

from contentbot.discovery.sitemaps import PageEntry
from contentbot.documents import ContentDocument, Page, unix_seconds
from contentbot.extract.explain import explain
from contentbot.extract.extractor import Reading, open_page
from contentbot.extract.hidden import remove_invisible
from contentbot.extract.quality import FEW_WORDS
from contentbot.extract.rules import ExtractRules
from contentbot.proposing.patterns import Cluster, clusters, shape
from contentbot.proposing.proposal import Proposal
from contentbot.proposing.regions import Found, find_content
from contentbot.sources.models import WebsiteSource
from contentbot.sources.scope import Scope
from contentbot.sources.tags import normal_locale

ENOUGH_WORDS = 60
"""Words from which a text tells its language."""

ENOUGH_DATES = 20
"""Pages with dates from which a sitemap's dates tell whether they can be trusted."""

MOST, LARGE = 0.75, 20
"""A kind of page is what a site is about where it is this part of it; half will do where there are so many."""

_LANGUAGE = re.compile(r"/([a-z]{2}(?:-[a-z]{2})?)(?=/|$)", re.IGNORECASE)
_STAMPED = timedelta(hours=1)


@dataclass
class Sample:
    """One page that was read: as it was listed, its tree without what is invisible, and its document without rules."""

    url: str
    page: Page
    tree: HtmlElement
    document: ContentDocument | None
    language: str = ""

    @property
    def is_content(self) -> bool:
        """Whether it has a text of its own, and does not only lead to others."""
        document = self.document
        return document is not None and "link_list" not in document.quality_flags and self.words >= FEW_WORDS

    @property
    def words(self) -> int:
        """The words of its document."""
        return len(self.document.plain_text.split()) if self.document else 0


@dataclass
class Survey:
    """What was seen of a site.

    Attributes:
        base_url: its origin.
        folder: the path below which pages are wanted; `/` for all.
        entries: the pages that sitemaps list or, without one, links.
        sitemaps: where they are listed as robots.txt has it: None where it names them; else their addresses.
        has_sitemap: whether there is one at all.
        samples: the pages that were read.
    """

    base_url: str
    folder: str = "/"
    entries: Sequence[PageEntry] = ()
    sitemaps: Sequence[str] | None = None
    has_sitemap: bool = True
    feeds: Sequence[str] = ()
    samples: Sequence[Sample] = ()
    title: str = ""


@dataclass
class _Kinds:
    """The kinds of pages that are proposed: their patterns, and the samples of them."""

    chosen: list[Cluster] = field(default_factory=list)
    left_out: list[Cluster] = field(default_factory=list)
    everything: bool = False


def read_sample(url: str, page: Page, source: WebsiteSource) -> Sample:
    """Read a page by no rules; raises `ExtractionError` for one that is no page."""
    rules = ExtractRules(source)
    tree = open_page(page, rules, Reading())
    declared = normal_locale(tree.get("lang") or "")
    remove_invisible(tree)
    return Sample(url, page, tree, explain(page, rules).document, declared)


def to_read(survey: Survey, count: int) -> list[str]:
    """Return the addresses of up to so many pages that tell most about a site: some of each larger kind."""
    kinds = [one for one in clusters(wanted(survey)) if not one.is_listing]
    chosen: list[str] = []
    shares = [max(3, count // 2), max(2, count // 4), 2, 2, 1, 1]
    for cluster, share in zip(kinds, shares, strict=False):
        chosen += cluster.sample(share)
    return list(dict.fromkeys(chosen))[:count]


def wanted(survey: Survey) -> list[str]:
    """Return the addresses below the folder that was asked for."""
    folder = survey.folder.rstrip("/")
    return [one.url for one in survey.entries if not folder or urlsplit(one.url).path.startswith(f"{folder}/")]


def propose(survey: Survey, name: str) -> Proposal:
    """Return a source for the site; it is loadable as it is."""
    urls = wanted(survey)
    kinds = _kinds(survey, urls)
    proposal = Proposal(
        name, survey.title, survey.base_url, feeds=survey.feeds, listed=len(urls), looked_at=len(survey.samples)
    )
    _decide_sitemaps(proposal, survey)
    _decide_paths(proposal, survey, kinds)
    samples = [one for one in survey.samples if one.is_content and _is_of(one, kinds)]
    _decide_content(proposal, samples)
    _decide_locale(proposal, survey, samples)
    _decide_lastmod(proposal, survey, samples)
    _finish(proposal, urls, samples)
    return proposal


def _kinds(survey: Survey, urls: Sequence[str]) -> _Kinds:
    """Choose the kinds of pages: the one that most pages are of, in all languages, else all that have content."""
    found = clusters(urls)
    content = [one for one in found if not one.is_listing and _has_content(one, survey)]
    many = [one for one in content if one.many]
    families: Counter[str] = Counter()
    for one in many:
        families[_without_language(one.pattern)] += len(one.urls)
    listed = sum(len(one.urls) for one in found if not one.is_listing)
    best, size = families.most_common(1)[0] if families else ("", 0)
    if listed and (size >= MOST * listed or (size >= LARGE and size * 2 >= listed)):
        chosen = [one for one in many if _without_language(one.pattern) == best]
        return _Kinds(chosen, [one for one in found if one not in chosen])
    listings = [one for one in found if one not in content]
    return _Kinds(content, listings, everything=bool(content))


def _has_content(cluster: Cluster, survey: Survey) -> bool:
    samples = [one for one in survey.samples if one.url in set(cluster.urls)]
    # what nobody has looked at is taken for content
    return not samples or sum(one.is_content for one in samples) * 2 >= len(samples)


def _without_language(pattern: str) -> str:
    found = _LANGUAGE.match(pattern)
    return pattern[found.end() :] if found and len(pattern) > found.end() + 1 else pattern


def _is_of(sample: Sample, kinds: _Kinds) -> bool:
    return any(sample.url in one.urls for one in kinds.chosen)


def _decide_sitemaps(proposal: Proposal, survey: Survey) -> None:
    if not survey.has_sitemap:
        proposal.sitemaps = []
        proposal.why["sitemaps"] = "No sitemap was found: links are followed from base-url."
    elif survey.sitemaps is not None:
        proposal.sitemaps = [one.removeprefix(survey.base_url.rstrip("/")) for one in survey.sitemaps]
        proposal.why["sitemaps"] = "robots.txt names no sitemap; this one was found where it mostly is."


def _decide_paths(proposal: Proposal, survey: Survey, kinds: _Kinds) -> None:
    patterns = [one.pattern for one in kinds.chosen]
    samples = [one for one in survey.samples if _is_of(one, kinds)]
    redirected = {shape_of(one) for one in samples if _path(one.page.final_url) != _path(one.url)}
    finals = sorted({pattern for pattern in redirected if pattern not in patterns})
    if kinds.everything or not patterns:
        folder = survey.folder.rstrip("/")
        proposal.include = [f"{folder}/**"]
        others = (one.listing or one.pattern for one in kinds.left_out)
        proposal.exclude = list(dict.fromkeys(others))[:20]
        proposal.why["url-include"] = "No one kind of page stands out: all are taken, but those that only list others."
        return
    proposal.include = [*patterns, *finals]
    proposal.match_redirects = False
    counts = ", ".join(f"{one.pattern} {len(one.urls)}" for one in kinds.chosen)
    proposal.why["url-include"] = f"The kind of page that most addresses are of: {counts}." + (
        f" They redirect to {', '.join(finals)}." if finals else ""
    )
    proposal.why["match-redirects"] = "What is wanted is listed under an address that matches."
    proposal.left_out = {one.pattern: len(one.urls) for one in kinds.left_out[:12]}


def shape_of(sample: Sample) -> str:
    """Return the shape of the address that a sample's redirects ended on."""
    listed, final = _path(sample.url), _path(sample.page.final_url)
    # the folders that both have keep their names
    if shape(listed).count("/") == shape(final).count("/"):
        return _merged(listed, final)
    parts, ending = final.split("/"), listed.split("/")
    kept = [one if one in ending and not one[:1].isdigit() else shape(f"/{one}")[1:] for one in parts[1:-1]]
    return "/" + "/".join([*kept, "*"])


def _merged(listed: str, final: str) -> str:
    pairs = zip(listed.split("/")[1:], final.split("/")[1:], strict=True)
    shapes = [new if new == old and not new[:1].isdigit() else shape(f"/{new}")[1:] for old, new in pairs]
    return "/" + "/".join([*shapes[:-1], "*"])


def _path(url: str) -> str:
    return urlsplit(url).path


def _decide_content(proposal: Proposal, samples: Sequence[Sample]) -> None:
    found = find_content([one.tree for one in samples])
    if not found.selector or not _is_better(found, proposal, samples):
        proposal.why["url-include"] += " No selector finds the content of all pages: it is found by itself."
        return
    proposal.selector, proposal.content_exclude = found.selector, list(found.excludes)
    proposal.why["content-selector"] = (
        f"On {len(samples)} pages of these kinds it holds {found.share:.0%} of the text that differs from page to page."
    )
    if found.excludes:
        proposal.why["content-exclude"] = "Inside of it, but the same on several pages, or no part of a text."


def _is_better(found: Found, proposal: Proposal, samples: Sequence[Sample]) -> bool:
    """Say whether the selector gives every page a text, and not much less than is found without it."""
    source = _source(proposal, {"content-selector": [found.selector], "content-exclude": list(found.excludes)})
    rules = ExtractRules(source)
    kept = []
    for one in samples:
        document = explain(one.page, rules).document
        kept.append(len(document.plain_text.split()) / max(1, one.words) if document else 0.0)
    return bool(kept) and min(kept) > 0.2 and median(kept) > 0.6


def _source(proposal: Proposal, more: dict[str, object]) -> WebsiteSource:
    keys = {"id": proposal.id, "type": "website", "base-url": proposal.base_url, "canonical": "ignore", **more}
    return WebsiteSource.model_validate(keys)


def _decide_locale(proposal: Proposal, survey: Survey, samples: Sequence[Sample]) -> None:
    prefixes: dict[str, str] = {}
    for one in samples:
        found = _LANGUAGE.match(_path(one.page.final_url))
        tag = normal_locale(found[1]) if found else ""
        if found and tag and tag.partition("-")[0] in {one.language.partition("-")[0], _spoken(one)}:
            prefixes[f"/{found[1]}"] = tag
    for entry in survey.entries:
        found = _LANGUAGE.match(_path(entry.url))
        tags = {normal_locale(tag).partition("-")[0] for tag in entry.alternates}
        if found and normal_locale(found[1]).partition("-")[0] in tags:
            prefixes[f"/{found[1]}"] = normal_locale(found[1])
    plain = [one for one in samples if not any(_is_below(one.page.final_url, prefix) for prefix in prefixes)]
    declared = _most(one.language for one in plain)
    spoken = _most(_spoken(one) for one in plain)
    proposal.prefixes = {prefix: tag for prefix, tag in sorted(prefixes.items()) if _is_used(prefix, survey, samples)}
    proposal.locale = declared
    if spoken and declared.partition("-")[0] != spoken:
        proposal.locale = spoken
        said = f"declare {declared}" if declared else "declare nothing"
        proposal.why["locale"] = f"Going by the texts; the pages {said}."


def _is_used(prefix: str, survey: Survey, samples: Sequence[Sample]) -> bool:
    """Say whether pages stay below a prefix; on some sites one language's redirects lead out of it."""
    asked = [one for one in samples if _is_below(one.url, prefix)]
    if asked:
        return any(_is_below(one.page.final_url, prefix) for one in asked)
    return any(_is_below(one.url, prefix) for one in survey.entries)


def _is_below(url: str, prefix: str) -> bool:
    return f"{_path(url)}/".startswith(f"{prefix}/")


def _spoken(sample: Sample) -> str:
    """Return the language of a text that is long enough to tell."""
    if sample.document is None or sample.words < ENOUGH_WORDS:
        return ""
    return str(py3langid.classify(sample.document.plain_text[:4_000])[0])


def _most(values: Iterable[str]) -> str:
    counted = Counter(value for value in values if value)
    return counted.most_common(1)[0][0] if counted else ""


def _decide_lastmod(proposal: Proposal, survey: Survey, samples: Sequence[Sample]) -> None:
    scope = Scope(_source(proposal, {"url-include": list(proposal.include)}))
    entries = [one for one in survey.entries if scope.decide(one.url).included]
    stamps = [one.lastmod for one in entries if one.lastmod]
    reason = _doubt(stamps, len(entries), {one.url: one for one in samples}, entries)
    if reason:
        proposal.why["lastmod"] = reason
        return
    proposal.lastmod = "trust"
    proposal.why["lastmod"] = (
        f"{len(set(stamps))} different dates on {len(stamps)} pages, none of them that of the request: a page whose "
        "date is as before is not asked for again."
    )


def _doubt(stamps: Sequence[str], entries: int, samples: dict[str, Sample], listed: Sequence[PageEntry]) -> str:
    """Return why the dates of the sitemap tell nothing of edits; empty where they seem to."""
    if len(stamps) < 0.9 * entries or not stamps:
        return "The sitemap has no dates." if not stamps else "The sitemap has dates for some pages only."
    if len(stamps) < ENOUGH_DATES:
        return "Too few pages to tell whether the sitemap's dates can be trusted."
    if len(set(stamps)) < max(3, 0.1 * len(stamps)):
        return "The sitemap has the same date everywhere."
    now = datetime.now(UTC)
    fresh = [one for one in stamps if (unix_seconds(one) or 0) > (now - _STAMPED).timestamp()]
    if len(fresh) > 0.2 * len(stamps):
        return "The sitemap's dates are those of the request."
    pairs = [(one.lastmod[:10], samples[one.url].document) for one in listed if one.url in samples and one.lastmod]
    dated = [(stamp, document.published_date[:10]) for stamp, document in pairs if document and document.published_date]
    if len(dated) >= 3 and all(stamp == published for stamp, published in dated):
        return "The sitemap's dates are those of publication: they may tell nothing of edits."
    return ""


def _finish(proposal: Proposal, urls: Sequence[str], samples: Sequence[Sample]) -> None:
    more: dict[str, object] = {
        "url-include": list(proposal.include),
        "url-exclude": list(proposal.exclude),
        "match-redirects": proposal.match_redirects,
        "content-selector": proposal.selector,
        "content-exclude": list(proposal.content_exclude),
    }
    more = {name: value for name, value in more.items() if value not in ("", [])}
    source = _source(proposal, more)
    scope = Scope(source)
    proposal.expected = sum(scope.decide(url).included for url in urls)
    shown = max(samples, key=lambda one: one.words, default=None)
    if shown is not None:
        proposal.example = explain(shown.page, ExtractRules(source)).document
