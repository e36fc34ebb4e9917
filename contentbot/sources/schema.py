"""The JSON schema of a source file, for editors that complete and check while one writes."""

from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from contentbot.sources.models import Source


def source_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12), short spellings such as `a, b` for a list included."""
    schema = TypeAdapter(Annotated[Source, Field(discriminator="type")]).json_schema(by_alias=True, mode="validation")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A contentbot source file",
        **{name: value for name, value in schema.items() if name != "title"},
    }
