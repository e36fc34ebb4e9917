"""Until when the rules of a source keep a document whose page does not change."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; documents that are known already do not expire until their page is read anew."""
    op.add_column("pages", sa.Column("expires", sa.BigInteger()))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("pages", "expires")
