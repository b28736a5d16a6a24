"""Every ruling and every detail of the rules has at least one named case."""

from __future__ import annotations

import re
from pathlib import Path

RULINGS = {f"r{number}" for number in (*range(2, 17), 19, 20)}
DETAILS = {f"d{number}" for number in range(1, 28)}


def test_every_ruling_and_every_detail_has_a_named_case() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    names = re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)
    named = {part for name in names for part in name.split("_") if part in RULINGS | DETAILS}
    assert named == RULINGS | DETAILS
