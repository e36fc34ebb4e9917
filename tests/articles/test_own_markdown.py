"""The page's own Markdown on demand: linked, negotiated or listed, and used where it says the same."""

import anyio
import pytest

from contentbot.articles import ArticleService
from contentbot.sources.models import WebsiteSource
from tests.loading.sites import local
from tests.site.server import Answer, Website
from tests.spiders.test_own_markdown import link, markdown, page


def test_the_markdown_that_a_page_links_to_is_used(articles, website: Website):
    website.answer("/wheel", page("wheel", link("/wheel.md")))
    website.answer("/wheel.md", markdown("wheel"))

    article = articles.url(f"{website.origin}/wheel").article

    assert article.metadata.content_source == "page_markdown"
    assert "```sh\nturn\n```" in article.markdown
    assert (article.url, article.title) == (f"{website.origin}/wheel", "wheel")


def test_a_host_that_answers_by_what_is_accepted_is_asked_for_markdown(articles, website: Website):
    def answer(asked: object) -> Answer:
        wanted = asked.headers["accept"].startswith("text/markdown")
        vary = {"Vary": "Accept"}
        return markdown("wheel", headers=vary) if wanted else page("wheel", headers=vary)

    website.answer("/wheel", answer)

    assert articles.url(f"{website.origin}/wheel").article.metadata.content_source == "page_markdown"
    assert website.paths() == ["/wheel", "/wheel"]


@pytest.mark.parametrize(
    "answer", [Answer(b"", 404), markdown("eels", "Eels pass the wheel at night. " * 20), Answer(b"<p>Log in")]
)
def test_markdown_that_is_not_there_or_says_something_else_is_left_aside(articles, website: Website, answer):
    website.answer("/wheel", page("wheel", link("/wheel.md")))
    website.answer("/wheel.md", answer)

    assert articles.url(f"{website.origin}/wheel").article.metadata.content_source == "page"


@pytest.mark.parametrize(("wish", "source"), [("prefer", "page_markdown"), ("ignore", "page")])
def test_a_declared_source_says_whether_it_is_wanted(website: Website, wish, source):
    declared = WebsiteSource.model_validate(
        {"id": "mill", "type": "website", "base-url": website.origin, "markdown": wish}
    )
    website.answer("/wheel", page("wheel"))
    website.answer("/llms.txt", Answer(b"- [Wheel](/wheel.md)", content_type="text/plain"))
    website.answer("/wheel.md", markdown("wheel"))
    with ArticleService(local(), wishes=lambda _: declared, workers=1) as service:
        output = anyio.run(service.extract_url, f"{website.origin}/wheel")

    assert output.article.metadata.content_source == source
