"""The names a document goes by: its readable id, its path, its title where the page gives none."""

import re
from urllib.parse import unquote, urlsplit

# escapes of characters outside of ASCII; the others may be what tells two addresses apart
_FOREIGN = re.compile(r"(?:%[89A-F][0-9A-F])+", re.IGNORECASE)


def document_id(source: str, url: str, home: str) -> str:
    """Return a readable id, such as `blog:posts/2026/03/12/slug?page=2`; it is unique per source and URL.

    Args:
        url: the document's address, cleaned.
        home: the source's base URL. Addresses of another origin keep theirs: `blog:https://other.example/x`.
    """
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    local = f"{parts.path.removeprefix('/')}{query}" if _origin(url) == _origin(home) else url
    return f"{source}:{readable(local)}"


def readable(path: str) -> str:
    """Decode the escapes of letters, where they are printable UTF-8; every other escape stays."""
    return _FOREIGN.sub(_printable, path)


def name_of(url: str) -> str:
    """Return the last part of an address as words: what a page is called that calls itself nothing."""
    parts = urlsplit(url)
    last = unquote(parts.path.rstrip("/").rpartition("/")[2])
    stem = re.sub(r"\.(?:html?|xhtml|md|markdown|txt|php|aspx?|jsp)$", "", last, flags=re.IGNORECASE)
    return " ".join(re.sub(r"[-_+]+", " ", stem).split()) or parts.netloc


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.netloc.lower().removesuffix(
        {"http": ":80", "https": ":443"}.get(parts.scheme, ":")
    )


def _printable(match: re.Match[str]) -> str:
    try:
        text = unquote(match[0], errors="strict")
    except UnicodeDecodeError:
        return match[0]
    return text if text.isprintable() and not any(char.isspace() for char in text) else match[0]
