"""Orders that are taken back in time, through the whole host: who is told, who waits, and what it can never do."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from engine import record
from engine.record import By, Move, Override, Verb, What
from pbem.stuck import why_stuck
from tests.conversations.test_time import SIGN_UP
from tests.conversations.transcript import play
from tests.conversations.world import World

TEN_MINUTES: Final = timedelta(minutes=10)


@pytest.fixture(scope="module")
def _held(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("held"))
    play(world, SIGN_UP.format(options="hold=10m remind=none", zone="UTC"))
    return world


@pytest.fixture
def held(_held: World, tmp_path: Path) -> World:
    """Anna, who moderates, and Bob in the first night of a table with a hold of ten minutes; Anna is awaited."""
    return _held.copied(tmp_path)


def whats(world: World) -> list[What]:
    return [entry.what for entry in world.entries()]


def moves(world: World) -> list[tuple[int, str, By]]:
    """What people have done since the guests were lodged."""
    made = [what for what in whats(world) if isinstance(what, Move) and what.action["type"] != "lodge"]
    return [(what.seat, what.action["type"], what.by) for what in made]


def undos(world: World) -> list[Override]:
    return [what for what in whats(world) if isinstance(what, Override) and what.verb is Verb.UNDO]


ORDERED: Final = """
anna >> BRIBE cultivator
anna < Re: [inn-1] Round 1, night: done - you are not awaited
    DONE BRIBE cultivator
    UNDO takes back what you have just ordered, until 12:10 UTC; nobody else is told of it before.
"""
TAKEN_BACK: Final = """
anna >> UNDO
anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
    DONE UNDO It counts as never ordered, and nobody else was told.
    not: until 12:10
