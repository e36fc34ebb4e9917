"""Authors: who a page names, in which order, and whom it does not mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentbot.extract.metadata.names import clean_byline, split_names
from tests.extract.metadata.pages import json_ld, read


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ('"Ada Muster"', ("Ada Muster",)),
        ('["Ada Muster", {"@type": "Person", "name": "Ben High"}]', ("Ada Muster", "Ben High")),
        ('{"@type": "Person", "name": {"@type": "Person", "name": "Ada Muster"}}', ("Ada Muster",)),
        ('{"name": ["Ada Muster", "Ben High"]}', ("Ada Muster", "Ben High")),
        ('"https://www.mill.example/people/ada"', ()),
        ('"undefined"', ()),
        ('{"name": "admin"}', ()),
        ("[]", ()),
    ],
)
def test_json_ld_names_authors_in_many_forms(author, names):
    assert read(json_ld(f'{{"@type": "Article", "headline": "Wheel", "author": {author}}}')).authors == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Ann Low, Ben High and Cy Mid", ["Ann Low", "Ben High", "Cy Mid"]),
        ("Ann Low & Ben High", ["Ann Low", "Ben High"]),
        ("Anna Müller und Ben Schmidt", ["Anna Müller", "Ben Schmidt"]),
        ("Ann Low; Ben High", ["Ann Low", "Ben High"]),
        ("Anna Müller, PhD", ["Anna Müller"]),
        ("Ann Low, MS, RD", ["Ann Low"]),
        ("Ann Low, Senior Editor", ["Ann Low"]),
        ("Low, Ann", ["Ann Low"]),
        ("Ludwig van Beethoven", ["Ludwig van Beethoven"]),
    ],
)
def test_names_are_told_apart_and_titles_left_out(byline, names):
    assert split_names(byline) == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Ada Muster", "Ada Muster"),
        ("Posted by Ada Muster on March 12, 2026", "Ada Muster"),
        ("Von Ada Muster am 12. März 2026", "Ada Muster"),
        ("Autorin: Ada Muster", "Ada Muster"),
        ("Ada Muster | 7 min read", "Ada Muster"),
        ("Ada Muster (ada@mill.example)", "Ada Muster"),
        ("March 12, 2026 by Ada Muster", "Ada Muster"),
        ("https://www.mill.example/ada", ""),
        ("7 min read", ""),
        ("undefined", ""),
    ],
)
def test_a_byline_is_freed_of_what_stands_around_the_name(text, name):
    assert clean_byline(text) == name


@pytest.mark.parametrize(
    "byline",
    [
        "<p>by <!-- -->Ada Muster</p>",
        '<p>March 12, 2026 <span>by</span> <a href="/x">Ada Muster</a> <span>Head of Mills</span></p>',
        "<p>Written by</p><p>Ada Muster</p>",
        "<p>Von Ada Muster</p>",
        '<a rel="author" href="/ada">Ada Muster</a>',
        '<span itemprop="author"><span itemprop="name">Ada Muster</span><span>Head of Mills</span></span>',
        '<div class="post-author"><span>AM</span><span>Ada Muster</span><span>March 12, 2026</span></div>',
        '<div><a href="/people/ada-muster">Ada Muster</a></div>',
    ],
)
def test_a_visible_byline_is_read_beside_the_title(byline):
    page = read(f"<title>Wheel</title><main><h1>Wheel</h1>{byline}<p>{'A long text about wheels. ' * 20}</p></main>")
    assert page.authors == ("Ada Muster",)


@pytest.mark.parametrize(
    "other",
    [
        '<div class="comments"><p>by Ben Other</p><span class="author">Ben Other</span></div>',
        '<section><h2>Related articles</h2><div><h3><a href="/g">Gears</a></h3><p>by Ben Other</p></div></section>',
        '<footer><a rel="author" href="/">Mill Company</a></footer>',
        "<p>For more on this read the article by Ben Other.</p>",
        "<p>By using a wheel, water is lifted from the stream to the field.</p>",
        '<p class="author">Reviewed by Ben Other</p>',
        '<p><a href="https://social.example/@ben">Follow us</a></p>',
    ],
)
def test_a_name_of_somebody_else_is_no_author(other):
    page = read(f"<title>Wheel</title><main><h1>Wheel</h1><p>{'A long text about wheels. ' * 20}</p></main>{other}")
    assert page.authors == ()


def test_a_person_goes_before_the_site_s_own_name():
    page = read(
        "<meta property='og:site_name' content='Mill Notes'><meta name='author' content='Mill Notes'>"
        "<main><h1>Wheel</h1><p>by Ada Muster</p></main>"
    )
    assert page.author == "Ada Muster"


def test_the_byline_keeps_the_page_s_wording():
    page = read('<meta name="author" content="Ann Low and Ben High">')
    assert (page.author, page.authors) == ("Ann Low and Ben High", ("Ann Low", "Ben High"))


@given(st.text(max_size=250))
def test_no_byline_makes_it_raise(text):
    assert all(isinstance(name, str) for name in split_names(clean_byline(text)))


@pytest.mark.parametrize(
    ("lang", "line", "name"),
    [
        ("fr", "Par Amélie Dupont", "Amélie Dupont"),
        ("fr", "Auteure : Amélie Dupont", "Amélie Dupont"),
        ("es", "Por José Pérez, 12 de marzo de 2026", "José Pérez"),
        ("it", "di Mario Rossi", "Mario Rossi"),
        ("it", "Scritto da Mario Rossi", "Mario Rossi"),
        ("pt", "Autora: Ana Souza", "Ana Souza"),
        ("nl", "Door Jan Jansen", "Jan Jansen"),
        ("sv", "Av Åsa Lind", "Åsa Lind"),
        ("da", "Skrevet af Ole Berg", "Ole Berg"),
        ("pl", "Autorka: Anna Nowak", "Anna Nowak"),
        ("cs", "Autor: Jan Novák", "Jan Novák"),
        ("hu", "Szerző: Nagy Éva", "Nagy Éva"),
        ("tr", "Yazar: Ayşe Yılmaz", "Ayşe Yılmaz"),
        ("ru", "Автор: Анна Иванова", "Анна Иванова"),
        ("uk", "Текст: Олена Коваль", "Олена Коваль"),
        ("el", "Συντάκτης: Μαρία Παππά", "Μαρία Παππά"),
        ("ar", "بقلم: ليلى حسن", "ليلى حسن"),
        ("he", "מאת: נועה לוי", "נועה לוי"),
        ("fa", "نویسنده: سارا احمدی", "سارا احمدی"),
        ("zh", "作者：王小明", "王小明"),
        ("zh-TW", "記者 王小明", "王小明"),
        ("ja", "著者：山田花子", "山田花子"),
        ("ko", "홍길동 기자", "홍길동"),
        ("th", "โดย สมชาย ใจดี", "สมชาย ใจดี"),
        ("hi", "लेखक: आशा शर्मा", "आशा शर्मा"),
        ("id", "Oleh Budi Santoso", "Budi Santoso"),
        ("vi", "Tác giả: Lan Nguyễn", "Lan Nguyễn"),
    ],
)
def test_a_byline_is_read_in_the_language_of_the_page(lang, line, name):
    found = read(f"<html lang={lang}><title>Mill</title><main><h1>Mill</h1><p>{line}</p><p>{'Mill. ' * 60}</p></main>")
    assert found.authors == (name,)


@pytest.mark.parametrize(
    "line",
    [
        "De Mill in Millford",
        "Di più sul mulino",
        "By using this site you agree",
        "Av hensyn til møllen",
        "Auteur",
        "Por fin",
    ],
)
def test_a_preposition_makes_no_byline(line):
    assert read(f"<title>Mill</title><main><h1>Mill</h1><p>{line}</p><p>{'Mill. ' * 60}</p></main>").authors == ()


def test_the_line_under_the_title_beats_the_account_that_software_names():
    declared = '<meta name="author" content="webteam2">'
    shown = "<title>Mill</title>{}<main><h1>Mill</h1><p>{}</p><p>" + "Mill. " * 60 + "</p></main>"
    assert read(shown.format(declared, "By Ada Muster")).authors == ("Ada Muster",)
    assert read(shown.format(declared, "Edited by Ada Muster")).authors == ("webteam2",)
    assert read(shown.format(declared, "By the Millford Team")).authors == ("webteam2",)
    first = '<meta name="author" content="Ada Muster">'
    assert read(shown.format(first, "By Ada Muster and Ben Mahler")).authors == ("Ada Muster", "Ben Mahler")
    assert read(shown.format(first, "By Ada")).authors == ("Ada Muster",)
