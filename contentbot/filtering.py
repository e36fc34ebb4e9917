"""Which documents a source keeps: its `rules:`, applied to what was read, before anything is stored.

A plain function of document, rules and time, so that a crawl, `contentbot try` and `contentbot why` say the same.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from contentbot.documents import ContentDocument, unix_seconds
from contentbot.index.scripts import count_words, is_unspaced
from contentbot.sources.filters import RuleSet

_DAY = timedelta(days=1).total_seconds()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a document is not kept.

    Attributes:
        reason: one word that runs can count and compare.
        rule: the key of the rule, such as `rules.min-words`.
        detail: what the document has, and what the rule asks for.
    """

    reason: str
    rule: str
    detail: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.detail}"


def refusal(document: ContentDocument, rules: RuleSet, now: datetime) -> Refusal | None:
    """Return the first rule that refuses a document; None when it is kept."""
    return next(_refusals(document, rules, now), None)


def keeps_until(document: ContentDocument, rules: RuleSet) -> int | None:
    """Return the moment, in Unix seconds, at which a kept document becomes too old; None when it never does."""
    published = _moment(document)
    return int(published + rules.max_age * _DAY) + 1 if rules.max_age and published is not None else None


def _refusals(document: ContentDocument, rules: RuleSet, now: datetime) -> Iterator[Refusal]:
    if rules.min_words and (words := count_words(document.plain_text)) < rules.min_words:
        yield Refusal("too_few_words", "rules.min-words", f"{words} words, fewer than {rules.min_words}")
    if rules.languages and document.locale and not _speaks(document.locale, rules.languages):
        asked = ", ".join(rules.languages)
        yield Refusal("other_language", "rules.languages", f"it is in {document.locale}, not in {asked}")
    yield from _by_category(document, rules)
    yield from _by_words(document, rules)
    yield from _by_age(document, rules, now)


def _speaks(locale: str, languages: Sequence[str]) -> bool:
    """Say whether a tag is one of those, or more precise than one of them (RFC 4647, 3.3.1)."""
    tag = locale.lower().replace("_", "-")
    return any(tag == one.lower() or tag.startswith(f"{one.lower()}-") for one in languages)


def _by_category(document: ContentDocument, rules: RuleSet) -> Iterator[Refusal]:
    has = {_folded(name) for name in document.categories}
    if rules.categories_require and has.isdisjoint(map(_folded, rules.categories_require)):
        named = ", ".join(document.categories) or "no category"
        detail = f"{named}, none of {', '.join(rules.categories_require)}"
        yield Refusal("category_missing", "rules.categories-require", detail)
    for name in rules.categories_exclude:
        if _folded(name) in has:
            yield Refusal("category_excluded", "rules.categories-exclude", f"the category {name}")


def _by_words(document: ContentDocument, rules: RuleSet) -> Iterator[Refusal]:
    if not (rules.words_require or rules.words_exclude):
        return
    text = _folded(f"{document.title}\n{document.plain_text}")
    if rules.words_require and not any(_pattern(phrase).search(text) for phrase in rules.words_require):
        yield Refusal("words_missing", "rules.words-require", f"none of {', '.join(rules.words_require)}")
    for phrase in rules.words_exclude:
        if _pattern(phrase).search(text):
            yield Refusal("words_excluded", "rules.words-exclude", f"it has {phrase!r}")


def _by_age(document: ContentDocument, rules: RuleSet, now: datetime) -> Iterator[Refusal]:
    if not (rules.max_age or rules.since):
        return
    moment = _moment(document)
    if moment is None:
        if rules.undated == "refuse":
            yield Refusal("undated", "rules.undated", "it has no date")
        return
    # the day as its author wrote it, in whatever zone
    day = datetime.fromisoformat(_date(document)).date().isoformat()
    if rules.max_age and now.timestamp() - moment > rules.max_age * _DAY:
        yield Refusal("too_old", "rules.max-age", f"of {day}, over {rules.max_age:g} days ago")
    if rules.since and day < rules.since:
        yield Refusal("too_old", "rules.since", f"of {day}, before {rules.since}")


def _moment(document: ContentDocument) -> int | None:
    return unix_seconds(_date(document))


def _date(document: ContentDocument) -> str:
    return document.published_date or document.modified_date


@lru_cache(maxsize=1024)
def _pattern(phrase: str) -> re.Pattern[str]:
    """Return a phrase as whole words; scripts without spaces have no words to be whole."""
    open_end = phrase.endswith("*")
    words = _folded(phrase.removesuffix("*")).split()
    inner = r"\s+".join(map(re.escape, words))
    start = "" if is_unspaced(words[0][0]) else r"(?<!\w)"
    end = "" if open_end or is_unspaced(words[-1][-1]) else r"(?!\w)"
    return re.compile(f"{start}{inner}{end}")


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
