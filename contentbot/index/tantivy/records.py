"""A document and its chunks as records of the engine, and back."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import tantivy

from contentbot.documents import Chunk, ContentDocument, unix_seconds
from contentbot.index.backend import Entry
from contentbot.index.tantivy import analysis
from contentbot.index.tantivy.schema import REPEATED
from contentbot.index.values import authors, filter_values, first_spellings, shown_values

_NOT_OF_SECTIONS = {"vectors"}
_DATED = 1 << 35
_TIE_BITS = 27
_LATEST, _EARLIEST = _DATED - 1, -_DATED


def document_number(key: str) -> int:
    """Return the number that stands for a key in fast fields; 63 bits of its hash."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) >> 1


def records(entry: Entry) -> Iterator[tantivy.Document]:
    """Yield the record of each chunk; the first also is the document's head."""
    document = entry.document
    family = analysis.family_of(document.locale)
    values = filter_values(document)
    shared = _shared_stems(document, family)
    made: list[tantivy.Document] = []
    for chunk in entry.chunks:
        record = tantivy.Document()
        made.append(record)
        _add_texts(record, values)
        record.add_integer("document", document_number(document.key))
        _add_moments(record, document)
        _add_section(record, made[0], chunk, shared, family)
        record.add_bytes("stored_section", chunk.model_dump_json(by_alias=True, exclude=_NOT_OF_SECTIONS).encode())
    if made:
        _add_head(made[0], document, shared)
    yield from made


def _add_texts(record: tantivy.Document, values: Mapping[str, Sequence[str]]) -> None:
    for name, each in values.items():
        for value in each:
            record.add_text(name, value)


def _labels(document: ContentDocument) -> str:
    return " ".join([*authors(document), *document.categories])


def _shared_stems(document: ContentDocument, family: str) -> dict[str, str]:
    texts = {"title": document.title, "excerpt": document.excerpt, "labels": _labels(document)}
    return {name: analysis.stemmed(analysis.prepare(text), family) for name, text in texts.items()}


def _add_section(
    record: tantivy.Document, head: tantivy.Document, chunk: Chunk, shared: Mapping[str, str], family: str
) -> None:
    heading = " ".join(chunk.heading_path)
    exact = {"heading": analysis.prepare(heading), "body": analysis.prepare(chunk.text)}
    ranked = {name: analysis.stemmed(text, family) for name, text in exact.items()}
    parts = analysis.stemmed(analysis.parts_of(f"{heading} {chunk.text}"), family)
    record.add_text(
        "ranked",
        " ".join(f"{text} " * REPEATED[name] for name, text in (*shared.items(), *ranked.items()) if name in REPEATED),
    )
    record.add_text("minor", f"{shared['labels']} {parts}")
    head.add_text("all", " ".join([*ranked.values(), parts]))
    for text in exact.values():
        if text:
            record.add_text("words", text)
            head.add_text("all_words", text)


def _add_head(head: tantivy.Document, document: ContentDocument, shared: Mapping[str, str]) -> None:
    _add_texts(head, {f"shown_{name}": first_spellings(each) for name, each in shown_values(document).items()})
    head.add_text("all", " ".join(shared.values()))
    for text in (document.title, document.excerpt, *authors(document), *document.categories):
        exact = analysis.prepare(text)
        head.add_text("words", exact)
        head.add_text("all_words", exact)
    head.add_text("exact_title", analysis.exact_key(document.title))
    head.add_integer("head", 1)
    head.add_integer("oldest", sort_values(document.published_timestamp, document.key)[1])
    head.add_text("address", " ".join(analysis.split(f"{document.id} {document.url}")))
    whole = document.model_copy(update={"body": "", "plain_text": ""})
    head.add_bytes("stored_head", whole.model_dump_json(by_alias=True, exclude_defaults=True).encode())
    head.add_bytes("stored_body", document.body.encode())
    head.add_bytes("stored_plain_text", document.plain_text.encode())


def _add_moments(record: tantivy.Document, document: ContentDocument) -> None:
    published, fetched = document.published_timestamp, unix_seconds(document.fetched_at)
    if published is not None:
        record.add_integer("published", published)
    if fetched is not None:
        record.add_integer("fetched", fetched)
    record.add_integer("newest", sort_values(published, document.key)[0])


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
    document = ContentDocument.model_validate_json(_stored(record, "stored_head"))
    if not whole:
        return document
    texts = {"body": "stored_body", "plain_text": "stored_plain_text"}
    return document.model_copy(update={name: _stored(record, field).decode() for name, field in texts.items()})


def read_section(record: tantivy.Document) -> Chunk:
    """Return the chunk that a record holds."""
    return Chunk.model_validate_json(_stored(record, "stored_section"))


def _stored(record: tantivy.Document, field: str) -> bytes:
    return bytes(record[field][0])
