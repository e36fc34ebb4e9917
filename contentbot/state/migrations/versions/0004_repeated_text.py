"""What is remembered of the text of documents, to learn what repeats in a source."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create both tables and the column; nothing was left out of the documents that are known already."""
    op.add_column("pages", sa.Column("dropped", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "surveys",
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("document_key", sa.String(64), nullable=False),
        sa.Column("locale", sa.String(35), nullable=False),
        sa.Column("published", sa.Text, nullable=False),
        sa.Column("survey", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("source", "document_key", name="pk_surveys"),
    )
    op.create_table(
        "templates",
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("template", sa.LargeBinary, nullable=False),
        sa.Column("stale", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("source", name="pk_templates"),
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("templates")
    op.drop_table("surveys")
    op.drop_column("pages", "dropped")
