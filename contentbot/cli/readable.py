"""Articles from whatever a command is given: a document of the index, an address, a file, or standard input."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from contentbot.access import PUBLIC
from contentbot.cli.fetching import fetch_page
from contentbot.cli.shared import reading
from contentbot.cli.trying import require_address, rules_for
from contentbot.documents import ContentDocument, Page
from contentbot.errors import ContentBotError
from contentbot.summaries import Article, of_document, of_extraction


class NoArticle(ContentBotError):
    """What was given holds no article that can be read."""


def articles(reference: str) -> Iterator[Article | NoArticle]:
    """Yield the articles that a reference names, each as soon as it is read.

    `-` is standard input. Files and standard input hold a page (HTML, Markdown, text), or JSON: documents as `export`
    writes them, answers of an extraction, or articles, one or a line each. One that cannot be read is yielded as the
    problem that it is.

    Raises:
        ContentBotError: the reference names nothing.
    """
    if reference == "-":
        yield from _in_bytes(sys.stdin.buffer.read())
    elif "://" in reference:
        require_address(reference)
        yield _of_page(fetch_page(reference, rules_for(reference, "")).page)
    elif Path(reference).is_file():
        yield from _in_bytes(Path(reference).read_bytes())
    else:
        with reading() as index:
            document = index.get(reference, principal=PUBLIC)
        yield of_document(document)


def _in_bytes(body: bytes) -> Iterator[Article | NoArticle]:
    if body.lstrip()[:1] != b"{":
        yield _of_page(Page("https://page.example/", "https://page.example/", body))
        return
    for number, record in enumerate(_records(body), 1):
        try:
            yield _of_record(record)
        except (ValidationError, ValueError, TypeError, AttributeError) as error:
            yield NoArticle(f"record {number} is no article: {str(error).splitlines()[0]}")


def _records(body: bytes) -> Iterator[Any]:
    try:
        yield json.loads(body)
    except ValueError:
        for line in body.splitlines():
            if line.strip():
                yield _json(line)


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        return error


def _of_record(record: Any) -> Article:
    """Read one JSON object, whichever of the three it is."""
    if not isinstance(record, Mapping):
        raise TypeError(f"it is no JSON object: {record!s:.80}")
    if "success" in record:
        if not record["success"]:
            raise ValueError(f"its extraction failed: {(record.get('error') or {}).get('message', '')}")
        return of_extraction(record["article"])
    if "plain_text" in record:
        return of_extraction(record)
    if "plainText" in record:
        return of_document(ContentDocument.model_validate(record))
    return Article.model_validate(record)


def _of_page(page: Page) -> Article:
    from contentbot.extract import ExtractRules, extract  # noqa: PLC0415 - its libraries cost most of a second to import

    article = of_document(extract(page, ExtractRules(rules_for(page.final_url, ""))))
    # it is in no index: its id would name nothing
    return article.model_copy(update={"document_id": "", "source_id": ""})
