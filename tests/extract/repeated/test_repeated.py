import random
from dataclasses import replace

import pytest

from contentbot.extract import extract, extract_surveyed
from contentbot.extract.repeated import PageBlocks, Surveyed, Template, decide, digest_of, learn
from tests.extract.pages import HOME, page, rules
from tests.extract.repeated.town import article, bodies, crawl, sentences, text, whole

BIO = '<aside class="author"><h4>Ada Muster</h4><p>Ada has written about mills and rivers since 1998.</p></aside>'
NOTICE = "<div><p>The entries of this chronicle were taken from the lists of the county.</p></div>"
CALL = '<p class="call">Subscribe to our letter about mills, it comes every second Sunday.</p>'


def town(count: int = 6, **parts: str) -> dict[str, str]:
    return {f"/mill/{number}": article(number, **parts) for number in range(count)}


def test_an_author_box_that_stands_on_three_pages_goes_from_all_of_them():
    pages = town(5) | {f"/mill/{number}": article(number, after=BIO) for number in range(3)}

    made = bodies(pages)

    assert not any("Ada" in body for body in made.values())
    assert all(sentences(number)[0] in made[f"/mill/{number}"] for number in range(5))


def test_what_stands_on_two_pages_only_stays():
    pages = town(6) | {f"/mill/{number}": article(number, after=NOTICE) for number in range(2)}

    made = bodies(pages)

    assert "lists of the county" in made["/mill/0"]
    assert "lists of the county" in made["/mill/1"]


def test_a_call_to_action_goes_and_the_text_around_it_stays():
    made = bodies(town(before=CALL))

    assert not any("Subscribe" in body for body in made.values())
    assert all(sentence in made["/mill/3"] for sentence in sentences(3))


def test_a_paragraph_without_a_place_of_its_own_goes_when_half_of_the_pages_have_it():
    line = "<p>Mills are kept by many hands; come and lend us yours.</p>"
    often = {f"/{n}": whole(f"<div>{line if n % 2 else ''}{text(n)}</div>", f"Mill {n}") for n in range(8)}
    seldom = {f"/{n}": whole(f"<div>{line if n < 3 else ''}{text(n)}</div>", f"Mill {n}") for n in range(8)}

    assert "many hands" not in bodies(often)["/1"]
    assert "many hands" in bodies(seldom)["/1"]


def test_a_closing_line_goes_when_three_pages_end_with_it_and_a_closing_section_stays():
    line = "<p>If you know more about this mill than we do, write to the chronicler of the county.</p>"
    pages = {f"/{n}": whole(f"<div>{text(n)}{line if n < 3 else ''}</div>", f"Mill {n}") for n in range(9)}
    section = {f"/{n}": whole(f"<div>{text(n)}{'<h2>More</h2>' + line if n < 3 else ''}</div>", "M") for n in range(9)}

    assert "chronicler of the county" not in bodies(pages)["/1"]
    assert all(sentence in bodies(pages)["/1"] for sentence in sentences(1))
    assert "chronicler of the county" in bodies(section)["/1"]


def test_a_place_of_authors_and_dates_goes_with_values_that_stand_on_one_page_only():
    line = '<div class="meta"><p>March {day}, 2024</p><p>by {author}</p></div>'
    authors = ["Ada Muster", "Bo Weir"] * 4 + ["Cleo Brook"]
    pages = {f"/{n}": article(n, before=line.format(day=n + 1, author=authors[n])) for n in range(9)}

    made = bodies(pages)

    assert not any("by Cleo" in body or "March" in body for body in made.values())


def test_teasers_of_other_pages_go_with_their_heading_and_their_pictures():
    def teasers(own: int) -> str:
        others = [number for number in range(8) if number != own][own % 3 : own % 3 + 3]
        items = "".join(
            f'<li><a href="/mill/{n}"><img src="/{n}.jpg" alt=""><div><h3>The mill number {n}</h3>'
            f"<p>About the old mill {n} in the valley and who runs it today.</p></div></a></li>"
            for n in others
        )
        return f'<section class="more"><h2>More mills</h2><ul>{items}</ul></section>'

    pages = {f"/mill/{n}": article(n, after=teasers(n)) for n in range(8)}

    for body in bodies(pages).values():
        assert "More mills" not in body
        assert "who runs it today" not in body
        assert ".jpg" not in body


def test_headings_that_every_page_has_stay_above_text_of_their_own():
    def body(number: int) -> str:
        return f"<div>{text(number)}<h2>Conclusion</h2><p>{' '.join(sentences(number + 50, 2))}</p></div>"

    made = bodies({f"/{n}": whole(body(n), f"Mill {n}") for n in range(6)})

    assert all("## Conclusion" in one for one in made.values())


def test_code_stays_however_often_it_stands_somewhere():
    code = "<pre><code>pip install mill-tools</code></pre>"

    made = bodies(town(after=f'<div class="setup">{code}</div>'))

    assert all("pip install mill-tools" in body for body in made.values())


def test_lines_and_cells_that_many_pages_share_stay():
    def recipe(n: int) -> str:
        parts = ["a pinch of salt", "two cups of flour", f"{n} eggs", "a spoon of oil", "some water"]
        lines = "".join(f"<li>{part}</li>" for part in random.Random(n).sample(parts, 4))
        colour = ["brown", "white"][n % 2]
        rows = f"<tr><td>Colour</td><td>{colour}</td></tr><tr><td>Oven</td><td>{n + 150}</td></tr>"
        return f'<ul class="parts">{lines}</ul><table class="facts">{rows}</table><div>{text(n)}</div>'

    made = bodies({f"/{n}": whole(recipe(n), f"Bread {n}") for n in range(12)})

    assert all("pinch of salt" in body or "cups of flour" in body for body in made.values())
    assert all("Colour" in body for body in made.values())


