"""Bots for who is away

Revision 0010, after 0009, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("person", sa.Column("away_bot", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(op.f("ix_person_away_bot"), "person", ["away_bot"])


def downgrade() -> None:
    op.drop_index(op.f("ix_person_away_bot"), "person")
    op.drop_column("person", "away_bot")
