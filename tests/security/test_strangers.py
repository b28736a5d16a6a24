"""What a stranger can find out, and what many mails of one sender do to the others."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.conversations.world import INN, World

TOKEN: Final = "k7q2m5x4r3t5w6y7z2a4"
_MARK: Final = re.compile(r"pbem-[a-z2-7]{8}")
"""Of each mail its own: below it nothing is an answer."""


def answers(world: World, line: str, to: str = INN, subject: str = "Hello") -> list[str]:
    """What a stranger is told, without the words that he wrote himself."""
    world.write("eve", line, to=to, subject=subject)
    return [_MARK.sub("", f"{mail.subject}\n{mail.text}") for mail in world.tick()]


@pytest.mark.parametrize(
    "line",
    ["STATUS {}", "JOIN {}", "JOIN {} AS Eve", "WATCH {}", "HISTORY {}", "RULES {}", "WHO {}", "LEAVE {}", "END {}"],
)
def test_a_stranger_does_not_learn_whether_a_table_that_has_begun_exists(night: World, line: str) -> None:
    there, not_there = (answers(night, line.format(name)) for name in ("inn-1", "inn-7"))
    assert [said.replace("inn-1", "") for said in there] == [said.replace("inn-7", "") for said in not_there]


def test_a_stranger_does_not_learn_whether_an_address_is_known(night: World) -> None:
    said = [
        answers(night, f"{word} {name}@example.org") for word in ("ADD ADDRESS", "INVITE") for name in ("bob", "xyz")
    ]
    assert said == [[]] * 4


@pytest.mark.parametrize("subject", ["Hello", "[inn-1]", "Re: [inn-1] Round 1, night"])
def test_a_guessed_token_is_answered_as_none_at_all(night: World, subject: str) -> None:
    for line in ("PASS", "STATUS", "RESIGN"):
        assert answers(night, line, f"inn+{TOKEN}@example.org", subject) == answers(night, line, subject=subject) == []
    assert night.table().running.n == 2


def test_a_token_that_was_forwarded_tells_whoever_has_it_nothing(night: World) -> None:
    private = night.last("anna").message["Reply-To"]
    night.write("eve", "STATUS", "HISTORY", "PASS", to=private)
    assert {mail.to for mail in night.tick()} == {"anna"}
    assert night.table().running.n == 2


@pytest.mark.slow
def test_a_flood_of_a_stranger_and_one_of_a_player_keep_nobody_from_his_turn(night: World) -> None:
    night.set("limits", mails_a_day=40, talk_an_hour=20)
    for n in range(60):
        night.write("eve", f"HELP {n}")
        night.answer("bob", f"STATUS\n\n{n}")
    night.answer("anna", "PASS")
    passed, sent = night.passed()
    assert passed.read == passed.handled == 121
    assert night.table().running.n == 3
    assert [mail.to for mail in sent].count("eve") <= night.settings.limits.stranger_answers
    assert [mail.to for mail in sent].count("bob") <= 42
    assert "anna" in {mail.to for mail in sent}
