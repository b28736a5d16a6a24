"""Who may use the host: invitations to the host itself, silence, and what is swept

Revision 0002, after 0001, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None

KEPT = sa.text("length(raw) > 0")
NAMELESS = sa.text("person_id IS NULL")
TO_HOST = sa.text("game_id IS NULL")
BY_PERSON = ("notice", "outbox", "verdict")
UNSWEPT = {"inbox": "received_at", "outbox": "created_at"}


def partial(condition: sa.TextClause) -> dict[str, sa.TextClause]:
    return {"sqlite_where": condition, "postgresql_where": condition}


def silence() -> None:
    op.create_table(
        "silence",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_silence")),
    )
    op.add_column("person", sa.Column("stopped", sa.Boolean(), server_default=sa.false(), nullable=False))


def stranger() -> None:
    op.create_table(
        "stranger",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stranger")),
    )
    op.create_index(op.f("ix_stranger_at"), "stranger", ["at"])


def invitation() -> None:
    """Invitations that are there were made by the moderators, at a time that nobody knows: now will do."""
    op.add_column("invitation", sa.Column("inviter_id", sa.Integer(), nullable=True))
    op.add_column("invitation", sa.Column("created_at", sa.DateTime(timezone=True), nullable=True))
    table = sa.table("invitation", *map(sa.column, ("game_id", "inviter_id", "created_at")))
    game = sa.table("game", *map(sa.column, ("id", "moderator_id")))
    moderator = sa.select(game.c.moderator_id).where(game.c.id == table.c.game_id).scalar_subquery()
    op.execute(table.update().values(inviter_id=moderator, created_at=sa.func.current_timestamp()))
    with op.batch_alter_table("invitation", recreate="auto") as batch:
        batch.alter_column("game_id", existing_type=sa.Integer(), nullable=True)
        batch.alter_column("created_at", existing_type=sa.DateTime(timezone=True), nullable=False)
        batch.create_foreign_key(op.f("fk_invitation_inviter_id_person"), "person", ["inviter_id"], ["id"])
    op.create_index("uq_invitation_host", "invitation", ["canonical"], unique=True, **partial(TO_HOST))
    op.create_index(op.f("ix_invitation_inviter_id_created_at"), "invitation", ["inviter_id", "created_at"])


def indexes() -> None:
    """What finds all that is about one person, and all mails whose bytes are old enough to go."""
    for table in BY_PERSON:
        op.create_index(op.f(f"ix_{table}_person_id"), table, ["person_id"])
        op.create_index(f"ix_{table}_nameless", table, ["address"], **partial(NAMELESS))
    for table, time in UNSWEPT.items():
        op.create_index(f"ix_{table}_unswept", table, [time], **partial(KEPT))
    op.execute("UPDATE inbox SET sender = lower(sender)")
    op.create_index(op.f("ix_inbox_sender"), "inbox", ["sender"])


def upgrade() -> None:
    silence()
    stranger()
    invitation()
    indexes()


def downgrade() -> None:
    op.drop_index(op.f("ix_inbox_sender"), "inbox")
    for table in UNSWEPT:
        op.drop_index(f"ix_{table}_unswept", table)
    for table in BY_PERSON:
        op.drop_index(f"ix_{table}_nameless", table)
        op.drop_index(op.f(f"ix_{table}_person_id"), table)
    op.drop_index(op.f("ix_invitation_inviter_id_created_at"), "invitation")
    op.drop_index("uq_invitation_host", "invitation")
    op.execute("DELETE FROM credential WHERE invitation_id IN (SELECT id FROM invitation WHERE game_id IS NULL)")
    op.execute("DELETE FROM invitation WHERE game_id IS NULL")
    with op.batch_alter_table("invitation") as batch:
        batch.drop_constraint(op.f("fk_invitation_inviter_id_person"), type_="foreignkey")
        batch.drop_column("created_at")
        batch.drop_column("inviter_id")
        batch.alter_column("game_id", existing_type=sa.Integer(), nullable=False)
    op.drop_column("person", "stopped")
    op.drop_table("stranger")
    op.drop_table("silence")
