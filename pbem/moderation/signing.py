"""Who may moderate, whom his words mean, and his name under what he does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from engine.record import Override, Position
from pbem.commands.overriding import Moderating
from pbem.draft import Draft, Refused
from pbem.names import folded
from pbem.parties import Notice, Party, Role, moderator_party
from pbem.table import Remark, Table, Written, overrule
from pbem.verdicts import Reason
from pbem.wording import all_spellings

OVERRULED: Final = "overruled"
LONGEST_REASON: Final = 500
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def moderating(draft: Draft) -> Table:
    """The table that the sender moderates and answers as such; begun or not. Who plays alone does so from his seat."""
    table = draft.moderated()
    role = draft.known.party.role
    if role is not Role.MODERATOR and not (role is Role.SEAT and table.private):
        raise draft.not_moderator(table.name)
    return table


def in_play(draft: Draft) -> Table:
    """The same, while the game runs."""
    return draft.running(moderating(draft))


def sees_all(draft: Draft, table: Table) -> bool:
    """Whether the sender may be told what only a seat may see. The keeper of the host, who may play, never is."""
    return not draft.known.keeper and table.seen_by(draft.sender)


def seat_called(table: Table, name: str) -> int:
    """The seat of a player's name, or of its number as in "seat 2", said in any language."""
    wanted = folded(name)
    for seat, seated in enumerate(table.names, 1):
        if wanted == folded(seated) or wanted in {f"{word} {seat}" for word in all_spellings("seat")}:
            return seat
    raise Refused(Reason.NO_SEAT, near=table.names, name=name, names=list(table.names))


def remark(draft: Draft, command: Moderating, facts: Mapping[str, Any] = NOTHING) -> Remark:
    """Who does it, why, and what was before and is after: it stands beside the entry."""
    by = draft.person if not draft.known.keeper else None
    return Remark(by.id if by else 0, by.name if by else "", command.why[:LONGEST_REASON], dict(facts))


def named(draft: Draft) -> str:
    """The name of the moderator who does it; nothing for the keeper of the host."""
    return "" if draft.known.keeper else draft.sender.name


def signed(written: Sequence[Written], under: Remark) -> tuple[Written, ...]:
    """`written` with a remark beside its first entry, the moderator's own."""
    first, *rest = written
    return (replace(first, remark=under), *rest)


def informed(before: Draft, after: Draft, text: str) -> Draft:
    """`after` with what the line `text` did told to the moderators who neither said it nor play: no seat tells them."""
    longer = (name for name, written in after.written.items() if len(written) > len(before.written.get(name, ())))
    fresh = [name for name in longer if name in before.tables]
    notices = tuple(notice for name in fresh for notice in _informing(after, before.tables[name], text))
    return replace(after, notices=(*after.notices, *notices)) if notices else after


def _informing(after: Draft, table: Table, text: str) -> Iterator[Notice]:
    """A notice for each who moderated before, at his own address as a moderator if he still does."""
    now = after.tables[table.name]
    facts = {"game": table.name, "by": named(after), "line": text}
    for person in table.moderators:
        if not after.known.keeper and person.id == after.sender.id:
            continue
        if not now.moderates(person):
            yield Notice(Party(Role.PERSON, person.address, person), OVERRULED, facts)
        elif not table.seat_of(person):
            yield Notice(moderator_party(now, person), OVERRULED, facts)


def overruled(
    draft: Draft,
    table: Table,
    what: Override,
    command: Moderating,
    facts: Mapping[str, Any] = NOTHING,
    past: Sequence[Position] = (),
) -> Draft:
    """`draft` with `what` done at `table` and signed; `facts` tell before and after."""
    after, written = overrule(table, what, past)
    return draft.changing(after, signed(written, remark(draft, command, facts)))


def decreed(draft: Draft, table: Table, what: Override, facts: Mapping[str, Any] = NOTHING) -> Draft:
    """`draft` with `what` done at `table` by its players' vote: nobody in particular did it."""
    after, written = overrule(table, what)
    return draft.changing(after, signed(written, Remark(facts=dict(facts))))
