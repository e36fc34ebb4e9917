"""The extraction tools: an address, a feed item or several addresses to articles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent
from pydantic import BeforeValidator, Field, WithJsonSchema

from contentbot.articles.items import Item
from contentbot.articles.model import ExtractionOutput
from contentbot.articles.service import ArticleService
from mcp_server.budget import within
from mcp_server.pieces import (
    ARTICLE_TOKENS,
    DEFAULT_CHARS,
    Batch,
    Extraction,
    batch_of,
    batch_text,
    extraction_text,
    page_of,
)
from mcp_server.schemas import portable
from mcp_server.tools import ReadTool

MAX_BATCH = 20
MIN_CHARS, MAX_CHARS = 200, 400_000

_URL = """\
Loads one web page and extracts its article: title, date, authors, language, and the content as Markdown and plain text.
Use it for a page that no index here has; extract_batch for several pages, extract_item_content for an item of a feed.
Only public http and https addresses; robots.txt is obeyed. A failure has a code and says whether to try again."""

_ITEM = """\
Extracts the article of one feed item: from the content it carries where that is whole, else from its page.
Use it with items of RSS, Atom or JSON feeds; item_id and source_id come back in the answer."""

_BATCH = f"""\
Extracts the articles of up to {MAX_BATCH} web pages in one call, with progress; of long ones only the beginning.
Use extract_url_content for one page, or to read on. What has not come after 45 seconds is answered as retryable."""

_EXAMPLE = "https://open-elements.com/posts/2026/03/05/when-contributions-become-a-burden"

Url = Annotated[
    str,
    Field(description=f"Address of the page, http or https. Example: {_EXAMPLE}", examples=[_EXAMPLE]),
]
LanguageHint = Annotated[
    str,
    Field(
        description="Language that the page is expected in, as BCP 47 tag: this version is asked for where there are "
        "several. Empty for any. Example: de",
        examples=["de", "en"],
    ),
]
Offset = Annotated[
    int,
    Field(
        description="Character of the Markdown to begin at: paging.next_offset of the answer before, 0 to begin. "
        "Example: 24000",
        examples=[24000],
        json_schema_extra={"minimum": 0},
    ),
]
MaxChars = Annotated[
    int,
    Field(
        description=f"How many characters of the Markdown at most, {MIN_CHARS} to {MAX_CHARS}. Above {DEFAULT_CHARS} "
        "the answer may be longer than a model's client takes. Example: 24000",
        examples=[24000],
        json_schema_extra={"minimum": MIN_CHARS, "maximum": MAX_CHARS},
    ),
]


def _item_schema() -> dict[str, Any]:
    schema = portable(Item.model_json_schema())
    return {
        **schema,
        "description": "The item, with a url or content or both. Example: "
        '{"item_id": "42", "source_id": "blog", "url": "https://blog.example/42", "content": "<p>…</p>"}',
        "examples": [{"item_id": "42", "source_id": "blog", "url": "https://blog.example/42", "content": "<p>…</p>"}],
    }


def _listed(value: Any) -> Any:
    """Take one address, or several in one text, for a list."""
    return value.replace(",http", " http").split() if isinstance(value, str) else value


ItemObject = Annotated[dict[str, Any], WithJsonSchema(_item_schema())]
Urls = Annotated[
    list[str],
    BeforeValidator(_listed),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "string", "description": "Address of a page, http or https."},
            "minItems": 1,
            "maxItems": MAX_BATCH,
            "description": f"Addresses of the pages, up to {MAX_BATCH}. Example: [{_EXAMPLE!r}]".replace("'", '"'),
            "examples": [[_EXAMPLE]],
        }
    ),
]


@dataclass(frozen=True, slots=True)
class ExtractionTools:
    """The tools over one extraction service."""

    service: ArticleService

    def tools(self) -> list[ReadTool]:
        """Return the tools, ready for a server."""
        return [
            ReadTool.reading(self.extract_url_content, title="Extract a page", description=_URL, open_world=True),
            ReadTool.reading(self.extract_item_content, title="Extract an item", description=_ITEM, open_world=True),
            ReadTool.reading(self.extract_batch, title="Extract several pages", description=_BATCH, open_world=True),
        ]

    async def extract_url_content(
        self, url: Url, language_hint: LanguageHint = "", offset: Offset = 0, max_chars: MaxChars = DEFAULT_CHARS
    ) -> Annotated[CallToolResult, Extraction]:
        """Extract a page; `_URL` tells the model."""
        return _answer(await self.service.extract_url(url, language_hint), offset, max_chars)

    async def extract_item_content(
        self,
        item: ItemObject,
        language_hint: LanguageHint = "",
        offset: Offset = 0,
        max_chars: MaxChars = DEFAULT_CHARS,
    ) -> Annotated[CallToolResult, Extraction]:
        """Extract an item; `_ITEM` tells the model."""
        return _answer(await self.service.extract_item(item, language_hint), offset, max_chars)

    async def extract_batch(
        self, urls: Urls, ctx: Context[Any, Any], language_hint: LanguageHint = ""
    ) -> Annotated[CallToolResult, Batch]:
        """Extract several pages; `_BATCH` tells the model."""
        kept, notices = _shortened(urls)
        total, came = len(set(kept)), 0

        async def done(output: ExtractionOutput) -> None:
            nonlocal came
            came += 1
            await ctx.report_progress(came, total, "extracted" if output.success else "failed")

        await ctx.report_progress(0, total, "loading")
        batch = batch_of(await self.service.extract_many(kept, language_hint, done=done), notices)
        return _result(batch.model_dump(mode="json", exclude_none=True), batch_text(batch), failed=not batch.succeeded)


def _shortened(urls: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    if len(urls) <= MAX_BATCH:
        return urls, []
    return urls[:MAX_BATCH], [f"{len(urls)} addresses are over {MAX_BATCH}: ask for the others in another call."]


def _answer(output: ExtractionOutput, offset: int, max_chars: int) -> CallToolResult:
    offset, about_offset = within("offset", offset, 0)
    max_chars, about_chars = within("max_chars", max_chars, MIN_CHARS, MAX_CHARS)
    # whoever asks for more than fits a model's client has another use for it
    budget = ARTICLE_TOKENS if max_chars <= DEFAULT_CHARS else max_chars
    noted = output.model_copy(update={"warnings": [*about_offset, *about_chars, *output.warnings]})
    page = page_of(noted, offset=offset, max_chars=max_chars, max_tokens=budget)
    return _result(page.as_data(), extraction_text(page), failed=not output.success)


def _result(data: Mapping[str, Any], text: str, *, failed: bool) -> CallToolResult:
    """Return an answer in both forms; a failure is one of the call, and still says in data what it is."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=dict(data), is_error=failed)
