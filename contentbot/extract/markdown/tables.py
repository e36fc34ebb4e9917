"""Tables: their rows, whether they hold data at all, and the even grid that Markdown needs."""

from collections.abc import Iterator, Sequence

from lxml.etree import _Element

from contentbot.extract.markdown.elements import classes_of
from contentbot.extract.markdown.model import Cell, Row, Table

_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_BLOCKY = ("h1", "h2", "h3", "h4", "h5", "h6", "hr", "form", "article", "section")
_MOST_COLUMNS = 200
_MOST_FILLERS = 100_000


def rows_of(table: _Element) -> list[_Element]:
    """Return the rows that belong to this table and not to one inside it, in the order they are written."""
    return list(_rows(table))


def _rows(table: _Element) -> Iterator[_Element]:
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in _SECTIONS:
            yield from (row for row in child if row.tag == "tr")


def is_layout(table: _Element, rows: Sequence[_Element]) -> bool:
    """Tell whether a table only places things on the page: its cells are then read one after the other."""
    widest = max((sum(cell.tag in ("td", "th") for cell in row) for row in rows), default=0)
    if table.get("role") in ("presentation", "none") or _is_callout(table) or not widest:
        return True
    if table.find("caption") is not None or table.find("thead") is not None:
        return False
    cells = [cell for row in rows for cell in row if cell.tag in ("td", "th")]
    if any(cell.tag == "th" for cell in cells):
        return False
    return widest <= 1 or any(_is_blocky(cell) for cell in cells)


def _is_callout(table: _Element) -> bool:
    parent = table.getparent()
    return parent is not None and "admonitionblock" in classes_of(parent)


def _is_blocky(cell: _Element) -> bool:
    return (
        sum(child.tag in ("p", "div", "ul", "ol", "pre", "blockquote", "figure") for child in cell) > 3
        or next(cell.iter(*_BLOCKY), None) is not None
    )


def grid(table: Table) -> tuple[list[list[Cell | None]], bool]:
    """Return the rows as equally long lists of cells, spans filled with None, and whether the first is a header.

    A table so uneven that filling it up would cost more than the table itself keeps its short rows; GFM reads a
    missing cell as an empty one.
    """
    lines = _expanded(table.rows)
    width = max(map(len, lines), default=0)
    fill = sum(width - len(line) for line in lines) <= _MOST_FILLERS
    for number, line in enumerate(lines):
        if fill or not number:
            line.extend([None] * (width - len(line)))
    return lines, bool(table.rows) and _is_header(table.rows[0])


def _is_header(row: Row) -> bool:
    return row.head or all(cell.header for cell in row.cells)


def _expanded(rows: Sequence[Row]) -> list[list[Cell | None]]:
    hanging: dict[int, int] = {}
    lines = []
    for row in rows:
        line: list[Cell | None] = []
        for cell in row.cells:
            _fill_hanging(line, hanging)
            span = cell.colspan if len(line) + cell.colspan <= _MOST_COLUMNS else 1
            if cell.rowspan > 1:
                hanging.update(dict.fromkeys(range(len(line), len(line) + span), cell.rowspan))
            line += [cell, *[None] * (span - 1)]
        _fill_hanging(line, hanging)
        lines.append(line)
        hanging = {column: left - 1 for column, left in hanging.items() if left > 1}
    return lines


def _fill_hanging(line: list[Cell | None], hanging: dict[int, int]) -> None:
    while len(line) in hanging:
        line.append(None)
