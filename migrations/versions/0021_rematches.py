"""A table may be a rematch of another

Revision 0021, after 0020, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("rematch_of", sa.String(), server_default="", nullable=False))
    op.create_index(op.f("ix_game_rematch_of"), "game", ["rematch_of"])


def downgrade() -> None:
    op.drop_index(op.f("ix_game_rematch_of"), "game")
    with op.batch_alter_table("game") as batch:
        batch.drop_column("rematch_of")
