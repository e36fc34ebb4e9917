"""When a page was published: its own date, from the best evidence, and no other."""

from datetime import UTC, datetime

import pytest

from contentbot.extract.metadata.url_dates import date_in_url
from tests.extract.metadata.pages import json_ld, read

TEXT = f"<p>{'A long text about wheels and water. ' * 10}</p>"


def page(*parts: str, lang: str = "en", **options: object):
    return read(
        f"<html lang='{lang}'><title>Wheel</title><main><h1>Wheel</h1>{''.join(parts)}{TEXT}</main></html>", **options
    )


@pytest.mark.parametrize(
    "evidence",
    [
        json_ld('{"@type": "Article", "headline": "Wheel", "datePublished": "12.03.2026 07:27"}'),
        '<meta property="article:published_time" content="2026-03-12T00:00:00.000Z">',
        '<meta name="dcterms.issued" content="2026-03-12">',
        '<meta itemprop="datePublished" content="2026-03-12">',
        '<span itemprop="datePublished">March 12, 2026</span>',
        "<time>Mar 12, 2026</time>",
        '<time datetime="2026-03-12T10:00+01:00">last spring</time>',
        '<relative-time datetime="2026-03-12T08:00:00Z">last spring</relative-time>',
        '<abbr class="published" title="2026-03-12">last spring</abbr>',
        "<p>Published: March 12, 2026</p>",
        "<h4>Published</h4><p>March 12, 2026</p>",
        "<p>7 min read <span>•</span> March 12, 2026</p>",
        "<p><span>March 12, 2026</span><span>Ada Muster</span></p>",
        '<aside><p class="date">March 12, 2026</p></aside>',
    ],
)
def test_a_date_is_found_wherever_the_page_states_it(evidence):
    assert page(evidence).published_date[:10] == "2026-03-12"


def test_a_german_date_is_read_and_other_numbers_are_not():
    found = page('<p class="meta">Veröffentlicht am 3. März 2026</p><p>Tel. 030 2012 1103, § 12 Abs. 3</p>', lang="de")
    assert found.published_date == "2026-03-03"


@pytest.mark.parametrize(
    "opening",
    [
        "<h2>With a new stone</h2><p>Millford, (12/03/2026). " + "The wheel turns. " * 20 + "</p>",
        "<h3>" + "A lead as long as a paragraph. " * 6 + "</h3><p>By Ada Muster</p><p>March 12, 2026 - " + "Wet. " * 40,
    ],
)
def test_a_first_paragraph_opens_with_the_date_as_in_a_newspaper(opening):
    assert page(opening, lang="en-GB").published_date == "2026-03-12"


def test_a_menu_between_the_title_and_the_date_does_not_part_them():
    menu = "<ul class='nav'>" + "<li>Grain</li>" * 30 + "</ul>"
    assert page(menu, "<p>March 12, 2026</p>").published_date == "2026-03-12"
    sidebar = "<div class='post-sidebar'><h4>Published</h4><p>March 12, 2026</p></div>"
    assert page(menu, sidebar).published_date == "2026-03-12"


def test_a_word_that_the_page_s_own_container_bears_makes_no_part_of_it_foreign():
    html = (
        "<title>Wheel</title><section class='cc-newsletter'><h1>Wheel</h1>"
        f"<div class='newsletter-details'><p>March 12, 2026</p></div>{TEXT}</section>"
    )
    assert read(html).published_date == "2026-03-12"


def test_a_line_about_a_person_is_no_label_of_the_date_behind_it():
    found = page("<p>Reviewed by Ada Muster</p>", "<p>March 12, 2026 · 8 min read</p>")
    assert (found.published_date, found.modified_date) == ("2026-03-12", "")


def test_a_notice_may_go_on_after_its_date():
    notice = "<p>This entry was posted on Thursday, March 12, 2026 and is filed under " + "wheels, " * 40 + ".</p>"
    assert page(TEXT, notice).published_date == "2026-03-12"


