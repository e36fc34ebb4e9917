"""An agent summarises an article itself: the prompt hands it over, the tool checks what it wrote."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from contentbot.articles import ArticleService
from mcp_server.server import build_extraction_server
from tests.loading.sites import local
from tests.site.server import Website
from tests.summaries.mill import TEXT, draft

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def site() -> Iterator[Website]:
    with Website() as served:
        html = f"<title>Old mill turns again</title><main><h1>Old mill turns again</h1><p>{TEXT}</p></main>"
        served.page("/mill", f"<!doctype html><html lang=en>{html}</html>")
        yield served


@pytest.fixture(scope="module")
async def client() -> AsyncIterator[Client]:
    with ArticleService(local(), workers=1) as service:
        async with Client(build_extraction_server(service)) as connected:
            yield connected


async def check(client: Client, summary: dict[str, Any], **arguments: Any) -> Any:
    return await client.call_tool("validate_summary", {"summary": summary, **arguments})


async def test_a_summary_of_a_page_that_keeps_to_it_is_valid(client, site):
    answer = await check(client, draft(), url=f"{site.origin}/mill")
    assert answer.structured_content == {"valid": True, "findings": []}


async def test_what_is_wrong_is_told_in_both_forms_and_is_no_error_of_the_call(client):
    answer = await check(client, draft(summary="It cost 7 euros."), text=TEXT)
    assert not answer.is_error
    (finding,) = answer.structured_content["findings"]
    assert (answer.structured_content["valid"], finding["code"]) == (False, "number_not_in_text")
    assert "number_not_in_text in summary: '7'" in answer.content[0].text
    assert "Way out: " in answer.content[0].text


async def test_a_summary_without_the_form_of_one_is_a_finding_an_agent_can_mend(client):
    answer = await check(client, {"title": "Mill"}, text=TEXT)
    assert {one["code"] for one in answer.structured_content["findings"]} == {"schema"}


async def test_language_and_length_are_those_that_were_asked_for(client):
    answer = await check(client, draft(), text=TEXT, language="de", sentences=1)
    assert {one["code"] for one in answer.structured_content["findings"]} == {"wrong_language", "too_long"}


@pytest.mark.parametrize("given", [{}, {"url": "https://mill.example/a", "text": "Mill"}])
async def test_an_article_is_named_in_one_way(client, given):
    answer = await check(client, draft(), **given)
    assert answer.is_error
    assert "not both" in answer.content[0].text


async def test_an_article_that_cannot_be_read_is_told_as_such(client, site):
    answer = await check(client, draft(), url=f"{site.origin}/nowhere")
    assert answer.is_error
    assert "the article cannot be read" in answer.content[0].text
    with pytest.raises(MCPError, match="cannot be read"):
        await client.get_prompt("summarize_article", {"url": f"{site.origin}/nowhere"})


async def test_the_prompt_hands_over_the_article_as_data_with_the_way_to_check(client, site):
    (listed,) = (await client.list_prompts()).prompts
    assert [(one.name, bool(one.required)) for one in listed.arguments] == [
        ("url", True),
        ("language", False),
        ("sentences", False),
    ]
    arguments = {"url": f"{site.origin}/mill", "language": "de", "sentences": "2"}
    (message,) = (await client.get_prompt("summarize_article", arguments)).messages
    assert "Language: de. summary: at most 2 sentences." in message.content.text
    assert "Greta Holm" in message.content.text
    assert f"url={site.origin}/mill" in message.content.text
    assert message.content.text.count("<<article ") == 2
