"""An answer to a digest, taken apart and put together again.

The lines below ``GAME inn-7`` are for the player's seat at that table, as if he had answered its own mail.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Final

from pbem.commands.opening import pattern_of_openings
from pbem.parties import Changed, Decided
from pbem.table import Table
from pbem.wording import expression, level

_GAME: Final = re.compile(expression(rf"[\s*_]*{pattern_of_openings('game')}\s+(?P<table>[\w-]+-\d+)[\s:.*_]*"))


@dataclass(frozen=True, slots=True)
class Section:
    """Lines of an answer that belong together."""

    table: str
    """The table that they are for; nothing for those above the first heading."""
    lines: tuple[str, ...]
    rows: tuple[int, ...]
    """Where they stand in the whole answer."""

    def joints(self, indices: Collection[int]) -> frozenset[int]:
        """Those of `indices`, which name lines of the whole that belong to the next one, as they count in here."""
        pairs = enumerate(pairwise(self.rows))
        return frozenset(at for at, (row, below) in pairs if row in indices and below == row + 1)


def sections(lines: Sequence[str], tables: Iterable[str]) -> tuple[Section, ...]:
    """The lines of an answer by table, each of `tables` once; any other name is no heading but a line of its own."""
    known, table = set(tables), ""
    found: dict[str, list[int]] = {"": []}
    for at, line in enumerate(lines):
        heading = _GAME.fullmatch(level(line))
        name = heading["table"].lower() if heading else ""
        if name in known:
            table = name
            found.setdefault(table, [])
        else:
            found[table if not heading else ""].append(at)
            table = "" if heading else table
    return tuple(
        Section(name, tuple(lines[row] for row in rows), tuple(rows))
        for name, rows in found.items()
        if name or _any(lines, rows)
    )


def joined(parts: Sequence[Decided]) -> Decided:
    """What is decided about all sections of one mail: one transaction, and an answer for each."""
    first = parts[0]
    names = [each.name for each in fields(Decided) if isinstance(getattr(first, each.name), tuple)]
    lists: dict[str, Any] = {name: tuple(x for part in parts for x in getattr(part, name)) for name in names}
    answers = tuple((part.to, part.verdict) for part in parts[1:] if part.to is not None and part.verdict is not None)
    return replace(first, **lists | {"tables": _changes(parts), "further": answers})


def _changes(parts: Sequence[Decided]) -> tuple[Changed, ...]:
    """Each table once, from what it was before all sections to what it is after them."""
    changes: dict[str, Changed] = {}
    for change in (change for part in parts for change in part.tables):
        before = changes.get(change.after.name)
        if before is not None:
            change = Changed(before.before, change.after, (*before.written, *change.written))
        changes[change.after.name] = change
    return tuple(changes.values())


def tables_after(parts: Sequence[Decided]) -> Mapping[str, Table]:
    """The tables that sections before have changed, as they are now."""
    return {change.after.name: change.after for part in parts for change in part.tables}


def _any(lines: Sequence[str], rows: Iterable[int]) -> bool:
    return any(lines[row].strip() for row in rows)
