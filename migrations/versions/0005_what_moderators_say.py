"""What moderators say: reasons beside the record, and seats that others play or anybody may take

Revision 0005, after 0004, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_table(
        "remark",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id", "n"], ["entry.game_id", "entry.n"], name=op.f("fk_remark_game_id_n_entry")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_remark_person_id_person")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_remark")),
    )
    op.create_index(op.f("ix_remark_person_id"), "remark", ["person_id"])
    op.add_column("chair", sa.Column("bot", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("chair", sa.Column("vote", sa.Integer(), server_default="0", nullable=False))
    op.add_column("chair", sa.Column("free", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(op.f("ix_chair_free"), "chair", ["free"])


def downgrade() -> None:
    op.drop_index(op.f("ix_chair_free"), "chair")
    op.drop_column("chair", "free")
    op.drop_column("chair", "vote")
    op.drop_column("chair", "bot")
    op.drop_table("remark")
