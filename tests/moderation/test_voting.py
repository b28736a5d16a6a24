"""What players bring about by a vote, how many it takes, and when their votes count."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from engine.bloody_inn import GAME
from engine.record import Override, Verb
from pbem.schedule import Votes
from pbem.table import Person, Status
from pbem.tally import tallies
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, BOB, PLAYERS, Sitting, open_table

DAN = Person(9, "Dan", "dan@example.org")


def running(*players: Person, votes: Votes = Votes.MAJORITY) -> Sitting:
    """A table in its first evening, with the guests lodged; Modi moderates."""
    sitting = Sitting(open_table(*(players or PLAYERS), first="1"))
    sitting.moderator("START")
    schedule = msgspec.structs.replace(sitting.table.schedule, votes=votes)
    sitting.table = replace(sitting.table, schedule=schedule)
    sitting.seat(1, f"LODGE {' '.join(map(str, range(1, 2 * len(sitting.table.chairs) + 1)))}")
    sitting.notices.clear()
    return sitting


def voted(sitting: Sitting) -> list[Override]:
    """What stands in the record as the table's."""
    whats = (entry.what for entry in sitting.entries)
    return [what for what in whats if isinstance(what, Override) and isinstance(what.votes, int)]


FOUR = (*PLAYERS, DAN)
ENOUGH = [
    ((ANNA, BOB), Votes.MAJORITY, "ABORT", 2),
    (PLAYERS, Votes.MAJORITY, "ABORT", 2),
    (FOUR, Votes.MAJORITY, "ABORT", 3),
    (PLAYERS, Votes.ALL, "ABORT", 3),
    (PLAYERS, Votes.MAJORITY, "END", 2),
    (PLAYERS, Votes.MAJORITY, "REPLACE Bob", 2),
    (FOUR, Votes.MAJORITY, "REPLACE Bob", 2),
    (FOUR, Votes.ALL, "REPLACE Bob", 3),
]
"""Who plays by which rule, for what they vote, and how many votes it takes; Bob, who may not vote on himself, never
does."""
DONE = {"ABORT": Verb.END, "END": Verb.FINISH, "REPLACE Bob": Verb.OPEN}


@pytest.mark.parametrize(("players", "rule", "motion", "needed"), ENOUGH)
def test_what_enough_players_want_is_done_in_the_tables_name(
    players: tuple[Person, ...], rule: Votes, motion: str, needed: int
) -> None:
    sitting = running(*players, votes=rule)
    seats = [chair.seat for chair in sitting.table.chairs if not (chair.person == BOB and "Bob" in motion)]
    for count, seat in enumerate(seats[:needed], 1):
        assert not voted(sitting)
        line = sitting.seat(seat, f"VOTE {motion}").lines[0]
        assert (line.said, line.facts["missing"]) == (Said.DONE, needed - count)
    assert [(what.verb, what.votes) for what in voted(sitting)] == [(DONE[motion], needed)]
    assert sitting.log[-1].remark is not None
    assert not sitting.log[-1].remark.name


def test_an_ended_game_has_a_result_only_if_that_was_voted_for() -> None:
    for motion, status in (("END", Status.OVER), ("ABORT", Status.ENDED)):
        sitting = running()
        for seat in (1, 2):
            sitting.seat(seat, f"VOTE {motion}")
        assert sitting.table.status is status


def test_a_seat_that_was_voted_open_is_anybodys_and_its_player_is_told() -> None:
    sitting = running()
    for seat in (1, 3):
        sitting.seat(seat, "VOTE REPLACE Bob")
    assert (sitting.table.chair(2).person, sitting.table.chair(2).free) == (None, True)
    told = [notice for notice in sitting.notices if notice.kind == "unseated"]
    assert [(notice.to.person, notice.facts["voted"]) for notice in told] == [(BOB, True)]
    assert sitting.seat(1, "VOTE REPLACE seat 2").lines[0].reason == Reason.FREE_ALREADY


