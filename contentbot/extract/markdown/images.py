"""Images, lazy ones included, and the players that become links."""

import re
from collections.abc import Iterator

from lxml.etree import _Element

from contentbot.extract.markdown.addresses import host_of, image_address, useful_title
from contentbot.extract.markdown.elements import classes_of
from contentbot.extract.markdown.escape import escape_label
from contentbot.extract.markdown.inline import destination
from contentbot.extract.markdown.model import Raw, Text
from contentbot.extract.markdown.text import collapse

_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-actualsrc",
    "data-hi-res-src", "data-full-src", "data-url", "data-image", "data-img-src", "data-echo", "data-large-file",
    "data-orig-file", "data-fallback-src",
)  # fmt: skip
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_SETS = (*_LAZY_SETS, "srcset")
PLACEHOLDER = re.compile(
    r"data:|about:|(?:[^?]*[/_.-])?(?:blank|spacer|placeholder|loading|loader|lazy|lazyload|transparent|empty|1x1|pixel|grey|gray|trans|clear|dummy)"
    r"(?:[_.-][\w.-]*)?\.(?:gif|png|svg|jpe?g|webp)(?:[?#].*)?$",
    re.I,
)
"""Matches the address of what stands where the picture is not loaded yet."""
# addresses that say themselves that they lead to a few pixels, shown until the picture is there
_PREVIEW = re.compile(
    r"(?:^|[/_.?&=-])(?:lqip|blur(?:red)?|tiny|lowres|low-res)(?=[/_.=&-]|$)"
    r"|[?&](?:w|width)=\d\d?(?=&|$)|/w\d\d?/|[_-]\d\d?x\d\d?\.\w+$",
    re.I,
)
_TRACKERS = re.compile(
    r"(?:^|\.)(?:doubleclick\.net|google-analytics\.com|googletagmanager\.com|pixel\.wp\.com|stats\.wordpress\.com|vgwort\.de|scorecardresearch\.com"
    r"|feedsportal\.com|quantserve\.com|bat\.bing\.com|px\.ads\.linkedin\.com|matomo\.cloud|ct\.pinterest\.com|analytics\.twitter\.com)$"
)
_TRACKER_PATHS = re.compile(r"facebook\.com/tr\b|/(?:piwik|matomo)\.php|feedburner\.com/~[rf]/|medium\.com/_/stat")
_CANDIDATE = re.compile(r"\s*,?\s*(\S*[^\s,])(?:\s+([\d.]+)([wxh]))?\s*(?:,|$)")
_PIXELS = re.compile(r"\s*0*([012])(?:\.0*)?(?:px)?\s*")
_STYLE_PIXEL = re.compile(r"(?:^|;)\s*(?:width|height)\s*:\s*[01]px", re.I)
_FORMULA_CLASSES = frozenset(
    {"latex", "tex", "math", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"}
)


def image(element: _Element, base_url: str) -> Raw | Text | None:
    """Return an `img` as Markdown; an emoji becomes its character, a tracking pixel or a mere placeholder nothing."""
    alt = collapse(element.get("alt") or "").strip()
    if _is_emoji(element) and alt:
        return Text(alt)
    source = image_source(element, base_url)
    if not source or _is_tracker(element, source):
        return None
    title = useful_title(element.get("title") or "", alt, source)
    return Raw(f"![{escape_label(alt)}]({destination(source, title)})")


def _is_emoji(element: _Element) -> bool:
    classes = classes_of(element)
    return "emoji" in classes or "wp-smiley" in classes


def image_source(element: _Element, base_url: str) -> str:
    """Return the address of the real picture: lazy attributes, `src`, the largest of the sets; a preview last."""
    for source in _sources(element):
        if not PLACEHOLDER.match(source) and (address := image_address(source, base_url)):
            return address
    return ""


def _sources(element: _Element) -> Iterator[str]:
    lazy = [value.strip() for name in _LAZY if (value := element.get(name))]
    yield from (value for value in lazy if _looks_like_image(value))
    for name in _LAZY_SETS:
        yield from _largest(element.get(name) or "")
    source = (element.get("src") or "").strip()
    if source and not _PREVIEW.search(source):
        yield source
    yield from _largest(element.get("srcset") or "")
    for name, twin in _twins(element):
        yield from _largest(twin.get(name) or "")
    if source:
        yield source


def _twins(element: _Element) -> Iterator[tuple[str, _Element]]:
    """Yield the elements that show the same picture, with the attribute that may hold it."""
    parent = element.getparent()
    while parent is not None and parent.tag == "source":
        # libxml2 does not know that it has no inside, and puts what follows there
        parent = parent.getparent()
    if parent is not None and parent.tag == "picture":
        for source in parent.iter("source"):
            yield from ((name, source) for name in (*_SETS, "data-src", "src"))
    following = element.getnext()
    if following is None and parent is not None:
        following = parent.getnext()
    if following is not None and following.tag == "noscript":
        yield from (("src", image) for image in following.iter("img"))


def _looks_like_image(value: str) -> bool:
    return not value.startswith(("{", "[", "#")) and " " not in value and ("/" in value or "." in value)


def _largest(source_set: str) -> Iterator[str]:
    """Yield the candidates of a `srcset`, largest first."""
    found = [(float(match[2] or 1), match[1]) for match in _CANDIDATE.finditer(source_set)]
    yield from (address for _, address in sorted(found, key=lambda one: -one[0]))


def _is_tracker(element: _Element, source: str) -> bool:
    small = [bool(_PIXELS.fullmatch(element.get(side) or "")) for side in ("width", "height")]
    if all(small) or len(_STYLE_PIXEL.findall(element.get("style") or "")) == 2:
        return True
    return bool(_TRACKERS.search(host_of(source)) or _TRACKER_PATHS.search(source))


def formula_image(element: _Element) -> str:
    """Return the TeX that an image of a formula carries as its text, empty for any other image."""
    classes = classes_of(element)
    return (element.get("alt") or "") if _FORMULA_CLASSES.intersection(classes) else ""


def player(element: _Element, base_url: str) -> tuple[str, str]:
    """Return address and name of what an `iframe`, `video`, `audio`, `embed` or `object` shows; no address, no link."""
    address = next((found for source in _player_sources(element) if (found := image_address(source, base_url))), "")
    if not address or not host_of(address) or _is_tracker(element, address):
        return "", ""
    named = next(
        (value for name in ("title", "aria-label", "videotitle", "playlabel") if (value := element.get(name))), ""
    )
    return address, collapse(named).strip() or {"video": "Video", "audio": "Audio"}.get(str(element.tag)) or host_of(
        address
    )


def _player_sources(element: _Element) -> Iterator[str]:
    if element.tag == "lite-youtube" and (video := element.get("videoid")):
        yield f"https://www.youtube.com/watch?v={video}"
    for name in (
        "data-src",
        "data-lazy-src",
        "data-litespeed-src",
        "data-cookieblock-src",
        "data-cmp-src",
        "src",
        "data",
    ):
        if value := element.get(name):
            yield value.strip()
    for source in element.iter("source"):
        yield (source.get("src") or source.get("data-src") or "").strip()
