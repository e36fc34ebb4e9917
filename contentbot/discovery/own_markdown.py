"""Where a site offers its pages as Markdown: a link of the page, an answer that depends on what is accepted, llms.txt.

Sources: RFC 8288 (Link header), HTML's `rel=alternate` with a type, RFC 9110 section 12.5.5 (Vary), and
https://llmstxt.org for the list and for the addresses that end with `.md`.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from urllib.parse import urlsplit

from contentbot.sources.urls import clean_url

MARKDOWN_TYPES = ("text/markdown", "text/x-markdown")

_HEAD = 256 << 10  # bytes in which a page says so; what comes first counts
_NOT_MARKUP = re.compile(rb"<!--.*?(?:-->|$)|<(script|style|template)\b.*?(?:</\1\s*>|$)", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(rb"<(?:link|base)\b[^>]{0,2000}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-z-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_HEADER_LINK = re.compile(r"<([^>]{1,2000})>((?:\s*;\s*[\w*-]+\s*=\s*(?:\"[^\"]*\"|[^\s;,]+))*)")
_LISTED = re.compile(r"\]\(\s*<?([^()\s<>]{1,2000})>?[^()\n]{0,300}\)")
_PAGE_OF = re.compile(r"(?:/index)?(?:\.html?)?\.(?:md|markdown)$|/index\.html?$|\.html?$|/$", re.IGNORECASE)


def linked_markdown(body: bytes, url: str, link_header: str = "") -> str:
    """Return the address of a page's Markdown as the page names it; empty where it names none on its own host.

    Args:
        body: the page's HTML.
        url: its address.
        link_header: its `Link` header.
    """
    for target in (*_in_header(link_header), *_in_head(body, url)):
        if found := _on_host(target, url):
            return found
    return ""


def depends_on_accept(headers: Mapping[str, str]) -> bool:
    """Say whether a host answers otherwise to whoever accepts another type; `headers` has lower-case names."""
    return "accept" in {name.strip().lower() for name in headers.get("vary", "").split(",")}


def is_markdown(content_type: str) -> bool:
    """Say whether an answer is Markdown; files of that kind are often served as plain text."""
    return content_type.partition(";")[0].strip().lower() in (*MARKDOWN_TYPES, "text/plain")


class MarkdownList:
    """The Markdown files that an llms.txt lists, by the pages that they belong to.

    Args:
        text: the file.
        url: where it stands.
    """

    def __init__(self, text: str, url: str) -> None:
        self._files: dict[str, str] = {}
        for target in _LISTED.findall(text):
            file = _on_host(target, url)
            if urlsplit(file).path.lower().endswith((".md", ".markdown")):
                self._files.setdefault(_page_name(file), file)

    def of(self, url: str) -> str:
        """Return the Markdown file of a page; empty where none is listed."""
        return self._files.get(_page_name(url), "")


def _in_head(body: bytes, url: str) -> Iterator[str]:
    head = body[:_HEAD]
    if not any(kind.encode() in head.lower() for kind in MARKDOWN_TYPES):
        return
    base = url
    for tag in _LINK.findall(_NOT_MARKUP.sub(b" ", head)):
        words = _attributes(tag.decode("utf-8", "replace"))
        if tag[1:5].lower() == b"base":
            base = _absolute(words.get("href", ""), url) or base
        elif _is_alternate(words):
            yield _absolute(words.get("href", ""), base)


def _in_header(value: str) -> Iterator[str]:
    for target, parameters in _HEADER_LINK.findall(value):
        if _is_alternate(_attributes(parameters)):
            yield target


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): unescape(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(text)}


def _is_alternate(words: Mapping[str, str]) -> bool:
    kind = words.get("type", "").partition(";")[0].strip().lower()
    return kind in MARKDOWN_TYPES and "alternate" in words.get("rel", "").lower().split()


def _absolute(target: str, base: str) -> str:
    try:
        return clean_url(target, base) if target else ""
    except ValueError:
        return ""


def _on_host(target: str, url: str) -> str:
    found = _absolute(target, url)
    return found if urlsplit(found).netloc == urlsplit(url).netloc else ""


def _page_name(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc}{_PAGE_OF.sub('', parts.path)}?{parts.query}"