"""


def test_what_was_ordered_can_be_taken_back_and_nobody_else_ever_hears_of_it(held: World) -> None:
    play(held, ORDERED + TAKEN_BACK)
    play(
        held,
        """
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        wait 11m
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:11
            Anna passed
            not: bribed
            not: took back
        bob >> HISTORY
        bob < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:11
            not: bribed
        """,
    )
    assert moves(held) == [(1, "bribe", By.SEAT), (1, "pass", By.SEAT)]
    assert len(undos(held)) == 1


def test_a_game_that_waits_for_second_thoughts_is_not_stuck(held: World) -> None:
    play(held, ORDERED)
    assert why_stuck(held.table(), held.now) == ()
    late = held.now + TEN_MINUTES + timedelta(seconds=1)
    assert why_stuck(held.table(), late) == ("Bob has not been asked yet: the mail is not written",)


def test_the_record_keeps_what_was_taken_back_and_holds(held: World) -> None:
    play(held, ORDERED + TAKEN_BACK)
    table = held.table()
    assert table.header is not None
    assert record.positions(table.game, table.header, whats(held))[-1] == table.position
    assert table.hold is None


def test_the_others_are_told_and_asked_when_the_time_is_over_and_their_clock_begins_then(held: World) -> None:
    play(held, ORDERED)
    play(
        held,
        """
        wait 10m
        nobody < anything
        wait 1m
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:11
            Anna bribed
        anna >> UNDO
        anna < Re: [inn-1] Round 1, night: not done - you are not awaited
            There is no order of yours that can still be taken back
            As the moderator you can still take moves back, openly: ROLLBACK 1
        """,
    )
    assert undos(held) == []


def test_an_undo_counts_when_it_reached_the_server_in_time_however_late_it_is_read(held: World) -> None:
    play(held, ORDERED)
    held.wait(minutes=9)
    held.answer("anna", "UNDO")
    held.wait(hours=3)
    assert [mail.to for mail in held.tick()] == ["anna"]
    assert len(undos(held)) == 1


def test_one_that_reached_the_server_too_late_is_refused_though_the_others_are_not_told_yet(held: World) -> None:
    play(held, ORDERED)
    held.wait(minutes=11)
    held.answer("anna", "UNDO")
    assert sorted(mail.to for mail in held.tick()) == ["anna", "bob"]
    assert undos(held) == []


def test_a_hold_does_not_end_while_the_mailbox_cannot_be_read(held: World) -> None:
    play(held, ORDERED)
    held.wait(minutes=5)
    held.answer("anna", "UNDO")
    held.wait(minutes=30)
    held.mailbox.down = True
    assert held.tick() == []
    held.mailbox.down = False
    assert [mail.to for mail in held.tick()] == ["anna"]
    assert len(undos(held)) == 1


def test_plans_of_others_wait_outlive_what_is_taken_back_and_run_in_the_end(held: World) -> None:
    play(
        held,
        """
        bob >> BRIBE cultivator ELSE PASS
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
        """,
    )
    play(held, ORDERED + TAKEN_BACK)
    assert [plan.seat for plan in held.table().plans] == [2]
    play(
        held,
        """
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        wait 11m
        ... <
        """,
    )
    assert moves(held)[-1] == (2, "bribe", By.PLAN)


def test_who_writes_meanwhile_plans_before_the_position_that_he_knows_and_is_answered_later(held: World) -> None:
    play(held, ORDERED)
    play(
        held,
        """
        bob >> TRY BRIBE cultivator / STATUS / KILL cultivator WITH peasant ELSE PASS
        nobody < anything
        """,
    )
    assert [plan.seat for plan in held.table().plans] == [2]
    play(held, TAKEN_BACK + "bob < Re: [inn-1] Round 1, night: planned - you are not awaited\n")
    told = held.last("bob").text
    assert "would not be possible" not in told
    assert "Anna bribed" not in told
    assert moves(held) == [(1, "bribe", By.SEAT)]


def test_the_lines_below_an_undo_are_a_new_order_and_can_be_taken_back_too(held: World) -> None:
    play(held, ORDERED)
    play(
        held,
        """
        anna >> UNDO / PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
            DONE UNDO
            DONE PASS Anna passed
            until 12:10
        anna >> UNDO
        anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
        """,
    )
    assert moves(held) == [(1, "bribe", By.SEAT), (1, "pass", By.SEAT)]
    assert [undo.to for undo in undos(held)] == [3, 5]


def test_what_was_sent_with_it_for_this_round_goes_too_and_what_is_for_later_stays(held: World) -> None:
    play(
        held,
        """
        anna >> ALWAYS PAY CHECKS / PASS / EVERY ROUND: PASS / THIS ROUND: BRIBE cultivator
        ... <
        """,
    )
    assert len(held.table().plans) == 3
    held.answer("anna", "UNDO")
    held.tick()
    assert sorted(plan.decision.split("/")[0] for plan in held.table().plans) == ["*:act", "always:pay"]


def test_a_mail_from_within_the_hold_answers_nothing_any_more(held: World) -> None:
    play(held, ORDERED)
    within = held.last("anna")
    play(held, TAKEN_BACK)
    held.answer("anna", "PASS", to=within)
    assert "about a decision that has been made since" in held.tick()[0].text
    assert len(moves(held)) == 1


def test_taking_back_wins_no_time(held: World) -> None:
    due = held.table().chair(1).due_at
    assert due is not None
    held.wait(hours=40)
    play(held, ORDERED.replace("12:10", "04:10"))
    play(held, TAKEN_BACK)
    assert held.table().chair(1).due_at == due


def test_nothing_is_held_beyond_the_deadline_of_its_own_decision(held: World) -> None:
    held.wait(hours=47, minutes=55)
    play(held, ORDERED.replace("12:10", "12:00"))


def test_whatever_brings_something_to_light_cannot_be_taken_back(tmp_path: Path) -> None:
    world = World(tmp_path)
    play(
        world, SIGN_UP.format(options="hold=10m remind=none", zone="UTC").replace("anna >> LODGE 1 2 3 4\n... <\n", "")
    )
    play(
        world,
        """
        anna >> LODGE 1
        anna < Re: [inn-1] Round 1, evening: lodging travelers - by Thu 12:00
            not: UNDO
        anna >> UNDO
        anna < Re: [inn-1] Round 1, evening: not done - lodging travelers - by Thu 12:00
            something came to light by it
        """,
    )


def test_the_last_move_of_a_night_cannot_be_taken_back_since_the_morning_has_come(held: World) -> None:
    play(held, ORDERED + "wait 11m\nbob < [inn-1] Round 1, night: your 1st action - by Thu 12:11\n")
    for name in ("bob", "anna", "bob"):
        held.answer(name, "PASS")
        held.tick()
        held.wait(minutes=11)
        held.tick()
    assert held.table().hold is None
    held.answer("bob", "UNDO")
    held.tick()
    assert undos(held) == []


def test_a_table_without_a_hold_says_that_an_order_counts_at_once(at_night: World) -> None:
    play(
        at_night,
        """
        anna >> PASS / UNDO
        anna < Re: [inn-1] Round 1, night: partly done - you are not awaited
            At this table an order counts at once.
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        """,
    )


def test_only_the_seat_itself_takes_back_and_only_with_its_own_key(held: World) -> None:
    play(held, ORDERED)
    held.write("anna", "UNDO")
    held.answer("bob", "UNDO")
    held.tick()
    assert undos(held) == []
    held.answer("bob", "UNDO", to=held.last("anna"))
    held.tick()
    assert undos(held) == []


def test_a_moderator_who_acts_ends_it_and_all_are_told_at_once(held: World) -> None:
    moderators = next(mail for mail in held.mails if mail.subject.endswith("moderator - done"))
    play(held, ORDERED)
    held.answer("anna", "PAUSE", to=moderators)
    told = held.tick()
    assert {mail.to for mail in told} == {"anna", "bob"}
    assert "Anna bribed" in next(mail.text for mail in told if mail.to == "bob")
    held.answer("anna", "UNDO", to=next(mail for mail in told if "UNDO" not in mail.text and mail.to == "anna"))
    held.tick()
    assert undos(held) == []
