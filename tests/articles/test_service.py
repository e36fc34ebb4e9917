"""From an address to an article, and from every kind of trouble to its code."""

import asyncio
import logging
from datetime import UTC, datetime

import anyio
import jsonschema
import pytest

from contentbot.articles import ArticleService, ExtractionOutput, output_schema, service
from contentbot.articles.wishes import DeclaredWishes
from contentbot.documents import Page
from contentbot.sources.models import WebsiteSource
from tests.articles.conftest import Articles, code, details
from tests.loading.sites import local
from tests.site.server import Answer

TEXT = "Das Wasser fällt auf das Rad, und das Rad treibt den Stein. " * 8
POST = f"""<!doctype html><html lang="de"><head><title>Das Wehr – Mühlenblatt</title>
<meta property="og:site_name" content="Mühlenblatt"><meta name="author" content="Ada Weir">
<meta property="article:published_time" content="2026-03-12T09:30:00+01:00"><meta property="og:type" content="article">
<link rel="canonical" href="https://mill.example/wehr"></head>
<body><nav><a href="/">Start</a></nav><main><article><h1>Das Wehr</h1><p>{TEXT}</p>
<p>Mehr steht <a href="/rad">beim Rad</a>.</p></article></main><footer>Impressum</footer></body></html>"""


def test_a_page_becomes_an_article_with_everything_it_says(articles, website):
    website.answer("/wehr", Answer(POST.encode(), headers={"ETag": '"7"'}))

    output = articles.url(f"{website.origin}/wehr#oben")

    article = output.article
    assert output.success
    assert output.error is None
    assert (article.url, article.title, article.language) == (f"{website.origin}/wehr", "Das Wehr", "de")
    assert article.published_at == "2026-03-12T09:30:00+01:00"
    assert article.metadata.authors == ["Ada Weir"]
    assert article.metadata.site_name == "Mühlenblatt"
    assert article.metadata.canonical_url == "https://mill.example/wehr"
    assert article.metadata.content_source == "page"
    assert article.metadata.revision == '"7"'
    assert article.metadata.char_count == len(article.plain_text)
    assert article.plain_text.count("das Rad treibt den Stein") == 8
    assert f"[beim Rad]({website.origin}/rad)" in article.markdown
    assert "Impressum" not in article.markdown
    assert (article.item_id, article.source_id, article.pipeline_state) == ("", "", "EXTRACTED")
    assert not any(article.quality_flags.model_dump().values())
    assert output.warnings == []
    assert set(output.debug.stage_ms) == {"normalise", "load", "extract", "check", "map"}


def test_the_id_of_an_extraction_changes_with_the_content_alone(articles, website):
    website.answer("/a", Answer(POST.encode()), Answer(POST.replace("<nav>", "<nav>neu").encode()), Answer(
        POST.replace("treibt", "bewegt").encode()))  # fmt: skip

    ids = [articles.url(f"{website.origin}/a").article.extract_id for _ in range(3)]

    assert ids[0] == ids[1] != ids[2]


def test_every_output_is_as_the_published_schema_says(articles, website):
    website.answer("/wehr", Answer(POST.encode()))
    schema = output_schema()

    for output in (articles.url(f"{website.origin}/wehr"), articles.url(f"{website.origin}/nothing")):
        data = output.as_data()
        jsonschema.validate(data, schema)
        assert ("article" in data, "error" in data) == (output.success, not output.success)
    assert "null" not in str(schema)


@pytest.mark.parametrize(
    "url",
    ["", "mill", "file:///etc/hosts", "ftp://mill.example/", "https://ada:pw@mill.example/", "http://mill.example:22/"],
)
def test_what_is_no_web_address_is_invalid_input(articles, url):
    output = articles.url(url)

    assert code(output) == "INVALID_INPUT"
    assert (output.error.stage, output.error.retryable) == ("normalise", False)
    assert ":pw@" not in output.error.model_dump_json()


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://[fd00:ec2::254]/",
    ],
)
def test_an_inner_address_is_not_fetched(articles, url):
    output = articles.url(url)

    assert code(output) == "CONTENT_FETCH_FAILED"
    assert details(output)["reason"] == "address_refused"
    assert not output.error.retryable


@pytest.mark.parametrize(("status", "retryable"), [(404, False), (503, True)])
def test_an_error_of_the_host_tells_status_and_whether_to_try_again(articles, website, status, retryable):
    website.answer("/a", Answer(b"", status, headers={"Retry-After": "1"}))

    output = articles.url(f"{website.origin}/a")

    assert (code(output), output.error.stage, output.error.retryable) == ("CONTENT_FETCH_FAILED", "load", retryable)
    assert (details(output)["http_status"], details(output)["url"]) == (status, f"{website.origin}/a")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(b"\x89PNG\r\n\x1a\n", content_type="image/png"), "unsupported_media"),
        (Answer(b"%PDF-1.7 ..."), "unsupported_media"),
        (Answer(b"<html><body><script>render()</script><div id=app></div></body></html>"), "empty_text"),
        (Answer(b"<div>" * 3_000 + b"text"), "too_deep"),
    ],
)
def test_a_page_that_cannot_be_read_says_why(articles, website, answer, reason):
    website.answer("/a", answer)

    output = articles.url(f"{website.origin}/a")

    assert (code(output), output.error.retryable) == ("CONTENT_EXTRACTION_FAILED", False)
    assert details(output)["reason"] == reason


def test_a_page_of_a_few_words_is_too_short(articles, website):
    website.page("/a", "Coming soon")

    output = articles.url(f"{website.origin}/a")

    assert (code(output), output.error.stage) == ("CONTENT_TOO_SHORT", "check")


