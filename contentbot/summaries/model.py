"""What a model writes (`Draft`), and what leaves the check (`SummaryResult`)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.json_schema import SkipJsonSchema

from contentbot.summaries.findings import Finding

Untrusted = "Untrusted data."

_KeyPoint = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
_Topic = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Quote(_Part):
    """Words of the article, letter by letter."""

    text: str = Field(min_length=1, max_length=600, description="The words, copied from the article as they stand.")
    speaker: str = Field("", max_length=120, description="Who says so, as the article names them; empty if unknown.")


class Draft(_Part):
    """A summary as it is written."""

    title: str = Field(min_length=1, max_length=200, description="A title of the article, without the site's name.")
    language: str = Field(
        pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$", description="The language of the summary, BCP 47."
    )
    summary: str = Field(min_length=1, max_length=4_000, description="What the article says, in plain sentences.")
    key_points: list[_KeyPoint] = Field(
        default_factory=list, max_length=10, description="The most important statements, one sentence each."
    )
    quotes: list[Quote] = Field(default_factory=list, max_length=5, description="Telling words of the article.")
    topics: list[_Topic] = Field(default_factory=list, max_length=8, description="What it is about, a few words each.")

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield every text with its place."""
        yield "title", self.title
        yield "summary", self.summary
        for number, point in enumerate(self.key_points):
            yield f"key_points[{number}]", point
        for number, quote in enumerate(self.quotes):
            yield f"quotes[{number}].text", quote.text
            yield f"quotes[{number}].speaker", quote.speaker
        for number, topic in enumerate(self.topics):
            yield f"topics[{number}]", topic


class SummaryResult(Draft):
    """A summary that was checked against its article."""

    document_id: str = Field("", description="The id of the document, or of the feed's item.")
    source_id: str = Field("", description="The id of its source.")
    extract_id: str = Field("", description="The id of the extraction that it was made from.")
    url: str = Field("", description="The article's address.")
    published_at: str = Field("", description="When the article was published, ISO 8601.")
    text_hash: str = Field(description="SHA-256 of the text that was summarised.")
    created_at: str = Field(description="When the summary was made, UTC.")
    model: str = Field("", description="The model that wrote it, as the endpoint calls it.")
    tries: int = Field(ge=1, description="How many drafts it took.")
    warnings: list[Finding] = Field(default_factory=list, description="What a reader should know of it.")
    pipeline_state: Literal["SUMMARY_VALIDATED"] = Field(
        "SUMMARY_VALIDATED", description="How far it came: extracted, summarised and checked; rules come next."
    )


class SummaryError(_Part):
    """Why there is no summary."""

    code: Literal["INVALID_INPUT", "MODEL_UNAVAILABLE", "MODEL_REFUSED", "SUMMARY_INVALID"] = Field(
        description="What kind of failure it is."
    )
    message: str = Field(description="What happened, and what to do about it.")
    retryable: bool = Field(description="Whether the same call may succeed later.")
    stage: Literal["input", "model", "validate"] = Field(description="The step that failed.")


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)  # it is null, and nothing here is


class SummaryOutput(_Part):
    """A summary, or the reason why there is none; never half of one."""

    success: bool = Field(description="Whether there is a summary.")
    document_id: str = Field("", description="The id of what was to be summarised.")
    url: str = Field("", description="Its address.")
    summary: SummaryResult | SkipJsonSchema[None] = Field(
        None, description="The summary; left out on failure.", json_schema_extra=_without_default
    )
    error: SummaryError | SkipJsonSchema[None] = Field(
        None, description="Why there is none; left out on success.", json_schema_extra=_without_default
    )
    findings: list[Finding] = Field(default_factory=list, description="What the last draft was refused for.")
    tries: int = Field(0, ge=0, description="How many drafts the model wrote.")

    @model_validator(mode="after")
    def _either(self) -> Self:
        if self.success != (self.summary is not None) or self.success == (self.error is not None):
            raise ValueError("an output has a summary or an error, as success says")
        return self

    def as_data(self) -> dict[str, Any]:
        """Return the output as JSON data: of summary and error, only the one that is there."""
        return self.model_dump(mode="json", exclude_none=True)


def draft_schema() -> dict[str, Any]:
    """Return the JSON schema that a model is asked to keep to.

    In the subset that endpoints with strict schemas take: every property required, nothing further allowed, no
    references, no limits. Limits are checked afterwards, and told then.
    """
    schema = Draft.model_json_schema()
    strict: dict[str, Any] = _strict(schema, schema.get("$defs", {}))
    return strict


_KEPT = frozenset({"type", "description", "items", "properties"})


def _strict(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        target = definitions[node["$ref"].removeprefix("#/$defs/")]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    kept = {key: value for key, value in node.items() if key in _KEPT}
    if "items" in kept:
        kept["items"] = _strict(kept["items"], definitions)
    if "properties" in kept:
        kept["properties"] = {name: _strict(value, definitions) for name, value in kept["properties"].items()}
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept
