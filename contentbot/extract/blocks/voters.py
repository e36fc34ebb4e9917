"""What two other extractors would keep of a page, block by block: witnesses whom the classifier weighs."""

import logging
import re
from collections.abc import Sequence

import numpy as np
import trafilatura
from lxml.html import HtmlElement
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree
from trafilatura.settings import Extractor

from contentbot.extract.blocks.columns import Columns
from contentbot.extract.blocks.layout import Floats, Layout
from contentbot.extract.blocks.layout import shift as moved
from contentbot.extract.blocks.walk import Blocks

# planes 15 and 16, which are assigned to nothing: 131,068 marks
_MARKS = range(0xF0000, 0x10FFFE)
_MARKED = re.compile(f"[{chr(_MARKS.start)}-{chr(_MARKS.stop - 1)}]")
_BARE = re.compile(r"\W+")
_CELL = re.compile(r"[|\t]| {2,}")
_SHORT, _END = 30, 40
# of one element: its time grows with the square of them, and 40,000 in a paragraph would take a minute
_MOST_CHILDREN = 5_000

# its rendering as text, which Python's output has too, would be thrown away
_WISHES = Extractor(output_format="txt", fast=True, comments=False)
# a page without text is an error to it; here it is a voter that keeps nothing
logging.getLogger("trafilatura").setLevel(logging.CRITICAL)


def ask_trafilatura(tree: HtmlElement, blocks: Blocks) -> Floats:
    """Return the share of each block's characters that trafilatura keeps.

    Every piece of text is marked with a character of its own, and the marks that come back say which were kept: no
    text has to be found again. The tree is as before in the end.
    """
    pieces = [(*piece, owner) for piece, owner in zip(blocks.pieces, blocks.owner, strict=True) if owner >= 0]
    if len(pieces) > len(_MARKS) or (len(pieces) > _MOST_CHILDREN and _is_wide(tree)):
        return np.zeros(len(blocks.text), np.float32)
    texts = [element.tail if behind else element.text for element, behind, _ in pieces]
    try:
        for (element, behind, _), text, code in zip(pieces, texts, _MARKS, strict=False):
            _write(element, _marked(text or "", chr(code)), behind=behind)
        found = {ord(mark) - _MARKS.start for mark in _MARKED.findall(_kept_text(tree))}
    finally:
        for (element, behind, _), text in zip(pieces, texts, strict=True):
            _write(element, text, behind=behind)
    owners = np.array([owner for _, _, owner in pieces], np.intp)
    lengths = np.array([len((text or "").strip()) for text in texts], np.float32)
    kept = lengths * np.isin(np.arange(len(pieces)), list(found))
    whole = np.bincount(owners, lengths, len(blocks.text))
    return (np.bincount(owners, kept, len(blocks.text)) / np.maximum(whole, 1)).astype(np.float32)


def _is_wide(tree: HtmlElement) -> bool:
    return any(len(element) > _MOST_CHILDREN for element in tree.iter("*"))


def ask_resiliparse(html: str, blocks: Blocks) -> Floats:
    """Return whether resiliparse keeps each block: 1, 0, or something between where only a part was found again."""
    try:
        text = extract_plain_text(
            HTMLTree.parse(html),
            main_content=True,
            alt_texts=False,
            links=False,
            form_fields=False,
            preserve_formatting=True,
            list_bullets=False,
        )
    except Exception:  # it is a library in C++, and the page may be anything; one voter less is no loss of the page
        text = ""
    return find_again(blocks.text, text)


def find_again(texts: Sequence[str], kept: str) -> Floats:
    """Return how much of each text stands in the output of an extractor."""
    whole = _BARE.sub("", kept)
    lines = {_BARE.sub("", cell) for line in kept.splitlines() for cell in _cells(line)}
    return np.array([_share(_BARE.sub("", text), whole, lines) for text in texts], np.float32)


def _cells(line: str) -> list[str]:
    return [line, *_CELL.split(line)] if _CELL.search(line) else [line]


def _share(text: str, whole: str, lines: set[str]) -> float:
    if text in lines:
        return 1.0
    if len(text) < _SHORT:
        return 0.4 if len(text) > 12 and text in whole else 0.0
    return 0.5 * (text[:_END] in whole) + 0.5 * (text[-_END:] in whole)


def _write(element: HtmlElement, text: str | None, *, behind: bool) -> None:
    if behind:
        element.tail = text
    else:
        element.text = text


def _marked(text: str, mark: str) -> str:
    start = len(text) - len(text.lstrip())
    return f"{text[:start]}{mark}{text[start:]}"


def _kept_text(tree: HtmlElement) -> str:
    try:
        document = trafilatura.bare_extraction(tree, options=_WISHES)
    except Exception:  # as above: it has failed on odd trees in many ways
        return ""
    if isinstance(document, trafilatura.settings.Document) and document.body is not None:
        return "".join(str(text) for text in document.body.itertext())
    return ""


def add_votes(columns: Columns, layout: Layout, votes: Sequence[Floats]) -> None:
    """Add what each voter says of a block, its neighbours and the containers around it."""
    for number, vote in enumerate(votes):
        name = f"vote{number}"
        kept = np.flatnonzero((vote > 0.7) & (layout.length > 40))
        first, last = (kept[0], kept[-1]) if len(kept) else (0, layout.count - 1)
        columns.add(name, vote)
        columns.add(f"{name}_1", moved(vote, 1))
        columns.add(f"{name}_-1", moved(vote, -1))
        for radius in (3, 12):
            columns.add(f"{name}_near_{radius}", layout.window(vote, radius))
        for level in (1, 2, 3, 5):
            columns.add(f"{name}_level_{level}", layout.within(vote, layout.level[level]))
        columns.add(f"{name}_from_first", layout.index - first)
        columns.add(f"{name}_from_last", layout.index - last)
        columns.add(f"{name}_share", float((layout.length * vote).sum()) / max(layout.total, 1))
        columns.add(f"{name}_kind", layout.by_kind(vote))
    both = float((layout.length * np.minimum(*votes)).sum())
    columns.add("votes_agree", both / max(1.0, float((layout.length * np.maximum(*votes)).sum())))
