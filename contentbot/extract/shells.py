"""Pages that are a shell for a program: what is evidence for that, and nothing else counts."""

from lxml.html import HtmlElement

from contentbot.extract.tree import text_length

LONGEST_TEXT = 100
"""Characters of text that a shell may show while it waits, such as "Loading…" or a plea to enable scripts."""

_UNSEEN = ("script", "style", "template", "noscript", "noframes")


def is_shell(tree: HtmlElement) -> bool:
    """Say whether a page shows next to nothing, loads a program, and has an empty place for what that makes.

    The tree is as it was parsed, scripts included.
    """
    body = tree.find("body")
    if body is None or not any(script.get("src") or script.get("type") == "module" for script in tree.iter("script")):
        return False
    text = text_length(body) - sum(text_length(unseen) for unseen in body.iter(*_UNSEEN))
    return text <= LONGEST_TEXT and any(_is_mount(element) for element in body.iter("*"))


def _is_mount(element: HtmlElement) -> bool:
    """Say whether a program may fill this element: it has a name, and nothing in it."""
    named = element.get("id") or (isinstance(element.tag, str) and "-" in element.tag)
    return (
        bool(named)
        and element.tag not in (*_UNSEEN, "iframe", "img", "input", "canvas")
        and not text_length(element)
        and not len(element)
    )
