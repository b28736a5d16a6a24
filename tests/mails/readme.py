"""The mail in the README: one of the committed ones, so that a newcomer sees what players get today."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent
from typing import Final

README: Final = Path(__file__).parents[2] / "README.md"
SCENE: Final = "turn-at-night"
_MAIL: Final = re.compile(
    r"(?<=^    Reply-To: inn\+k7q2m9x4r3t5w6y7z2a4@example\.org\n)    Subject: (?:.+\n|\n(?=    ))+", re.MULTILINE
)


def with_mail(readme: str, mail: str) -> str:
    """`readme` with `mail` in the place of the one that it shows, below its From and Reply-To."""
    shown, count = _MAIL.subn(lambda _: indent(mail.rstrip("\n"), " " * 4) + "\n", readme)
    assert count == 1, "the README shows one mail"
    return shown
