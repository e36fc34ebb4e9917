"""A small site of our own, whose pages are extracted together as a crawl does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from contentbot.extract import Extraction, extract_surveyed
from contentbot.extract.repeated import PageBlocks, Surveyed, Template, learn
from tests.extract.pages import HOME, page, rules

_THINGS = "wheel sluice stone flour hopper millrace sack grain brake shaft cog beam weir bin chute scale".split()  # noqa: SIM905
_VERBS = "turns grinds carries holds lifts stops feeds cools weighs wears".split()  # noqa: SIM905


def sentences(number: int, count: int = 4) -> list[str]:
    """Return sentences that no other number gives."""
    made = []
    for step in range(count):
        first, second = _THINGS[(number + step) % 16], _THINGS[(number * 3 + step * 5 + 1) % 16]
        verb = _VERBS[(number * 7 + step) % 10]
        made.append(
            f"In year {1700 + number} the {first} of mill {number} {verb} the {second} for {step + 2} millers of the "
            f"{'upper' if number % 2 else 'lower'} valley, says entry {number * 10 + step} of the chronicle."
        )
    return made


def text(number: int, count: int = 4) -> str:
    """Return paragraphs that no other number gives."""
    return "".join(f"<p>{sentence}</p>" for sentence in sentences(number, count))


def whole(body: str, title: str = "", head: str = "") -> str:
    """Return a page with a main part."""
    return (
        f'<html lang="en"><head><title>{title}</title>{head}</head><body><nav><a href="/">Home</a></nav>'
        f"<main>{body}</main></body></html>"
    )


def article(number: int, *, before: str = "", after: str = "") -> str:
    """Return a page about one mill, with something before or after its text."""
    title = f"The mill number {number}"
    return whole(f'<article><h1>{title}</h1>{before}<div class="text">{text(number)}</div>{after}</article>', title)


def crawl(
    pages: Mapping[str, str], *, template: Template | None = None, **source: Any
) -> tuple[dict[str, Extraction], Template]:
    """Extract pages by path, learn from them, and extract them again by what was learned."""
    known = replace(rules(**source), template=Template())
    first = {path: extract_surveyed(page(html, f"{HOME}{path}"), known) for path, html in pages.items()}
    learned = template or learn(
        [Surveyed(one.document.locale, PageBlocks.unpack(one.blocks)) for one in first.values() if one.blocks]
    )
    known = replace(known, template=learned)
    return {path: extract_surveyed(page(html, f"{HOME}{path}"), known) for path, html in pages.items()}, learned


def bodies(pages: Mapping[str, str], **source: Any) -> dict[str, str]:
    """Return what becomes of pages, by path."""
    made, _ = crawl(pages, **source)
    return {path: one.document.body for path, one in made.items()}
