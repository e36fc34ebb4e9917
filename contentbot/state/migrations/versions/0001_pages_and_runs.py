"""Pages and runs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "pages",
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("url_key", sa.String(64), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("final_url", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(64), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("http_status", sa.Integer, nullable=False),
        sa.Column("document_key", sa.String(64), nullable=False),
        sa.Column("document_url", sa.Text, nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("extraction", sa.String(64), nullable=False),
        sa.Column("etag", sa.Text, nullable=False),
        sa.Column("last_modified", sa.Text, nullable=False),
        sa.Column("lastmod", sa.Text, nullable=False),
        sa.Column("index_identity", sa.String(64), nullable=False),
        sa.Column("misses", sa.Integer, nullable=False),
        sa.Column("last_run", sa.String(96), nullable=False),
        sa.Column("first_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_indexed", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("source", "url_key", name="pk_pages"),
    )
    op.create_index("ix_pages_source_last_run", "pages", ["source", "last_run"])
    op.create_index("ix_pages_source_document_key", "pages", ["source", "document_key"])
    op.create_index("ix_pages_url_key", "pages", ["url_key"])
    op.create_table(
        "runs",
        sa.Column("id", sa.String(96), nullable=False),
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("finish_reason", sa.String(64), nullable=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_source_started_at", "runs", ["source", "started_at"])


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("runs")
    op.drop_table("pages")
