"""Tables with an empty seat are looked at once more, so that its clock begins

Revision 0024, after 0023, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"
branch_labels: str | None = None
depends_on: str | None = None

GAME = sa.table(
    "game", sa.column("id", sa.Integer()), sa.column("status", sa.String()), sa.column("restless", sa.Boolean())
)
CHAIR = sa.table("chair", sa.column("game_id", sa.Integer()), sa.column("person_id", sa.Integer()))


def upgrade() -> None:
    with_empty_seat = sa.select(CHAIR.c.game_id).where(CHAIR.c.person_id.is_(None))
    waiting = GAME.update().where(GAME.c.status == "running", GAME.c.id.in_(with_empty_seat))
    op.execute(waiting.values(restless=sa.true()))


def downgrade() -> None:
    """Nothing to take back: the host has looked at them, and that is all."""
