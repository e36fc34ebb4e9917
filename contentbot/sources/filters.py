"""The `rules:` of a source: which of its documents are kept, once they were read."""

import json
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from contentbot.sources.fields import Days, Words, refuse
from contentbot.sources.tags import normal_locale


def _rules(value: Any) -> Any:
    """Take a JSON text for the keys that it holds: one run is given its rules as one argument."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        refuse(f"{value!r} holds no rules", "write keys below it, or JSON such as '{\"min-words\": 50}'")


def _languages(tags: list[str]) -> list[str]:
    return [_language(tag) for tag in tags]


def _language(tag: str) -> str:
    normal = normal_locale(tag)
    if not normal or normal.lower() != tag.strip().replace("_", "-").lower():
        refuse(f"{tag!r} is no language tag", "write a BCP 47 tag such as en, de or pt-BR; en takes in en-GB")
    return normal


def _day(value: Any) -> Any:
    """Take `2026` and `2026-03` for their first day."""
    text = str(value).strip()
    day = text + {4: "-01-01", 7: "-01"}.get(len(text), "")
    try:
        # a bare `20260312` would be taken for one otherwise
        return "" if not text else date.fromisoformat(day if len(day) == len("2026-03-12") else "").isoformat()
    except ValueError:
        refuse(f"{value!r} is no date", "write 2026, 2026-03 or 2026-03-12")


def _phrases(phrases: list[str]) -> list[str]:
    return [_phrase(phrase) for phrase in phrases]


def _phrase(phrase: str) -> str:
    if not any(sign.isalnum() for sign in phrase):
        refuse(f"{phrase!r} holds no letter and no digit", "write words or phrases, such as 'press release' or kubern*")
    if "*" in phrase.rstrip("*") or phrase.endswith("**"):
        refuse(f"{phrase!r}: * stands for the rest of a word, at the end only", f"write {phrase.replace('*', '')!r}")
    return phrase


Languages = Annotated[Words, AfterValidator(_languages)]
Phrases = Annotated[Words, AfterValidator(_phrases)]
Day = Annotated[str, BeforeValidator(_day, json_schema_input_type=str | int)]


class RuleSet(BaseModel):
    """What a document has to be, to be stored. What is left out, or 0, asks for nothing."""

    model_config = ConfigDict(
        alias_generator=lambda name: name.replace("_", "-"), populate_by_name=True, extra="forbid", frozen=True
    )

    min_words: int = Field(0, ge=0, le=100_000, description="The fewest words of text that a document may have.")
    languages: Languages = Field(
        default_factory=list,
        description="The languages that are kept, as BCP 47 tags; `en` takes in `en-GB`. A document whose language is "
        "unknown is kept.",
    )
    categories_require: Words = Field(
        default_factory=list, description="At least one of these categories has to be there, in any case of letters."
    )
    categories_exclude: Words = Field(default_factory=list, description="None of these categories may be there.")
    words_require: Phrases = Field(
        default_factory=list,
        description="At least one of these words or phrases has to be in title or text. Whole words in any case of "
        "letters; a final `*` stands for the rest of a word.",
    )
    words_exclude: Phrases = Field(
        default_factory=list, description="None of these words or phrases may be in title or text."
    )
    max_age: Days = Field(
        0,
        description="Days since a document was published, else modified, or `90d`, `6w`, `1y`; an older one goes with "
        "the next run.",
    )
    since: Day = Field("", description="The first day whose documents are kept: 2026, 2026-03 or 2026-03-12.")
    undated: Literal["keep", "refuse"] = Field(
        "keep", description="What `max-age` and `since` make of a document that has no date."
    )


Rules = Annotated[RuleSet, BeforeValidator(_rules, json_schema_input_type=RuleSet)]
