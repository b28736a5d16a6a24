"""Players and tables may be called otherwise

Revision 0015, after 0014, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: str | None = None
depends_on: str | None = None

NAMES = (("game", "label"), ("chair", "called"))


def upgrade() -> None:
    for table, column in NAMES:
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column(column, sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    for table, column in NAMES:
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
