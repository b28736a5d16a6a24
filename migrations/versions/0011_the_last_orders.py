"""The last orders of a seat, so that the same ones sent once more are known

Revision 0011, after 0010, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("chair", sa.Column("orders", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("chair", "orders")
