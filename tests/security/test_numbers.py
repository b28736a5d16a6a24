"""Numbers, lengths and days as nobody means them: none keeps the host from answering, and none spoils a record."""

from __future__ import annotations

from typing import Final

import pytest

from pbem.proving import flaw_in
from tests.conversations.world import World

NUMBERS: Final = ("0", "99999999999", "9" * 900, "\u00b2", "\u0663", "1_0")
PLAYER: Final = (
    "CANCEL {}",
    "ROUND {}: PASS",
    "BRIBE {} peasants",
    "BRIBE monk IN {}",
    "PASS LAUNDER {}",
    "IF ROUND >= {} PASS",
    "PASS UNTIL CASH >= {}",
    "DIGEST DAILY {}:00",
    "TIMEZONE UTC+{}",
    "AWAY UNTIL {}-12-31",
    "NEW bloody-inn seats={}",
)
MODERATOR: Final = (
    "EXTEND ALL by {}h",
    "DEADLINE ALL {} weeks",
    "DEADLINE ALL {}-12-31",
    "ROLLBACK {}",
    "ROLLBACK TO {} night",
    "PROCESS {} night",
    "OPTIONS deadline={}h bank={}w",
)


@pytest.mark.slow
@pytest.mark.parametrize("line", [*PLAYER, *MODERATOR])
def test_no_number_stops_a_mail_or_spoils_a_record(night: World, line: str) -> None:
    who = "anna" if line in PLAYER else "modi"
    for number in NUMBERS:
        night.answer(who, line.format(number, number))
        done, sent = night.passed()
        assert (done.failures, [mail.to for mail in sent].count(who)) == (0, 1), number
        night.wait(hours=1)
    table = night.table()
    assert flaw_in(table, night.store.log(table)) is None


def test_no_time_at_all_is_added_to_a_clock(night: World) -> None:
    before = night.entries()
    night.answer("modi", "EXTEND ALL by 0h")
    assert "0 cannot be a deadline" in next(mail for mail in night.tick() if mail.to == "modi").text
    assert night.entries() == before
