"""Since when a name waits for its address to confirm it

Revision 0025, after 0024, 2026-11-30
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"
branch_labels: str | None = None
depends_on: str | None = None

INDEX = "ix_person_unconfirmed_since"


def upgrade() -> None:
    """Who waits already has a week from now on; of who was forgotten nothing is left to lapse."""
    op.add_column("person", sa.Column("unconfirmed_since", sa.DateTime(timezone=True), nullable=True))
    op.create_index(INDEX, "person", ["unconfirmed_since"])
    person = sa.table(
        "person",
        sa.column("unconfirmed_since", sa.DateTime(timezone=True)),
        sa.column("confirmed", sa.Boolean()),
        sa.column("canonical", sa.String()),
    )
    waiting = (person.c.confirmed == sa.false(), person.c.canonical.not_like("%@forgotten.invalid"))
    op.execute(sa.update(person).where(*waiting).values(unconfirmed_since=datetime.now(UTC)))


def downgrade() -> None:
    with op.batch_alter_table("person") as batch:
        batch.drop_index(INDEX)
        batch.drop_column("unconfirmed_since")
