"""How Alembic meets the database: on the connection that the program hands over, or on the URL of alembic.ini."""

from __future__ import annotations

from typing import Any

from alembic import context
from sqlalchemy.engine import Connection
from sqlmodel.sql.sqltypes import AutoString

from pbem.store.database import connect, writing
from pbem.store.tables import METADATA
from pbem.store.types import FreeText, UtcDateTime

WRITTEN = {UtcDateTime: "sa.DateTime(timezone=True)", AutoString: "sa.String()", FreeText: "sa.String()"}
"""A migration is history: it names no type that may change its meaning."""


def render(kind: str, item: Any, _context: Any) -> str | bool:
    return WRITTEN.get(type(item), False) if kind == "type" else False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=True,
        render_item=render,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    url = context.config.get_main_option("sqlalchemy.url")
    assert url is not None
    with writing(connect(url, foreign_keys=False)) as made:
        run(made)
