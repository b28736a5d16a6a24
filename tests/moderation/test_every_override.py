"""What holds for each of a moderator's words at the desk; tests/conversations/test_overrides.py sends them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from engine.record import By, Move
from pbem import cli
from pbem.commands.overriding import SPECS
from pbem.commands.spec import Need
from pbem.desk import decide
from pbem.draft import Mail
from pbem.files import resource
from pbem.moderation.signing import OVERRULED
from pbem.parties import moderator_party
from pbem.table import Status
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, PLAYERS, Sitting, open_table
from tests.games import choices
from tests.moderation.overrides import ALL

TWO_DAYS = timedelta(days=2)


def asked_at_night() -> Sitting:
    """Anna is asked at night, with a deadline; Bob has missed one before."""
    sitting = Sitting.at_night(deadline=TWO_DAYS)
    sitting.table = sitting.table.with_chair(replace(sitting.table.chair(2), misses=1))
    sitting.settle()
    return sitting


@pytest.mark.parametrize("line", ["REPLACE Bob dora@example.org", "EJECT Bob", "OPEN Bob", "ACT AS Anna: KILL major"])
def test_who_is_told_of_his_seat_by_the_keeper_is_not_told_that_it_was_the_moderator(line: str) -> None:
    sitting = asked_at_night()
    known = sitting.known(moderator_party(sitting.table), keeper=True)
    decided = decide(known, Mail(lines=(line,), received_at=sitting.now))
    to_players = [notice for notice in decided.notices if notice.kind != OVERRULED]
    assert to_players
    assert [notice.facts["moderator"] for notice in to_players] == [""] * len(to_players)


@pytest.mark.parametrize("line", [case.line for case in ALL if not (case.lobby or case.ended)])
def test_it_takes_a_game_that_is_not_over(line: str) -> None:
    sitting = asked_at_night()
    sitting.table = before = replace(sitting.table, status=Status.ENDED)
    verdict = sitting.moderator(line)
    assert [(each.said, each.reason) for each in verdict.lines] == [(Said.REFUSED, Reason.NOT_RUNNING)]
    assert sitting.table == before


@pytest.mark.parametrize("line", [case.line for case in ALL if not case.before and not case.lobby])
def test_a_preview_tells_what_it_would_do_and_does_nothing(line: str) -> None:
    sitting = asked_at_night()
    before = sitting.table
    verdict = sitting.moderator(f"PREVIEW {line}")
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


@pytest.mark.parametrize("word", sorted({spec.words[0].upper() for spec in SPECS if spec.need is Need.MODERATOR}))
def test_each_word_is_told_in_help_in_the_manual_and_at_the_terminal(word: str) -> None:
    telling = {
        "pbem mod --help": cli.mod.__doc__ or "",
        "HELP moderator": (resource("templates") / "info" / "help_moderator.txt.j2").read_text(),
        "docs/moderating.md": Path("docs/moderating.md").read_text(),
    }
    assert [place for place, text in telling.items() if not re.search(rf"\b{word}\b", text)] == []
