"""Bots of several levels: a chair says which one answers for it

Revision 0007, after 0006, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("chair", sa.Column("level", sa.String(), server_default="", nullable=False))
    op.execute(sa.text("UPDATE chair SET level = 'steady' WHERE bot"))
    op.drop_column("chair", "bot")


def downgrade() -> None:
    op.add_column("chair", sa.Column("bot", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(sa.text("UPDATE chair SET bot = (level != '')"))
    op.drop_column("chair", "level")