def test_the_first_of_two_publications_counts():
    notice = "<p>This text was originally published on 12 March 2026 and has been brought up to date since.</p>"
    assert page("<p>30 September 2026</p>", TEXT, notice).published_date == "2026-03-12"


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("fr", "Paru le 12 mars 2026, mis à jour le 2 avril 2026"),
        ("es", "Fecha de publicación: 12/03/2026 | Última actualización: 02/04/2026"),
        ("it", "Pubblicata il 12 marzo 2026 - Ultima modifica 2 aprile 2026"),
        ("pt-BR", "Publicado em 12/03/2026 às 10h20, atualizado em 02/04/2026 às 11h00"),
        ("nl", "Geplaatst op 12 maart 2026, laatst gewijzigd op 2 april 2026"),
        ("pl", "Data publikacji: 12 marca 2026, ostatnia aktualizacja: 2 kwietnia 2026"),
        ("sv", "Publicerades 12 mars 2026. Senast ändrad 2 april 2026"),
        ("nb", "Publisert 12. mars 2026, sist oppdatert 2. april 2026"),
        ("da", "Publiceret 12. marts 2026, opdateret 2. april 2026"),
        ("fi", "Julkaistu 12.3.2026, muokattu 2.4.2026"),
        ("cs", "Vydáno 12. března 2026, poslední aktualizace 2. dubna 2026"),
        ("hu", "Megjelent: 2026. március 12. Módosítva: 2026. április 2."),
        ("ro", "Publicat la 12 martie 2026, actualizat la 2 aprilie 2026"),
        ("tr", "Yayın tarihi: 12 Mart 2026, son güncelleme: 2 Nisan 2026"),
        ("ru", "Дата публикации: 12 марта 2026, последнее изменение: 2 апреля 2026"),
        ("uk", "Опубліковано: 12 березня 2026. Оновлено: 2 квітня 2026"),
        ("el", "Ημερομηνία δημοσίευσης: 12 Μαρτίου 2026, ενημερώθηκε: 2 Απριλίου 2026"),
        ("ar", "تاريخ النشر: 12 مارس 2026، آخر تحديث: 2 أبريل 2026"),
        ("he", "תאריך פרסום: 12 במרץ 2026, עדכון אחרון: 2 באפריל 2026"),
        ("fa", "انتشار: ۲۱ اسفند ۱۴۰۴ آخرین به‌روزرسانی: ۱۳ فروردین ۱۴۰۵"),
        ("zh", "发表于2026年3月12日，更新于2026年4月2日"),
        ("ja", "掲載日：2026年3月12日　最終更新：2026年4月2日"),
        ("ko", "등록 2026.03.12 10:00 최종수정 2026.04.02 11:00"),
        ("th", "โพสต์เมื่อ 12 มีนาคม 2569 ปรับปรุงล่าสุด 2 เมษายน 2569"),
        ("vi", "Đăng lúc 12/03/2026, cập nhật lần cuối 02/04/2026"),
        ("id", "Terbit 12 Maret 2026, diperbarui 2 April 2026"),
        ("hi", "प्रकाशित 12 मार्च 2026, अपडेट 2 अप्रैल 2026"),
    ],
)
def test_publication_and_change_are_told_apart_in_the_language_of_the_page(lang, line):
    found = page(f"<p>{line}</p>", lang=lang)
    assert (found.published_date[:10], found.modified_date[:10]) == ("2026-03-12", "2026-04-02")


def test_a_date_after_tomorrow_is_refused():
    now = datetime(2026, 5, 10, tzinfo=UTC)
    found = page("<p>Published 3 May 2026</p>", '<script>var end = "2031-01-31"</script>', now=now)
    assert found.published_date == "2026-05-03"
    assert page('<meta name="date" content="2031-01-31">', now=now).published_date == ""


@pytest.mark.parametrize(
    "other",
    [
        "<section><h2>Recent posts</h2><ul><li><h3><a href='/g'>Gears</a></h3><p>April 1, 2026</p></li></ul></section>",
        "<div class='comments'><p>Ben, April 1, 2026</p></div>",
        "<footer>© 2019 Mill, updated April 1, 2026</footer>",
        "<nav><a href='/g'>April 1, 2026</a></nav>",
        "<aside class='upcoming-events'><time datetime='2026-04-01'>April 1</time></aside>",
        "<p>On April 1, 2026 the stream was measured by people who had never seen one before, it is told.</p>",
    ],
)
def test_a_date_of_something_else_is_not_the_page_s(other):
    html = f"<title>Wheel</title><main><article><h1>Wheel</h1>{TEXT}{other}</article></main>"
    assert read(html).published_date == ""


def test_a_foreign_list_inside_the_article_does_not_hide_the_own_date():
    found = page(
        "<p>March 12, 2026</p>", TEXT, "<div><h2>More articles</h2><p>April 1, 2026</p><p>May 1, 2026</p></div>"
    )
    assert found.published_date == "2026-03-12"


