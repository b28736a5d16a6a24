"""What a seat and a table are called: for people to read. Tokens, proofs and the record know neither name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.record import Override, Verb
from pbem.commands.naming import good_label, good_name
from pbem.commands.overriding import Rename
from pbem.draft import Draft, Refused
from pbem.moderation.signing import in_play, overruled, seat_called
from pbem.names import folded, like_latin
from pbem.table import Table
from pbem.verdicts import Reason
from pbem.wording import all_spellings

THE_TABLE: Final = all_spellings("game") | {"table"}
USAGE: Final = "RENAME Anna TO Hanna"


def rename(draft: Draft, n: int, text: str, command: Rename) -> Draft:
    """Another name for a seat's player at this table alone, or for the table beside its own; each by its own name
    takes that back."""
    table = in_play(draft)
    if folded(command.name) in THE_TABLE | {table.name}:
        return _labelled(draft, n, text, command, table)
    seat = seat_called(table, command.name)
    chair, before = table.chair(seat), table.names[seat - 1]
    own = folded(command.new) == folded(chair.own_name)
    called = "" if own else _free_name(draft, table, command.new)
    after = table.with_chair(replace(chair, called=called))
    facts = {"before": before, "after": after.names[seat - 1]}
    drafted = overruled(draft, after, Override(Verb.RENAME, seat=seat), command, facts)
    return drafted.doing(n, text, "renamed", **facts)


def _labelled(draft: Draft, n: int, text: str, command: Rename, table: Table) -> Draft:
    label = "" if folded(command.new) == table.name else good_label(command.new)
    facts = {"before": table.label, "after": label}
    drafted = overruled(draft, replace(table, label=label), Override(Verb.RENAME), command, facts)
    return drafted.doing(n, text, "labelled", game=table.name, **facts)


def _free_name(draft: Draft, table: Table, wanted: str) -> str:
    """A name that nobody has, here or on the whole host."""
    name = good_name(draft, wanted, USAGE)
    used = {form for each in table.names for form in (folded(each), like_latin(each))}
    if not used.isdisjoint({folded(name), like_latin(name)}):
        raise Refused(Reason.NAME_TAKEN, name=name)
    return name
