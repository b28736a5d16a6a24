"""What holds for each of a moderator's words: who may say it and when, and that it is told and kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine import record
from engine.record import By, Dealt, Move, Override, Verb
from pbem.desk import decide
from pbem.draft import Mail
from pbem.moderation.signing import OVERRULED
from pbem.parties import Party, Role, moderator_party
from pbem.settle import Announced
from pbem.table import Status
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, MODI, PLAYERS, Sitting, open_table
from tests.games import choices

TWO_DAYS = timedelta(days=2)
WHY = "because it rained all day"

EVERY: dict[str, Verb | By] = {
    "PAUSE": Verb.PAUSE,
    "END": Verb.END,
    "END WITH RESULT": Verb.FINISH,
    "DEADLINE Anna 24h": Verb.DEADLINE,
    "DEADLINE ALL none": Verb.DEADLINE,
    "EXTEND ALL by 24h": Verb.EXTEND,
    "EXCUSE Bob": Verb.EXCUSE,
    "OPTIONS deadline=72h": Verb.OPTIONS,
    "SKIP Anna": By.SKIP,
    "PROCESS 1 night": By.SKIP,
    "ACT AS Anna: PASS": By.MODERATOR,
    "REPLACE Bob dora@elsewhere.org": Verb.REPLACE,
    "EJECT Bob": Verb.EJECT,
    "BOT Bob": Verb.BOT,
    "OPEN Bob": Verb.OPEN,
    "RESET TOKEN Bob": Verb.TOKEN,
    "ROLLBACK 1": Verb.ROLLBACK,
    "ROLLBACK TO 1 evening": Verb.ROLLBACK,
    "TRANSFER Bob": Verb.MODERATOR,
    "PROMOTE Bob": Verb.PROMOTE,
}
"""Each with what it becomes in the record."""
UNRECORDED = ("ANNOUNCE a storm is coming", "RESEND Bob")
"""What changes nothing in the game."""


def asked_at_night() -> Sitting:
    """Anna is asked at night, with a deadline; Bob has missed one before."""
    sitting = Sitting.at_night(deadline=TWO_DAYS)
    sitting.table = sitting.table.with_chair(replace(sitting.table.chair(2), misses=1))
    sitting.settle()
    return sitting


def recorded(sitting: Sitting, n: int) -> set[Verb | By]:
    whats = (entry.what for entry in sitting.entries[n:] if not isinstance(entry.what, Dealt))
    return {what.verb if isinstance(what, Override) else what.by for what in whats}


@pytest.mark.parametrize("line", EVERY)
def test_it_is_an_entry_of_the_record_and_the_record_holds(line: str) -> None:
    sitting = asked_at_night()
    before = len(sitting.entries)
    verdict = sitting.moderator(f"{line} {WHY}")
    assert [each.said for each in verdict.lines] == [Said.DONE]
    assert EVERY[line] in recorded(sitting, before)
    assert sitting.table.header is not None
    whats = [entry.what for entry in sitting.entries]
    assert record.positions(sitting.table.game, sitting.table.header, whats)[-1] == sitting.table.position


@pytest.mark.parametrize("line", EVERY)
def test_every_seat_is_told_of_it_with_who_did_it_and_why(line: str) -> None:
    sitting = asked_at_night()
    sitting.moderator(f"{line} {WHY}")
    told = [telling for telling in sitting.settle() if telling.to.role is Role.SEAT]
    assert {telling.to.seat for telling in told} == {c.seat for c in sitting.table.chairs if c.person}
    for telling in told:
        remark = next(item.remark for item in telling.news if isinstance(item, Announced))
        assert remark is not None
        assert (remark.by, remark.name, remark.why) == (MODI.id, "Modi", "it rained all day")


@pytest.mark.parametrize("line", EVERY)
def test_what_the_keeper_does_at_a_terminal_is_told_as_his(line: str) -> None:
    sitting = asked_at_night()
    known = sitting.known(moderator_party(sitting.table), keeper=True)
    sitting.write(decide(known, Mail(lines=(line,), received_at=sitting.now)))
    remark = next(logged.remark for logged in sitting.log if logged.remark)
    assert (remark.by, remark.name, remark.why) == (0, "", "")


@pytest.mark.parametrize("line", ["REPLACE Bob dora@example.org", "EJECT Bob", "OPEN Bob", "ACT AS Anna: KILL major"])
def test_who_is_told_of_his_seat_by_the_keeper_is_not_told_that_it_was_the_moderator(line: str) -> None:
    sitting = asked_at_night()
    known = sitting.known(moderator_party(sitting.table), keeper=True)
    decided = decide(known, Mail(lines=(line,), received_at=sitting.now))
    to_players = [notice for notice in decided.notices if notice.kind != OVERRULED]
    assert to_players
    assert [notice.facts["moderator"] for notice in to_players] == [""] * len(to_players)


@pytest.mark.parametrize("line", [*EVERY, *UNRECORDED, "PREVIEW PAUSE", "ROLLFORWARD", "CORRECT cash Anna 7"])
def test_a_seat_may_not_say_it(line: str) -> None:
    sitting = asked_at_night()
    before = sitting.table
    verdict = sitting.seat(1, line)
    assert [each.reason for each in verdict.lines] == ["" if line.startswith("ANNOUNCE") else Reason.NOT_MODERATOR][
        : len(verdict.lines)
    ]
    assert sitting.table.running == before.running
    assert sitting.table.moderator == before.moderator


@pytest.mark.parametrize("line", [*EVERY, "RESEND Bob"])
def test_the_moderators_address_without_his_token_is_not_enough(line: str) -> None:
    sitting = asked_at_night()
    before = sitting.table
    verdict = sitting.send(Party(Role.KNOWN, MODI.address, MODI, "inn-7"), [line])
    assert [each.reason for each in verdict.lines] == [Reason.NOT_MODERATOR]
    assert sitting.table == before


@pytest.mark.parametrize("line", [*EVERY, *UNRECORDED])
@pytest.mark.parametrize("status", [Status.OPEN, Status.ENDED])
def test_it_takes_a_game_that_runs(line: str, status: Status) -> None:
    sitting = Sitting() if status is Status.OPEN else asked_at_night()
    sitting.table = replace(sitting.table, status=status)
    before = sitting.table
    verdict = sitting.moderator(line)
    assert [(each.said, each.reason) for each in verdict.lines] == [(Said.REFUSED, Reason.NOT_RUNNING)]
    assert sitting.table == before


@pytest.mark.parametrize("line", [*EVERY, *UNRECORDED])
def test_behind_a_line_that_fails_it_is_not_tried(line: str) -> None:
    sitting = asked_at_night()
    before = sitting.table
    verdict = sitting.moderator("SKIP Nobody", line)
    assert [each.said for each in verdict.lines] == [Said.REFUSED, Said.UNTRIED]
    assert sitting.table == before


@pytest.mark.parametrize("line", EVERY)
def test_a_preview_tells_what_it_would_do_and_does_nothing(line: str) -> None:
    sitting = asked_at_night()
    before = sitting.table
    verdict = sitting.moderator(f"PREVIEW {line} {WHY}")
    assert [(each.said, each.info[:7]) for each in verdict.lines] == [(Said.ANSWERED, "preview")]
    assert sitting.table == before
    assert not sitting.notices


@pytest.mark.parametrize("line", ["SKIP Nobody", "ROLLBACK 99", "RESUME", "EXCUSE Anna", "PROCESS 2 night"])
def test_a_preview_is_refused_as_the_line_itself_would_be(line: str) -> None:
    alone, previewed = asked_at_night().moderator(line), asked_at_night().moderator(f"PREVIEW {line}")
    assert alone.lines[0].reason == previewed.lines[0].reason != ""


@pytest.mark.parametrize("line", ["PREVIEW PASS", "PREVIEW PREVIEW PAUSE", "PREVIEW GAMES", "PREVIEW BOT"])
def test_only_a_moderators_own_words_can_be_previewed(line: str) -> None:
    assert asked_at_night().moderator(line).lines[0].reason == Reason.USAGE


def test_a_preview_tells_who_would_be_awaited() -> None:
    facts = asked_at_night().moderator("PREVIEW SKIP Anna").lines[0].facts
    assert (facts["stops"], facts["awaited"]) == (False, ["Bob"])


def test_a_preview_stops_before_anything_secret_comes_to_light() -> None:
    """In the second game an answer is sealed until all have given theirs: a skipped one is its player's secret."""
    table = replace(open_table(*PLAYERS, deadline=TWO_DAYS), game=choices.GAME, options={}, name="choices-7")
    sitting = Sitting(replace(table, options={option.name: option.default for option in choices.GAME.options}))
    sitting.moderator("START")
    facts = sitting.moderator("PREVIEW SKIP Anna").lines[0].facts
    assert (facts["stops"], facts["awaited"]) == (True, [])


