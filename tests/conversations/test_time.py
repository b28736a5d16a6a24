"""Schedules, absences and outages through the whole host, with the clock moved by hand or frozen."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time

from engine.record import By, Move
from pbem.errors import Unreachable
from pbem.mailbox import Outcome
from pbem.passes import Idle, Pass
from pbem.pulse import HEARTBEAT
from tests.conversations.transcript import play
from tests.conversations.world import NOON, World, mail_in

HOUR: Final = timedelta(hours=1)
TWO_HOURS: Final = timedelta(hours=2)
SIGN_UP: Final = """
anna > REGISTER Anna
... <
anna >> CONFIRM
... <
bob > REGISTER Bob
... <
bob >> TIMEZONE {zone}
... <
anna >> NEW bloody-inn bob@example.org first=1 {options}
... <
bob >> JOIN inn-1
... <
anna >> START inn-1
... <
anna >> LODGE 1 2 3 4
... <
"""


def playing(folder: Path, options: str = "", zone: str = "UTC", outage: timedelta | None = None) -> World:
    """Anna and Bob in the first night of inn-1, which Anna moderates; she is awaited."""
    world = World(folder, outage=outage)
    play(world, SIGN_UP.format(options=options, zone=zone))
    assert [decision.kind for decision in world.table().waiting] == ["act"]
    return world


def due(world: World, seat: int) -> datetime:
    due_at = world.table().chair(seat).due_at
    assert due_at is not None
    return due_at


def made_by(world: World) -> list[By]:
    """Why the moves were made that somebody could choose."""
    moves = [entry.what for entry in world.entries() if isinstance(entry.what, Move)]
    return [move.by for move in moves if move.by is not By.HOST]


# What is told


def test_a_deadline_is_told_on_the_reader_s_clock_and_on_the_table_s(tmp_path: Path) -> None:
    world = playing(tmp_path, "zone=America/New_York remind=none", zone="Europe/Brussels")
    play(
        world,
        """
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: your 1st action - by Thu 13:00
            until Thursday 3 December, 13:00 in Brussels (07:00 in New York, in 2 days)
        """,
    )


def test_the_host_names_its_options_and_every_player_can_read_them(tmp_path: Path) -> None:
    world = World(tmp_path)
    play(
        world,
        """
        anna > REGISTER Anna
        ... <
        anna >> NEW bloody-inn deadline=3d deadline.lodge=90h off=sat,sun quiet=22-8 remind=24h,6h zone=Europe/Brussels
        anna < Re: [pbem] your table is open
            Time for a decision: 3 days
            Time to lodge: 3 days 18 hours
            No time passes on: Saturday and Sunday
            No deadline falls between: 22:00 and 8:00
            On the clocks of: Europe/Brussels
            Reminders: 1 day and 6 hours before
        """,
    )


def test_who_asks_for_it_gets_each_deadline_as_a_calendar_file(tmp_path: Path) -> None:
    world = playing(tmp_path)
    play(
        world,
        """
        bob >> CALENDAR ON
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            brings it as a calendar file too
        anna >> PASS
        ... <
        """,
    )
    parts = {part.get_content_type(): part for part in world.last("bob").message.walk()}
    file = parts["text/calendar"].get_content()
    assert "DTEND:20261203T120000Z" in file
    assert "TRIGGER:-PT12H" in file
    assert "text/calendar" not in {part.get_content_type() for part in world.last("anna").message.walk()}


def test_a_kind_of_decision_has_a_deadline_of_its_own(tmp_path: Path) -> None:
    world = World(tmp_path)
    play(world, SIGN_UP.replace("anna >> LODGE 1 2 3 4\n... <\n", "").format(options="deadline.lodge=90h", zone="UTC"))
    assert due(world, 1) == world.now + 90 * HOUR
    world.wait(hours=89)
    world.tick()
    assert made_by(world) == []
    world.wait(hours=1)
    world.tick()
    assert set(made_by(world)) == {By.FALLBACK}
    assert [decision.kind for decision in world.table().waiting] == ["act"]
    assert due(world, 1) == world.now + 48 * HOUR


# Absences


def test_what_is_asked_in_an_absence_waits_and_the_others_are_told(tmp_path: Path) -> None:
    world = playing(tmp_path, "remind=none", zone="Europe/Brussels")
    play(
        world,
        """
        bob >> AWAY UNTIL 2026-12-20
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            You are away from Tuesday 1 December, 13:00 in Brussels until Monday 21 December, 00:00 in Brussels
            not: These deadlines run on
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
            Bob is away until Sunday 20 December, 23:00 UTC
        bob < [inn-1] Round 1, night: your 1st action - by 23 Dec 00:00
            Your clock begins only when you are back, Monday 21 December, 00:00 in Brussels
        wait 400h
        nobody <
        bob >> BACK
        bob < Re: [inn-1] Round 1, night: your 1st action - by Sun 05:00
            Welcome back!
        wait 48h
        ... <
        """,
    )
    assert made_by(world)[-1] is By.FALLBACK


def test_an_absence_says_which_deadline_it_does_not_cover(tmp_path: Path) -> None:
    world = playing(tmp_path)
    play(
        world,
        """
        anna >> AWAY UNTIL 2026-12-20
        anna < Re: [inn-1] Round 1, night: your 1st action - by Thu 12:00
            It does not cover what you have been asked already. These deadlines run on:
            inn-1: Thursday 3 December, 12:00 UTC
        """,
    )
    assert due(world, 1) == NOON + 48 * HOUR


# Missing players


def test_after_so_many_misses_a_seat_is_not_waited_for_until_it_sends_any_order(tmp_path: Path) -> None:
    world = playing(tmp_path, "skip-after=1 remind=none")
    play(
        world,
        """
        wait 48h
        anna < [inn-1] Round 1, night: you may plan ahead
            so from now on the others do not wait for you
        bob < [inn-1] Round 1, night: your 1st action - by Sat 12:00
            Anna has let a deadline pass.
        bob >> PASS
        ... <
        """,
    )
    assert [decision.seat for decision in world.table().waiting] == [2], "Anna's 2nd action was made at once"
    assert made_by(world)[-2:] == [By.SEAT, By.FALLBACK]
    world.answer("anna", "PASS")
    world.tick()
    assert world.table().chair(1).misses == 0


def test_nobody_is_passed_over_in_a_pass_that_could_not_look_at_the_mailbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = playing(tmp_path, "skip-after=1 remind=none")
    world.wait(hours=48)
    world.tick()
    world.answer("bob", "PASS")
    with monkeypatch.context() as patch:
        patch.setattr(world.mailbox, "done", _gone)
        assert world.passed()[0].trouble is not None
    assert [decision.seat for decision in world.table().waiting] == [1]
    world.answer("anna", "BRIBE newsboy")
    world.tick()
    assert made_by(world)[-1] is By.SEAT


def _gone(_arrivals: object) -> None:
    raise Unreachable("the imap server is away", "Wait")


# Outages


def beating(folder: Path) -> World:
    """A host that looked a minute ago, and counts two hours without a look as an outage."""
    world = playing(folder, "remind=none", outage=TWO_HOURS)
    world.tick()
    return world


def test_a_short_gap_moves_nothing(tmp_path: Path) -> None:
    world = beating(tmp_path)
    before = due(world, 1)
    world.wait(hours=2)
    world.tick()
    assert due(world, 1) == before


def found_out(world: World, **span: float) -> None:
    """The host comes back after so long, and its next pass finds that the time of the first was right."""
    world.wait(**span)
    assert world.passed()[0].idle is Idle.DOUBT


def test_an_outage_over_a_deadline_moves_it_tells_everybody_and_punishes_nobody(tmp_path: Path) -> None:
    world = beating(tmp_path)
    before = due(world, 1)
    found_out(world, hours=60)
    play(
        world,
        """
        wait 0h
        anna < [inn-1] Round 1, night: your 1st action - by Sun 00:00
            This host could not do its work for 2 days 12 hours
        """,
    )
    assert due(world, 1) == before + 60 * HOUR
    assert By.FALLBACK not in made_by(world)
    assert world.tick() == []
    assert due(world, 1) == before + 60 * HOUR, "once, however often one looks"


def test_orders_from_an_outage_are_in_time(tmp_path: Path) -> None:
    world = beating(tmp_path)
    world.wait(hours=50)
    world.answer("anna", "PASS")
    found_out(world, hours=10)
    world.tick()
    assert made_by(world)[-1] is By.SEAT


def test_two_processes_that_find_the_same_outage_move_deadlines_once(tmp_path: Path) -> None:
    world = beating(tmp_path)
    before = due(world, 1)
    since = datetime.fromisoformat(world.store.mark(HEARTBEAT) or "")
    world.wait(hours=60)
    assert world.store.give_back(HEARTBEAT, since, world.now)
    assert not world.store.give_back(HEARTBEAT, since, world.now)
    world.tick()
    assert due(world, 1) == before + 60 * HOUR


def test_a_mail_server_that_is_away_for_long_is_an_outage(tmp_path: Path) -> None:
    world = beating(tmp_path)
    before = due(world, 1)
    world.mailbox.down = True
    for _ in range(6):
        world.wait(hours=10)
        world.tick()
    world.mailbox.down = False
    world.tick()
    assert due(world, 1) == before + 60 * HOUR
    assert By.FALLBACK not in made_by(world)


@pytest.mark.parametrize("trouble", ["away", "refuses"])
def test_an_outbox_that_is_stuck_for_long_is_an_outage(tmp_path: Path, trouble: str) -> None:
    world = beating(tmp_path)
    world.write("bob", "GAMES")
    before = due(world, 1)
    world.courier.down = trouble == "away"
    world.courier.refusals = {"bob@example.org": (Outcome.HOST_TROUBLE, 552, "5.2.2 Quota")}
    for _ in range(60):
        world.wait(hours=1)
        world.tick()
    assert By.FALLBACK not in made_by(world), "no deadline acts while nobody can be written to"
    world.courier.down = False
    world.courier.refusals = {}
    found_out(world, hours=4)
    world.tick()
    assert due(world, 1) == before + 64 * HOUR


@pytest.mark.parametrize("hours", [60, 24 * 400, -60, -24 * 400])
def test_a_clock_that_is_wrong_for_one_pass_changes_nothing_at_all(tmp_path: Path, hours: int) -> None:
    world = beating(tmp_path)
    world.answer("anna", "PASS")
    before, right = world.table(), world.now
    world.wait(hours=hours)
    assert world.tick() == []
    world.now = right + timedelta(minutes=1)
    assert world.table().version == before.version
    assert [mail.to for mail in world.tick()] == ["anna", "bob"], "of their turns, and of no outage"
    assert due(world, 2) == world.now + 48 * HOUR


def test_a_clock_that_is_set_anew_is_believed_by_the_second_pass(tmp_path: Path) -> None:
    world = beating(tmp_path)
    found_out(world, hours=-60)
    assert world.passed()[0].idle is None
    world.wait(minutes=1)
    assert world.passed()[0].idle is None


def test_a_pass_does_nothing_while_another_process_makes_one(tmp_path: Path) -> None:
    world = playing(tmp_path)
    world.answer("anna", "PASS")
    with world.store.turn() as mine:
        assert mine
        for _ in range(5):
            assert world.passed() == (Pass(idle=Idle.TAKEN), [])
    assert [mail.to for mail in world.tick()] == ["anna", "bob"]


def test_a_paused_game_and_one_that_is_over_are_left_alone_by_an_outage(tmp_path: Path) -> None:
    world = beating(tmp_path)
    moderators = next(mail for mail in world.mails if "PAUSE" in mail.text)
    world.answer("anna", "PAUSE", to=moderators)
    world.tick()
    version = world.table().version
    found_out(world, hours=60)
    assert world.tick() == []
    assert world.table().version == version


def test_where_the_keeper_wants_none_there_is_no_outage(tmp_path: Path) -> None:
    world = playing(tmp_path)
    world.wait(hours=60)
    world.tick()
    assert By.FALLBACK in made_by(world)
    assert world.store.mark(HEARTBEAT) is None


# Frozen clocks


@pytest.mark.parametrize(
    ("zone", "noon", "due_at"),
    [
        ("Europe/Brussels", "2026-03-28 12:00", "2026-03-29 12:00"),
        ("America/New_York", "2026-10-31 12:00", "2026-11-01 12:00"),
        ("Australia/Lord_Howe", "2026-10-03 12:00", "2026-10-04 12:00"),
        ("Europe/Brussels", "2028-02-28 12:00", "2028-02-29 12:00"),
    ],
)
def test_a_day_is_a_day_on_the_wall_over_every_change_of_the_clock(
    tmp_path: Path, zone: str, noon: str, due_at: str
) -> None:
    begins, ends = (datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)) for text in (noon, due_at))
    world = World(tmp_path)
    world.now = begins.astimezone(UTC)
    play(world, SIGN_UP.format(options=f"deadline=1d zone={zone} remind=none", zone=zone))
    with freeze_time(ends.astimezone(UTC) - timedelta(seconds=1)) as clock:
        world.host.once()
        assert By.FALLBACK not in made_by(world)
        clock.tick(timedelta(seconds=1))
        world.host.once()
        assert made_by(world)[-1] is By.FALLBACK


def test_a_clock_that_jumps_back_and_forth_reminds_and_punishes_once(tmp_path: Path) -> None:
    world = playing(tmp_path, "remind=24h,6h", outage=TWO_HOURS)
    told: Counter[str] = Counter()
    with freeze_time(NOON) as clock:
        for minutes in (1, 90, -80, 95, 90, -200, 119, 60):
            clock.tick(timedelta(minutes=minutes))
            world.host.once()
        for _ in range(120):
            clock.tick(timedelta(minutes=30))
            world.host.once()
            world.host.once()
        told.update(mail.subject for mail in map(mail_in, world.courier.taken) if mail.to == "anna")
    reminders = [count for subject, count in told.items() if "Reminder" in subject]
    assert sum(reminders) == 2
    assert made_by(world).count(By.FALLBACK) == 1
