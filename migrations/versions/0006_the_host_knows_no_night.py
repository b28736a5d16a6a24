"""A chair's round and phase by a word of the host's own: its column was called by a phase of one game

Revision 0006, after 0005, 2026-11-30
"""

from __future__ import annotations

from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.alter_column("chair", "night", new_column_name="phase")


def downgrade() -> None:
    op.alter_column("chair", "phase", new_column_name="night")
