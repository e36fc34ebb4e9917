"""The page's own Markdown, where the site offers it and it says what the page says."""

import re
from collections import Counter
from dataclasses import dataclass

from contentbot.documents import MarkdownFile
from contentbot.errors import ExtractionError
from contentbot.extract.decode import decode
from contentbot.extract.hidden import remove_invisible
from contentbot.extract.html import parse_html
from contentbot.extract.markdown import Rendering, render
from contentbot.extract.plain import markdown_to_html
from contentbot.extract.rules import Limits

SHARED = 0.85
"""Of the words of the page, so many have to be in its Markdown, and of those of the Markdown so many in the page."""


# words, and single characters of the scripts that put no spaces between them
_WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|\\w+")


@dataclass(frozen=True, slots=True)
class OwnMarkdown:
    """A page's own Markdown, rendered like every other content; `refused` says why it is not taken."""

    rendering: Rendering | None = None
    refused: str = ""


def own_markdown(file: MarkdownFile, page: Rendering, limits: Limits) -> OwnMarkdown:
    """Read a page's own Markdown and compare it with what was extracted from the page.

    It is rendered anew: links become absolute, hidden text goes, as everywhere.
    """
    try:
        tree = parse_html(markdown_to_html(decode(file.body, "text/markdown").text), limits)
    except ExtractionError as error:
        return OwnMarkdown(refused=str(error))
    remove_invisible(tree)
    found = tree.find("body")
    rendering = render([tree if found is None else found], base_url=file.url)
    share = shared(page.plain_text, rendering.plain_text)
    if share < SHARED:
        return OwnMarkdown(refused=f"it shares {share:.0%} of the words of the page")
    return OwnMarkdown(rendering)


def shared(one: str, other: str) -> float:
    """Return how much of their words two texts share, from 0 to 1: the smaller of both shares."""
    ours, theirs = Counter(_WORD.findall(one.casefold())), Counter(_WORD.findall(other.casefold()))
    common = sum((ours & theirs).values())
    most = max(sum(ours.values()), sum(theirs.values()))
    return common / most if most else 0.0