def test_a_short_text_without_spaces_between_words_is_long_enough(articles, website):
    website.page(
        "/a",
        "<html lang=ja><title>水車</title><main><h1>水車</h1><p>水は輪を、輪は石を回し、石は麦を粉にする。</p></main>",
    )

    output = articles.url(f"{website.origin}/a")

    assert output.success
    assert output.article.language == "ja"


def test_what_nobody_has_foreseen_is_an_output_too_and_logged(website, caplog):
    class Broken:
        async def load(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError("of a library")

    with caplog.at_level(logging.ERROR):
        output = anyio.run(ArticleService(Broken()).extract_url, "https://mill.example/")

    assert (code(output), output.error.stage) == ("UNKNOWN_ERROR", "load")
    assert "ZeroDivisionError" in caplog.text
    assert "of a library" not in output.error.message


class Stuck:
    """A loader that never comes back."""

    async def load(self, *_: object, **__: object) -> None:
        await anyio.sleep_forever()


def test_an_extraction_ends_before_its_caller_gives_up(monkeypatch):
    monkeypatch.setattr(service, "_LONGEST", 0.1)
    monkeypatch.setattr(service, "_START_SECONDS", 0.0)

    output = anyio.run(ArticleService(Stuck()).extract_url, "https://mill.example/")

    assert (code(output), output.error.retryable) == ("CONTENT_FETCH_FAILED", True)
    assert (output.error.stage, details(output)["reason"]) == ("load", "too_slow")


def test_who_comes_when_too_many_are_under_way_is_told_to_come_again(monkeypatch):
    monkeypatch.setattr(service, "_AT_ONCE", 1)
    monkeypatch.setattr(service, "_TURN_SECONDS", 0.1)

    async def two() -> list[ExtractionOutput]:
        articles = ArticleService(Stuck())
        first = asyncio.ensure_future(articles.extract_url("https://mill.example/"))
        await asyncio.sleep(0)
        second = await articles.extract_url("https://weir.example/")
        first.cancel()
        return [second]

    (output,) = anyio.run(two)
    assert (details(output)["reason"], output.error.retryable) == ("busy", True)


def test_doubts_are_flags_and_words(articles, website):
    paywalled = '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>'
    head = f"<title>Eels</title>{paywalled}<meta name=robots content=noindex>"
    text = "<h1>Eels</h1><p>Eels pass the wheel at night, and nobody knows why they … Read more</p>"
    website.page("/a", f"<html lang=en><head>{head}</head><main>{text}</main>")

    output = articles.url(f"{website.origin}/a", "de")

    flags = output.article.quality_flags
    assert (flags.is_paywalled, flags.is_truncated, flags.is_low_content, flags.is_garbled) == (True, True, True, False)
    assert output.article.metadata.is_noindex
    assert len(output.warnings) == 5
    assert "It is in en, not in de." in output.warnings


def test_the_hint_asks_for_a_language_and_stands_in_where_nothing_tells(articles, website):
    website.page("/a", "<title>Ab</title><main><p>One two three four five six seven eight nine.</p></main>")

    output = articles.url(f"{website.origin}/a", "pt_br")

    assert website.asked[-1].headers["accept-language"].startswith("pt-BR")
    assert (output.article.language, output.article.metadata.language_source) == ("pt-BR", "hint")


def test_a_page_at_hand_needs_no_address(articles):
    output = articles.page(Page("", "", POST.encode(), fetched_at=datetime(2026, 4, 1, tzinfo=UTC)))

    assert (output.article.url, output.article.metadata.content_source) == ("", "file")
    assert output.article.title == "Das Wehr"


def test_the_page_of_a_declared_source_is_read_by_its_rules(website):
    source = WebsiteSource.model_validate(
        {"id": "mill", "type": "website", "base-url": website.origin, "content-selector": ".notice"}
    )
    website.page(
        "/a", f"<main><p>{TEXT}</p><div class=notice><p>The mill is open on Sundays from ten to four.</p></div></main>"
    )
    with ArticleService(local(), wishes=DeclaredWishes(lambda: {"mill": source}), workers=1) as service:
        output = anyio.run(service.extract_url, f"{website.origin}/a")

    assert output.article.plain_text == "The mill is open on Sundays from ten to four."


class TestBatch:
    def test_answers_come_in_the_order_of_the_addresses_each_loaded_once(self, articles: Articles, website):
        website.answer("/wehr", Answer(POST.encode()))
        told = []

        async def done(output: object) -> None:
            told.append(output)

        outputs = articles.many(
            f"{website.origin}/wehr", "ftp://x/", f"{website.origin}/none", f"{website.origin}/wehr", done=done
        )

        assert [one.success for one in outputs] == [True, False, False, True]
        assert [one.error.code for one in outputs if one.error] == ["INVALID_INPUT", "CONTENT_FETCH_FAILED"]
        assert website.paths().count("/wehr") == 1
        assert len(told) == 3

    def test_what_does_not_come_in_time_is_worth_another_try(self, articles: Articles, website):
        website.answer("/wehr", Answer(POST.encode()))
        website.answer("/slow", Answer(POST.encode(), delay=3.0))

        outputs = articles.many(f"{website.origin}/wehr", f"{website.origin}/slow", seconds=2.0)

        assert [one.success for one in outputs] == [True, False]
        assert (outputs[1].error.retryable, details(outputs[1])["reason"]) == (True, "too_slow")

    def test_no_address_is_no_work(self, articles: Articles):
        assert articles.many() == []
