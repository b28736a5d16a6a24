"""What a database of SQLite says of its own tables."""

from __future__ import annotations

from pbem.store.database import connect


def shape(url: str) -> list[list[str]]:
    """Its tables and indexes, but for the order of columns and constraints."""
    engine = connect(url)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all()
    engine.dispose()
    return sorted(_parts("".join(row.sql.split()).replace('"', "")) for row in found if "alembic" not in row.sql)


def _parts(text: str) -> list[str]:
    """The name and the parts between the outer brackets of a statement, these in the order of the alphabet."""
    name, _, rest = text.partition("(")
    inside, bracket, condition = rest.rpartition(")WHERE") if ")WHERE" in rest else rest.rpartition(")")
    parts, depth = [""], 0
    for char in inside:
        depth += {"(": 1, ")": -1}.get(char, 0)
        parts = [*parts, ""] if char == "," and not depth else [*parts[:-1], parts[-1] + char]
    return [name, *sorted(parts), bracket, condition]
