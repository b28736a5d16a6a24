"""UIDs of mails up to the 2^32 - 1 that IMAP allows, in databases whose first tables held less on PostgreSQL

Revision 0028, after 0027, 2026-12-01
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0028"
down_revision: str | None = "0027"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """The first migration makes them so since; it did not always, and nothing is changed where it did."""
    columns = sa.inspect(op.get_bind()).get_columns("inbox")
    if not any(column["name"] == "uid" and isinstance(column["type"], sa.BigInteger) for column in columns):
        with op.batch_alter_table("inbox") as batch:
            batch.alter_column("uid", type_=sa.BigInteger(), existing_type=sa.Integer(), existing_nullable=False)


def downgrade() -> None:
    """The first tables, as they are made today, hold them already."""
