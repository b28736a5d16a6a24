"""Digests: who wants the mails of several games in one, and which mail went with which

Revision 0012, after 0011, 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.add_column("person", sa.Column("digest", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("person", sa.Column("digest_at", sa.Integer(), nullable=True))
    op.add_column("person", sa.Column("digest_next", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_person_digest_next"), "person", ["digest_next"])
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("bundle_id", sa.Integer(), nullable=True))
        outbox.create_foreign_key(op.f("fk_outbox_bundle_id_outbox"), "outbox", ["bundle_id"], ["id"])
    op.create_index(op.f("ix_outbox_bundle_id"), "outbox", ["bundle_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_outbox_bundle_id"), "outbox")
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_constraint(op.f("fk_outbox_bundle_id_outbox"), type_="foreignkey")
        outbox.drop_column("bundle_id")
    op.drop_index(op.f("ix_person_digest_next"), "person")
    for column in ("digest_next", "digest_at", "digest"):
        op.drop_column("person", column)
