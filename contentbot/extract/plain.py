"""Plain text and Markdown as HTML, so that every kind of page goes the same way."""

import re
from html import escape

import yaml
from markdown_it import MarkdownIt

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
# where the white space is part of the text: indented lines, columns
_LAID_OUT = re.compile(r"^(?:\t| {2,})\S|\S {3,}\S|\S\t", re.MULTILINE)
_TO_HTML = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def text_to_html(text: str) -> str:
    """Return plain text as paragraphs; blocks that are laid out with spaces or tabs keep their layout."""
    blocks = re.split(r"\n(?:[ \t]*\n)+", _unix(text).strip("\n"))
    return _document("".join(_block(block) for block in blocks if block.strip()), "")


def markdown_to_html(text: str) -> str:
    """Return Markdown as HTML; the title and description of a YAML front matter become those of the page."""
    text = _unix(text)
    front = _FRONT_MATTER.match(text)
    head = "".join(_head(front[1] or "")) if front else ""
    return _document(_TO_HTML.render(text[front.end() :] if front else text), head)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _block(block: str) -> str:
    # after the tag a first newline would be swallowed
    return f"<pre>\n{escape(block)}</pre>" if _LAID_OUT.search(block) else f"<p>{escape(block)}</p>"


def _head(front_matter: str) -> list[str]:
    try:
        # every scalar stays text: no dates, numbers or booleans are guessed
        fields = yaml.load(front_matter, Loader=yaml.BaseLoader)  # noqa: S506 - it builds nothing but texts
    except yaml.YAMLError:
        return []
    if not isinstance(fields, dict):
        return []
    known = {"title": "<title>{}</title>", "description": '<meta name="description" content="{}">'}
    return [form.format(escape(fields[key])) for key, form in known.items() if isinstance(fields.get(key), str)]


def _document(body: str, head: str) -> str:
    return f"<html><head>{head}</head><body><main>{body}</main></body></html>"
