"""Articles on their way to a model: outputs of the extraction service, a page at a time, within a budget of tokens."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from contentbot.articles.model import Article, ExtractionOutput
from contentbot.index.plaintext import plain_text, read_lines
from mcp_server.paging import page_end
from mcp_server.tokens import tokens
from mcp_server.untrusted import Boundary, defang, one_line

DEFAULT_CHARS = 24_000
"""Nearly every article is shorter, and comes whole."""

ARTICLE_TOKENS = 7_000
"""What a page of an article may cost as Markdown, and as plain text again: both together stay under the 25,000 of
common clients."""

BATCH_TOKENS = 20_000
"""What the articles of a batch may cost together."""

_LEAST_TOKENS = 60


class Paging(BaseModel):
    """Which part of an article an answer holds."""

    offset: int = Field(0, description="Character of the Markdown at which this page starts.")
    total_chars: int = Field(0, description="Length of the whole Markdown in characters.")
    next_offset: int = Field(0, description="offset of the next page; 0 when this is the last.")
    truncated: bool = Field(False, description="Whether there is more: call again with offset=next_offset.")


class Extraction(ExtractionOutput):
    """An output with the page of its article that the answer holds; pages in a row are the Markdown exactly."""

    paging: Paging = Field(default_factory=Paging, description="Which part of the article this is.")


class Batch(BaseModel):
    """The outputs of several addresses."""

    outputs: list[Extraction] = Field(description="One for each address, in their order.")
    succeeded: int = Field(description="How many of them are articles.")
    failed: int = Field(description="How many of them are errors.")
    notices: list[str] = Field(description="What was adjusted, shortened or left out.")


def page_of(output: ExtractionOutput, *, offset: int, max_chars: int, max_tokens: int) -> Extraction:
    """Return the page of an output's article that starts at a character; a failure stays as it is."""
    article, warnings = output.article, [*output.warnings]
    if article is None:
        return Extraction(**dict(output))
    body = article.markdown
    start = min(offset, len(body))
    if offset > len(body):
        warnings.append(f"offset {offset} is past the end: the article has {len(body)} characters.")
    end = page_end(body, start, max_chars, max_tokens)
    paging = Paging(offset=start, total_chars=len(body), next_offset=end % len(body or " "), truncated=end < len(body))
    if (start, end) != (0, len(body)):
        page = body[start:end]
        article = article.model_copy(update={"markdown": page, "plain_text": plain_text(read_lines(page))})
    return Extraction(**{**dict(output), "article": article, "warnings": warnings}, paging=paging)


def batch_of(outputs: Sequence[ExtractionOutput], notices: Sequence[str] = ()) -> Batch:
    """Return the outputs of a batch, each article as long as all of them together may be."""
    articles = sum(output.success for output in outputs)
    plain = [output.model_copy(update={"debug": type(output.debug)()}) for output in outputs]
    each = ARTICLE_TOKENS
    while True:
        pages = [page_of(output, offset=0, max_chars=DEFAULT_CHARS, max_tokens=each) for output in plain]
        cost = sum(tokens(str(page.as_data())) for page in pages)
        if cost <= BATCH_TOKENS or each <= _LEAST_TOKENS:
            break
        each = max(_LEAST_TOKENS, min(each * BATCH_TOKENS // cost, each * 4 // 5))
    said = [*notices]
    if any(page.paging.truncated for page in pages):
        said.append("Articles with paging.truncated go on: extract_url_content with their url and offset=next_offset.")
    return Batch(outputs=pages, succeeded=articles, failed=len(outputs) - articles, notices=said)


def extraction_text(output: Extraction) -> str:
    """Return an output as text: the server's own words, then what others wrote between the markers."""
    if output.error:
        return _failure(output)
    return f"{_head(output)}\n{Boundary().wrap(_told(output))}"


def batch_text(batch: Batch) -> str:
    """Return the outputs of a batch as text."""
    head = [f"{batch.succeeded} of {len(batch.outputs)} articles", *(f"Note: {notice}" for notice in batch.notices)]
    failures = [_failure(output) for output in batch.outputs if output.error]
    articles = [f"{_head(output)}\n{_told(output)}" for output in batch.outputs if output.article]
    wrapped = [Boundary().wrap("\n\n---\n\n".join(articles))] if articles else []
    return "\n".join([*head, *failures, *wrapped])


def _failure(output: Extraction) -> str:
    error = output.error
    if error is None:
        return ""
    again = f"retryable{f' after {error.details.retry_after} s' if error.details.retry_after else ''}"
    about = f" {one_line(error.details.url, 300)}" if error.details.url else ""
    kind = f"{again if error.retryable else 'not retryable'}, stage {error.stage}"
    return f"Not extracted:{about} {error.code} ({kind}): {one_line(error.message, 600)}"


def _head(output: Extraction) -> str:
    article, paging = output.article, output.paging
    if article is None:
        return ""
    end = paging.offset + len(article.markdown)
    part = f"characters {paging.offset} to {end} of {paging.total_chars}"
    more = f"More: offset={paging.next_offset}." if paging.truncated else "" if paging.offset else "This is all of it."
    source = article.metadata.content_source.replace("_", " ")
    head = f"Extracted from {source}: {article.metadata.word_count} words, {part}. {more}".strip()
    return "\n".join([head, *(f"Note: {defang(warning)}" for warning in output.warnings)])


def _told(output: Extraction) -> str:
    article = output.article
    return f"{_about(article)}\n\n{defang(article.markdown)}" if article else ""


def _about(article: Article) -> str:
    facts = (
        article.published_at,
        article.language,
        article.content_kind if article.content_kind != "other" else "",
        f"by {', '.join(article.metadata.authors)}" if article.metadata.authors else "",
        article.metadata.site_name,
        f"item {article.item_id}" if article.item_id else "",
        f"source {article.source_id}" if article.source_id else "",
    )
    address = f"url: {article.url}" if article.url else ""
    lines = (article.title, address, " | ".join(fact for fact in facts if fact))
    return "\n".join(one_line(line, 400) for line in lines if line)
