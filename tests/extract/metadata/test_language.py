"""The language of a page: declared first, then read from its text."""

import pytest

from contentbot.extract.metadata.language import normalise_tag
from tests.extract.metadata.pages import read

GERMAN = (
    "<p>Das Wasser treibt das Rad, und das Rad treibt den Stein, der das Korn zu Mehl mahlt, seit vielen Jahren.</p>"
)


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        ("en", "en"),
        ("DE", "de"),
        ("pt_br", "pt-BR"),
        ("en_US.UTF-8", "en-US"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("German", "de"),
        ("deu", "de"),
        ("de, en", "de"),
        ("", ""),
        ("und", ""),
        ("x", ""),
        ("{{ lang }}", ""),
    ],
)
def test_a_tag_gets_its_usual_spelling(value, tag):
    assert normalise_tag(value) == tag


def test_declarations_are_asked_in_their_order():
    assert read(f"<html lang='fr'>{GERMAN}</html>").language == "fr"
    assert read(f"<html lang='{{}}'>{GERMAN}</html>", headers={"content-language": "it"}).language == "it"
    assert read(f"<meta property='og:locale' content='es_MX'>{GERMAN}").language == "es-MX"


def test_an_undeclared_language_is_read_from_the_text():
    page = read(GERMAN)
    assert (page.language, page.evidence["language"]) == ("de", "text")
    assert read("<p>Ok</p>").language == ""


ENGLISH = "<p>The water drives the wheel, and the wheel drives the stone that grinds the corn to flour in the mill.</p>"


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("en-US", GERMAN * 4, "de"),
        ("de-DE", ENGLISH * 4, "en"),
        (
            "en",
            "<p>Вода вращает колесо, а колесо вращает камень, который мелет зерно на муку уже много лет.</p>" * 4,
            "ru",
        ),
        (
            "en",
            "<p>水が車輪を回し、車輪が石を回し、その石が長い年月にわたって穀物を挽いて粉にしています。</p>" * 6,
            "ja",
        ),
    ],
)
def test_a_text_that_is_plainly_in_another_language_overrules_the_declaration(declared, text, language):
    page = read(f"<html lang='{declared}'><main><h1>Mill</h1>{text}</main></html>")
    assert (page.language, page.evidence["language"]) == (language, "text")


def test_of_two_declarations_the_one_that_the_text_confirms_counts_with_its_region():
    page = read(f"<html lang='en'><meta property='og:locale' content='de_AT'><main>{GERMAN * 4}</main></html>")
    assert (page.language, page.evidence["language"]) == ("de-AT", "og:locale")


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("en-US", GERMAN),  # one sentence may be a quotation
        ("en-GB", ENGLISH * 4),
        ("en", "<pre>" + "x = read(wheel) + turn(stone, speed=3)\n" * 40 + "</pre>"),
        ("en", "<ul>" + "<li>Ada Muster, Ben Mahler und Cy Stein GmbH</li>" * 20 + "</ul>"),
        ("nb", "<p>Vandet driver hjulet, og hjulet driver stenen, der maler kornet til mel i mange år.</p>" * 5),
        ("xx-bad", ""),
    ],
)
def test_a_declaration_stands_where_the_text_leaves_a_doubt(declared, text):
    page = read(f"<html lang='{declared}'><main><h1>Mill</h1>{text}</main></html>")
    assert page.language in (declared, "")
