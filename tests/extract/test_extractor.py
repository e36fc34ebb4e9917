"""One page in, one document out."""

import pickle

import pytest

from contentbot.documents import document_key
from contentbot.errors import NoContent, UnsupportedMedia
from tests.extract.pages import HOME, document


def test_a_page_becomes_a_document_with_its_identity():
    made = document(
        "<html lang=de><title>T</title><main><h1>Rad</h1><p>Es dreht sich.</p></main>", f"{HOME}/de/rad?v=2"
    )
    assert made.id == "mill:de/rad?v=2"
    assert made.key == document_key("mill", f"{HOME}/de/rad?v=2")
    assert (made.source, made.path, made.locale) == ("mill", "/de/rad", "de")
    assert "Es dreht sich." in made.body
    assert "Es dreht sich." in made.plain_text


def test_the_canonical_gives_the_address_and_the_fetched_one_is_kept_beside_it():
    made = document(f'<link rel=canonical href="{HOME}/p"><main><h1>P</h1><p>Text</p></main>', f"{HOME}/p?ref=letter")
    assert (made.url, made.id) == (f"{HOME}/p", "mill:p")
    assert made.additional_urls == [f"{HOME}/p?ref=letter"]


def test_a_page_that_belongs_to_a_foreign_host_is_no_document():
    html = '<link rel=canonical href="https://vendor.example/x"><main><p>Copy</p></main>'
    with pytest.raises(NoContent) as error:
        document(html)
    assert error.value.reason == "canonical_offsite"
    assert document(html, source={"canonical": "ignore"}).url == f"{HOME}/a"


def test_a_canonical_that_differs_in_its_normal_form_only_is_the_page_itself():
    made = document(f'<link rel=canonical href="{HOME}:443/"><main><p>Home</p></main>', HOME)
    assert made.url == f"{HOME}/"


def test_the_shell_around_the_content_does_not_change_the_hash():
    hashes = {
        document(
            f"<title>S</title><nav>build {n}</nav><main><p>Same.</p></main><input name=csrf value=t{n}>",
            source={"content-selector": "main"},
        ).content_hash
        for n in range(3)
    }
    assert len(hashes) == 1


def test_a_page_without_text_says_so():
    with pytest.raises(NoContent, match="empty_text"):
        document("<title>App</title><div id=root></div><script>render()</script>")


def test_a_page_that_asks_not_to_be_indexed_is_left_out():
    with pytest.raises(NoContent, match="noindex"):
        document("<meta name=robots content='NOINDEX, follow'><p>Text</p>")


def test_an_image_is_no_document():
    with pytest.raises(UnsupportedMedia, match="image/png"):
        document(b"\x89PNG\r\n\x1a\n", content_type="image/png")


def test_a_document_and_its_errors_travel_between_processes():
    made = document("<main><p>Text</p></main>")
    assert pickle.loads(pickle.dumps(made)) == made
    error = pickle.loads(pickle.dumps(NoContent("empty_text", "why")))
    assert (error.reason, error.detail) == ("empty_text", "why")


def test_code_beside_line_numbers_keeps_its_first_column_where_no_selector_is_given():
    gutter = "<td class=gutter><pre>1\n2</pre></td><td class=code><pre><code>int x;\n  run();</code></pre></td>"
    made = document(
        f"<main><p>How the wheel is started.</p><table class=highlighttable><tr>{gutter}</tr></table></main>"
    )
    assert "```\nint x;\n  run();\n```" in made.body
