"""The parameters that the content tools share, each with its description and an example."""

from typing import Annotated

from pydantic import Field

MAX_LIMIT = MAX_SIZE = 50
MIN_CHARS, DEFAULT_CHARS, MAX_CHARS = 200, 12_000, 40_000


def _range(low: int, high: int) -> dict[str, int]:
    # said in the schema, not enforced by it: a value outside is moved inside, with a notice
    return {"minimum": low, "maximum": high}


Query = Annotated[
    str,
    Field(
        description="Words, a name or a question to search for, in the language of the content. "
        "Example: how are maintainers of open source paid",
        examples=["how are maintainers of open source paid"],
    ),
]
Locale = Annotated[
    str,
    Field(description="Only this language, as BCP 47 tag; empty for all. Example: de", examples=["de", "en"]),
]
Source = Annotated[
    str,
    Field(
        description="Only this source, by its id as list_categories names it; empty for all. Example: open-elements",
        examples=["open-elements"],
    ),
]
CategoryName = Annotated[
    str,
    Field(
        description="Only this category, as list_categories names it, in any case; empty for all. Example: Java",
        examples=["Java"],
    ),
]
Since = Annotated[
    str,
    Field(
        description="Only what was published since then: a date (2026-03-12, 2026-03, 2026), a time "
        "(2026-03-12T08:30:00Z) or a span back from now (24h, 30d, 6w, 3m for months, 1y). Undated posts are left out. "
        "Empty for all. Example: 2026-03-12",
        examples=["2026-03-12", "30d"],
    ),
]
Limit = Annotated[
    int,
    Field(
        description=f"How many hits at most, 1 to {MAX_LIMIT}. Example: 10",
        examples=[10],
        json_schema_extra=_range(1, MAX_LIMIT),
    ),
]
HitOffset = Annotated[
    int,
    Field(
        description="How many hits to skip: next_offset of the answer before, 0 to begin. Example: 10",
        examples=[10],
        json_schema_extra={"minimum": 0},
    ),
]
Page = Annotated[
    int,
    Field(description="Which page, from 1. Example: 2", examples=[2], json_schema_extra={"minimum": 1}),
]
Size = Annotated[
    int,
    Field(
        description=f"How many posts a page has, 1 to {MAX_SIZE}. Example: 20",
        examples=[20],
        json_schema_extra=_range(1, MAX_SIZE),
    ),
]
Url = Annotated[
    str,
    Field(
        description="Address of the page, as an answer gave it or as a person pasted it; leave empty when id is given. "
        "Example: https://open-elements.com/posts/2026/03/05/when-contributions-become-a-burden",
        examples=["https://open-elements.com/posts/2026/03/05/when-contributions-become-a-burden"],
    ),
]
AskedUrl = Annotated[
    str,
    Field(
        description="Address of the page to explain, as a person pasted it. "
        "Example: https://open-elements.com/posts/2026/03/05/when-contributions-become-a-burden",
        examples=["https://open-elements.com/posts/2026/03/05/when-contributions-become-a-burden"],
    ),
]
Id = Annotated[
    str,
    Field(
        description="Id of the document, as search_content or list_posts gave it; leave empty when url is given. "
        "Example: open-elements:posts/2026/03/05/when-contributions-become-a-burden",
        examples=["open-elements:posts/2026/03/05/when-contributions-become-a-burden"],
    ),
]
BodyOffset = Annotated[
    int,
    Field(
        description="Character of the body to begin at: next_offset of the page before, or the offset of a section "
        "of its outline; 0 to begin. Example: 12000",
        examples=[12000],
        json_schema_extra={"minimum": 0},
    ),
]
MaxChars = Annotated[
    int,
    Field(
        description=f"How many characters of the body at most, {MIN_CHARS} to {MAX_CHARS}. Example: 12000",
        examples=[12000],
        json_schema_extra=_range(MIN_CHARS, MAX_CHARS),
    ),
]
