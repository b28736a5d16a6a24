"""Watching a table: whoever is registered may, where it allows that, and sees what everybody may know."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.grammar import Unwatch, Watch
from pbem.commands.silence import to_himself
from pbem.draft import Draft, Refused
from pbem.settle import watcher_party
from pbem.table import Status
from pbem.verdicts import Reason
from pbem.watcher import Watcher


def watch(draft: Draft, n: int, text: str, command: Watch) -> Draft:
    """Get the public position now, and again as the game goes on."""
    table, person = draft.about(command.table), draft.sender
    if not person.confirmed:
        raise Refused(Reason.NOT_REGISTERED)
    if table.seat_of(person):
        raise Refused(Reason.ALREADY_SEATED, game=table.name)
    if not table.schedule.watchers or table.is_trial:
        raise Refused(Reason.NO_WATCHERS, game=table.name)
    if table.status in (Status.OVER, Status.ENDED):
        raise Refused(Reason.NOT_RUNNING, game=table.name, status=table.status.value)
    told = table.running.n if table.position else 0
    watched = table if table.watcher(person) else table.with_watcher(Watcher(person, told))
    begun = table.status is Status.RUNNING
    drafted = replace(draft.changing(watched), to=watcher_party(table, person), state=begun)
    return drafted.doing(n, text, "watching", game=table.name, begun=begun, mails=person.mails.value)


def unwatch(draft: Draft, n: int, text: str, command: Unwatch) -> Draft:
    """No more mails about a table that the sender watches."""
    table, person = draft.about(command.table), draft.sender
    if table.watcher(person) is None:
        raise Refused(Reason.NOT_WATCHING, game=table.name)
    drafted = to_himself(draft.changing(table.without_watcher(person)), person)
    return drafted.doing(n, text, "unwatched", game=table.name)
