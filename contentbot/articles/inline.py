"""Whether the content that a feed item carries is the whole article; decided by evidence, not by the field's name."""

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal

from contentbot.articles.items import Item
from contentbot.articles.words import word_count

if TYPE_CHECKING:
    from contentbot.articles.study import Study

# a field for content may hold a teaser, one for a summary the whole text: that takes more of it to believe
ENOUGH = {"content": 100, "summary": 250}

_GOES_ON = re.compile(
    r"(?:…|\.\.\.|\[…\]|\[\.\.\.\]|\(more…\)|»|→)\W*$"
    r"|\b(?:read (?:more|on|the (?:full|rest|whole)\b.*)|continue reading\b.*|keep reading|see more"
    r"|full (?:story|article)|view (?:the )?(?:original|full)\b.*"
    r"|(?:jetzt |artikel )?weiterlesen|mehr lesen|zum (?:ganzen )?artikel"
    r"|lire la suite|en savoir plus|leer más|seguir leyendo|continua a leggere|leggi tutto|lees (?:verder|meer)"
    r"|leia mais|czytaj dalej|читать далее|続きを読む|阅读全文|阅读更多)\W*$",
    re.IGNORECASE,
)
# what feed plug-ins append to whole texts
_FOOTER = re.compile(
    r"\s*(?:the post\b.{1,300}?\b(?:appeared first on|first appeared on)\b.{1,200}"
    r"|der beitrag\b.{1,300}?\berschien zuerst auf\b.{1,200}"
    r"|(?:l['’]article|cet article)\b.{1,300}?\best apparu en premier\b.{1,200})$",
    re.IGNORECASE | re.DOTALL,
)
_LAST_BLOCK = re.compile(r"</(?:li|ul|ol|pre|table|figure|blockquote|dl|h[1-6])>\s*(?:</\w+>\s*)*$", re.IGNORECASE)
_ENDED = re.compile(r"[.!?:;…。！？।؟\"'”’»)\]]\s*$")
_CLASS = "inline-item"
SELECTOR = f"main.{_CLASS}"
"""Where the page that `inline_html` makes has its content."""

_MARKUP = re.compile(r"<(?:p|div|br|a|h[1-6]|ul|ol|li|img|blockquote|pre|table|em|strong|figure|span)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether inline content is whole, and the evidence in words."""

    whole: bool
    why: str


def inline_html(item: Item) -> tuple[str, Literal["content", "summary"] | None]:
    """Return an item's inline content as an HTML page, and the field it is from; None where there is none."""
    text = item.content if item.content.strip() else item.summary
    if not text.strip():
        return "", None
    # a field that repeats the summary is one
    return _page(item, text), "summary" if text.strip() == item.summary.strip() else "content"


def without_footer(text: str) -> str:
    """Return the text without the line that feed plug-ins append."""
    return _FOOTER.sub("", text[-4_000:]) if len(text) <= 4_000 else text[:-4_000] + _FOOTER.sub("", text[-4_000:])


def judge(item: Item, read: "Study", field: Literal["content", "summary"]) -> Verdict:
    """Say whether inline content that was read is the whole article."""
    text = without_footer(read.document.plain_text.rstrip()).rstrip()
    words, raw = word_count(text), getattr(item, field).rstrip()
    if "truncated" in read.document.quality_flags or _GOES_ON.search(text[-200:]):
        return Verdict(False, f"{words} words that go on elsewhere")
    if words < ENOUGH[field]:
        return Verdict(False, f"{words} words of {field}, fewer than {ENOUGH[field]}")
    if not _ENDED.search(text[-5:]) and not _LAST_BLOCK.search(without_footer(raw)[-200:]):
        return Verdict(False, f"{words} words that end in the middle of a sentence")
    return Verdict(True, f"{words} words of {field}, with an end")


def _page(item: Item, text: str) -> str:
    body = text if _MARKUP.search(text) else "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n", text))
    lang = f' lang="{escape(item.language)}"' if item.language else ""
    title = f"<title>{escape(item.title)}</title>" if item.title else ""
    return f"<!doctype html><html{lang}><head>{title}</head><body><main class={_CLASS}>{body}</main></body></html>"
