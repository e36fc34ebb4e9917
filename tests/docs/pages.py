"""The pages of the documentation, taken apart: headings, links, tables, fenced blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language, and its text."""

    page: str
    language: str
    text: str


@dataclass(frozen=True)
class Page:
    """One page: its path from the project, and its text."""

    path: str
    text: str

    @property
    def prose(self) -> str:
        """The text without its fenced blocks."""
        return _FENCE.sub("", self.text)

    @property
    def flowing(self) -> str:
        """The text on one line, for looking up sentences."""
        return " ".join(self.prose.split())

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Level and title of every heading."""
        return [(len(marks), title) for marks, title in _HEADING.findall(self.prose)]

    @property
    def links(self) -> list[str]:
        """The targets of all links."""
        return _LINK.findall(self.prose)

    @property
    def codes(self) -> list[str]:
        """The texts of all code spans."""
        return _CODE.findall(self.prose)

    def blocks(self) -> Iterator[Block]:
        """Yield the fenced blocks in order."""
        for language, text in _FENCE.findall(self.text):
            yield Block(self.path, language, text)

    def table(self, *columns: str) -> list[list[str]]:
        """Return the rows of all tables with these columns; there has to be one."""
        lines, found = self.prose.splitlines(), list[list[str]]()
        starts = [at for at, line in enumerate(lines) if line.startswith("|") and cells(line) == list(columns)]
        assert starts, f"{self.path} has no table {columns}"
        for start in starts:
            for line in lines[start + 2 :]:
                if not line.startswith("|"):
                    break
                found.append(cells(line))
        return found


def cells(line: str) -> list[str]:
    """Return the cells of one line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def codes(cell: str) -> list[str]:
    """Return the texts of the code spans of a cell."""
    return _CODE.findall(cell)


def anchor(title: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@cache
def pages() -> dict[str, Page]:
    """Return every page by its path."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    paths = [file.relative_to(ROOT).as_posix() for file in files]
    return {path: Page(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths}


def blocks(*languages: str) -> list[Block]:
    """Return the fenced blocks of these languages on all pages; all blocks where none is named."""
    return [
        block for page in pages().values() for block in page.blocks() if not languages or block.language in languages
    ]


def commands() -> list[str]:
    """Return every line of every shell block, each once."""
    lines = (line.strip() for block in blocks("sh") for line in block.text.splitlines())
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
