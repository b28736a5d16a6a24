"""What players say to each other, and when they want to read it

Revision 0022, after 0021, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0022"
down_revision: str | None = "0021"
branch_labels: str | None = None
depends_on: str | None = None

DELIVERY = sa.Enum("next", "now", name="delivery", native_enum=False, create_constraint=True, length=16)


def upgrade() -> None:
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_press_game_id_game")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_press_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    op.create_index(op.f("ix_press_game_id"), "press", ["game_id"])
    op.create_index(op.f("ix_press_person_id_at"), "press", ["person_id", "at"])
    op.create_index(op.f("ix_press_due_at"), "press", ["due_at"])
    kept = sa.text("private AND length(words) > 0")
    op.create_index("ix_press_unswept", "press", ["at"], sqlite_where=kept, postgresql_where=kept)
    with op.batch_alter_table("notice") as notice:
        notice.add_column(sa.Column("press_id", sa.Integer(), nullable=True))
        notice.create_foreign_key(op.f("fk_notice_press_id_press"), "press", ["press_id"], ["id"])
    op.create_index(op.f("ix_notice_press_id"), "notice", ["press_id"])
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("press", DELIVERY, server_default="next", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.drop_constraint(op.f("ck_person_delivery"), type_="check")
        person.drop_column("press")
    op.drop_index(op.f("ix_notice_press_id"), "notice")
    with op.batch_alter_table("notice") as notice:
        notice.drop_constraint(op.f("fk_notice_press_id_press"), type_="foreignkey")
        notice.drop_column("press_id")
    op.drop_table("press")
