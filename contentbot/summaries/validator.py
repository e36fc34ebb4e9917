"""Whether a summary keeps to its article, and to what was asked for.

Every check says what it looks at in its own module. What cannot be looked for, such as a wrong conclusion from right
figures, is not found here: a summary without findings is carried by its article as far as its figures, dates, names and
quotes go.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from contentbot.index.scripts import count_words
from contentbot.summaries.article import Article
from contentbot.summaries.claims.dates import Dates, PartialDate, find_dates
from contentbot.summaries.claims.names import Names, find_names
from contentbot.summaries.claims.numbers import NAMED, Numbers, find_numbers
from contentbot.summaries.claims.quotations import Quotations, quoted
from contentbot.summaries.findings import Code, Finding, error, warning
from contentbot.summaries.guard import guard
from contentbot.summaries.language import detected, primary
from contentbot.summaries.model import Draft
from contentbot.summaries.text import plain, sentences

SENTENCES = 4
SENTENCE_WORDS = 60
MAX_TEXT = 2_000_000  # characters of an article that are looked at
_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked of a summary.

    Attributes:
        language: a BCP 47 tag; empty for the article's own.
        sentences: how many the summary may have at most.
    """

    language: str = ""
    sentences: int = SENTENCES


@dataclass(frozen=True)
class Evidence:
    """What an article carries, read once for all drafts."""

    article: Article

    @cached_property
    def text(self) -> str:
        """Everything that a summary may say: title, text and the facts beside them."""
        article = self.article
        known = [article.title, article.text, *article.facts, article.published_at, article.modified_at]
        return plain("\n".join(known)[:MAX_TEXT])

    @cached_property
    def numbers(self) -> Numbers:
        """Its numbers."""
        return Numbers.of(self.text, self.article.language)

    @cached_property
    def dates(self) -> Dates:
        """Its dates."""
        return Dates.of(self.text, self.article.language, self.article.published_at, self.article.modified_at)

    @cached_property
    def names(self) -> Names:
        """Its words."""
        return Names(self.text, self.article.language)

    @cached_property
    def quotations(self) -> Quotations:
        """Its text, letter by letter."""
        return Quotations(self.text)

    @cached_property
    def language(self) -> str:
        """Its language: as declared, else as it reads; empty where neither tells."""
        return self.article.language or detected(self.article.text)


def validate(draft: Mapping[str, Any] | Draft, article: Article, wishes: Wishes | None = None) -> list[Finding]:
    """Return everything that is wrong with a summary; an empty list when it can be used as it is.

    Args:
        draft: as `Draft` has it; JSON data is checked against that schema first.
        article: what it summarises.
        wishes: what was asked for.
    """
    return check(draft, Evidence(article), wishes or Wishes())[1]


def check(draft: Mapping[str, Any] | Draft, evidence: Evidence, wishes: Wishes) -> tuple[Draft | None, list[Finding]]:
    """Return the draft, unless it does not have the form of one, and the findings."""
    try:
        written = draft if isinstance(draft, Draft) else Draft.model_validate(draft)
    except ValidationError as problem:
        return None, list(_form(problem))
    return written, [*_findings(written, evidence, wishes)]


def _findings(draft: Draft, evidence: Evidence, wishes: Wishes) -> Iterator[Finding]:
    yield from _length(draft, evidence.article, wishes)
    yield from _repeated(draft)
    foreign = [*_language(draft, evidence, wishes)]
    yield from foreign
    yield from guard(evidence.article, draft.texts())
    for number, quote in enumerate(draft.quotes):
        if not evidence.quotations.carry(quote.text):
            fix = (
                "copy the words from the article, do not translate or shorten them without ..., or leave the quote out"
            )
            yield error(Code.QUOTE, f"quotes[{number}].text", quote.text, "the article does not have these words", fix)
    for place, text in draft.texts():
        if not place.endswith(".text"):
            yield from _claims(place, text, draft.language, evidence)
            # which words are names depends on the language
            if not foreign:
                yield from _names(place, plain(_ITEM.sub("", text)), draft.language, evidence)


