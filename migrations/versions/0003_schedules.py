"""How long decisions may take: schedules, clocks with reminders, what was saved and missed, absences

Revision 0003, after 0002, 2026-11-30
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None

TIMES = ("began_at", "lapses_at", "remind_at")
FRESH = {
    "kind": (sa.String(), ""),
    "referred": (sa.Boolean(), sa.false()),
    "bank_seconds": (sa.Integer(), "0"),
    "misses": (sa.Integer(), "0"),
}
"""What a chair has from now on, and what those that are there begin with."""
INDEXED = ("lapses_at", "remind_at")
ABSENCE = ("away_from", "away_until")
REMINDER = "PT43200S"
"""What every table has had so far: twelve hours."""


def schedule() -> None:
    """A table keeps its deadline, and the one reminder that was sent before it."""
    op.add_column("game", sa.Column("schedule", sa.String(), nullable=True))
    game = sa.table("game", *map(sa.column, ("schedule", "deadline_seconds")))
    bind = op.get_bind()
    for seconds in bind.execute(sa.select(game.c.deadline_seconds).distinct()).scalars().all():
        kept = {"time": {"seconds": seconds}, "remind": [REMINDER]} if seconds is not None else {}
        same = game.c.deadline_seconds == seconds if seconds is not None else game.c.deadline_seconds.is_(None)
        bind.execute(game.update().where(same).values(schedule=json.dumps(kept, separators=(",", ":"))))
    with op.batch_alter_table("game") as batch:
        batch.alter_column("schedule", existing_type=sa.String(), nullable=False)
        batch.drop_column("deadline_seconds")


def clock() -> None:
    """Clocks that run go on, without another reminder: who was reminded already is not reminded again.

    When they began is kept nowhere; it counts only for what is saved, and nobody has a bank yet.
    """
    op.drop_index(op.f("ix_chair_due_at"), "chair")
    for name in TIMES:
        op.add_column("chair", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    for name, (kind, value) in FRESH.items():
        op.add_column("chair", sa.Column(name, kind, server_default=value, nullable=False))
    op.execute("UPDATE chair SET began_at = due_at, lapses_at = due_at WHERE due_at IS NOT NULL")
    with op.batch_alter_table("chair") as batch:
        for name, (kind, _) in FRESH.items():
            batch.alter_column(name, existing_type=kind, server_default=None)
        batch.drop_column("reminded")
    for name in INDEXED:
        op.create_index(op.f(f"ix_chair_{name}"), "chair", [name])


def person() -> None:
    for name in ABSENCE:
        op.add_column("person", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.add_column("person", sa.Column("calendar", sa.Boolean(), server_default=sa.false(), nullable=False))


def upgrade() -> None:
    schedule()
    clock()
    person()


def downgrade() -> None:
    for name in ("calendar", *ABSENCE):
        op.drop_column("person", name)
    for name in INDEXED:
        op.drop_index(op.f(f"ix_chair_{name}"), "chair")
    op.add_column("chair", sa.Column("reminded", sa.Boolean(), server_default=sa.true(), nullable=False))
    with op.batch_alter_table("chair") as batch:
        for name in (*TIMES, *FRESH):
            batch.drop_column(name)
        batch.alter_column("reminded", existing_type=sa.Boolean(), server_default=None)
    op.create_index(op.f("ix_chair_due_at"), "chair", ["due_at"])
    _old_deadlines()


def _old_deadlines() -> None:
    """Of a schedule only the hours for a decision can be kept; days count as 24 of them."""
    op.add_column("game", sa.Column("deadline_seconds", sa.Integer(), nullable=True))
    game = sa.table("game", *map(sa.column, ("id", "schedule", "deadline_seconds")))
    bind = op.get_bind()
    for row in bind.execute(sa.select(game.c.id, game.c.schedule)).all():
        time = json.loads(row.schedule).get("time")
        if time is not None:
            seconds = time.get("days", 0) * 86400 + time.get("seconds", 0)
            bind.execute(game.update().where(game.c.id == row.id).values(deadline_seconds=seconds))
    with op.batch_alter_table("game") as batch:
        batch.drop_column("schedule")
