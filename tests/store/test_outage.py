"""What an outage took is given back to every clock that ran, in one transaction, whatever the database."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from engine.record import Override, Verb
from pbem.parties import Changed, Decided, Role
from pbem.schedule import Absence
from pbem.store import Store
from pbem.table import overrule
from tests.store.ear import Ear
from tests.store.scene import NOW, ask, running_table, the_table

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BEAT = "heartbeat"


def asked(store: Store, *seats: int, name: str = "choices-1") -> None:
    """A running table whose `seats` are asked, an hour after noon."""
    table = running_table(store, *(f"{who} {name[-1]}" for who in ("Anna", "Bob", "Chen")), name=name, deadline=DAY)
    for seat in seats:
        table = ask(store, table, seat, f"<{name}-{seat}@inn>")
    store.accepted([mail.id for mail in store.queue(NOW, 9)], NOW + HOUR)
    store.set_mark(BEAT, NOW.isoformat())


def due_after(store: Store, seat: int, name: str = "choices-1") -> timedelta | None:
    """How long after the mail that asked `seat` its decision is due."""
    due_at = the_table(store, name).chair(seat).due_at
    return due_at - (NOW + HOUR) if due_at else None


def told(store: Store, name: str = "choices-1") -> list[tuple[Role, int, str]]:
    pending = [each.answers for each in store.unanswered(name)]
    return [(each.to.role, each.to.seat, notice.kind) for each in pending for notice in each.notices]


def test_only_clocks_that_ran_are_moved_and_only_by_what_they_lost(store: Store) -> None:
    asked(store, 1, 2)
    assert store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert [due_after(store, seat) for seat in (1, 2, 3)] == [DAY + 4 * HOUR, DAY + 4 * HOUR, None]
    assert store.mark(BEAT) == (NOW + 5 * HOUR).isoformat()


def test_everybody_concerned_is_told_and_nobody_else(store: Store) -> None:
    asked(store, 2)
    store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert told(store) == [(Role.SEAT, 2, "outage"), (Role.MODERATOR, 0, "outage")]
    assert store.restless(5) == ("choices-1",)


def test_a_moderator_who_is_told_as_a_player_is_told_once(store: Store) -> None:
    asked(store, 1, 2)
    store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert told(store) == [(Role.SEAT, 1, "outage"), (Role.SEAT, 2, "outage")]


def test_every_moderator_of_a_table_is_told_once(store: Store) -> None:
    asked(store, 2)
    table = the_table(store)
    bob, chen = table.chair(2).person, table.chair(3).person
    assert bob is not None
    assert chen is not None
    after = replace(table, co_moderators=(bob, chen))
    store.write(Decided(tables=(Changed(table, after),)), inbox=None, now=NOW)
    store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    pending = [each.answers.to for each in store.unanswered("choices-1")]
    moderators = [to.person.id for to in pending if to.role is Role.MODERATOR and to.person]
    assert moderators == [table.moderator.id, chen.id]
    assert [to.seat for to in pending if to.role is Role.SEAT] == [2]


def test_who_comes_second_finds_it_done(store: Store) -> None:
    asked(store, 1)
    assert store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert not store.give_back(BEAT, NOW, NOW + 6 * HOUR)
    assert due_after(store, 1) == DAY + 4 * HOUR


def test_paused_games_are_left_as_they_are_and_others_are_not(store: Store) -> None:
    asked(store, 1)
    asked(store, 1, name="choices-2")
    table = the_table(store)
    store.write(Decided(tables=(Changed(table, *overrule(table, Override(Verb.PAUSE))),)), inbox=None, now=NOW)
    store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert (due_after(store, 1), due_after(store, 1, "choices-2")) == (DAY, DAY + 4 * HOUR)
    assert told(store) == []


def test_a_clock_that_has_not_begun_lost_nothing(store: Store) -> None:
    table = running_table(store, deadline=DAY)
    person = table.chair(2).person
    assert person is not None
    away = replace(person, away=Absence(NOW, NOW + 9 * DAY))
    store.write(Decided(people=(away,)), inbox=None, now=NOW)
    ask(store, the_table(store), 2)
    store.accepted([mail.id for mail in store.queue(NOW, 9)], NOW + HOUR)
    store.set_mark(BEAT, NOW.isoformat())
    clock = the_table(store).chair(2).clock
    assert clock is not None
    assert (clock.began_at, clock.due_at) == (NOW + 9 * DAY, NOW + 10 * DAY)
    assert not store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert the_table(store).chair(2).clock == clock


def test_it_takes_six_statements_however_many_games_there_are(store: Store, ear: Ear) -> None:
    asked(store, 1)
    asked(store, 1, 2, name="choices-2")
    with ear.listening() as heard:
        store.give_back(BEAT, NOW, NOW + 5 * HOUR)
    assert (heard.commits, len(heard.statements)) == (1, 6)


def test_mail_that_waits_is_known_of(store: Store) -> None:
    assert not store.is_mail_waiting()
    ask(store, running_table(store), 1)
    assert store.is_mail_waiting()
