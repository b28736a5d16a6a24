"""What newcomers are still to be told in their first game

Revision 0018, after 0017, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    with op.batch_alter_table("chair") as batch:
        batch.add_column(sa.Column("lessons", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("chair") as batch:
        batch.drop_column("lessons")
