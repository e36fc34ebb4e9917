"""The language of a code block, as the highlighter that wrote the page left it in classes and attributes."""

import re
from collections.abc import Iterator

from lxml.etree import _Element

from contentbot.extract.markdown.elements import classes_of, words

_ATTRIBUTES = (
    "data-lang",
    "data-language",
    "data-code-language",
    "data-code-lang",
    "data-enlighter-language",
    "data-ke-language",
)
_WRAPPERS = words("div figure table tbody tr td code span section")
_LEVELS = 7

# Prism, highlight.js, Rouge, Docusaurus, Hexo …: language-x, lang-x, lang:x; Org: src-x
_PREFIXED = re.compile(r"(?:language|lang|brush|src|prism|prettyprint-lang)[-:_](?P<name>.+)")
# GitHub: highlight-source-x, highlight-text-x; Sphinx: highlight-x
_GITHUB = re.compile(r"highlight-(?:source|text)-(?P<name>.+)")
_SPHINX = re.compile(r"highlight-(?P<name>[a-z0-9+#_.-]+)")
_NOT_SPHINX = words("wrapper wrap container box lines line inline code block table content tools")
_GITHUB_NAMES = {
    "html-basic": "html",
    "html-php": "php",
    "html-erb": "erb",
    "css-scss": "scss",
    "css-less": "less",
    "json-comments": "jsonc",
}
_NO_LANGUAGE = words(
    """none no nohighlight no-highlight default auto undefined null unknown plain plaintext text txt raw code"""
)

_KNOWN = words(
    """abap ada apache apex applescript arduino asm assembly awk bash basic bat batch c c# c++ clj clojure cmake
    cobol coffeescript console cpp crystal cs csharp css csv cypher d dart delphi diff django docker dockerfile
    dot elixir elm erb erlang f# fish fortran fsharp gherkin go golang gradle graphql groovy haml handlebars
    haskell hcl html http ini java javascript jinja js json json5 jsonc jsx julia kotlin kt latex less lisp llvm
    lua makefile markdown mathematica matlab md mermaid mysql nasm nginx nim nix objc objectivec ocaml pascal
    perl pgsql php pl plsql postgresql powershell prolog properties proto protobuf ps1 puppet purescript py
    python python3 pycon r racket rb reason rest rst ruby rs rust sass scala scheme scss sh shell shellscript
    smali smalltalk sml solidity sparql sql stylus svelte svg swift tcl terraform tex toml ts tsx twig
    typescript vb vbnet verilog vhdl vim vue wasm xml xquery yaml yml zig zsh"""
)


def language_of(code: _Element) -> str:
    """Return the language of a `pre` (or of whatever holds the code), lower-case; empty when the page names none."""
    for element in _places(code):
        if name := _named(element):
            return "" if name in _NO_LANGUAGE else name
    return ""


def _places(code: _Element) -> Iterator[_Element]:
    yield code
    yield from (inner for inner in code.iter("code", "pre") if inner is not code)
    for level, wrapper in enumerate(code.iterancestors()):
        if level >= _LEVELS or not (wrapper.tag in _WRAPPERS or "-" in str(wrapper.tag)):
            return
        yield wrapper


def _named(element: _Element) -> str:
    for attribute in _ATTRIBUTES:
        if value := element.get(attribute):
            return _clean(value)
    if element.tag == "pre" and (language := (element.get("lang") or "").lower()) in _KNOWN:
        return language
    return _from_classes(element, classes_of(element))


def _from_classes(element: _Element, classes: list[str]) -> str:
    for number, word in enumerate(classes):
        if word.lower() in {"brush:", "lang:"} and number + 1 < len(classes):
            return _clean(classes[number + 1])
        for pattern in (_PREFIXED, _GITHUB, _SPHINX):
            match = pattern.fullmatch(word)
            if match and match["name"] not in _NOT_SPHINX:
                return _clean(_GITHUB_NAMES.get(match["name"], match["name"]))
    if element.tag in {"pre", "code", "figure"} or "syntaxhighlighter" in classes:
        return next((word for word in map(str.lower, classes) if word in _KNOWN), "")
    return ""


def _clean(name: str) -> str:
    # gatsby and others append line ranges and titles: js{1,3}, js:title=app.js
    match = re.match(r"[\w+#./-]+", name.strip().lower())
    return match.group().strip(".-/") if match else ""
