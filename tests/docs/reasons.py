"""The words that runs count by, read out of the code: what a page or a sitemap is skipped for, and how a run ends."""

import ast
from collections.abc import Iterator
from functools import cache

from contentbot.middlewares import failures
from tests.docs.pages import ROOT

# whatever carries a reason into the record of a run, with the place of the reason among its arguments
_OF_PAGES = {
    "NoContent": 0,
    "LimitExceeded": 0,
    "UnsupportedMedia": 0,
    "ExtractionError": 0,
    "check": 0,
    "LeftOut": 0,
    "Refused": 0,
    "RobotsDisallowed": 0,
    "Decision": 1,
    "Refusal": 0,
    "skip": 1,
    "leave": 1,
    "_leave": 1,
}
_OF_SITEMAPS = {"sitemap_failed": 1, "NotAFeed": 0}
_OF_RUNS = {"fail": 0, "_never_ran": 1, "close_spider_async": 0}
# functions that return a reason, and names that hold one until it is raised
_RETURNING = frozenset({"why", "_refusal"})
_NAMES = frozenset({"reason", "word"})
_SCRAPYS = frozenset({"finished", "shutdown", "closespider_itemcount"})


def reasons() -> set[str]:
    """Return every reason for which a page can be skipped."""
    found = set(_given(_OF_PAGES)) | set(_held()) | set(_returned()) | {word for _, word in failures._WORDS}
    # a decision that a page is in, and an address that is known already, skip nothing
    return found - {"included", "duplicate"}


def sitemap_reasons() -> set[str]:
    """Return every reason for which a sitemap can be unread or incomplete, those of downloads left out."""
    return set(_given(_OF_SITEMAPS)) | set(_incomplete())


def finishes() -> set[str]:
    """Return every way in which a run can end; some are Scrapy's."""
    return set(_given(_OF_RUNS)) | _SCRAPYS


def counts() -> set[str]:
    """Return everything that a run counts beside reasons."""
    return {
        word
        for call in _calls()
        if _name(call) == "count" and call.args
        for word in _words(call.args[0])
        if word.islower()
    } - {
        # of robots.txt, for Scrapy's own statistics
        "requested",
        "disallowed",
        "unreachable",
    }


@cache
def _nodes() -> list[ast.AST]:
    files = sorted((ROOT / "contentbot").rglob("*.py"))
    return [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]


def _calls() -> Iterator[ast.Call]:
    return (node for node in _nodes() if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _given(places: dict[str, int]) -> Iterator[str]:
    for call in _calls():
        place = places.get(_name(call))
        if place is None:
            continue
        named = [keyword.value for keyword in call.keywords if keyword.arg == "reason"]
        for argument in [*call.args[place : place + 1], *named]:
            yield from _words(argument)


def _incomplete() -> Iterator[str]:
    for call in _calls():
        if _name(call) == "Rejected" and any(keyword.arg == "incomplete" for keyword in call.keywords):
            yield from _words(call.args[1])


def _held() -> Iterator[str]:
    for node in _nodes():
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") in _NAMES for target in node.targets):
            yield from _words(node.value)


def _returned() -> Iterator[str]:
    for function in _nodes():
        if isinstance(function, ast.FunctionDef) and function.name in _RETURNING:
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value:
                    yield from _words(node.value)


def _words(expression: ast.AST) -> Iterator[str]:
    """Yield the words an expression can be; `f"http_{status}"` is `http_NNN`."""
    match expression:
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]) if start.endswith("_"):
            yield f"{start}NNN"
        case ast.Constant(value=str(word)) if word.replace("_", "").isalnum() and word.islower():
            yield word
        case ast.IfExp(body=body, orelse=other):
            yield from _words(body)
            yield from _words(other)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _words(value)
        case ast.Tuple(elts=[first, *_]):
            yield from _words(first)
        case ast.Call(func=ast.Name(id="next"), args=[_, otherwise]):
            yield from _words(otherwise)
