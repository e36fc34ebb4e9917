"""A document and its sections as records of the engine, and back."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from contentbot.access import allow_tokens, deny_tokens
from contentbot.documents import Chunk, ContentDocument, unix_seconds
from contentbot.index.backend import Entry
from contentbot.index.meilisearch.filters import term, terms
from contentbot.index.meilisearch.layout import DOCUMENT_COMPOUNDS, FACETS, FOLDED, SECTION_FIELDS
from contentbot.index.scripts import count_words
from contentbot.index.tantivy import analysis
from contentbot.index.values import authors, filter_values, first_spellings, shown_values

HEAD_FIELDS = sorted(
    {info.alias or name for name, info in ContentDocument.model_fields.items()} - {"body", "plainText"}
    | {"originalKey"}
)
"""What a hit needs of a document."""

SECTION = ["key", "number", "headingPath", "anchor", "lineStart", "lineEnd", "text"]
"""What a hit needs of a section."""

_OURS = re.compile(r"[0-9a-f]{64}")
_ALIASES = {info.alias or name for name, info in ContentDocument.model_fields.items()}
# the engine cuts a counted value at 468 bytes; in base 32 a value of this length stays below
_LONGEST_SPELLED = 280
_WORDS_OF_FIELD = 40_000  # the engine may make more words of a text than spaces do


def engine_key(key: str) -> str:
    """Return the key as the engine holds it: ours as they are, others by their hash."""
    return key if _OURS.fullmatch(key) else f"x{hashlib.sha256(key.encode()).hexdigest()}"


def section_id(key: str, number: int) -> str:
    """Return the engine's id of a section; `key` is the engine's."""
    return f"{key}-{number}"


def document_record(entry: Entry) -> dict[str, Any]:
    """Return the record of `content_documents`."""
    document = entry.document
    record = document.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    record |= {"kind": document.kind.value, "locale": document.locale, "allow": allow_tokens(document.access)}
    texts = [chunk.text for chunk in entry.chunks]
    record |= {"deny": deny_tokens(document.access), **_shared(document), **_spread(texts, SECTION_FIELDS)}
    headings = dict.fromkeys(title for chunk in entry.chunks for title in chunk.heading_path)
    stems = dict.fromkeys(stem for text in _stemmed_texts(entry) for stem in text.split())
    if _is_german(document):
        record |= _spread([document.title, document.excerpt, *headings, *texts], DOCUMENT_COMPOUNDS)
    return record | {"headings": list(headings), "labels": _labels(document), "stems": " ".join(stems)}


def chunk_records(entry: Entry) -> Iterator[dict[str, Any]]:
    """Yield the records of `content_chunks`."""
    document = entry.document
    family = analysis.family_of(document.locale)
    shared = _shared(document) | {"title": document.title, "excerpt": document.excerpt, "labels": _labels(document)}
    shared |= {"stemTitle": stems_of(document.title, family), "stemExcerpt": stems_of(document.excerpt, family)}
    shared |= {"stemLabels": stems_of(" ".join(_labels(document)), family)}
    for chunk in entry.chunks:
        yield shared | {
            "id": section_id(shared["key"], chunk.number),
            "number": chunk.number,
            "headingPath": list(chunk.heading_path),
            "headings": list(chunk.heading_path),
            "anchor": chunk.anchor,
            "lineStart": chunk.line_start,
            "lineEnd": chunk.line_end,
            "text": chunk.text,
            "stemHeadings": stems_of(" ".join(chunk.heading_path), family),
            "stemText": stems_of(chunk.text, family),
            **({"compounds": [document.title, *chunk.heading_path, chunk.text]} if _is_german(document) else {}),
        }


def stems_of(text: str, family: str) -> str:
    """Return the stems of a text, and those of the words inside of its identifiers, with ü, ue and u as one."""
    prepared = analysis.prepare(text)
    parts = analysis.parts_of(prepared)
    return fold(analysis.stemmed(f"{prepared} {parts}" if parts else prepared, family))


def fold(stems: str) -> str:
    """Return stems in the form in which they are compared."""
    return analysis.fold(stems)


def read_document(record: Mapping[str, Any]) -> ContentDocument:
    """Return the document of a record; texts that were not asked for are empty."""
    values = {name: value for name, value in record.items() if name in _ALIASES}
    if "originalKey" in record:
        values["key"] = record["originalKey"]
    return ContentDocument.model_validate({"body": "", **values})


def read_section(record: Mapping[str, Any]) -> Chunk:
    """Return the section of a record."""
    return Chunk(
        document_key=record["key"],
        number=record["number"],
        heading_path=record["headingPath"],
        anchor=record["anchor"],
        line_start=record["lineStart"],
        line_end=record["lineEnd"],
        text=record["text"],
    )


def spelled(field: str, value: str) -> str:
    """Return a value as it is counted: every spelling apart, in letters that the engine leaves as they are."""
    encoded = value.encode()
    if len(encoded) <= _LONGEST_SPELLED:
        return "s" + base64.b32encode(encoded).decode().rstrip("=").lower()
    return "h" + term(field, value.casefold())


def unspelled(counted: str) -> str | None:
    """Return the value that was counted; None where only its term is known, see `counted_term`."""
    if counted[0] == "h":
        return None
    letters = counted[1:].upper()
    return base64.b32decode(letters + "=" * (-len(letters) % 8)).decode()


def counted_term(counted: str) -> str:
    """Return the term of a value that was too long to be counted as it is."""
    return counted[1:]


def _shared(document: ContentDocument) -> dict[str, Any]:
    """Return what the records of both indexes have: keys, and what is filtered, counted and sorted by."""
    record: dict[str, Any] = {"key": engine_key(document.key), "terms": terms(filter_values(document))}
    if record["key"] != document.key:
        record["originalKey"] = document.key
    for name, values in shown_values(document).items():
        record[FACETS[name]] = [spelled(name, value) for value in first_spellings(values)]
        record[FOLDED[name]] = [term(name, value) for value in dict.fromkeys(map(str.casefold, values))]
    moments = {
        "publishedTimestamp": document.published_timestamp,
        "fetchedTimestamp": unix_seconds(document.fetched_at),
    }
    # a missing moment has no field: the engine then sorts it last both ways
    return record | {name: moment for name, moment in moments.items() if moment is not None}


def _is_german(document: ContentDocument) -> bool:
    return analysis.language_of(document.locale) == "de"


def _labels(document: ContentDocument) -> list[str]:
    return [*authors(document), *document.categories]


def _stemmed_texts(entry: Entry) -> Iterator[str]:
    family = analysis.family_of(entry.document.locale)
    texts = [entry.document.title, entry.document.excerpt, " ".join(_labels(entry.document))]
    texts += [text for chunk in entry.chunks for text in (" ".join(chunk.heading_path), chunk.text)]
    yield from (stems_of(text, family) for text in texts if text)


def _spread(texts: Sequence[str], fields: Sequence[str]) -> dict[str, list[str]]:
    """Spread texts over fields, each within what the engine reads of one; the last takes what is left."""
    words, numbered = 0, []
    for text in texts:
        numbered.append((min(words // _WORDS_OF_FIELD, len(fields) - 1), text))
        words += count_words(text) + 8  # the engine's distance between two texts
    return {fields[number]: [text for _, text in each] for number, each in groupby(numbered, lambda one: one[0])}
