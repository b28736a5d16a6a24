"""The first tables

Revision 0001, the first, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None


ROLES = ("stranger", "known", "person", "seat", "moderator", "invited")


def choice(name: str, *values: str) -> sa.Enum:
    """A text with a check."""
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=16)


def host() -> None:
    op.create_table(
        "host",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_host")),
    )


def inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.Column("stage", choice("stage", "new", "done", "parked"), nullable=False),
        sa.Column("problem", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("digest", name=op.f("uq_inbox_digest")),
    )
    op.create_index(op.f("ix_inbox_stage_id"), "inbox", ["stage", "id"])


def person() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("canonical", sa.String(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("mails", choice("mails", "all", "turn", "daily"), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("canonical", name=op.f("uq_person_canonical")),
        sa.UniqueConstraint("folded", name=op.f("uq_person_folded")),
    )


def game() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("status", choice("status", "open", "running", "over", "ended"), nullable=False),
        sa.Column("moderator_id", sa.Integer(), nullable=False),
        sa.Column("moderator_epoch", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("chosen", sa.Boolean(), nullable=False),
        sa.Column("deadline_seconds", sa.Integer(), nullable=True),
        sa.Column("header", sa.String(), nullable=True),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("rolled", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("restless", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["moderator_id"], ["person.id"], name=op.f("fk_game_moderator_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("name", name=op.f("uq_game_name")),
    )
    op.create_index(op.f("ix_game_moderator_id"), "game", ["moderator_id"])
    op.create_index(op.f("ix_game_restless_id"), "game", ["restless", "id"])
    op.create_index(op.f("ix_game_status_id"), "game", ["status", "id"])


def chair() -> None:
    op.create_table(
        "chair",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("machine", sa.Boolean(), nullable=False),
        sa.Column("phrase", sa.String(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("night", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.Column("mailed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_chair_game_id_game")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_chair_person_id_person")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_chair")),
    )
    op.create_index(op.f("ix_chair_due_at"), "chair", ["due_at"])
    op.create_index(op.f("ix_chair_person_id"), "chair", ["person_id"])


def entry() -> None:
    op.create_table(
        "entry",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("events", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_entry_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_entry")),
    )


def invitation() -> None:
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("canonical", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_invitation_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("game_id", "canonical", name=op.f("uq_invitation_game_id_canonical")),
    )
    op.create_index(op.f("ix_invitation_canonical"), "invitation", ["canonical"])


def outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("role", choice("role", *ROLES), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("asks", sa.String(), nullable=False),
        sa.Column("status", choice("sending", "queued", "sent", "failed"), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_outbox_game_id_game")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_outbox_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    op.create_index(op.f("ix_outbox_status_next_try_at_id"), "outbox", ["status", "next_try_at", "id"])


def credential() -> None:
    op.create_table(
        "credential",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("role", choice("role", *ROLES), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("invitation_id", sa.Integer(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_credential_game_id_game")),
        sa.ForeignKeyConstraint(
            ["invitation_id"], ["invitation.id"], name=op.f("fk_credential_invitation_id_invitation")
        ),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_credential_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credential")),
        sa.UniqueConstraint("hash", name=op.f("uq_credential_hash")),
    )
    op.create_index(op.f("ix_credential_game_id_role_seat"), "credential", ["game_id", "role", "seat"])
    op.create_index(op.f("ix_credential_invitation_id"), "credential", ["invitation_id"])
    op.create_index(op.f("ix_credential_person_id_role"), "credential", ["person_id", "role"])


def notice() -> None:
    op.create_table(
        "notice",
        sa.Column("role", choice("role", *ROLES), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("outbox_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_notice_game_id_game")),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name=op.f("fk_notice_outbox_id_outbox")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_notice_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_index(op.f("ix_notice_game_id_settled"), "notice", ["game_id", "settled"])


def plan() -> None:
    op.create_table(
        "plan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["chair.game_id", "chair.seat"], name=op.f("fk_plan_game_id_seat_chair")
        ),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_plan_inbox_id_inbox")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plan")),
    )
    op.create_index(op.f("ix_plan_game_id"), "plan", ["game_id"])


def verdict() -> None:
    op.create_table(
        "verdict",
        sa.Column("role", choice("role", *ROLES), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("data", sa.String(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("outbox_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_verdict_game_id_game")),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_verdict_inbox_id_inbox")),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name=op.f("fk_verdict_outbox_id_outbox")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_verdict_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict")),
    )
    op.create_index(op.f("ix_verdict_game_id_settled"), "verdict", ["game_id", "settled"])


TABLES = (host, inbox, person, game, chair, entry, invitation, outbox, credential, notice, plan, verdict)
"""In the order in which they refer to each other."""


def upgrade() -> None:
    for make in TABLES:
        make()


def downgrade() -> None:
    for made in reversed(TABLES):
        op.drop_table(made.__name__)