def test_who_may_still_vote_and_the_moderator_are_told_of_each_vote_once() -> None:
    sitting = running(*FOUR)
    told = []
    for seat in (1, 1, 3):
        sitting.notices.clear()
        sitting.seat(seat, "VOTE REPLACE Bob")
        told.append([(notice.kind, notice.to.seat) for notice in sitting.notices if notice.kind == "voted"])
    assert told == [[("voted", 3), ("voted", 4), ("voted", 0)], [], [("voted", 0)]]


REFUSED = [
    (PLAYERS, 2, "VOTE REPLACE Bob", Reason.NO_VOTE),
    ((ANNA, BOB), 1, "VOTE REPLACE Bob", Reason.TOO_FEW_VOTERS),
    (PLAYERS, 1, "VOTE REPLACE Zoe", Reason.NO_SEAT),
    (PLAYERS, 1, "VOTE REPLACE", Reason.USAGE),
    (PLAYERS, 1, "VOTE FOR me", Reason.USAGE),
]


@pytest.mark.parametrize(("players", "seat", "line", "reason"), REFUSED)
def test_a_vote_that_cannot_be_is_refused(players: tuple[Person, ...], seat: int, line: str, reason: Reason) -> None:
    sitting = running(*players)
    assert sitting.seat(seat, line).lines[0].reason == reason
    assert not tallies(sitting.table)


@pytest.mark.parametrize("motion", ["END", "ABORT"])
def test_a_single_player_ends_no_game_by_a_vote(motion: str) -> None:
    sitting = running(ANNA, BOB)
    sitting.seat(2, "RESIGN")
    assert sitting.seat(1, f"VOTE {motion}").lines[0].reason == Reason.TOO_FEW_VOTERS


def test_a_moderator_who_does_not_play_has_no_vote() -> None:
    assert running().moderator("VOTE ABORT").lines[0].reason == Reason.NOT_PLAYING


@pytest.mark.parametrize("line", ["UNVOTE", "VOTE"])
def test_a_vote_is_taken_back(line: str) -> None:
    sitting = running()
    sitting.seat(1, "VOTE ABORT")
    assert sitting.seat(1, line).lines[0].facts == {"there": True}
    assert sitting.seat(1, line).lines[0].facts == {"there": False}
    sitting.seat(2, "VOTE ABORT")
    assert sitting.table.status is Status.RUNNING


def test_a_player_has_one_vote_and_the_next_takes_its_place() -> None:
    sitting = running()
    sitting.seat(1, "VOTE ABORT", "VOTE REPLACE Bob")
    assert [(each.motion.value, each.cast) for each in tallies(sitting.table)] == [("replace", (1,))]


def test_votes_lapse_with_their_round() -> None:
    sitting = running()
    sitting.seat(1, "VOTE ABORT")
    for seat in (1, 2, 3, 1, 2, 3):
        assert tallies(sitting.table)
        sitting.seat(seat, "PASS")
    assert sitting.table.waiting[0].round == 2
    assert not tallies(sitting.table)
    sitting.seat(2, "VOTE ABORT")
    assert sitting.table.status is Status.RUNNING


def test_no_rollback_brings_votes_of_an_earlier_round_back() -> None:
    sitting = running()
    sitting.seat(1, "VOTE ABORT")
    sitting.seat(1, "PASS")
    sitting.moderator("ROLLBACK 1")
    assert not tallies(sitting.table)


def test_a_vote_said_again_counts_once_more_when_fewer_may_vote() -> None:
    sitting = running(votes=Votes.ALL)
    for seat in (1, 2):
        sitting.seat(seat, "VOTE ABORT")
    sitting.seat(3, "RESIGN")
    sitting.seat(1, "VOTE ABORT")
    assert sitting.table.status is Status.ENDED


def test_a_game_without_a_result_before_its_end_is_only_aborted() -> None:
    class Endless(type(GAME)):  # type: ignore[misc]
        """The same game, which could not be broken off with a result."""

        @property
        def capabilities(self) -> dict[str, object]:
            return {name: value for name, value in GAME.capabilities.items() if name != "finish"}

    sitting = running()
    sitting.table = replace(sitting.table, game=Endless())
    line = sitting.seat(1, "VOTE END").lines[0]
    assert (line.reason, line.near) == (Reason.NO_RESULT, ("VOTE ABORT",))
