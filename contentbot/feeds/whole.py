"""Whether a feed has the whole text of an item, or a teaser for its page."""

import re

from contentbot.documents import FeedItem
from contentbot.extract.quality import text_flags
from contentbot.feeds.values import text_of

# words from which a mere description is taken for the whole text: teasers are shorter, WordPress cuts them at 55
LONG_DESCRIPTION = 200
# below it, a text under a title is a lead even where the feed calls it the content
SHORTEST_CONTENT = 25
_MEDIA = ("audio/", "video/", "application/x-shockwave-flash")
_MORE = re.compile(
    r"(?:\(more\s*(?:…|\.\.\.)?\)|\bmore\s*[»→]|→|\bread (?:the )?(?:rest|full|whole|entire)\b[^.]{0,60}|"
    r"\b(?:read|continue|keep) (?:more|reading)\b[^.]{0,80}|"
    r"(?:\b(?:weiterlesen|mehr lesen|lire la suite|seguir leyendo|leer más|leia mais|continua a leggere|leggi tutto|"
    r"lees (?:meer|verder)|läs mer|les mer|læs mere|czytaj (?:dalej|więcej)|читать (?:далее|дальше|полностью))\b|"
    r"続きを読む|阅读全文|閱讀全文)[^.]{0,80})\W*$",
    re.IGNORECASE,
)
# scripts that put no spaces between words: about two signs are one
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def is_whole(item: FeedItem) -> bool:
    """Say whether an item's own text can stand for its page.

    It can where there is no page; where the item is an episode with notes; and where the text does not end like a
    teaser and is long enough: a few words for what the feed calls the content, many for a mere description. An item
    without a title is a short post, whole as it is.
    """
    if not item.url:
        return True
    text = text_of(item.content or item.summary)
    if any(one.media_type.startswith(_MEDIA) for one in item.enclosures):
        return bool(text)
    if not text or _is_cut(text):
        return False
    length = words(text)
    if item.content:
        return length >= SHORTEST_CONTENT or not item.title
    return length >= LONG_DESCRIPTION


def is_read_inline(item: FeedItem, content: str) -> bool:
    """Say whether a source with `content: auto`, `feed` or `page` reads an item's own text, and not its page."""
    return not item.url or content == "feed" or (content == "auto" and is_whole(item))


def words(text: str) -> int:
    """Count words, also where a script puts no spaces between them."""
    dense = len(_DENSE.findall(text))
    return len(_DENSE.sub(" ", text).split()) + dense // 2


def _is_cut(text: str) -> bool:
    return "truncated" in text_flags(text) or bool(_MORE.search(text[-200:]))
