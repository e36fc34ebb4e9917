"""Summaries by the agent itself: a prompt that hands it the article, a tool that checks what it wrote."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from anyio import to_thread
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import Prompt, UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, Field, WithJsonSchema

from contentbot.articles.service import ArticleService
from contentbot.sources.tags import normal_locale
from contentbot.summaries import Article, Finding, Wishes, messages, of_extraction
from contentbot.summaries.findings import errors
from contentbot.summaries.model import Draft
from contentbot.summaries.validator import SENTENCES, validate
from mcp_server.schemas import portable
from mcp_server.tools import ReadTool
from mcp_server.untrusted import one_line

MAX_SENTENCES = 20
NO_ARTICLE = -32002  # within the range that MCP leaves to servers

_VALIDATE = """\
Checks a summary that you wrote against its article: its form, length and language, and that every number, date, name, \
quote and address in it stands in the article. Use it before you hand a summary on, and again once you have mended it.
Give the url of the article, or its text. An empty list of findings means that the summary can be used as it is."""

_SUMMARIZE = "Hands over an article as data, with the rules and the schema of a summary that validate_summary accepts."

_AFTER = """\

When the JSON object is written, call the tool validate_summary with summary set to it and url={url}. Mend what it \
finds, and call it again, at most three times. Then answer with the object."""

_EXAMPLE = "https://open-elements.com/posts/2026/03/05/when-contributions-become-a-burden"
_DRAFT = {
    "title": "When contributions become a burden",
    "language": "en",
    "summary": "Maintainers of open source have more contributions than time to review them.",
    "key_points": [],
    "quotes": [],
    "topics": ["open source"],
}


def _draft_schema() -> dict[str, Any]:
    return {**portable(Draft.model_json_schema()), "description": "The summary to check.", "examples": [_DRAFT]}


SummaryObject = Annotated[dict[str, Any], WithJsonSchema(_draft_schema())]
Url = Annotated[
    str,
    Field(
        description=f"Address of the article, http or https; empty when text is given. Example: {_EXAMPLE}",
        examples=[_EXAMPLE],
    ),
]
Text = Annotated[
    str,
    Field(
        description="The article's text, where it has no address; empty when url is given. "
        "Example: The old mill reopened on 12 March 2026.",
        examples=["The old mill reopened on 12 March 2026."],
    ),
]
Language = Annotated[
    str,
    Field(
        description="Language that the summary was to be written in, BCP 47; empty for the article's. Example: de",
        examples=["de", "en"],
    ),
]
Sentences = Annotated[
    int,
    Field(
        description=f"How many sentences the summary may have, 1 to {MAX_SENTENCES}. Example: {SENTENCES}",
        examples=[SENTENCES],
        json_schema_extra={"minimum": 1, "maximum": MAX_SENTENCES},
    ),
]


class SummaryCheck(BaseModel):
    """What a check has found."""

    valid: bool = Field(description="Whether the summary can be used: no finding is an error.")
    findings: list[Finding] = Field(description="What is wrong, in the order of the checks.")


@dataclass(frozen=True, slots=True)
class SummaryTools:
    """The tool and the prompt over one extraction service."""

    service: ArticleService

    def tools(self) -> list[ReadTool]:
        """Return the tools, ready for a server."""
        title = "Check a summary"
        return [ReadTool.reading(self.validate_summary, title=title, description=_VALIDATE, open_world=True)]

    def prompts(self) -> list[Prompt]:
        """Return the prompts, ready for a server."""
        fn, title = self.summarize_article, "Summarise an article"
        return [Prompt.from_function(fn, name="summarize_article", title=title, description=_SUMMARIZE)]

    async def validate_summary(
        self,
        summary: SummaryObject,
        url: Url = "",
        text: Text = "",
        language: Language = "",
        sentences: Sentences = SENTENCES,
    ) -> Annotated[CallToolResult, SummaryCheck]:
        """Check; `_VALIDATE` tells the model."""
        if bool(url) == bool(text):
            raise ToolError("give the url of the article, or its text, and not both")
        article = Article(text=text) if text else await self._article(url, ToolError)
        check = partial(validate, summary, article, Wishes(normal_locale(language), _within(sentences)))
        findings = await to_thread.run_sync(check)
        answer = SummaryCheck(valid=not errors(findings), findings=findings)
        told = [TextContent(type="text", text=_text(answer))]
        return CallToolResult(content=told, structured_content=answer.model_dump(mode="json"))

    async def summarize_article(
        self,
        url: Annotated[str, Field(description="Address of the article, http or https.")],
        language: Annotated[str, Field(description="Language of the summary, BCP 47; empty for the article's.")] = "",
        sentences: Annotated[int, Field(description=f"At most so many sentences, 1 to {MAX_SENTENCES}.")] = SENTENCES,
    ) -> list[UserMessage]:
        """Return the messages that ask for a summary of a page."""
        article = await self._article(url, partial(MCPError, NO_ARTICLE))
        asked = messages(article, Wishes(normal_locale(language), _within(sentences)))
        # a prompt of MCP has no messages of the system
        text = "\n\n".join(message["content"] for message in asked)
        return [UserMessage(text + _AFTER.format(url=article.url))]

    async def _article(self, url: str, problem: Any) -> Article:
        output = await self.service.extract_url(url, "")
        if output.article is None:
            said = output.error.message if output.error else "there is no article"
            raise problem(f"the article cannot be read: {one_line(said, 300)}")
        return of_extraction(output.article.model_dump(mode="json"))


def _within(sentences: int) -> int:
    return min(max(1, sentences), MAX_SENTENCES)


def _text(answer: SummaryCheck) -> str:
    """Return the answer as lines; clients show this or the data."""
    if not answer.findings:
        return "The summary keeps to its article: no findings."
    verdict = "The summary can be used." if answer.valid else "The summary cannot be used yet."
    told = [
        f"- {one.severity} {one.code} in {one.place}: {one_line(one.found, 160)!r}: {one_line(one.message, 200)}. "
        f"Way out: {one.fix}."
        for one in answer.findings
    ]
    return "\n".join([verdict, *told])
