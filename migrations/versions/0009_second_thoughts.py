"""Second thoughts: what a seat may still take back, and what the last one did

Revision 0009, after 0008, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("game", sa.Column("undone_to", sa.Integer(), server_default="0", nullable=False))
    op.add_column("game", sa.Column("undone_at", sa.Integer(), server_default="0", nullable=False))
    op.add_column("game", sa.Column("held", sa.String(), nullable=True))
    op.add_column("game", sa.Column("held_state", sa.LargeBinary(), nullable=True))
    op.add_column("game", sa.Column("held_until", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_game_held_until"), "game", ["held_until"])


def downgrade() -> None:
    op.drop_index(op.f("ix_game_held_until"), "game")
    for column in ("held_until", "held_state", "held", "undone_at", "undone_to"):
        op.drop_column("game", column)
