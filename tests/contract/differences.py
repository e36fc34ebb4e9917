"""What the engines do differently on purpose: the only place where a test of the suite asks which engine it runs on.

Each is told to users in docs/meilisearch.md. Everything else is the same on every engine.
"""

RANKS_BY_TEN_WORDS = {"meilisearch"}
"""Words past the tenth add documents and do not rank, and a notice says so. The embedded engine reads 32 words."""

COMPLETES_DIGRAPHS = {"tantivy"}
"""`mue`, still being typed, begins Müller and not Museum. Meilisearch cannot tell ü from u in a beginning: there `mue`
begins Mueller only, and finds Müller once the word is whole."""

TELLS_ACCENTS = {"tantivy"}
"""`résumé` ranks documents with the accents before those with `resume`. To Meilisearch they are one word."""

WRITES_IN_TWO_STEPS = {"meilisearch"}
"""A batch's documents are there a moment before their sections. A writer that is killed between the two leaves it so
until the batch, which was never confirmed, is sent again."""
