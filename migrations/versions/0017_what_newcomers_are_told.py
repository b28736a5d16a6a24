"""What newcomers are still to be told in their first game

Revision 0017, after 0016, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    with op.batch_alter_table("chair") as batch:
        batch.add_column(sa.Column("lessons", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("chair") as batch:
        batch.drop_column("lessons")
