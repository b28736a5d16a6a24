"""People watch a table

Revision 0020, after 0019, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0020"
down_revision: str | None = "0019"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_table(
        "watcher",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("mailed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_watcher_game_id_game")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_watcher_person_id_person")),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_watcher")),
    )
    op.create_index(op.f("ix_watcher_person_id"), "watcher", ["person_id"])
    op.add_column("game", sa.Column("watchable", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(op.f("ix_game_watchable"), "game", ["watchable"])


def downgrade() -> None:
    op.drop_index(op.f("ix_game_watchable"), "game")
    op.drop_column("game", "watchable")
    op.drop_table("watcher")
