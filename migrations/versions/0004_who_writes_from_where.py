"""Further addresses of a person, seats that were given up or get no mail, and what is counted against loops

Revision 0004, after 0003, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None

FLAGS = ("given_up", "unreachable")


def upgrade() -> None:
    op.create_table(
        "alias",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("canonical", sa.String(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_alias_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alias")),
        sa.UniqueConstraint("canonical", name=op.f("uq_alias_canonical")),
    )
    op.create_index(op.f("ix_alias_person_id"), "alias", ["person_id"])
    for name in FLAGS:
        op.add_column("chair", sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("inbox", sa.Column("worth", sa.Integer(), server_default="0", nullable=False))
    op.drop_index(op.f("ix_inbox_sender"), "inbox")
    op.create_index(op.f("ix_inbox_sender_received_at"), "inbox", ["sender", "received_at"])
    op.create_index(op.f("ix_outbox_sent_at"), "outbox", ["sent_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_outbox_sent_at"), "outbox")
    op.drop_index(op.f("ix_inbox_sender_received_at"), "inbox")
    op.create_index(op.f("ix_inbox_sender"), "inbox", ["sender"])
    op.drop_column("inbox", "worth")
    for name in FLAGS:
        op.drop_column("chair", name)
    op.drop_index(op.f("ix_alias_person_id"), "alias")
    op.drop_table("alias")
