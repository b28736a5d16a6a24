"""Counting what a store says to its database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine


@dataclass
class Heard:
    """Statements with one set of their values each, and the number of commits."""

    statements: list[tuple[str, Any]] = field(default_factory=list)
    commits: int = 0

    def texts(self) -> list[str]:
        return [statement for statement, _ in self.statements]


class Ear:
    """Listens to an engine; transactions begin without being counted."""

    def __init__(self, engine: Engine) -> None:
        self._heard: list[Heard] = []
        sa.event.listen(engine, "before_cursor_execute", self._execute)
        sa.event.listen(engine, "commit", self._commit)

    @contextmanager
    def listening(self) -> Iterator[Heard]:
        heard = Heard()
        self._heard.append(heard)
        try:
            yield heard
        finally:
            self._heard.remove(heard)

    def _execute(self, _connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        if statement.startswith("BEGIN"):
            return
        for heard in self._heard:
            heard.statements.append((statement, values[0] if many else values))

    def _commit(self, _connection: Any) -> None:
        for heard in self._heard:
            heard.commits += 1
