"""Formulas: whatever a page draws them with, what is kept is their TeX."""

import re
from collections.abc import Iterator

from lxml.etree import _Element

from contentbot.extract.markdown.elements import text_of
from contentbot.extract.markdown.mathml import to_tex

_WRAPPERS = ("katex", "MathJax", "mwe-math", "mjx-", "math-tex")
_DISPLAY = re.compile(r"katex-display|MathJax_Display|MJXc-display|mwe-math-.*-display|display")
_DELIMITED = re.compile(r"\s*(?:\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]|\$\$(?P<dollars>.*)\$\$)\s*", re.S)
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}
_OPENING = re.compile(r"\\\(|\\\[|\$\$")
_STYLE = re.compile(r"\{\\(?:display|text)style\s*(.*)\}\s*", re.S)


def parts_of(text: str) -> Iterator[tuple[str, bool | None]]:
    """Yield the parts of a text in which formulas stand between the delimiters that MathJax looks for.

    Each part comes with None when it is text, else with whether the formula is displayed on its own.
    """
    last = 0
    unclosed: set[str] = set()
    for match in _OPENING.finditer(text):
        opening, start = match[0], match.end()
        if match.start() < last or opening in unclosed:
            continue
        end = text.find(_CLOSING[opening], start)
        if end < 0:
            unclosed.add(opening)
        elif (tex := text[start:end]).strip() and (opening != "$$" or tex == tex.strip()):
            yield text[last : match.start()], None
            yield " ".join(tex.split()), opening != r"\("
            last = end + 2
    yield text[last:], None


def may_hold_formula(element: _Element) -> bool:
    """Tell from its class alone whether an element may be a drawn formula."""
    classes = element.get("class") or ""
    return any(word in classes for word in _WRAPPERS)


def formula(element: _Element) -> tuple[str, bool] | None:
    """Return TeX and whether the formula is displayed on its own; None when the element holds none.

    An empty TeX means: a drawing whose formula stands elsewhere.
    """
    if element.tag == "script":
        kind = element.get("type") or ""
        return ((element.text or "").strip(), "mode=display" in kind) if kind.startswith("math/tex") else None
    if "MathJax_Preview" in (element.get("class") or ""):
        return "", False
    source = (
        element
        if element.tag == "math"
        else next(element.iter("math", "{http://www.w3.org/1998/Math/MathML}math"), None)
    )
    if source is not None:
        return math_tex(source), _is_displayed(element) or source.get("display") == "block"
    return _without_mathml(element)


def _without_mathml(element: _Element) -> tuple[str, bool] | None:
    image = next((one for one in element.iter("img") if "math" in (one.get("class") or "")), None)
    if image is not None:
        return bare(image.get("alt") or ""), _is_displayed(image)
    if re.search(r"(?:^|\s)(?:MathJax\w*|mjx-\S*)", element.get("class") or "") and element.tag != "body":
        return _after_rendering(element)
    return None


def _after_rendering(element: _Element) -> tuple[str, bool] | None:
    # MathJax 2 draws before the script that it read
    following = element.getnext()
    for _ in range(3):
        if following is None:
            break
        if following.tag == "script" and (following.get("type") or "").startswith("math/tex"):
            return "", False
        following = following.getnext()
    return None


def _is_displayed(element: _Element) -> bool:
    parent = element.getparent()
    outer = (parent.get("class") or "") if parent is not None else ""
    inner = element.find(".//*[@class='katex-display']")
    return element.get("display") in ("true", "block") or bool(
        _DISPLAY.search(element.get("class") or "") or "katex-display" in outer or inner is not None
    )


def math_tex(math: _Element) -> str:
    """Return the TeX of a MathML element: its annotation, its text alternative, or a translation of its tree."""
    for annotation in math.iter("annotation", "{http://www.w3.org/1998/Math/MathML}annotation"):
        if "tex" in (annotation.get("encoding") or "").lower():
            return bare(text_of(annotation))
    return bare(math.get("alttext") or "") or to_tex(math)


def bare(tex: str) -> str:
    """Return TeX without the delimiters and the style switch that renderers put around it."""
    if match := _DELIMITED.fullmatch(tex):
        tex = next(group for group in match.groups() if group is not None)
    match = _STYLE.fullmatch(tex.strip())
    return re.sub(r"\s+", " ", match[1] if match else tex).strip()
