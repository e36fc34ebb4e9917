"""The content tools: search, list, read and survey what was crawled."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from contentbot.access import Principal
from contentbot.index import Index
from mcp_server import auth, texts
from mcp_server.answers import CategoryList, PostBody, PostList, SearchAnswer, UrlExplanation
from mcp_server.budget import within
from mcp_server.configured import ListedSources
from mcp_server.explaining import CrawlRecords, explanation_of
from mcp_server.finding import newest, search
from mcp_server.narrowing import narrow
from mcp_server.reading import find, page_of
from mcp_server.survey import survey
from mcp_server.tools import ReadTool
from mcp_server.toolsets import parameters as p
from mcp_server.view import View

_SEARCH = """\
Finds posts and pages by words, a name or a question, best match first, each with the passage that matched.
Use list_posts for "the latest" or "everything about a category", get_post to read a hit in full.
Hits are short: ids, addresses, dates and a snippet with the matched words in **bold**."""

_LIST = """\
Lists posts newest first, by source, language, category or date, without a search query.
Use search_content to find something by words, get_post to read one in full."""

_GET = """\
Reads one post or page in full, as Markdown, by its id or url; a long one comes in pages.
Use search_content or list_posts to learn ids. While truncated is true, call again with offset=next_offset."""

_CATEGORIES = """\
Lists the categories and the sources that the other tools can filter by, with how many documents each has.
Use it before filtering by a name you are not sure of, or to see what this server knows and how fresh it is."""

_EXPLAIN = """\
Explains why a page is or is not in the index, for each source that its address could belong to. It may be excluded by \
a rule, disallowed by robots.txt, noindex, redirected, broken, gone, or never listed; the answer says since when.
Use it when get_post does not know an address, or a page is out of date. It asks no website."""


@dataclass(frozen=True, slots=True)
class ContentTools:
    """The tools over one index.

    Args:
        listed: the sources that are set up, whether or not they were crawled.
        caller: says who is asking, at every call.
        records: what the crawler has recorded.
    """

    index: Index
    listed: ListedSources = dict
    caller: Callable[[], Principal] = auth.caller
    records: CrawlRecords = field(default_factory=CrawlRecords)

    def tools(self) -> list[ReadTool]:
        """Return the tools, ready for a server."""
        return [
            ReadTool.reading(self.search_content, title="Search the content", description=_SEARCH),
            ReadTool.reading(self.list_posts, title="List posts", description=_LIST),
            ReadTool.reading(self.get_post, title="Read a post", description=_GET),
            ReadTool.reading(self.list_categories, title="List categories and sources", description=_CATEGORIES),
            ReadTool.reading(self.explain_url, title="Explain an address", description=_EXPLAIN),
        ]

    def search_content(
        self,
        query: p.Query,
        locale: p.Locale = "",
        source: p.Source = "",
        category: p.CategoryName = "",
        since: p.Since = "",
        limit: p.Limit = 10,
        offset: p.HitOffset = 0,
    ) -> Annotated[CallToolResult, SearchAnswer]:
        """Search; `_SEARCH` tells the model."""
        view = self._view()
        limit, about_limit = within("limit", limit, 1, p.MAX_LIMIT)
        offset, about_offset = within("offset", offset, 0)
        narrowed = narrow(view, self.listed, source=source, locale=locale, category=category, since=since)
        notices = [*about_limit, *about_offset]
        answer = search(view, narrowed, query=query, offset=offset, limit=limit, notices=notices)
        return _result(answer, texts.search_text(answer, offset))

    def list_posts(
        self,
        locale: p.Locale = "",
        source: p.Source = "",
        category: p.CategoryName = "",
        since: p.Since = "",
        page: p.Page = 1,
        size: p.Size = 20,
    ) -> Annotated[CallToolResult, PostList]:
        """List; `_LIST` tells the model."""
        view = self._view()
        page, about_page = within("page", page, 1)
        size, about_size = within("size", size, 1, p.MAX_SIZE)
        narrowed = narrow(view, self.listed, source=source, locale=locale, category=category, since=since)
        answer = newest(view, narrowed, page=page, size=size, notices=[*about_page, *about_size])
        return _result(answer, texts.list_text(answer))

    def get_post(
        self,
        url: p.Url = "",
        id: p.Id = "",  # noqa: A002 - the name of the parameter
        offset: p.BodyOffset = 0,
        max_chars: p.MaxChars = p.DEFAULT_CHARS,
    ) -> Annotated[CallToolResult, PostBody]:
        """Read; `_GET` tells the model."""
        offset, about_offset = within("offset", offset, 0)
        max_chars, about_chars = within("max_chars", max_chars, p.MIN_CHARS, p.MAX_CHARS)
        document = find(self._view(), url=url, id=id)
        answer = page_of(document, offset=offset, max_chars=max_chars, notices=[*about_offset, *about_chars])
        return _result(answer, texts.body_text(answer))

    def list_categories(self, source: p.Source = "", locale: p.Locale = "") -> Annotated[CallToolResult, CategoryList]:
        """Survey; `_CATEGORIES` tells the model."""
        view = self._view()
        narrowed = narrow(view, self.listed, source=source, locale=locale)
        answer = survey(view, narrowed, self.listed(), source=source)
        return _result(answer, texts.categories_text(answer))

    def explain_url(self, url: p.AskedUrl, source: p.Source = "") -> Annotated[CallToolResult, UrlExplanation]:
        """Explain; `_EXPLAIN` tells the model."""
        answer = explanation_of(self._view(), self.records, url=url, source=source)
        return _result(answer, texts.explanation_text(answer))

    def _view(self) -> View:
        return View(self.index, self.caller())


def _result(answer: BaseModel, text: str) -> CallToolResult:
    """Return an answer in both forms: clients show one of them, and some drop the structured one."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=answer.model_dump(mode="json")
    )
