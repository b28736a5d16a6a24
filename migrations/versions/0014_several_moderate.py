"""Several people moderate a table

Revision 0014, after 0013, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_table(
        "co_moderator",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_co_moderator_game_id_game")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_co_moderator_person_id_person")),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_co_moderator")),
    )
    op.create_index(op.f("ix_co_moderator_person_id"), "co_moderator", ["person_id"])


def downgrade() -> None:
    op.drop_table("co_moderator")
