"""What a document is filtered and counted by: the same on every engine."""

from contentbot.access import allow_tokens, deny_tokens
from contentbot.documents import ContentDocument
from contentbot.index.query import FACET_FIELDS
from contentbot.index.wellformed import well_formed

CASE_BLIND = frozenset({*FACET_FIELDS, "allow", "deny"})
"""Fields whose values are compared without regard to case."""


def authors(document: ContentDocument) -> list[str]:
    """Return every author of the document, the shown one included, each once."""
    return list(dict.fromkeys(name for name in (document.author, *document.authors) if name))


def locale_values(locale: str) -> list[str]:
    """Return what a filter may call the locale: `en-us` and, shorter, `en`."""
    parts = locale.casefold().replace("_", "-").split("-")
    return ["-".join(parts[: length + 1]) for length in range(len(parts))] if locale else []


def shown_values(document: ContentDocument) -> dict[str, list[str]]:
    """Return the values of the facet fields as the document spells them."""
    return {
        "source": [document.source],
        "locale": [document.locale] if document.locale else [],
        "author": authors(document),
        "category": list(document.categories),
        "kind": [document.kind.value],
    }


def filter_values(document: ContentDocument) -> dict[str, list[str]]:
    """Return the values of the fields that filters compare."""
    values = {name: _folded(each) for name, each in shown_values(document).items()}
    values["locale"] = locale_values(document.locale)
    values |= {"id": [document.id], "url": list(dict.fromkeys((document.url, *document.additional_urls)))}
    values |= {"key": [document.key], "allow": allow_tokens(document.access), "deny": deny_tokens(document.access)}
    return values


def stored_form(field: str, value: str) -> str:
    """Return the form in which a filter's value is compared with the values of `filter_values`."""
    value = well_formed(value)
    if field not in CASE_BLIND:
        return value
    folded = value.casefold()
    return folded.replace("_", "-") if field == "locale" else folded


def first_spellings(values: list[str]) -> list[str]:
    """Return the values without those that differ from an earlier one in case only."""
    return list({value.casefold(): value for value in reversed(values)}.values())


def _folded(values: list[str]) -> list[str]:
    return list(dict.fromkeys(value.casefold() for value in values))
