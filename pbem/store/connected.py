"""What every part of the store stands on: the engine, the host's tokens, and one way to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Self

from sqlalchemy.engine import Connection, Engine

from pbem.store.database import reading
from pbem.store.inbox import ATTEMPTS
from pbem.store.turns import Turns
from pbem.tokens import Tokens


class Connected:
    """A part of the store: it reads over a connection of its own each time, or over the one that `looking` holds."""

    def __init__(
        self, engine: Engine, tokens: Tokens, attempts: int = ATTEMPTS, *, look: Connection | None = None
    ) -> None:
        self.engine = engine
        self._tokens = tokens
        self._attempts = attempts
        self._look = look
        self._turns = Turns(engine)

    def turn(self) -> AbstractContextManager[bool]:
        """Whether no other process makes a pass; while the context lasts none can begin one.

        On PostgreSQL it stays with who has it once, between its passes too, until it is closed or dies.
        """
        return self._turns.turn()

    @contextmanager
    def looking(self) -> Iterator[Self]:
        """This store for several questions on end: it answers them over one connection, while the context lasts.

        On SQLite all answers are as of one moment. Nothing is written through it.
        """
        with self._reading() as connection:
            yield type(self)(self.engine, self._tokens, self._attempts, look=connection)

    def _reading(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._look) if self._look is not None else reading(self.engine)
