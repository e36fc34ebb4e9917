"""The fields of the engine's records.

There is one physical index so that a commit covers a document and its sections together. Every record is a section;
the first of a document (`head` is 1) also carries the document itself. Searches rank sections by the section's text
fields; totals, facets and lists count heads, which repeat the words of the whole document in `all` and `all_words`.
The document's filter fields are on every record.
"""

import tantivy

SCHEMA_VERSION = 1
"""Raised whenever the meaning of the stored fields changes: an index of another version is refused."""

RANKED = ("title", "excerpt", "heading", "body", "labels", "parts")
"""The section's analysed text. `labels` are authors and categories; `parts` are the words inside of identifiers."""

FACETS = ("source", "locale", "author", "category", "kind")
"""Fields that are counted; what `shown_` prefixes are their values as they are spelled."""

CASE_BLIND = frozenset({*FACETS, "allow", "deny"})
"""Fields that hold their values in folded case."""


def build_schema() -> tantivy.Schema:
    """Return the schema of `SCHEMA_VERSION`."""
    builder = tantivy.SchemaBuilder()
    for name in ("key", "id", "url", "allow", "deny"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in FACETS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
        builder.add_text_field(f"shown_{name}", tokenizer_name="raw", index_option="basic", fast=True)
    for name in ("head", "number", "document", "published", "fetched", "newest", "oldest"):
        builder.add_integer_field(name, indexed=True, fast=True)
    for name in RANKED:
        builder.add_text_field(name, tokenizer_name="raw", index_option="freq")
    builder.add_text_field("words", tokenizer_name="raw", index_option="position")
    builder.add_text_field("exact_title", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("all", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("all_words", tokenizer_name="raw", index_option="position")
    builder.add_text_field("address", tokenizer_name="raw", index_option="basic")
    for name in ("stored_section", "stored_head", "stored_body", "stored_plain_text"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()
