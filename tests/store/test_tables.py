"""Tables and their records: what was written comes back, and nobody overwrites what he has not seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine import record
from engine.game import Secret
from engine.record import By, Override, Record, Verb
from pbem.draft import Listed
from pbem.errors import Trouble
from pbem.parties import Changed, Decided
from pbem.schedule import Clock
from pbem.store import Conflict, Store
from pbem.table import Chair, Plan, Status, Table, begin, overrule, play
from tests.games.choices import GAME, Pick, Picked, RoundBegan, Sealed, Shuffled
from tests.store.scene import (
    KINDS,
    NOW,
    incoming,
    new_table,
    open_table,
    pick,
    register,
    running_table,
    the_table,
)

DAY = timedelta(days=1)


def write(store: Store, before: Table | None, after: Table) -> Table:
    store.write(Decided(tables=(Changed(before, after),)), inbox=None, now=NOW)
    return the_table(store, after.name)


def play_out(store: Store, table: Table) -> Table:
    """Everybody picks his own number in every round."""
    while table.status is Status.RUNNING:
        for chair in table.chairs:
            table = pick(store, table, chair.seat, chair.seat)
    return table


def test_a_table_comes_back_as_it_was_written(store: Store) -> None:
    people = register(store, "Anna", "Bob")
    table = new_table(people, deadline=timedelta(hours=48))
    assert write(store, None, table) == replace(table, id=1, version=1)


def test_a_running_table_comes_back_as_it_was_written(store: Store) -> None:
    table = open_table(store)
    after, written = begin(table)
    store.write(Decided(tables=(Changed(table, after, written),)), inbox=None, now=NOW)
    assert the_table(store) == replace(after, version=2)


def test_every_column_of_a_chair_comes_back(store: Store) -> None:
    table = running_table(store)
    chair = replace(
        table.chair(2),
        epoch=4,
        machine=True,
        phrase="a phrase",
        told=1,
        asked="1/choice/2/1",
        phase="1/choice",
        kind="pick",
        clock=Clock(NOW, NOW + 2 * DAY, NOW + 3 * DAY, NOW + DAY, referred=True),
        bank=timedelta(hours=7),
        misses=2,
        mailed_at=NOW + timedelta(microseconds=1),
    )
    assert write(store, table, table.with_chair(chair)).chair(2) == chair


def test_nobody_finds_a_table_that_is_not_there(store: Store) -> None:
    assert store.table("choices-9", KINDS) is None


def test_a_table_of_a_game_that_is_not_installed_says_so(store: Store) -> None:
    open_table(store)
    with pytest.raises(Trouble, match="choices, which is not installed"):
        store.table("choices-1", {})


def test_each_writing_moves_the_version(store: Store) -> None:
    table = running_table(store)
    assert pick(store, table, 1, 3).version == table.version + 1


def test_two_who_decide_upon_the_same_table_cannot_both_write(store: Store) -> None:
    table = running_table(store)
    pick(store, table, 1, 3)
    with pytest.raises(Conflict):
        pick(store, table, 2, 4)
    assert the_table(store).running.n == 2


def test_a_conflict_writes_nothing_at_all(store: Store) -> None:
    table = running_table(store)
    (mail,) = store.intake([incoming()])
    pick(store, table, 1, 3)
    before = store.unanswered(table.name)
    with pytest.raises(Conflict):
        pick(store, table, 2, 4, inbox=mail)
    assert [work.id for work in store.work(5)] == [mail]
    assert store.unanswered(table.name) == before


def test_two_tables_cannot_have_one_name(store: Store) -> None:
    table = open_table(store)
    with pytest.raises(Conflict):
        write(store, None, replace(table, id=0))


def test_the_number_of_the_next_table_is_one_that_none_has(store: Store) -> None:
    assert store.next_number() == 1
    open_table(store)
    assert store.next_number() == 2


# Chairs and plans


def test_who_leaves_before_the_start_leaves_no_chair(store: Store) -> None:
    table = open_table(store, "Anna", "Bob", "Chen")
    anna, _, chen = table.chairs
    after = replace(table, chairs=(anna, replace(chen, seat=2, epoch=1)))
    assert write(store, table, after).chairs == after.chairs


def test_who_joins_gets_a_chair(store: Store) -> None:
    table = open_table(store, "Anna", "Bob")
    (chen,) = register(store, "Chen")
    after = replace(table, chairs=(*table.chairs, Chair(3, chen, phrase="mine")))
    assert write(store, table, after).chairs == after.chairs


def test_plans_come_back_in_the_order_in_which_they_were_made(store: Store) -> None:
    table = running_table(store)
    (mail,) = store.intake([incoming()])
    plans = (Plan(2, "1/choice/2/1", "PICK 5", mail, 2), Plan(1, "1/choice/1/1", "PICK 4", 0, 1))
    after = write(store, table, replace(table, plans=plans))
    assert after.plans == tuple(replace(plan, id=id) for id, plan in enumerate(plans, 1))


def test_a_plan_that_is_gone_is_gone_and_the_others_stay(store: Store) -> None:
    table = running_table(store)
    table = write(store, table, replace(table, plans=(Plan(1, "a", "PICK 1"), Plan(2, "b", "PICK 2"))))
    kept = table.plans[1:]
    after = write(store, table, replace(table, plans=(*kept, Plan(3, "c", "PICK 3"))))
    assert [plan.text for plan in after.plans] == ["PICK 2", "PICK 3"]
    assert after.plans[0] == kept[0]


def test_the_plans_of_a_seat_go_with_its_chair(store: Store) -> None:
    table = open_table(store, "Anna", "Bob")
    table = write(store, table, replace(table, plans=(Plan(2, "a", "PICK 1"),)))
    after = write(store, table, replace(table, chairs=table.chairs[:1], plans=()))
    assert after.plans == ()


# The record


def test_the_log_has_every_entry_with_what_it_caused_and_when(store: Store) -> None:
    table = pick(store, running_table(store), 1, 3)
    deal, move = store.log(table)
    assert deal.events == (Shuffled(), RoundBegan(1))
    assert move.events == (Secret(1, Picked(1, 3), Sealed(1)),)
    assert (deal.entry.n, move.entry.n, move.at) == (1, 2, NOW)
    assert move.entry.hash == table.head


@pytest.mark.parametrize(
    ("after", "upto", "numbers"), [(0, None, [1, 2, 3]), (1, None, [2, 3]), (1, 2, [2]), (3, None, []), (0, 0, [])]
)
def test_a_part_of_the_log_is_what_was_asked_for(
    store: Store, after: int, upto: int | None, numbers: list[int]
) -> None:
    table = pick(store, pick(store, running_table(store), 1, 3), 2, 4)
    assert [logged.entry.n for logged in store.log(table, after, upto)] == numbers


def test_a_whole_game_is_verified_from_what_was_stored(store: Store) -> None:
    table = play_out(store, running_table(store))
    assert table.header is not None
    entries = tuple(logged.entry for logged in store.log(table))
    kept = Record(table.header, entries, table.head, table.secret, GAME.outcome(table.running.state))
    assert record.verify(GAME, record.load(record.dump(kept))) == table.running


def test_the_stored_state_is_what_its_record_folds_to(store: Store) -> None:
    table = pick(store, pick(store, running_table(store), 1, 3), 2, 4)
    assert table.header is not None
    whats = [logged.entry.what for logged in store.log(table)]
    assert record.positions(GAME, table.header, whats)[-1] == table.running


def test_a_rollback_is_an_entry_and_deletes_none(store: Store) -> None:
    table = pick(store, running_table(store), 1, 3)
    assert table.header is not None
    past = record.positions(GAME, table.header, [logged.entry.what for logged in store.log(table)])
    after, written = overrule(table, Override(Verb.ROLLBACK, to=1), past)
    store.write(Decided(tables=(Changed(table, after, written),)), inbox=None, now=NOW)
    assert len(store.log(table)) == 3
    assert the_table(store) == replace(after, version=table.version + 1)


def test_one_writing_may_change_two_tables(store: Store) -> None:
    one = running_table(store)
    two = write(store, None, new_table([one.moderator, *(c.person for c in one.chairs[1:] if c.person)], "choices-2"))
    begun, started = begin(two)
    moved, played = play(one, 1, Pick(2), By.SEAT)
    store.write(Decided(tables=(Changed(one, moved, played), Changed(two, begun, started))), inbox=None, now=NOW)
    assert (the_table(store).running.n, the_table(store, "choices-2").running.n) == (2, 1)


# Lists


def test_a_list_has_the_tables_of_a_person_and_the_open_ones(store: Store) -> None:
    mine = running_table(store)
    eve, fay = register(store, "Eve", "Fay")
    write(store, None, new_table([eve, fay], "choices-2"))
    clock = mine.schedule
    assert store.listed(mine.moderator.id, KINDS) == (
        Listed("choices-1", "Choices", Status.RUNNING, ("Anna", "Bob", "Chen"), 3, "Anna", True, schedule=clock),
        Listed("choices-2", "Choices", Status.OPEN, ("Eve", "Fay"), 4, "Eve", False, schedule=clock),
    )


def test_who_moderates_without_playing_sees_his_table(store: Store) -> None:
    people = register(store, "Anna", "Bob")
    write(store, None, replace(new_table(people), chairs=(Chair(1, people[1]),), status=Status.RUNNING))
    (listed,) = store.listed(people[0].id, KINDS)
    assert (listed.mine, listed.seated, listed.moderator) == (True, ("Bob",), "Anna")


def test_a_stranger_sees_open_tables_only(store: Store) -> None:
    running_table(store)
    (eve,) = register(store, "Eve")
    write(store, None, new_table([eve], "choices-2"))
    assert [listed.name for listed in store.listed(0, KINDS)] == ["choices-2"]


def test_a_table_that_is_over_is_no_longer_listed(store: Store) -> None:
    table = play_out(store, running_table(store))
    assert store.listed(table.moderator.id, KINDS) == ()


# Rest


def test_a_table_that_was_written_is_restless(store: Store) -> None:
    open_table(store)
    assert store.restless(10) == ("choices-1",)


def test_a_settled_table_rests_until_something_happens(store: Store) -> None:
    table = running_table(store)
    store.post([], now=NOW, before=table, after=table)
    assert store.restless(10) == ()
    pick(store, the_table(store), 1, 3)
    assert store.restless(10) == ("choices-1",)
