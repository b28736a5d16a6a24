"""Column types: what a value is in Python and what it is in the database."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

_LONGEST_VALUE: Final = 16


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time in UTC. SQLite forgets the zone, so it is put back; a naive time is a mistake."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class FreeText(TypeDecorator[str]):
    """What a stranger or a server wrote, kept to be looked at: without what one of the databases refuses."""

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return value and value.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def text_enum(kind: type[StrEnum]) -> sa.Enum:
    """An enumeration as its text, with a check: new values are a migration, and both databases can do it."""
    return sa.Enum(
        kind,
        name=kind.__name__.lower(),
        native_enum=False,
        create_constraint=True,
        length=_LONGEST_VALUE,
        values_callable=lambda members: [member.value for member in members],
    )
