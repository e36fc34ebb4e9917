"""What a feed item may look like when it is handed in: many names for the same few fields."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from contentbot.articles.model import ErrorCode, Stage
from contentbot.articles.trouble import Failed

MAX_INLINE = 2 << 20
"""Characters of inline content; feeds carry no books."""


def _text(value: Any) -> Any:
    """Take the forms in which feed readers hand over a text: null, an object with a value, a list of these."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return next((_text(value[key]) for key in ("value", "html", "text", "name", "href") if key in value), "")
    if isinstance(value, list):
        return max(map(_text, value), key=len, default="")
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _names(value: Any) -> Any:
    many = value if isinstance(value, list) else [value]
    return [name.strip() for one in many if isinstance(name := _text(one), str) and name.strip()]


Text = Annotated[str, BeforeValidator(_text, json_schema_input_type=str)]
Names = Annotated[list[str], BeforeValidator(_names, json_schema_input_type=list[str])]


def _also(name: str, *others: str) -> AliasChoices:
    return AliasChoices(name, *others)


class Item(BaseModel):
    """One item of a feed. The first name of each field is ours; the others are what feeds and their readers use."""

    model_config = ConfigDict(extra="allow", frozen=True)

    item_id: Text = Field(
        "",
        description="Id of the item; it comes back. Example: blog-42",
        validation_alias=_also("item_id", "itemId", "id", "guid", "uuid"),
    )
    source_id: Text = Field(
        "",
        description="Id of the item's source; it comes back. Example: blog",
        validation_alias=_also("source_id", "sourceId", "source", "feed_id", "feedId"),
    )
    url: Text = Field(
        "",
        description="Address of its page; without one the content has to do.",
        validation_alias=_also("url", "link", "href", "external_url"),
    )
    title: Text = Field("", description="Title of the item.")
    content: Text = Field(
        "",
        description="HTML or plain text that the item carries; empty where it has none.",
        validation_alias=_also(
            "content", "content_html", "contentHtml", "content:encoded", "content_encoded", "body", "content_text"
        ),
    )
    summary: Text = Field(
        "",
        description="Summary or description, HTML or plain text.",
        validation_alias=_also("summary", "description", "excerpt", "subtitle"),
    )
    published_at: Text = Field(
        "",
        description="When it was published, ISO 8601.",
        validation_alias=_also(
            "published_at", "publishedAt", "published", "date_published", "pubDate", "publishedDate", "date", "updated"
        ),
    )
    language: Text = Field(
        "", description="Language, BCP 47. Example: de", validation_alias=_also("language", "lang", "locale")
    )
    authors: Names = Field(
        default_factory=list,
        description="Names of the authors.",
        validation_alias=_also("authors", "author", "creator", "dc:creator"),
    )
    categories: Names = Field(
        default_factory=list,
        description="Categories and tags.",
        validation_alias=_also("categories", "tags", "category"),
    )


def item_of(given: "Item | Mapping[str, Any]") -> Item:
    """Return what was handed in as an item.

    Raises:
        Failed: INVALID_INPUT; names the fields that cannot be read.
    """
    if isinstance(given, Item):
        return given
    if not isinstance(given, Mapping):
        raise _invalid("an item is an object with a url or content")
    try:
        item = Item.model_validate(dict(given))
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, one["loc"])) for one in error.errors(include_url=False))
        raise _invalid(f"these fields of the item are no texts: {fields}") from error
    if not item.url.strip() and not (item.content.strip() or item.summary.strip()):
        raise _invalid("the item has neither a url nor content: give one of them")
    if len(item.content) + len(item.summary) > MAX_INLINE:
        raise _invalid(f"the item's content is over {MAX_INLINE:,} characters")
    return item


def _invalid(message: str) -> Failed:
    return Failed(ErrorCode.INVALID_INPUT, Stage.NORMALISE, message, kind="invalid_item")
