"""Hostile and broken pages: each gives a document, or says by a limit why not, and none takes more than its share."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from contentbot.errors import ExtractionError
from contentbot.extract import extract_surveyed
from contentbot.extract.repeated import Template
from contentbot.extract.workers import ExtractionPool
from tests.extract.pages import page, rules

TEXT = "<p>The mill stands by the river, and its wheel has turned for three hundred years without a rest.</p>"
RULES = replace(rules(), template=Template())


def whole(body: str, head: str = "") -> str:
    return f"<html lang=en><head><title>The mill</title>{head}</head><body>{body}</body></html>"


def article(middle: str) -> str:
    return whole(f"<article><h1>The mill</h1>{TEXT}{middle}{TEXT}</article>")


def outcome(html: str | bytes) -> str:
    """Return the text of the document, or the reason why there is none."""
    try:
        return extract_surveyed(page(html), RULES).document.plain_text
    except ExtractionError as error:
        return error.reason


REFUSED: dict[str, tuple[str, Callable[[], str]]] = {
    "nested divs": ("too_deep", lambda: whole("<div>" * 10_000 + TEXT + "</div>" * 10_000)),
    "divs that are never closed": ("too_deep", lambda: whole("<div>" * 10_000 + TEXT)),
    "nested spans": ("too_deep", lambda: article("<p>" + "<span>" * 10_000 + "deep" + "</span>" * 10_000 + "</p>")),
    "nested lists": ("too_deep", lambda: article("<ul><li>" * 5_000 + "deep" + "</li></ul>" * 5_000)),
    "nested tables": ("too_deep", lambda: article("<table><tr><td>" * 5_000 + "deep" + "</table>" * 5_000)),
    "links": ("too_many_nodes", lambda: article("".join(f'<a href="/{n}">link {n}</a> ' for n in range(160_000)))),
    "rows of one table": (
        "too_many_table_rows",
        lambda: article("<table>" + "<tr><td>1<td>2" * 20_000 + "</table>"),
    ),
    "rows of a huge table": (
        "too_many_nodes",
        lambda: article("<table>" + "<tr><td>1</td><td>2</td></tr>" * 50_000 + "</table>"),
    ),
    "tiny pieces of text": ("too_many_nodes", lambda: article("a<br>" * 160_000)),
    "pictures": ("too_many_nodes", lambda: article('<img src="/a.jpg">' * 160_000)),
    "a text": ("too_many_bytes", lambda: article("<p>" + "mill " * (11 << 20 >> 2) + "</p>")),
    "an attribute": ("too_many_bytes", lambda: article(f'<p title="{"a" * (11 << 20)}">named</p>')),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_page_over_a_limit_is_refused_with_the_reason(name: str) -> None:
    reason, made = REFUSED[name]
    assert outcome(made()) == reason


READ: dict[str, Callable[[], str]] = {
    "quotes as deep as is allowed": lambda: article("<blockquote>" * 350 + "<p>deep</p>" + "</blockquote>" * 350),
    "tags that close wrongly": lambda: article("<b><i><p>one</b></i>" * 1_000),
    "a paragraph of very many pieces": lambda: article("<p>" + "<b>a</b> <i>b</i> " * 15_000 + "</p>"),
    "a row of many cells": lambda: article("<table><tr>" + "<td>x</td>" * 2_000 + "</tr></table>"),
    "a cell that spans a million": lambda: article(
        '<table><tr><td colspan="1000000" rowspan="1000000">x</td></tr><tr><td>y</td></tr></table>'
    ),
    "many headings": lambda: article("".join(f"<h2>Part {n}</h2>" for n in range(3_000))),
    "an attribute of megabytes": lambda: article(f'<p title="{"a" * (1 << 20)}">named</p>'),
    "very many attributes": lambda: article("<p " + " ".join(f"a{n}=1" for n in range(4_000)) + ">named</p>"),
    "very many class names": lambda: article(f'<div class="{"name " * 50_000}">named</div>'),
    "megabytes of script": lambda: whole(f"<main><h1>T</h1>{TEXT}</main>", f"<script>S='{'a' * (12 << 20)}'</script>"),
    "a script that never ends": lambda: whole(TEXT + "<script>" + "a<b " * (1 << 20)),
    "a comment that never ends": lambda: whole(TEXT + "<!--" + "a-- " * (1 << 20)),
    "very many comments": lambda: article("<!-- x -->" * 100_000),
    "entities that would multiply": lambda: (
        '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>' + article("<p>" + "&c;" * 5_000 + "</p>")
    ),
    "very many references": lambda: article("<p>" + "&amp;" * 200_000 + "</p>"),
    "null bytes": lambda: article("<p>a\0b</p>" + "\0" * (1 << 20)),
    "structured data without an end": lambda: whole(
        TEXT, '<script type="application/ld+json">' + '{"a":[' * 100_000 + "</script>"
    ),
    "a style sheet of megabytes": lambda: whole(TEXT, "<style>" + ".a .b{display:none}" * 100_000 + "</style>"),
    "signs of Markdown": lambda: article("<p>" + "*_`[<" * 20_000 + "</p>"),
    "one word of megabytes": lambda: article("<p>" + "m" * (1 << 20) + "</p>"),
}


@pytest.mark.parametrize("name", READ)
def test_a_page_below_the_limits_keeps_its_text(name: str) -> None:
    assert "three hundred years" in outcome(READ[name]())


def test_left_angles_without_tags_and_bytes_without_meaning_end_well() -> None:
    assert outcome("<" * (1 << 19))
    assert outcome(random.Random(7).randbytes(1 << 16))


def test_utf_8_that_is_declared_latin_1_is_read_as_what_it_is() -> None:
    html = whole(f"<article><p>{'Die Mühle am Fluss mahlt größer und schöner. ' * 5}</p></article>").encode()
    declared = html.replace(b"<head>", b"<head><meta charset=iso-8859-1>")
    assert "Mühle am Fluss mahlt größer" in outcome(declared)


def test_a_page_that_would_take_too_long_is_given_up_with_the_reason() -> None:
    slow = replace(RULES, limits=replace(RULES.limits, max_seconds=0.2))
    many = article("".join(f"<h2>Part {n}</h2><p>text <b>{n}</b></p>" for n in range(12_000)))
    with ExtractionPool(1) as pool:
        made = pool.run(extract_surveyed, page(many), slow)
        with pytest.raises(ExtractionError) as caught:
            made.result(60)
        assert caught.value.reason == "too_slow"
        assert "three hundred" in pool.run(extract_surveyed, page(article("")), RULES).result(60).document.body
