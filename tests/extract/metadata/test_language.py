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
