"""Players vote for more than another moderator, in one round

Votes that were cast before lapse.

Revision 0016, after 0015, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("chair", sa.Column("ballot", sa.String(), nullable=True))
    op.drop_column("chair", "vote")


def downgrade() -> None:
    op.add_column("chair", sa.Column("vote", sa.Integer(), server_default="0", nullable=False))
    op.drop_column("chair", "ballot")
