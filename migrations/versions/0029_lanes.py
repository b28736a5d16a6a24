"""Mails are handed out to workers by the table that they are for

Revision 0029, after 0028, 2026-12-01
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0029"
down_revision: str | None = "0028"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("lane", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("inbox") as batch:
        batch.drop_column("lane")
