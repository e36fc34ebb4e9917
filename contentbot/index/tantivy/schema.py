"""The fields of the engine's records.

There is one physical index so that a commit covers a document and its sections together. Every record is a section;
the first of a document (`head` is 1) also carries the document itself. Searches rank sections by the section's text
fields; totals, facets and lists count heads, which repeat the words of the whole document in `all` and `all_words`.
The document's filter fields are on every record.
"""

import tantivy

from contentbot.index.query import FACET_FIELDS

SCHEMA_VERSION = 2
"""Raised whenever the meaning of the stored fields changes: an index of another version is refused."""

REPEATED = {"title": 5, "excerpt": 2, "heading": 1, "body": 1}
"""How often each text stands in a section's field `ranked`, which makes its words count more. One field saves half the
work of a search over one per text, and like them a word that stands in several texts does not count for each."""

FACETS = FACET_FIELDS
"""Fields that are counted; what `shown_` prefixes are their values as they are spelled."""

WORDS = "words"
"""The tokenizer of the exact fields. The analysed ones hold stems that are made outside, with a space between."""


def build_schema() -> tantivy.Schema:
    """Return the schema of `SCHEMA_VERSION`. A writer has to register the tokenizer `WORDS`."""
    builder = tantivy.SchemaBuilder()
    shown = [f"shown_{name}" for name in FACETS]
    for name in ("key", "id", "url", "allow", "deny", "exact_title", *FACETS, *shown):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=name in {*FACETS, *shown})
    for name in ("head", "document", "published", "fetched", "newest", "oldest"):
        builder.add_integer_field(name, indexed=name in {"head", "document"}, fast=True)
    for name in ("ranked", "minor", "all", "address"):
        option = "freq" if name in {"ranked", "minor"} else "basic"
        builder.add_text_field(name, tokenizer_name="whitespace", index_option=option)
    for name in ("words", "all_words"):
        builder.add_text_field(name, tokenizer_name=WORDS, index_option="position")
    for name in ("stored_section", "stored_head", "stored_body", "stored_plain_text"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()
