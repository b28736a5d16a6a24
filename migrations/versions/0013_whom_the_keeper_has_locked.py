"""Addresses whose mails are read by nobody, as the keeper of the host wants it

Revision 0013, after 0012, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_table(
        "lock",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_lock")),
    )


def downgrade() -> None:
    op.drop_table("lock")
