"""The second game takes plans too: the host knows the conditions and choices of none."""

from __future__ import annotations

from dataclasses import replace

from pbem.verdicts import Reason, Said
from tests.desk.sitting import PLAYERS, Sitting, open_table
from tests.games.choices import GAME


def begun() -> Sitting:
    table = replace(open_table(*PLAYERS), game=GAME, options={}, name="choices-1")
    sitting = Sitting(table)
    sitting.moderator("START")
    return sitting


def test_conditions_of_any_game_choose_between_orders() -> None:
    sitting = begun()
    assert sitting.seat(1, "IF ROUND >= 2 PICK 5 ELSE PICK 4").lines[0].reading == "PICK 4"
    assert sitting.seat(2, "IF NOT SCORE >= 1 PICK 9 ELSE PICK 3").lines[0].reading == "PICK 3"


def test_a_line_for_every_round_needs_no_mail_again() -> None:
    sitting = begun()
    sitting.seat(1, "EVERY ROUND: IF ROUND >= 2 PICK 5 ELSE PICK 4")
    sitting.seat(2, "ALWAYS PICK 3")
    for _ in range(3):
        sitting.seat(3, "PICK 1")
        sitting.release()
    assert sitting.table.running.state.history == ((4, 3, 1), (5, 3, 1), (5, 3, 1))


def test_a_condition_that_the_game_cannot_read_is_refused_in_its_words() -> None:
    (line,) = begun().seat(1, "IF POLICE PICK 3").lines
    assert (line.said, line.reason) == (Said.UNREAD, "number")


def test_until_asks_when_it_has_come_about() -> None:
    sitting = begun()
    sitting.seat(1, "PICK 4 UNTIL ROUND >= 2")
    sitting.release()
    sitting.seat(2, "PICK 3")
    sitting.seat(3, "PICK 2")
    (line,) = sitting.release()
    assert (line.said, line.reason) == (Said.LAPSED, Reason.CAME_ABOUT)


def test_nothing_is_foretold_where_the_game_does_not_tell() -> None:
    (line,) = begun().seat(1, "TRY PICK 3").lines
    assert (line.forecast, line.reason) == (None, Reason.NOT_FORESEEN)
