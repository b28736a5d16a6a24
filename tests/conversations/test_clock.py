"""Deadlines and reminders, with the clock moved by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from engine.record import By, Move
from tests.conversations.transcript import play
from tests.conversations.world import World

DEADLINE = timedelta(hours=48)


def last_move(world: World) -> tuple[int, str, By]:
    what = [entry.what for entry in world.entries() if isinstance(entry.what, Move)][-1]
    return what.seat, what.action["type"], what.by


def test_one_reminder_and_then_the_fallback_of_the_game(at_night: World) -> None:
    play(
        at_night,
        """
        wait 35h
        nobody <
        wait 1h
        anna < [inn-1] Reminder: Round 1, night: your 1st action - by Thu 12:00
            YOUR HAND
        wait 11h
        nobody <
        wait 1h
        anna < [inn-1] Round 1, night: you may plan ahead
            PASS
        bob < [inn-1] Round 1, night: your 1st action - by Sat 12:00
        """,
    )
    assert last_move(at_night) == (1, "pass", By.FALLBACK)


def test_a_mail_from_before_the_deadline_wins_when_it_is_read_after_it(at_night: World) -> None:
    at_night.wait(hours=47, minutes=59)
    at_night.answer("anna", "BRIBE newsboy")
    at_night.wait(hours=5)
    at_night.tick()
    assert last_move(at_night) == (1, "bribe", By.SEAT)


def test_a_mail_from_after_the_deadline_comes_too_late_though_it_is_read_in_the_same_pass(at_night: World) -> None:
    at_night.wait(hours=48, minutes=1)
    at_night.answer("anna", "BRIBE newsboy")
    at_night.wait(minutes=1)
    sent = {mail.to: mail.text for mail in at_night.tick()}
    assert last_move(at_night) == (1, "pass", By.FALLBACK)
    assert "about a decision that has been made since" in sent["anna"]


def test_while_the_mailbox_cannot_be_read_no_deadline_acts(at_night: World) -> None:
    at_night.wait(hours=47)
    at_night.answer("anna", "BRIBE newsboy")
    at_night.mailbox.down = True
    at_night.wait(hours=10)
    assert at_night.passed()[0].trouble is not None
    assert at_night.table().running.n == 2
    at_night.mailbox.down = False
    at_night.tick()
    assert last_move(at_night) == (1, "bribe", By.SEAT)


def test_while_a_mail_waits_to_be_tried_again_no_deadline_acts_at_its_senders_tables(
    at_night: World, fail_on: Callable[[bytes], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_night.wait(hours=47, minutes=59)
    with monkeypatch.context():
        fail_on(b"BRIBE newsboy")
        at_night.answer("anna", "BRIBE newsboy")
        at_night.wait(minutes=2)
        at_night.write("bob", "STATUS")
        assert [mail.to for mail in at_night.tick()] == ["bob"], "neither before the next mail nor after all"
        assert at_night.table().running.n == 2
        monkeypatch.undo()
    at_night.tick()
    assert last_move(at_night) == (1, "bribe", By.SEAT)


def test_the_sender_of_a_mail_that_is_given_up_is_told_so_before_his_deadline_acts(
    at_night: World, fail_on: Callable[[bytes], list[int]]
) -> None:
    at_night.wait(hours=47, minutes=59)
    fail_on(b"BRIBE newsboy")
    at_night.answer("anna", "BRIBE newsboy")
    for _ in range(at_night.settings.limits.attempts):
        at_night.tick()
    at_night.wait(minutes=2)
    at_night.write("bob", "STATUS")
    assert "anna" in [mail.to for mail in at_night.tick()]
    assert at_night.table().running.n == 2
    at_night.tick()
    assert last_move(at_night) == (1, "pass", By.FALLBACK)


def test_a_mail_of_somebody_else_that_waits_to_be_tried_again_stops_no_clock(
    at_night: World, fail_on: Callable[[bytes], list[int]]
) -> None:
    fail_on(b"REGISTER Eve")
    at_night.write("eve", "REGISTER Eve")
    at_night.wait(hours=48)
    at_night.tick()
    assert last_move(at_night) == (1, "pass", By.FALLBACK)


def test_the_clock_of_a_decision_starts_when_its_mail_is_taken_for_sending(at_night: World) -> None:
    at_night.courier.down = True
    at_night.answer("anna", "PASS")
    at_night.tick()
    assert at_night.table().chair(2).due_at is None
    at_night.wait(hours=60)
    at_night.courier.down = False
    at_night.tick()
    assert at_night.table().chair(2).due_at == at_night.now + DEADLINE


def test_a_table_without_a_deadline_waits_for_ever_and_reminds_nobody(tmp_path: Path) -> None:
    world = World(tmp_path, deadline=None)
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> NEW bloody-inn seats=1
        ... <
        anna >> START
        ... <
        """,
    )
    before = world.entries()
    world.wait(days=999)
    assert world.tick() == []
    assert world.entries() == before


def test_a_game_that_nobody_plays_goes_on_by_itself_to_its_end(at_night: World) -> None:
    for _ in range(200):
        at_night.wait(hours=49)
        at_night.tick()
        if at_night.table().status == "over":
            break
    finals = [mail for mail in at_night.mails if "The game is over" in mail.subject]
    assert sorted(mail.to for mail in finals) == ["anna", "bob", "chen", "modi"], (
        "the moderator, who does not play, too"
    )
    assert (at_night.settings.archive.folder / "inn-1" / "record.json").exists()
    at_night.wait(hours=500)
    assert at_night.tick() == []
