"""A year of a few games, and a judge who is not fooled."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.year.__main__ import lived
from benchmarks.year.fate import BEGINS, HOUR, Plan
from benchmarks.year.judge import Evidence, Game, Span, judged
from benchmarks.year.post import Got
from engine.record import By, Entry, Override, Verb
from pbem.settle import Logged
from pbem.table import Written, begin, play
from tests.desk.sitting import ANNA, BOB, open_table

SHARE = 0.02
PLAN = Plan(BEGINS, 0, (1,), "", hours=48, skip_after=0, reminders=1, silent=(), deeds=())
FIRST = "Round 1, evening: lodging travelers"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_year_with_everything_that_goes_wrong_is_fair(tmp_path: Path) -> None:
    verdict, troubles = lived(SHARE, tmp_path)
    assert verdict.faults == ()
    assert verdict.counts["games"] == 4
    assert verdict.counts["charges"] > 0
    assert len(troubles) == 4


def missed(charged_at: timedelta = 48 * HOUR) -> Game:
    """Anna, who begins, has let a deadline pass in the first evening."""
    table, written = begin(open_table(ANNA, BOB, first="1"))
    action = table.game.fallback(table.running.state, 1)
    after, more = play(table, 1, action, By.FALLBACK)
    log = [*(_logged(each, BEGINS) for each in written), *(_logged(each, BEGINS + charged_at) for each in more)]
    return Game(after, log, PLAN)


def _logged(each: Written, at: datetime) -> Logged:
    return Logged(each.entry, each.events, at)


def mail(after: timedelta, asked: str = "", *, moved: bool = False, reminder: bool = False) -> Got:
    got = Got(BEGINS + after, ANNA.address, asked, f"<{after}@inn>", "", (), "inn-7", asked, "Wed 06:00")
    return replace(got, moved=moved, reminder=reminder)


@pytest.mark.parametrize(
    ("changed", "days", "fault"),
    [
        ({}, 30, ""),
        ({"person": None}, 3, ""),
        ({"person": None}, 5, "waits for Modi to give Seat 1 away, for 5 days"),
        ({"person": None, "given_up": True}, 1, "waits for Seat 1, which the host"),
        ({"person": None, "bot": "steady"}, 1, "waits for Bot 1, which the host"),
    ],
    ids=["a person", "an empty seat", "an empty seat for ever", "a seat that is given up", "a bot"],
)
def test_the_judge_wants_everybody_who_is_awaited_to_be_a_person(
    changed: dict[str, Any], days: int, fault: str
) -> None:
    table, written = begin(open_table(ANNA, BOB, first="1"))
    emptied = table.with_chair(replace(table.chair(1), **changed))
    game = Game(emptied, [_logged(each, BEGINS) for each in written], PLAN)
    found = judged([game], Evidence(), BEGINS + timedelta(days=days)).faults
    assert [fault in each for each in found] == ([True] if fault else [])


ASKED = mail(timedelta(), FIRST)
CHARGED = mail(48 * HOUR, moved=True)


@pytest.mark.parametrize(
    ("mails", "away", "fault"),
    [
        ((ASKED, CHARGED), None, ""),
        ((ASKED, CHARGED, mail(49 * HOUR, moved=True)), None, "moved 2 times"),
        ((CHARGED,), None, "without having been asked"),
        ((mail(HOUR, FIRST), CHARGED), None, "of 48 hours"),
        ((ASKED, CHARGED), Span(BEGINS + 5 * HOUR, BEGINS + 9 * HOUR), "of 48 hours"),
        ((ASKED,), None, "moved for at"),
        ((ASKED, *(mail(n * HOUR, FIRST, reminder=True) for n in (36, 37)), CHARGED), None, "2 reminders of"),
    ],
    ids=["fair", "charged twice", "not asked", "too early", "charged for an outage", "untold", "reminded twice"],
)
def test_the_judge_finds_what_was_unfair(mails: tuple[Got, ...], away: Span | None, fault: str) -> None:
    evidence = Evidence(mails=list(mails), outages=[away] if away else [])
    found = judged([missed()], evidence, BEGINS + 50 * HOUR).faults
    assert [fault in each for each in found] == ([True] if fault else [])


def test_the_judge_lets_a_moderator_be_asked_again_only_behind_more_time() -> None:
    begun = missed()
    asked_again = [ASKED, *(replace(mail(hours * HOUR, FIRST), referred=True) for hours in (48, 96)), mail(98 * HOUR)]
    extended = Logged(Entry(9, Override(Verb.EXTEND, seat=1, minutes=60), ""), (), BEGINS + 50 * HOUR)
    at_length = replace(begun, log=[*begun.log[:-1], extended, begun.log[-1]])
    for game, fair in ((begun, False), (at_length, True)):
        found = judged([game], Evidence(mails=asked_again), BEGINS + 99 * HOUR).faults
        assert any("referred 2 times" in fault for fault in found) is not fair


def test_the_judge_knows_that_who_was_replaced_was_told_himself() -> None:
    game = missed()
    charged = replace(CHARGED, to="gone@example.org")
    asked = replace(ASKED, to="gone@example.org")
    assert judged([game], Evidence(mails=[asked, charged]), BEGINS + 50 * HOUR).faults == ()
