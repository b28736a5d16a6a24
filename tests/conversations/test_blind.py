"""What a moderator sees: no hand, unless the table opens them all to one who does not play."""

from __future__ import annotations

import re

import pytest

from pbem.desk import decide
from pbem.draft import Mail
from pbem.parties import moderator_party
from pbem.verdicts import Reason, Said
from tests.conversations.world import World
from tests.desk.sitting import MODI, Sitting

HANDS = re.compile(r"THE HAND OF (\w+)")
PLAYERS = ["ANNA", "BOB", "CHEN"]


def said_to(world: World, who: str, *lines: str) -> str:
    """Everything that `who` is sent upon his lines."""
    world.answer(who, *lines)
    return "\n".join(mail.lines for mail in world.tick() if mail.to == who)


def test_a_moderator_is_blind_until_the_table_opens_the_hands_and_after_it_closes_them(at_night: World) -> None:
    assert HANDS.findall(said_to(at_night, "modi", "STATUS")) == []
    at_night.answer("modi", "OPTIONS blind=no because Bob asks for help")
    told = {mail.to: mail.text for mail in at_night.tick()}
    assert all("blind is no now, it was yes" in told[who] for who in ("anna", "bob", "chen"))
    assert all(HANDS.findall(told[who]) == [] for who in ("anna", "bob", "chen"))
    assert HANDS.findall(said_to(at_night, "modi", "STATUS")) == PLAYERS
    assert HANDS.findall(said_to(at_night, "modi", "OPTIONS blind=yes", "STATUS")) == []


def test_the_keeper_who_may_play_stays_blind() -> None:
    sitting = Sitting.at_night()
    sitting.moderator("OPTIONS blind=no")
    known = sitting.known(moderator_party(sitting.table), keeper=True)
    verdict = decide(known, Mail(lines=("ACT AS Anna: KILL major",), received_at=sitting.now)).verdict
    assert verdict is not None
    assert verdict.lines[0].reason == Reason.ACT_REFUSED


def test_who_moderates_and_plays_sees_the_own_hand_alone(at_night: World) -> None:
    at_night.answer("modi", "PROMOTE Bob", "OPTIONS blind=no")
    at_night.tick()
    at_night.answer("bob", "STATUS")
    mails = [mail for mail in at_night.tick() if mail.to == "bob"]
    assert mails
    assert all(HANDS.findall(mail.lines) == [] for mail in mails)


def test_hands_are_not_opened_to_a_moderator_who_plays(signed_up: World) -> None:
    said = said_to(signed_up, "anna", "NEW bloody-inn blind=no")
    assert "Whoever plays sees no hand but the own one" in " ".join(said.split())


def test_who_has_seen_every_hand_never_plays_there_again(at_night: World) -> None:
    for lines in (("OPTIONS blind=no",), ("OPTIONS blind=yes", "OPEN Bob")):
        at_night.answer("modi", *lines)
        at_night.tick()
    refusal = "has moderated inn-1 with every hand open"
    assert refusal in " ".join(said_to(at_night, "modi", "REPLACE Anna modi@example.org").split())
    assert refusal in " ".join(said_to(at_night, "modi", "JOIN inn-1").split())
    assert at_night.table().seat_of(at_night.table().moderator) == 0


@pytest.mark.parametrize("blind", [True, False])
def test_a_refused_order_for_somebody_tells_its_reason_to_who_sees_the_hand_alone(blind: bool) -> None:
    sitting = Sitting.at_night()
    sitting.moderator(f"OPTIONS blind={'yes' if blind else 'no'}")
    assert sitting.table.seen_by(MODI) is not blind
    for line in ("ACT AS Anna: KILL major", "PREVIEW ACT AS Anna: KILL major"):
        said = sitting.moderator(line).lines[0]
        assert (said.reason in (Reason.ACT_REFUSED, "")) is blind
        assert (said.said is Said.ANSWERED) is (blind and line.startswith("PREVIEW"))
    assert [notice.kind for notice in sitting.notices] == (["tried"] if blind else [])
