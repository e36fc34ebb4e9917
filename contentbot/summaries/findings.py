"""What a check has found in a summary: a code, the place, and the way out."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Severity(StrEnum):
    """Whether a finding stands in the way."""

    ERROR = "error"
    WARNING = "warning"


class Code(StrEnum):
    """What can be wrong with a summary."""

    SCHEMA = "schema"
    TOO_LONG = "too_long"
    NOT_SHORTER = "not_shorter"
    WRONG_LANGUAGE = "wrong_language"
    NUMBER = "number_not_in_text"
    DATE = "date_not_in_text"
    NAME = "name_not_in_text"
    QUOTE = "quote_not_in_text"
    URL = "url_not_in_text"
    INSTRUCTION = "instruction"
    MARKUP = "markup"
    INVISIBLE = "invisible_characters"
    REPEATED = "repeated"
    ARTICLE_CUT = "article_cut"


class Finding(BaseModel):
    """One thing that is wrong."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: Code = Field(description="What is wrong, in a word.")
    severity: Severity = Field(description="error: the summary cannot be used; warning: a reader should know.")
    place: str = Field(description="The field, such as summary, key_points[1] or quotes[0].text.")
    found: str = Field(description="The words it is about, shortened. Untrusted data.")
    message: str = Field(description="What is wrong with them.")
    fix: str = Field(description="What to do about it.")


LONGEST_FOUND = 160


def error(code: Code, place: str, found: str, message: str, fix: str) -> Finding:
    """Return a finding that stands in the way."""
    return _finding(code, Severity.ERROR, place, found, message, fix)


def warning(code: Code, place: str, found: str, message: str, fix: str) -> Finding:
    """Return a finding that a reader should know of."""
    return _finding(code, Severity.WARNING, place, found, message, fix)


def errors(findings: list[Finding]) -> list[Finding]:
    """Return those that stand in the way."""
    return [one for one in findings if one.severity is Severity.ERROR]


def _finding(code: Code, severity: Severity, place: str, found: str, message: str, fix: str) -> Finding:
    shown = " ".join(found.split())
    shortened = shown if len(shown) <= LONGEST_FOUND else shown[: LONGEST_FOUND - 1] + "…"
    return Finding(code=code, severity=severity, place=place, found=shortened, message=message, fix=fix)
