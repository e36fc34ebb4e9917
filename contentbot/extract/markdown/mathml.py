"""Presentation MathML to TeX, for formulas that carry no TeX of their own."""

import re
from collections.abc import Callable, Sequence

from lxml.etree import _Element

from contentbot.extract.markdown.elements import text_of

_DEEPEST = 60
_SIGNS = {
    "−": "-", "×": r"\times ", "·": r"\cdot ", "⋅": r"\cdot ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ",
    "→": r"\to ", "∞": r"\infty ", "∑": r"\sum ", "∏": r"\prod ", "∫": r"\int ", "∂": r"\partial ",
    "∈": r"\in ", "±": r"\pm ", "√": r"\surd ", "\u2061": "", "\u2062": "", "\u2063": ",",
}  # fmt: skip
_SPECIAL = re.compile(r"[{}%#&$_]")


def to_tex(math: _Element) -> str:
    """Return the formula as TeX."""
    return re.sub(r" +", " ", _convert(math, 0)).strip()


def _name(element: _Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _convert(element: _Element, depth: int) -> str:
    if depth > _DEEPEST:
        return text_of(element)
    name = _name(element)
    if name in ("annotation", "annotation-xml", "mphantom"):
        return ""
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _leaf(name, text_of(element).strip())
    parts = [_convert(child, depth + 1) for child in element if isinstance(child.tag, str)]
    shape = _SHAPES.get(name)
    return shape[1](parts) if shape and len(parts) == shape[0] else _group(name, parts)


def _leaf(name: str, text: str) -> str:
    if name in ("mtext", "ms"):
        return rf"\text{{{text}}}" if text else ""
    text = "".join(_SIGNS.get(sign, sign) for sign in text)
    text = _SPECIAL.sub(lambda sign: "\\" + sign[0], text)
    return rf"\mathrm{{{text}}}" if name == "mi" and len(text) > 1 and text.isalpha() else text


def _group(name: str, parts: Sequence[str]) -> str:
    match name:
        case "mtable":
            return r"\begin{matrix} " + r" \\ ".join(parts) + r" \end{matrix}"
        case "mtr":
            return " & ".join(parts)
        case "msqrt":
            return rf"\sqrt{{{''.join(parts)}}}"
        case "mfenced":
            return f"({','.join(parts)})"
    return "".join(parts)


def _scripts(base: str, lower: str = "", upper: str = "") -> str:
    return base + (f"_{_braced(lower)}" if lower else "") + (f"^{_braced(upper)}" if upper else "")


def _braced(part: str) -> str:
    return part if len(part) == 1 else f"{{{part}}}"


_SHAPES: dict[str, tuple[int, Callable[[Sequence[str]], str]]] = {
    "mfrac": (2, lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}"),
    "mroot": (2, lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}"),
    "msup": (2, lambda parts: _scripts(parts[0], upper=parts[1])),
    "msub": (2, lambda parts: _scripts(parts[0], lower=parts[1])),
    "msubsup": (3, lambda parts: _scripts(*parts)),
    "mover": (2, lambda parts: _scripts(parts[0], upper=parts[1])),
    "munder": (2, lambda parts: _scripts(parts[0], lower=parts[1])),
    "munderover": (3, lambda parts: _scripts(*parts)),
}
