"""Tables: their rows, whether they hold data at all, and the even grid that Markdown needs."""

from collections.abc import Iterator, Sequence

from lxml.etree import _Element

from contentbot.extract.markdown.blocks import Handler, number
from contentbot.extract.markdown.code import code_of_table
from contentbot.extract.markdown.elements import classes_of
from contentbot.extract.markdown.model import Cell, Row, Table
from contentbot.extract.markdown.reader import DEEPEST, End, Reader, Skip

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
    for place, line in enumerate(lines):
        if fill or not place:
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


def _table(reader: Reader, element: _Element) -> End:
    reader.flush()
    nested = len(reader.tables) > DEEPEST or reader.is_inside(Cell)
    # looking into a table costs its size, so what is nested is not looked into at every level
    rows = [] if nested else rows_of(element)
    if (code := code_of_table(element, rows)) is not None:
        reader.append(code)
        raise Skip
    flat = nested or reader.title is not None or is_layout(element, rows)
    reader.tables.append(None if flat else Table())

    def end() -> None:
        reader.flush()
        table = reader.tables.pop()
        if table is not None:
            table.rows = [row for row in table.rows if any(cell.blocks for cell in row.cells)]
            if table.rows:
                reader.append(table)

    return end


def _row(reader: Reader, element: _Element) -> End:
    if reader.tables and (table := reader.tables[-1]) is not None:
        parent = element.getparent()
        table.rows.append(Row(head=parent is not None and parent.tag == "thead"))
    return reader.block()


def _cell(reader: Reader, element: _Element) -> End:
    table = reader.tables[-1] if reader.tables else None
    if table is None or not table.rows:
        return reader.block()
    cell = Cell(
        header=element.tag == "th",
        colspan=max(1, number(element.get("colspan"), 1)),
        rowspan=max(1, number(element.get("rowspan"), 1)),
        align=_align(element),
    )
    table.rows[-1].cells.append(cell)
    return reader.into(cell)


def _align(cell: _Element) -> str:
    style = (cell.get("style") or "").replace(" ", "").lower()
    name = style.partition("text-align:")[2] or (cell.get("align") or "").lower()
    return next((side for side in ("left", "center", "right") if name.startswith(side)), "")


TABLES: dict[object, Handler] = {"table": _table, "tr": _row, "td": _cell, "th": _cell}
