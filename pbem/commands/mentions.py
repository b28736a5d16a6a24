"""What the commands of a mail mention, so that it can be loaded before anything is decided: tables and addresses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.commands import grammar
from pbem.commands.grammar import Command
from pbem.commands.overriding import Demote, Promote, ReplaceSeat, Transfer

NAMING: Final = (
    grammar.Join
    | grammar.Leave
    | grammar.Resign
    | grammar.Start
    | grammar.State
    | grammar.History
    | grammar.Who
    | grammar.Watch
    | grammar.Unwatch
    | grammar.Rematch
)
"""Commands that may name a table."""


def tables_named(commands: Iterable[Command]) -> list[str]:
    """The names of all tables that are named, in canonical form."""
    return [command.table.lower() for command in commands if isinstance(command, NAMING)]


def addresses_given(commands: Iterable[Command]) -> list[str]:
    """Every address that is offered something."""
    found: list[str] = []
    for command in commands:
        if isinstance(command, grammar.New | grammar.Invite):
            found += command.addresses
        elif isinstance(command, ReplaceSeat | grammar.AddAddress):
            found.append(command.address)
        elif isinstance(command, Transfer | Promote | Demote) and "@" in command.name:
            found.append(command.name)
    return found