def test_the_date_under_the_title_beats_a_labelled_one_in_the_text():
    found = page("<p>June 22, 2026</p>", TEXT, "<h2>Facts</h2><p>Version: 0.20.0</p><p>Published: June 17, 2026</p>")
    assert found.published_date == "2026-06-22"


def test_an_update_is_the_date_of_the_change_not_of_publication():
    found = page("<p>Updated: April 2, 2026</p>")
    assert (found.published_date, found.modified_date) == ("", "2026-04-02")
    found = page("<p>Published March 12, 2026 | Updated April 2, 2026</p>")
    assert (found.published_date, found.modified_date) == ("2026-03-12", "2026-04-02")


def test_a_sitemap_s_lastmod_is_never_a_date_of_the_page():
    found = page(lastmod="2026-03-12T00:00:00Z")
    assert (found.published_date, found.modified_date) == ("", "")


def test_lastmod_tells_which_number_is_the_month():
    assert page("<p>03/04/2026</p>").published_date == ""
    assert page("<p>03/04/2026</p>", lastmod="2026-04-03").published_date == "2026-04-03"


def test_a_page_that_names_only_its_last_change_is_cited_by_that():
    assert page("<p>Updated: April 2, 2026</p>").date == "2026-04-02"
    assert page("<p>March 12, 2026</p>", "<p>Updated: April 2, 2026</p>").date == "2026-03-12"


def test_what_is_marked_as_the_date_of_a_change_is_no_date_of_publication():
    declared = '<meta property="article:published_time" content="2026-03-12T08:00:00Z">'
    for shown in (
        '<span class="updated-on"><time class="published updated">April 2, 2026</time></span>',
        '<time itemprop="dateModified" datetime="2026-04-02">April 2, 2026</time>',
    ):
        assert page(declared, f"<p>by Ada Muster {shown}</p>").published_date == "2026-03-12T08:00:00Z"


def test_a_date_called_published_beats_a_declared_one_and_that_of_a_book_does_not():
    declared = '<meta property="article:published_time" content="2026-06-01T08:00:00Z">'
    assert page(declared, "<p>Published Mar 12, 2026</p>", "<p>Updated June 1, 2026</p>").published_date == "2026-03-12"
    assert page(declared, "<p>Paperback, released March 12, 2026</p>").published_date == "2026-06-01T08:00:00Z"


def test_what_the_page_prints_wins_over_a_date_that_software_set_anew():
    declared = '<meta property="article:published_time" content="2026-06-01T08:00:00Z">'
    assert page(declared, "<p>March 12, 2026</p>").published_date == "2026-03-12"
    # a day's difference is one of zones
    assert page(declared, "<p>May 31, 2026</p>").published_date == "2026-06-01T08:00:00Z"


def test_the_address_was_minted_when_the_page_appeared():
    declared = '<meta property="article:published_time" content="2026-06-01T23:00:00Z">'
    assert page(declared, url="https://mill.example/2026/03/12/wheel").published_date == "2026-03-12"
    assert page(declared, url="https://mill.example/2026/06/02/wheel").published_date == "2026-06-02"
    assert page(declared, url="https://mill.example/2026/09/02/wheel").published_date == "2026-06-01T23:00:00Z"


@pytest.mark.parametrize(
    ("path", "iso"),
    [
        ("/2026/03/12/wheel", "2026-03-12"),
        ("/notes/2026-03-12-wheel", "2026-03-12"),
        ("/notes/20260312/wheel", "2026-03-12"),
        ("/notes/2026/march/12/wheel", "2026-03-12"),
        ("/notes/25-12-2025-wheel", "2025-12-25"),
        ("/notes/03-04-2026-wheel", ""),
        ("/notes/08092025-wheel", ""),
        ("/2026/03/wheel", ""),
        ("/item/20269999", ""),
    ],
)
def test_an_address_spells_a_date_or_none(path, iso):
    assert date_in_url(f"https://mill.example{path}") == iso


def test_the_page_of_an_archive_has_no_date_of_its_own():
    post = "<h2>{}</h2><p>" + "A text about it. " * 30 + "</p><p><time>{}</time></p>"
    html = "<h1>Notes of May</h1>" + post.format("Gears", "May 4, 2026") + post.format("Stones", "May 1, 2026")
    assert read(f"<body class='archive author'>{html}</body>").published_date == ""
    assert read(f"<body class='archive author'>{html}</body>").author == ""
