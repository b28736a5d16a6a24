"""What all rows are made of: their base, the types of columns, and indices of a kind. Tables are in `tables`."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from pbem.store.types import FreeText, UtcDateTime, text_enum


class Stage(StrEnum):
    """Of a mail that came in."""

    NEW = "new"
    DONE = "done"
    PARKED = "parked"
    """Given up: it stays for the keeper to look at."""


class Sending(StrEnum):
    """Of a mail that goes out."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


METADATA: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Row(SQLModel):
    """Base of all rows."""

    metadata = METADATA


Id = Annotated[int | None, Field(primary_key=True)]
Time = Annotated[datetime, Field(sa_type=UtcDateTime)]
Foreign = Annotated[str, Field(sa_type=FreeText)]
MaybeTime = Annotated[datetime | None, Field(sa_type=UtcDateTime, nullable=True)]


def choice(kind: type[StrEnum]) -> Any:
    """A column for a value of `kind`."""
    return Field(sa_type=text_enum(kind))


KEPT_TELL: Final = sa.text("private AND length(words) > 0")
"""Of words: they are to be swept with the mails that brought them."""
TO_HOST: Final = sa.text("game_id IS NULL")
"""Of an invitation: it is to no table."""


def where(condition: sa.TextClause) -> dict[str, Any]:
    """What makes an index partial, on either database."""
    return {"sqlite_where": condition, "postgresql_where": condition}


def unswept(table: str, time: str) -> sa.Index:
    """An index of the mails whose bytes are still kept, by age."""
    return sa.Index(f"ix_{table}_unswept", time, **where(sa.text("length(raw) > 0")))


def unswept_words() -> sa.Index:
    """An index of the words for some alone that are still kept, by age."""
    return sa.Index("ix_press_unswept", "at", **where(KEPT_TELL))


def nameless(table: str) -> sa.Index:
    """An index of what is for an address that nobody has registered."""
    return sa.Index(f"ix_{table}_nameless", "address", **where(sa.text("person_id IS NULL")))
