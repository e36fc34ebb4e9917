"""Taking blocks out of the region that was chosen."""

from collections.abc import Callable, Iterable, Sequence

from lxml.html import HtmlElement

from contentbot.extract.repeated.decide import Key
from contentbot.extract.repeated.survey import Run
from contentbot.extract.tree import has_text, remove


def strip(
    nodes: Sequence[HtmlElement],
    runs: Iterable[Run],
    dropped: frozenset[Key],
    is_framed: Callable[[HtmlElement], bool],
) -> list[HtmlElement]:
    """Remove blocks from elements of a tree; return the elements that are left.

    Args:
        nodes: the region; none is inside of another.
        runs: its runs, as a surveyor reads them.
        dropped: what goes of them.
        is_framed: says whether an element is inside of a place that goes; without text it goes with its pictures.
    """
    going = [run for run in runs if (run.place, run.text) in dropped]
    for run in going:
        for element, side in run.pieces:
            setattr(element, side, " ")
    roots = list(nodes)
    for run in going:
        emptied = _emptied(run, roots, is_framed)
        if emptied is None:
            continue
        if emptied in roots:
            roots.remove(emptied)
        else:
            remove(emptied, separate=True)
    return roots


def _emptied(run: Run, roots: Sequence[HtmlElement], is_framed: Callable[[HtmlElement], bool]) -> HtmlElement | None:
    """Return the outermost element around a run that has nothing else left to say; None where it has."""
    if not run.pieces:
        # its text is still there: it goes with its element
        run.holder.text = None
        for child in list(run.holder):
            remove(child)
        run.holder.text = None
    if has_text(run.holder):
        return None
    emptied, element = run.holder, run.holder
    while element not in roots:
        parent = element.getparent()
        if parent is None or has_text(parent):
            break
        element = parent
        if is_framed(element):
            emptied = element
    return emptied
