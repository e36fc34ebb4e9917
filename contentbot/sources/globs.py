"""Ant-style globs on the path of a URL.

    ?     one character of a segment
    *     any characters of a segment; a segment that is nothing but `*` is never empty
    **    any number of whole segments, none included; at the end at least one, which may be empty

So `/blog/**` takes in `/blog/a`, `/blog/a/b` and `/blog/`, but not the listing page `/blog`; `/**/feed` takes in
`/feed` and `/a/feed`. A pattern is a whole path: `/blog` matches neither `/blog/` nor `/blog/a`. Upper and lower case
differ, as they do on the web. Percent-encoded and plain spellings are one, in patterns and in paths: `/ärzte/*`
matches `/%C3%A4rzte/liste`. A character that a pattern reserves is written percent-encoded, such as `%2A` for `*`.

The pattern becomes one regular expression. Both kinds of wildcard take the leftmost place where what follows them
fits and never reconsider it (atomic groups; the leftmost place is always good enough, because what follows has a
fixed number of segments or characters). Matching therefore costs at most pattern length times path length.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from contentbot.errors import ConfigError

MAX_LENGTH = 1_000
# a decoded `%2F` is a character of its segment, not a separator; no text holds this code point
_SLASH_IN_SEGMENT = "\ufdd0"
_ANY_SEGMENTS = r"(?:[^/]*/)*"


@dataclass(frozen=True, slots=True)
class AntGlob:
    """One compiled pattern; picklable.

    Raises:
        ConfigError: the pattern is none; the hint says what to write instead.
    """

    pattern: str
    _regex: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _refuse_what_is_no_glob(self.pattern)
        object.__setattr__(self, "_regex", re.compile(_translate(self.pattern)))

    def matches(self, path: str) -> bool:
        """Say whether the whole path, encoded or plain, without query and fragment, fits the pattern."""
        return self.matches_decoded(decoded_path(path))

    def matches_decoded(self, path: str) -> bool:
        """Say the same of a path that `decoded_path` returned, where many patterns look at one path."""
        return self._regex.fullmatch(path[1:] + "/") is not None


def decoded_path(path: str) -> str:
    """Return a path as paths are compared: percent-decoded segment by segment, NFC, with a leading `/`."""
    return "/" + "/".join(_decoded(segment) for segment in path.removeprefix("/").split("/"))


def _decoded(text: str) -> str:
    # bytes that are no UTF-8 stay distinguishable as lone surrogates
    plain = unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")
    return unicodedata.normalize("NFC", plain).replace("/", _SLASH_IN_SEGMENT)


def _translate(pattern: str) -> str:
    """Return the expression for `path[1:] + "/"`: every segment is followed by a slash."""
    first, *later = _runs(pattern.removeprefix("/").split("/"))
    if not later:
        return first
    *middle, last = later
    parts = [first, *(f"(?>{_ANY_SEGMENTS}?{run})" for run in middle if run)]
    return "".join(parts) + (_ANY_SEGMENTS + last if last else r"(?:[^/]*/)+")


def _runs(segments: list[str]) -> list[str]:
    """Return the expressions of the segments between the `**`s."""
    runs = [""]
    for segment in segments:
        if segment == "**":
            runs.append("")
        else:
            runs[-1] += _segment(segment) + "/"
    return runs


def _segment(segment: str) -> str:
    if segment.strip("*") == "" and segment:
        return "[^/]+"
    first, *later = (_fixed(part) for part in segment.split("*"))
    if not later:
        return first
    *middle, last = later
    return first + "".join(f"(?>[^/]*?{part})" for part in middle if part) + "[^/]*" + last


def _fixed(part: str) -> str:
    return "[^/]".join(re.escape(_decoded(literal)) for literal in part.split("?"))


def _refuse_what_is_no_glob(pattern: str) -> None:
    for is_wrong, problem, hint in _FAULTS:
        if is_wrong(pattern):
            shown = repr(pattern if len(pattern) <= 80 else pattern[:77] + "...")
            raise ConfigError(f"{shown} is no path pattern: {problem}", hint=hint(pattern))


def _with_slash(pattern: str) -> str:
    if "://" in pattern:
        path = "/" + pattern.partition("://")[2].partition("/")[2]
        return f"patterns match the path only: write {path!r}"
    if pattern.startswith("!"):
        return "what must stay out goes into url-exclude"
    return f"write {'/' + pattern!r}, or {'/**/' + pattern!r} for any depth"


_FAULTS = (
    (lambda p: not p.strip(), "it is empty", lambda _: "write '/**' for every page"),
    (lambda p: len(p) > MAX_LENGTH, f"it is longer than {MAX_LENGTH} characters", lambda _: "split it into several"),
    (lambda p: not p.startswith("/"), "it does not start with '/'", _with_slash),
    (lambda p: re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", p), "it holds a control character", lambda _: "remove it"),
    (lambda p: p != p.strip(), "it ends with a space", lambda p: f"write {p.strip()!r}, or %20 for a real space"),
    (lambda p: "\\" in p, "it holds a backslash", lambda p: "write " + repr(p.replace("\\", "/"))),
    (lambda p: re.search(r"[\[\]{}]", p), "'[', ']', '{' and '}' have no meaning here",
     lambda _: "only ?, * and ** are wildcards; write several patterns, or %5B and %7B for real brackets"),
    (lambda p: "#" in p, "a path has no '#'", lambda p: f"write {p.partition('#')[0]!r}"),
    (lambda p: "***" in p, "'***' is no wildcard", lambda p: f"write {re.sub(r'[*]{3,}', '**', p)!r}"),
    (lambda p: re.search(r"[^/]\*\*|\*\*[^/]", p), "'**' stands for whole segments, so only '/' may be beside it",
     lambda p: f"write '*' for a part of a segment: {p.replace('**', '*')!r}"),
)  # fmt: skip
