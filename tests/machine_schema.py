"""The published schemas of ``pbem.json``; ``python -m tests.machine_schema`` writes them anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from engine.bloody_inn.state import View
from pbem.render.machine import Machine

DOCS: Final = Path(__file__).parent.parent / "docs"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SCHEMAS: Final[Mapping[str, type]] = {"machine.schema.json": Machine, "machine-bloody-inn.schema.json": View}
"""What each file describes."""


def text(described: type) -> str:
    """The schema as it is committed."""
    schema = {"$schema": DIALECT, **msgspec.json.schema(described)}
    return msgspec.json.format(msgspec.json.encode(schema, order="deterministic")).decode() + "\n"


if __name__ == "__main__":
    for name, each in SCHEMAS.items():
        (DOCS / name).write_text(text(each), "utf-8")
