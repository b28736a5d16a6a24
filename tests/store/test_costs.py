"""What the store says to its database, counted: so much a mail and no more, whatever the history (DESIGN.md, Costs)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from engine.record import Override, Verb
from pbem.parties import Changed, Decided, Invitation, Party, Role
from pbem.store import Posting, Store
from pbem.table import Plan, Table, Written, overrule
from pbem.tokens import Tokens
from tests.store.ear import Ear
from tests.store.scene import (
    KINDS,
    NAMES,
    NOW,
    address,
    ask,
    incoming,
    notice,
    open_table,
    pick,
    register,
    running_table,
    seat_party,
    settle,
    the_table,
    unsent,
)

SHORT, LONG = 5, 300
MAIL = 11
"""Statements of a mail: intake, work, raw, reference, party, 2 for the table; mail done, game, entries, verdict."""
LOOK = 2
"""Statements that load a table without plans."""
SETTLING = 9
"""Statements: 2 for the table, 3 for verdicts, notices and log; game, chairs, mails, verdicts."""
SMALL = {"host"}
"""Tables of a handful of rows, which may be read through."""


def history(store: Store, table: Table, entries: int) -> Table:
    """A table after so many entries (or one more): its moderator pauses and resumes it."""
    after = table
    written: list[Written] = []
    while len(written) < entries or after.running.paused:
        after, more = overrule(after, Override(Verb.RESUME if after.running.paused else Verb.PAUSE))
        written.extend(more)
    store.write(Decided(tables=(Changed(table, after, tuple(written)),)), inbox=None, now=NOW)
    return the_table(store)


def one_mail(store: Store, tokens: Tokens, uid: int) -> None:
    """All that one order costs: taken in, its writer and table looked up, decided, written."""
    (mail,) = store.intake([incoming(uid=uid)])
    store.work(1)
    store.raw(mail)
    store.reference(["<ask@inn>"])
    party = store.party(tokens.seat("choices-1", 1, 1, 0))
    assert party is not None
    pick(store, the_table(store, party.table), party.seat, 3, inbox=mail)


def one_settling(store: Store) -> None:
    table = the_table(store)
    pending = store.unanswered(table.name)
    log = store.log(table, after=table.running.n - 1)
    assert len(log) == 1
    after = replace(table, chairs=tuple(replace(chair, told=table.running.n) for chair in table.chairs))
    posting = Posting(unsent(seat_party(table, 1), f"<{table.version}@inn>"), pending)
    store.post([posting], now=NOW, before=table, after=after)


@pytest.mark.parametrize("entries", [SHORT, LONG])
def test_a_mail_costs_two_commits_and_the_same_statements_whatever_the_history(
    store: Store, ear: Ear, tokens: Tokens, entries: int
) -> None:
    history(store, running_table(store), entries)
    with ear.listening() as heard:
        one_mail(store, tokens, uid=1)
    assert heard.commits == 2
    assert len(heard.statements) == MAIL + LOOK  # `pick` looks at the table again


def test_a_batch_is_taken_in_with_one_commit_and_a_statement_a_mail(store: Store, ear: Ear) -> None:
    with ear.listening() as heard:
        store.intake([incoming(f"PICK {n}", uid=n) for n in range(30)])
    assert (heard.commits, len(heard.statements)) == (1, 30)


@pytest.mark.parametrize("entries", [SHORT, LONG])
def test_a_settling_costs_one_commit_and_the_same_statements_whatever_the_history(
    store: Store, ear: Ear, entries: int
) -> None:
    pick(store, history(store, running_table(store), entries), 1, 3)
    with ear.listening() as heard:
        one_settling(store)
    assert heard.commits == 1
    assert len(heard.statements) == SETTLING


def test_looking_costs_no_commit(store: Store, ear: Ear) -> None:
    table = running_table(store)
    with ear.listening() as heard:
        look(store, table)
    assert heard.commits == 0


def test_a_batch_of_accepted_mails_costs_one_commit_and_five_statements(store: Store, ear: Ear) -> None:
    table = running_table(store, deadline=timedelta(days=1))
    for seat in (1, 2, 3):
        table = ask(store, table, seat, f"<{seat}@inn>")
    ids = [mail.id for mail in store.queue(NOW, 5)]
    with ear.listening() as heard:
        store.accepted(ids, NOW)
    assert (heard.commits, len(heard.statements)) == (1, 5)


# Indexes


def look(store: Store, table: Table) -> None:
    """Every question that can be asked."""
    store.work(5)
    store.worn_out(5)
    store.party("a" * 20)
    store.people([address("Anna"), address("Bob")])
    store.person_by_name("Anna")
    store.names_taken(["Anna", "Eve"])
    store.reference(["<1@inn>", "<2@inn>"])
    store.table(table.name, KINDS)
    store.listed(1, KINDS)
    store.invitations(table.name)
    store.invitations_to(address("Dora"))
    store.next_number()
    store.log(table, 1, 2)
    store.restless(5)
    store.due(NOW)
    store.to_remind(NOW)
    store.unanswered(table.name)
    store.unanswered_people()
    store.queue(NOW, 5)
    store.mark("heartbeat")
    store.silent([address("Dora"), address("Anna")])
    store.strangers_answered(address("Dora"), NOW)
    store.invitations_made(1, NOW)
    store.export(table.moderator)


def change(store: Store) -> None:
    """Every way in which something is written."""
    first, second = store.intake([incoming("PICK 1"), incoming("PICK 2")])
    store.try_again(first)
    store.park(second, "given up")
    store.raw(first)
    table = running_table(store, *NAMES, deadline=timedelta(days=1))
    dora = Invitation(table.name, address("Dora"))
    store.write(Decided(invitations=(dora,), notices=(notice(seat_party(table, 1)),)), inbox=None, now=NOW)
    store.write(Decided(accepted=(dora,)), inbox=None, now=NOW)
    planned = replace(the_table(store), plans=(Plan(2, "1/choice/2/1", "PICK 4", first, 1),))
    store.write(Decided(tables=(Changed(the_table(store), planned),)), inbox=first, now=NOW)
    unplanned = replace(the_table(store), plans=(), moderator_epoch=1)
    store.write(Decided(tables=(Changed(the_table(store), unplanned),)), inbox=None, now=NOW)
    settle(store, pick(store, the_table(store), 1, 3), lambda pending: unsent(pending.answers.to))
    ask(store, the_table(store), 2)
    one, two = store.queue(NOW, 5)
    store.retry_later(one.id, NOW, "421")
    store.failed(one.id, "550")
    store.accepted([two.id], NOW)
    store.set_mark("heartbeat", "noon")
    (eve,) = register(store, "Eve")
    store.write(Decided(people=(replace(eve, epoch=1),)), inbox=None, now=NOW)
    small = open_table(store, "Fay", "Gus", name="choices-2")
    store.write(Decided(tables=(Changed(small, replace(small, chairs=small.chairs[:1])),)), inbox=None, now=NOW)
    to = Party(Role.PERSON, eve.address, eve)
    store.write(Decided(notices=(notice(to),)), inbox=None, now=NOW)
    store.post([Posting(None, store.unanswered_people())], now=NOW)
    change_policy(store)


def change_policy(store: Store) -> None:
    """Silence, invitations to the host, and forgetting."""
    host = Invitation("", address("Dora"))
    store.write(Decided(invitations=(host,), stranger=address("Dora")), inbox=None, now=NOW)
    store.write(Decided(accepted=(host,), silenced=(address("Dora"),)), inbox=None, now=NOW)
    store.write(Decided(unsilenced=(address("Dora"),)), inbox=None, now=NOW)
    store.sweep(NOW + timedelta(days=9), timedelta(days=1))
    fay = store.person_by_name("Fay")
    assert fay is not None
    store.write(Decided(forgotten=fay), inbox=None, now=NOW)


def plan_of(store: Store, statement: str, values: Any) -> list[str]:
    with store.engine.connect() as connection:
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return [row.detail for row in rows]


def test_every_query_finds_its_rows_by_an_index(sqlite: Store) -> None:
    """An INSERT is left out: the scans it shows (of what refers to its table) run only while a reference is broken."""
    ear = Ear(sqlite.engine)
    with ear.listening() as heard:
        change(sqlite)
        look(sqlite, the_table(sqlite))
    queries = {statement: values for statement, values in heard.statements if not statement.startswith("INSERT")}
    plans = {statement: plan_of(sqlite, statement, values) for statement, values in queries.items()}
    scans = {
        statement: detail
        for statement, details in plans.items()
        for detail in details
        if detail.startswith("SCAN") and not detail.removeprefix("SCAN ").startswith((*SMALL, "CONSTANT ROW"))
    }
    assert len(plans) > 40
    assert scans == {}, json.dumps(scans, indent=1)
