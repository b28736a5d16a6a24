"""What a moderator may do to a running game: each an entry of the record, told to every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import record
from engine.game import Ambiguous, Illegal, Unreadable
from engine.record import By, Entry, Move, Override, Verb
from pbem.commands.costly import END, asked_again, is_confirmed
from pbem.commands.grammar import ActAs, End, Pause, ReplaceSeat, Resume, Rollback
from pbem.commands.inviting import check, offered
from pbem.draft import Draft, Refused
from pbem.names import canonical, folded
from pbem.parties import Notice, Party, Role
from pbem.table import Person, Table, overrule, play, whats
from pbem.verdicts import Reason

BY_PEOPLE = frozenset({By.SEAT, By.PLAN, By.BOT, By.MODERATOR, By.FALLBACK})
"""What ROLLBACK counts; only answers and deals go with the move that led to them."""


def act_as(draft: Draft, n: int, text: str, command: ActAs) -> Draft:
    """Answer a seat's open decision. Why an order is refused is told without what its hand holds."""
    table = _in_play(draft)
    seat = _seat(table, command.name)
    name = table.names[seat - 1]
    view = table.view(seat)
    try:
        action = table.game.read(command.order, view)
        decision = table.open_decision(seat)
        if decision is None or decision.kind != table.game.kind(action):
            raise Refused(Reason.NOT_AWAITED, name=name, kind=table.game.kind(action))
        after, written = play(table, seat, action, By.MODERATOR)
    except (Unreadable, Illegal) as trouble:
        raise Refused(Reason.ACT_REFUSED, name=name, why=trouble.reason.value) from None
    except Ambiguous:
        raise Refused(Reason.ACT_REFUSED, name=name, why=Reason.AMBIGUOUS.value) from None
    order = table.game.write(action, view)
    return draft.changing(after, written).doing(n, text, "acted", name=name, order=order)


def replace_seat(draft: Draft, n: int, text: str, command: ReplaceSeat) -> Draft:
    """Give a seat to somebody else: at once if the address is registered, else when it answers the invitation.

    The old player's token is void and his plans are gone from now on.
    """
    table = _in_play(draft)
    seat = _seat(table, command.name)
    old = table.chair(seat).person
    new = draft.known.others.get(canonical(command.address))
    if new is not None and table.seat_of(new):
        raise Refused(Reason.ALREADY_SEATED, game=table.name)
    after, written = overrule(table, Override(Verb.REPLACE, seat=seat))
    chair = after.chair(seat).for_another(new)
    drafted = draft.changing(after.with_chair(chair), written)
    drafted = _told_about_seat(drafted, table, seat, old)
    drafted = _offered_to(drafted, table, seat, new, command.address)
    return drafted.doing(n, text, "replaced", name=table.names[seat - 1], address=command.address, waits=new is None)


def rollback(draft: Draft, n: int, text: str, command: Rollback) -> Draft:
    """Take back the last moves that people made, with all that followed from them. Plans are cleared."""
    table = _in_play(draft)
    entries = draft.known.records[table.name]
    moves = _moves_by_people(entries)
    if not 1 <= command.count <= len(moves):
        raise Refused(Reason.NOTHING_TO_ROLL_BACK, asked=command.count, there=len(moves))
    assert table.header is not None
    past = record.positions(table.game, table.header, whats(entries))
    what = Override(Verb.ROLLBACK, to=moves[-command.count] - 1)
    return draft.changing(*overrule(table, what, past)).doing(n, text, "rolled_back", count=command.count)


def pause(draft: Draft, n: int, text: str, _: Pause) -> Draft:
    """Stop the game and its clock; orders sent meanwhile are kept as plans."""
    table = _in_play(draft)
    if table.running.paused:
        raise Refused(Reason.PAUSED, game=table.name)
    return draft.changing(*overrule(_unasked(table), Override(Verb.PAUSE))).doing(n, text, "paused")


def resume(draft: Draft, n: int, text: str, _: Resume) -> Draft:
    """Go on; whoever is awaited is asked anew, with a full clock."""
    table = _in_play(draft)
    if not table.running.paused:
        raise Refused(Reason.NOT_PAUSED, game=table.name)
    return draft.changing(*overrule(table, Override(Verb.RESUME))).doing(n, text, "resumed")


def end(draft: Draft, n: int, text: str, command: End) -> Draft:
    """End the game without a result; its record is laid open, which cannot be taken back."""
    table = _in_play(draft)
    if not is_confirmed(draft, END, table, command.code):
        return asked_again(draft, n, text, END, table, command.code)
    return draft.changing(*overrule(_unasked(table), Override(Verb.END))).doing(n, text, "ended")


def _in_play(draft: Draft) -> Table:
    table = draft.moderated()
    if draft.known.party.role is not Role.MODERATOR:
        raise Refused(Reason.NOT_MODERATOR, game=table.name)
    return draft.running(table)


def _unasked(table: Table) -> Table:
    return replace(table, chairs=tuple(chair.unasked for chair in table.chairs))


def _seat(table: Table, name: str) -> int:
    """The seat of a player's name, or of its number as in "seat 2"."""
    wanted = folded(name)
    for seat, seated in enumerate(table.names, 1):
        if wanted in (folded(seated), f"seat {seat}"):
            return seat
    raise Refused(Reason.NO_SEAT, near=table.names, name=name, names=list(table.names))


def _moves_by_people(entries: Sequence[Entry]) -> list[int]:
    """The numbers of the moves that still count and that people made."""
    said = whats(entries)
    return [n for n in record.living(said) if isinstance(what := said[n - 1], Move) and what.by in BY_PEOPLE]


def _told_about_seat(draft: Draft, table: Table, seat: int, old: Person | None) -> Draft:
    if old is None:
        return draft
    notice = Notice(Party(Role.PERSON, old.address, old), "unseated", _seat_facts(table, seat))
    return replace(draft, notices=(*draft.notices, notice))


def _offered_to(draft: Draft, table: Table, seat: int, new: Person | None, address: str) -> Draft:
    if new is None:
        return offered(draft, table, [address], "seat-offered", _seat_facts(table, seat), seat)
    check(draft, [address])
    to = Party(Role.SEAT, new.address, new, table.name, seat)
    return replace(draft, notices=(*draft.notices, Notice(to, "seated", _seat_facts(table, seat))))


def _seat_facts(table: Table, seat: int) -> dict[str, object]:
    return {"game": table.name, "title": table.game.title, "moderator": table.moderator.name, "seat": seat}