def _form(problem: ValidationError) -> Iterator[Finding]:
    for one in problem.errors(include_url=False, include_context=False):
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in one["loc"]).lstrip(".")
        found = "" if one["type"] == "missing" else str(one.get("input", ""))
        yield error(Code.SCHEMA, place or "summary", found, one["msg"], "give exactly the keys and types of the schema")


def _length(draft: Draft, article: Article, wishes: Wishes) -> Iterator[Finding]:
    parts = sentences(draft.summary)
    if len(parts) > wishes.sentences:
        message = f"{len(parts)} sentences, at most {wishes.sentences} were asked for"
        yield error(Code.TOO_LONG, "summary", parts[wishes.sentences], message, "keep what matters most")
    for part in parts:
        if (words := count_words(part)) > SENTENCE_WORDS:
            message = f"a sentence of {words} words, over {SENTENCE_WORDS}"
            yield error(Code.TOO_LONG, "summary", part, message, "split or shorten it")
    words, whole = count_words(draft.summary), count_words(article.text)
    if words > max(whole, 20):
        message = f"{words} words, the article has {whole}"
        yield error(Code.NOT_SHORTER, "summary", draft.summary, message, "say less than the article")


def _repeated(draft: Draft) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for number, point in enumerate(draft.key_points):
        key = plain(point).casefold().rstrip(".")
        if key in seen:
            place, message = f"key_points[{number}]", f"it says the same as key_points[{seen[key]}]"
            yield error(Code.REPEATED, place, point, message, "leave it out")
        seen.setdefault(key, number)


def _language(draft: Draft, evidence: Evidence, wishes: Wishes) -> Iterator[Finding]:
    wanted = wishes.language or evidence.language
    if not wanted:
        return
    fix = f"write everything but the quotes in {wanted}"
    if primary(draft.language) != primary(wanted):
        yield error(Code.WRONG_LANGUAGE, "language", draft.language, f"{wanted} was asked for", fix)
    found = detected("\n".join([draft.summary, *draft.key_points]), expected=wanted)
    if found and primary(found) != primary(wanted):
        message = f"it reads as {found}, {wanted} was asked for"
        yield error(Code.WRONG_LANGUAGE, "summary", draft.summary, message, fix)


def _claims(place: str, text: str, language: str, evidence: Evidence) -> Iterator[Finding]:
    said = plain(_ITEM.sub("", text))
    yield from _quotes(place, text, evidence)
    dates = [*find_dates(said, language)]
    for day in dates:
        if not evidence.dates.carry(day):
            yield error(Code.DATE, place, day.shown, "the article does not have this date", _AS_SAID)
    for number in find_numbers(_without(said, dates)):
        if not evidence.numbers.carry(number):
            yield error(Code.NUMBER, place, number.shown, "the article does not have this number", _AS_SAID)
    for token in dict.fromkeys(NAMED.findall(said)):
        if not evidence.numbers.name(token):
            yield error(Code.NAME, place, token, "the article does not have this name", _AS_SAID)


_AS_SAID = "write it as the article has it, or leave it out"


def _quotes(place: str, text: str, evidence: Evidence) -> Iterator[Finding]:
    for words in dict.fromkeys(quoted(text)):
        if not evidence.quotations.carry(words):
            fix = "copy the words from the article as they stand, or take the quotation marks away"
            yield error(Code.QUOTE, place, words, "the article does not have these words", fix)


def _names(place: str, said: str, language: str, evidence: Evidence) -> Iterator[Finding]:
    capitals_mean_little = place == "title" or place.startswith("topics")
    # in another language many names are other words: Munich is München
    foreign = bool(evidence.language) and primary(language) != primary(evidence.language)
    report = warning if foreign else error
    speaker = place.endswith(".speaker")
    for name in [said] if speaker and said else find_names(said, language, acronyms_only=capitals_mean_little):
        if absent := evidence.names.missing(name, language):
            message = f"the article does not have {', '.join(absent)}"
            yield report(Code.NAME, place, name, message, _AS_SAID)


def _without(text: str, dates: list[PartialDate]) -> str:
    for day in dates:
        text = text[: day.start] + " " * (day.end - day.start) + text[day.end :]
    return text