def test_labels_of_notes_stay_with_their_notes():
    def noted(n: int) -> str:
        note = (
            f'<div class="admonition note"><p class="admonition-title">Note</p><p>{sentences(n + 70, 1)[0]}</p></div>'
        )
        return whole(f"<div>{text(n)}{note}</div>", f"Mill {n}")

    made = bodies({f"/{n}": noted(n) for n in range(6)})

    assert all("[!NOTE]" in body for body in made.values())


def test_pages_that_gather_whole_other_pages_do_not_make_their_text_repeat():
    pages = {f"/{n}": whole(f'<div class="post"><h2>Mill {n}</h2>{text(n)}</div>', f"Mill {n}") for n in range(6)}
    both = "".join(f'<div class="post"><h2>Mill {n}</h2>{text(n)}</div>' for n in range(2))
    pages |= {path: whole(both, path) for path in ("/page/1", "/2026", "/tag/water", "/author/ada")}

    made = bodies(pages)

    assert all(sentence in made["/0"] for sentence in sentences(0))
    assert all(sentence in made["/tag/water"] for sentence in sentences(1))


def test_copies_of_a_page_keep_their_text():
    pages = town(4) | {f"/print/{copy}": article(1) for copy in range(4)}

    made = bodies(pages)

    assert all(sentences(1)[2] in made[f"/print/{copy}"] for copy in range(4))


def test_a_page_of_which_nothing_would_be_left_stays_whole():
    pages = town(5, after=BIO) | {"/author/ada": whole(BIO, "Ada")}

    assert "since 1998" in bodies(pages)["/author/ada"]


def test_the_same_words_in_two_languages_are_two_texts():
    box = '<div class="box"><p>Impressum der alten Muehlen im Tal</p></div>'
    pages = {f"/{'de/' if n % 2 else ''}{n}": article(n, after=box if n < 4 else "") for n in range(8)}

    made = bodies(pages, locale={"default": "en", "prefixes": {"/de": "de"}})

    assert "Impressum" in made["/0"]
    assert "Impressum" in made["/de/1"]


def test_the_heading_that_repeats_the_title_goes_because_the_document_has_it():
    made, _ = crawl(town())

    assert made["/mill/2"].document.title == "The mill number 2"
    assert "# The mill number 2" not in made["/mill/2"].document.body


@pytest.mark.parametrize(
    ("wish", "goes"),
    [({}, False), ({"repeated-text": "drop"}, True), ({"repeated-text": "keep"}, False)],
)
def test_where_a_selector_chose_the_content_the_source_decides(wish: dict[str, str], goes: bool):
    made = bodies(town(after=BIO), **{"content-selector": "article", **wish})

    assert all(("Ada" not in body) is goes for body in made.values())


def test_a_source_may_keep_what_repeats():
    made, template = crawl(town(after=CALL), **{"repeated-text": "keep"})

    assert not template
    assert all(not one.blocks and "Subscribe" in one.document.body for one in made.values())


def test_a_page_by_itself_is_extracted_without_a_survey():
    alone = page(article(1, after=CALL), f"{HOME}/mill/1")

    assert "Subscribe" in extract(alone, rules()).body
    assert not extract_surveyed(alone, rules()).blocks


def test_what_is_learned_does_not_depend_on_the_order_of_the_pages():
    made, _ = crawl(town(9, after=BIO, before=CALL) | {"/copy": article(2), "/list": whole(text(1) + text(2), "List")})
    surveys = [Surveyed(one.document.locale, PageBlocks.unpack(one.blocks)) for one in made.values()]
    shuffled = random.Random(7).sample(surveys, len(surveys))

    assert learn(shuffled).pack() == learn(surveys).pack()


def test_what_is_remembered_of_a_page_does_not_depend_on_what_was_learned():
    pages = town(after=BIO, before=CALL)
    first = {
        path: extract_surveyed(page(html, f"{HOME}{path}"), replace(rules(), template=Template()))
        for path, html in pages.items()
    }

    again, _ = crawl(pages)

    assert {path: one.blocks for path, one in first.items()} == {path: one.blocks for path, one in again.items()}


def test_the_survey_alone_says_what_was_dropped_of_a_page():
    made, template = crawl(town(after=BIO, before=CALL))

    for one in made.values():
        assert one.dropped
        assert one.dropped == digest_of(decide(PageBlocks.unpack(one.blocks), template))


def test_what_was_learned_survives_being_packed():
    _, template = crawl(town(after=BIO, before=CALL))

    assert template
    assert Template.unpack(template.pack()) == template
    assert not Template.unpack(b"")
    assert not Template.unpack(b"\x00of another version")
    assert not PageBlocks.unpack(b"\x00of another version").blocks


def test_what_is_remembered_of_a_very_long_page_has_a_limit():
    long = whole(
        "".join(f'<div class="c{n}"><p>Line {n} of the very long page</p></div>' for n in range(2_500)), "Long"
    )
    known = replace(rules(), template=Template())

    assert len(extract_surveyed(page(long), known).blocks) < 50_000