def test_a_preview_of_an_order_for_somebody_says_nothing_of_his_hand() -> None:
    sitting = asked_at_night()
    facts = [sitting.moderator(f"PREVIEW ACT AS Anna: {order}").lines[0].facts for order in ("PASS", "KILL major")]
    assert facts == [{"name": "Anna"}] * 2


@pytest.mark.parametrize("prose", ["Note that I am away.", "Correct, thanks!", "Skip"])
def test_a_player_who_begins_a_sentence_with_a_moderators_word_means_nothing_by_it(prose: str) -> None:
    sitting = asked_at_night()
    verdict = sitting.seat(1, prose, "PASS")
    assert [each.said for each in verdict.lines] == [Said.DONE]


def test_a_refused_order_for_a_seat_is_told_to_its_player() -> None:
    sitting = asked_at_night()
    sitting.moderator("ACT AS Anna: KILL major")
    assert [(notice.kind, notice.to.seat, notice.facts["order"]) for notice in sitting.notices] == [
        ("tried", 1, "KILL major")
    ]


def test_a_move_of_the_moderators_is_his_in_the_record() -> None:
    sitting = asked_at_night()
    sitting.moderator("SKIP Anna", "ACT AS Bob: PASS")
    moves = [entry.what for entry in sitting.entries if isinstance(entry.what, Move)][-2:]
    assert [(move.seat, move.by) for move in moves] == [(1, By.SKIP), (2, By.MODERATOR)]
    assert ANNA.name in sitting.table.names
