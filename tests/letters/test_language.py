"""Which language a mail says that it is in, or that its sender reads."""

from __future__ import annotations

import pytest

from pbem.letters import read_letter


@pytest.mark.parametrize(
    ("head", "language"),
    [
        ("Content-Language: nl-BE", "nl"),
        ("Content-Language: de_AT", "de"),
        ("Accept-Language: pl, fr-CA;q=0.8, en;q=0.5", "fr"),
        ("Accept-Language: en-GB\nContent-Language: nl", "nl"),
        ("Content-Language: zh-TW", "zh_Hant"),
        ("Content-Language: pl", ""),
        ("Content-Language: ;;,,-\x00", ""),
        ("X-Nothing: nl", ""),
    ],
)
def test_the_language_of_a_mail_is_the_first_that_is_spoken_here(head: str, language: str) -> None:
    assert read_letter(f"{head}\nFrom: anna@example.org\n\nPASS\n".encode()).language == language
