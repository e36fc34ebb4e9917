"""A proposal as the text of a source file, with what it goes by in comments."""

import json
import re
import textwrap
from collections.abc import Iterator

from contentbot.proposing.proposal import Proposal

# what YAML reads as it stands, outside of brackets
_PLAIN = re.compile(
    r"(?!(?:true|false|null|yes|no|on|off|~)$)[A-Za-z/.][\w/.?=&+-]*(?:(?<=[a-z]):(?=//)[\w/.?=&+-]*)?", re.IGNORECASE
)
_GLOB = re.compile(r"/[\w/.?*+%~@-]*")


def source_file(proposal: Proposal) -> str:
    """Return the text of the file; it loads as it is."""
    lines = [*_head(proposal), ""]
    for key, value in proposal.keys().items():
        if why := proposal.why.get(key):
            lines += ["", *_comment(why)]
        lines += _entry(key, value)
    if proposal.left_out:
        told = ", ".join(f"{pattern} ({count})" for pattern, count in proposal.left_out.items())
        lines += ["", *_comment(f"Found as well, and left out: {told}.")]
    return "\n".join(lines).strip() + "\n"


def _head(proposal: Proposal) -> Iterator[str]:
    about = (
        f"Proposed by `contentbot init` from {proposal.looked_at} pages; about {proposal.expected} documents are "
        f"expected from {proposal.listed} addresses. Look at single ones with "
        f"`contentbot try URL --source {proposal.id}`."
    )
    yield from _comment(about)
    if proposal.feeds:
        yield from _comment(f"The site has feeds too: {', '.join(proposal.feeds[:3])}.")


def _entry(key: str, value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield f"{key}:"
        for name, below in value.items():
            yield from (f"  {line}" for line in _entry(_scalar(name), below))
    elif isinstance(value, list):
        if not value:
            yield f"{key}: []"
            return
        yield f"{key}:"
        yield from (f"  - {_scalar(one)}" for one in value)
    else:
        yield f"{key}: {_scalar(value)}"


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return text if _PLAIN.fullmatch(text) or _GLOB.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 112, initial_indent="# ", subsequent_indent="# ", break_long_words=False)
