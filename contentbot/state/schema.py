"""The tables of the state database.

A change here needs a migration in `migrations/versions`; a test compares the two.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

NAMES = {"ix": "ix_%(table_name)s_%(column_0_N_name)s", "pk": "pk_%(table_name)s"}

metadata = MetaData(naming_convention=NAMES)

# URLs have no length limit, index entries do: the key is the URL's SHA-256, the URL stands beside it
pages = Table(
    "pages",
    metadata,
    Column("source", String(64), primary_key=True),
    Column("url_key", String(64), primary_key=True),
    Column("url", Text, nullable=False),
    Column("final_url", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", String(64), nullable=False),
    Column("detail", Text, nullable=False),
    Column("http_status", Integer, nullable=False),
    Column("document_key", String(64), nullable=False),
    Column("document_url", Text, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("extraction", String(64), nullable=False),
    Column("etag", Text, nullable=False),
    Column("last_modified", Text, nullable=False),
    Column("lastmod", Text, nullable=False),
    Column("index_identity", String(64), nullable=False),
    Column("misses", Integer, nullable=False),
    Column("last_run", String(96), nullable=False),
    Column("first_seen", DateTime(timezone=True), nullable=False),
    Column("last_seen", DateTime(timezone=True), nullable=False),
    Column("last_indexed", DateTime(timezone=True)),
    Column("since", DateTime(timezone=True)),
    # Unix seconds, beyond 2038 too
    Column("expires", BigInteger),
    # 16 hex digits for the repeated text that was left out of the document
    Column("dropped", String(16), nullable=False, server_default=""),
    Index(None, "source", "last_run"),
    Index(None, "source", "document_key"),
    Index(None, "url_key"),
    # a btree of PostgreSQL refuses long values, its hash does not
    Index(None, "final_url", postgresql_using="hash"),
)

# what repeats in a source is learned from them: fingerprints of a document's text, packed
surveys = Table(
    "surveys",
    metadata,
    Column("source", String(64), primary_key=True),
    Column("document_key", String(64), primary_key=True),
    Column("locale", String(35), nullable=False),
    # what the sitemap said of the page: it is not in its stored response
    Column("published", Text, nullable=False),
    Column("survey", LargeBinary, nullable=False),
)

templates = Table(
    "templates",
    metadata,
    Column("source", String(64), primary_key=True),
    Column("template", LargeBinary, nullable=False),
    # surveys have changed since it was learned
    Column("stale", Boolean, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(96), primary_key=True),
    Column("source", String(64), nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("finished_at", DateTime(timezone=True)),
    Column("finish_reason", String(64), nullable=False),
    # the whole record; the columns beside it are what is searched by
    Column("record", JSON, nullable=False),
    Index(None, "source", "started_at"),
)
