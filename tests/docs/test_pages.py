"""What a reader clicks on leads somewhere, and what stands in a block can be read by what it is written for."""

import json

import pytest

from contentbot.documents import ContentDocument
from contentbot.sources.languages import load_languages
from contentbot.sources.loader import load_source
from contentbot.sources.models import LocaleRules, WebsiteSource
from tests.docs.pages import ROOT, Block, Page, anchor, blocks, pages

PAGES = [pytest.param(page, id=page.path) for page in pages().values()]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_heading(page: Page) -> None:
    for link in page.links:
        path, _, fragment = link.partition("#")
        if "://" in path:
            assert path.startswith("https://"), link
            continue
        file = (ROOT / page.path).parent / path if path else ROOT / page.path
        assert file.is_file(), link
        if fragment:
            text = pages()[file.resolve().relative_to(ROOT).as_posix()]
            assert fragment in {anchor(title) for _, title in text.headings}, link


@pytest.mark.parametrize("page", PAGES)
def test_the_contents_of_a_page_are_its_sections(page: Page) -> None:
    listed = [link for link in page.links if link.startswith("#")][: len(page.headings) - 1]
    assert listed == [f"#{anchor(title)}" for level, title in page.headings if level == 2]


def test_the_readme_leads_to_every_page() -> None:
    assert set(pages()) - {"README.md"} <= set(pages()["README.md"].links)


def test_a_block_is_written_in_a_language_that_is_tested() -> None:
    assert {block.language for block in blocks()} <= {"sh", "yaml", "json", "python", "cron", ""}


@pytest.mark.parametrize("block", [pytest.param(block, id=block.page) for block in blocks("yaml")])
def test_an_example_of_a_source_file_is_one(block: Block, tmp_path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(block.text, encoding="utf-8")
    load_source(file)


def test_the_annotated_example_has_every_key(tmp_path) -> None:
    (block,) = (block for block in blocks("yaml") if block.page == "docs/sources.md")
    file = tmp_path / "example.yaml"
    file.write_text(block.text, encoding="utf-8")
    source = load_source(file)
    assert source.model_fields_set == set(WebsiteSource.model_fields)
    assert source.locale.model_fields_set == set(LocaleRules.model_fields)


@pytest.mark.parametrize("block", [pytest.param(block, id=block.page) for block in blocks("json")])
def test_a_json_example_parses(block: Block) -> None:
    assert json.loads(block.text)


def test_an_agents_configuration_starts_the_server_of_this_checkout() -> None:
    told = [json.loads(block.text) for block in blocks("json")]
    entries = [one.get("mcpServers") or one.get("servers") for one in told]
    servers = [entry["contentbot"] for entry in entries if entry]
    started = [one for one in servers if "command" in one]
    assert started
    for one in started:
        assert one["command"] == "/path/to/contentbot/.venv/bin/python"
        assert one["args"] == ["-m", "mcp_server"]
    assert all(one["url"] == "http://127.0.0.1:8000/mcp" for one in servers if one not in started)


def test_the_example_document_is_what_the_demo_gives(demo_documents: dict[str, ContentDocument]) -> None:
    (text,) = (block.text for block in blocks("json") if block.page == "docs/documents.md")
    told = ContentDocument.model_validate_json(text)
    volatile = {"fetched_at", "extractor", "content_hash"}
    assert told.model_dump(exclude=volatile) == demo_documents[told.url].model_dump(exclude=volatile)


def test_the_example_of_a_word_list_is_one(tmp_path) -> None:
    (block,) = (block for block in blocks("") if block.page == "docs/sources.md" and "synonyms" in block.text)
    folder = tmp_path / "languages"
    folder.mkdir()
    (folder / "de.yaml").write_text(block.text, encoding="utf-8")
    assert load_languages(tmp_path).synonyms_of("kfz") == ["auto", "wagen"]
