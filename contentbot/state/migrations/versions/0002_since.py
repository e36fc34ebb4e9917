"""Since when a page is as it is, and a way to find it by the address it ended on."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; for pages that are known already it begins with the last look at them."""
    op.add_column("pages", sa.Column("since", sa.DateTime(timezone=True)))
    op.execute("UPDATE pages SET since = last_seen")
    # a btree of PostgreSQL refuses long values, its hash does not
    op.create_index("ix_pages_final_url", "pages", ["final_url"], postgresql_using="hash")


def downgrade() -> None:
    """Take both away."""
    op.drop_index("ix_pages_final_url", "pages")
    op.drop_column("pages", "since")
