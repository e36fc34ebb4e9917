"""A document and its chunks as records of the engine, and back."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import tantivy

from contentbot.access import allow_tokens, deny_tokens
from contentbot.documents import Chunk, ContentDocument, unix_seconds
from contentbot.index.backend import Entry
from contentbot.index.tantivy import analysis

_DATED = 1 << 35
_TIE_BITS = 27
_LATEST, _EARLIEST = _DATED - 1, -_DATED


def document_number(key: str) -> int:
    """Return the number that stands for a key in fast fields; 63 bits of its hash."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) >> 1


def records(entry: Entry) -> Iterator[tantivy.Document]:
    """Yield the record of each chunk; the first also is the document's head."""
    document = entry.document
    filters = _filter_values(document)
    family = analysis.family_of(document.locale)
    shared = {
        "title": _analysed(document.title, family),
        "excerpt": _analysed(document.excerpt, family),
        "labels": _analysed(" ".join([*authors(document), *document.categories]), family),
    }
    made, head = [], None
    for chunk in entry.chunks:
        record = tantivy.Document()
        head = head or record
        _add_filters(record, filters)
        record.add_integer("number", chunk.number)
        record.add_integer("document", document_number(document.key))
        _add_moments(record, document)
        _add_text(record, head, chunk, shared, family)
        record.add_bytes("stored_section", chunk.model_dump_json(exclude={"vectors", "document_key"}).encode())
        made.append(record)
    if head is not None:
        _add_head(head, document)
    yield from made


def authors(document: ContentDocument) -> list[str]:
    """Return every author of the document, the shown one included, each once."""
    return list(dict.fromkeys(name for name in (document.author, *document.authors) if name))


def locale_values(locale: str) -> list[str]:
    """Return what a filter may call the locale: `en-us` and, shorter, `en`."""
    parts = locale.casefold().replace("_", "-").split("-")
    return ["-".join(parts[: length + 1]) for length in range(len(parts))] if locale else []


def _filter_values(document: ContentDocument) -> dict[str, list[str]]:
    shown = {
        "source": [document.source],
        "locale": [document.locale] if document.locale else [],
        "author": authors(document),
        "category": list(document.categories),
        "kind": [document.kind.value],
    }
    values = {name: _folded(each) for name, each in shown.items()}
    values["locale"] = locale_values(document.locale)
    values |= {f"shown_{name}": _first_spellings(each) for name, each in shown.items()}
    values |= {"id": [document.id], "url": list(dict.fromkeys((document.url, *document.additional_urls)))}
    values |= {"key": [document.key], "allow": allow_tokens(document.access), "deny": deny_tokens(document.access)}
    return values


def _folded(values: list[str]) -> list[str]:
    return list(dict.fromkeys(value.casefold() for value in values))


def _first_spellings(values: list[str]) -> list[str]:
    return list({value.casefold(): value for value in reversed(values)}.values())


def _add_filters(record: tantivy.Document, values: dict[str, list[str]]) -> None:
    for name, each in values.items():
        for value in each:
            record.add_text(name, value)


def _analysed(text: str, family: str) -> Any:
    return analysis.stemmer(family).pre_tokenize(analysis.prepare(text)) if text else None


def _add_text(
    record: tantivy.Document, head: tantivy.Document, chunk: Chunk, shared: dict[str, Any], family: str
) -> None:
    heading = " ".join(chunk.heading_path)
    ranked = shared | {
        "heading": _analysed(heading, family),
        "body": _analysed(chunk.text, family),
        "parts": _analysed(analysis.parts_of(f"{heading} {chunk.text}"), family),
    }
    for name, tokens in ranked.items():
        if tokens is not None:
            record.add_pre_tokenized_text(name, tokens)
            head.add_pre_tokenized_text("all", tokens)
    for text in (heading, chunk.text):
        if text:
            tokens = analysis.splitter().pre_tokenize(analysis.prepare(text))
            record.add_pre_tokenized_text("words", tokens)
            head.add_pre_tokenized_text("all_words", tokens)


def _add_head(head: tantivy.Document, document: ContentDocument) -> None:
    for text in (document.title, document.excerpt, *authors(document), *document.categories):
        tokens = analysis.splitter().pre_tokenize(analysis.prepare(text))
        head.add_pre_tokenized_text("words", tokens)
        head.add_pre_tokenized_text("all_words", tokens)
    head.add_text("exact_title", analysis.exact_key(document.title))
    head.add_integer("head", 1)
    for word in dict.fromkeys(analysis.split(f"{document.id} {document.url}")):
        head.add_text("address", word)
    whole = document.model_dump(mode="json", by_alias=True, exclude={"body", "plain_text"}, exclude_defaults=True)
    head.add_bytes("stored_head", json.dumps(whole).encode())
    head.add_bytes("stored_body", document.body.encode())
    head.add_bytes("stored_plain_text", document.plain_text.encode())


def _add_moments(record: tantivy.Document, document: ContentDocument) -> None:
    published, fetched = document.published_timestamp, unix_seconds(document.fetched_at)
    if published is not None:
        record.add_integer("published", published)
    if fetched is not None:
        record.add_integer("fetched", fetched)
    newest, oldest = sort_values(published, document.key)
    record.add_integer("newest", newest)
    record.add_integer("oldest", oldest)


def sort_values(published: int | None, key: str) -> tuple[int, int]:
    """Return the values to sort by, descending for newest first and ascending for oldest first.

    No date comes last in both; the low bits break ties by the key.
    """
    tie = _tie(key)
    newest = _EARLIEST if published is None else max(published, _EARLIEST + 1)
    oldest = _LATEST if published is None else min(published, _LATEST - 1)
    return (newest << _TIE_BITS) + ((1 << _TIE_BITS) - 1 - tie), (oldest << _TIE_BITS) + tie


def _tie(key: str) -> int:
    """Return the first bits of the key, so that keys (SHA-256 in hex) keep their order."""
    try:
        return int(key[:8], 16) >> (32 - _TIE_BITS)
    except ValueError:
        return document_number(key) >> (63 - _TIE_BITS)


def read_head(record: tantivy.Document, *, whole: bool) -> ContentDocument:
    """Return the document of a head record, with or without its texts."""
    values = json.loads(record["stored_head"][0])
    values["body"] = record["stored_body"][0].decode() if whole else ""
    if whole:
        values["plainText"] = record["stored_plain_text"][0].decode()
    return ContentDocument.model_validate(values)


def read_section(record: tantivy.Document, key: str) -> Chunk:
    """Return the chunk that a record holds."""
    return Chunk.model_validate(json.loads(record["stored_section"][0]) | {"documentKey": key})
