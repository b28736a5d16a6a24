"""Second thoughts: an order is held back from the others for a while, in which its sender may take it back.

A hold begins with an order out of a mail, where the table's schedule has one and nothing came to light by it that its
sender could not know. While it lasts, nobody else is told or asked anything, plans of other seats wait, and whoever
else writes does so before the position that he knows. It ends with its time, or at once when anybody else acts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engine.game import AnyGame, Decision, Secret
from engine.record import Move, Override, Verb
from pbem.commands.grammar import Undo
from pbem.draft import Draft, Refused
from pbem.hold import Hold
from pbem.parties import Changed, Decided, Role, seat_party
from pbem.plans import moments
from pbem.schedule import reminded
from pbem.table import Status, Table, Written, overrule
from pbem.verdicts import Line, Reason, Said


def begun(before: Table, after: Table, seat: int, written: Sequence[Written], now: datetime) -> Table:
    """`after` an order of `seat`, which may be taken back for a while: until its own deadline at the latest."""
    chair = before.chair(seat)
    until = now + before.schedule.hold
    if chair.clock is not None:
        until = min(until, chair.clock.due_at)
    if until <= now or not _may_go_back(before.game, after, written):
        return after
    held = Hold(
        seat=seat,
        to=before.running.n,
        until=until,
        before=before.running.state,
        asked=chair.asked,
        kind=chair.kind,
        clock=chair.clock,
        bank=chair.bank,
    )
    return replace(after, hold=held)


def carried(before: Table, after: Table, seat: int, written: Sequence[Written]) -> Table:
    """`after` a further move of `seat`, out of what it has planned: under the hold that there was, if it is its own."""
    own = before.hold is not None and before.hold.seat == seat
    return replace(after, hold=before.hold) if own and _may_go_back(before.game, after, written) else after


def waits(table: Table, decision: Decision) -> bool:
    """Whether an order for `decision` has to wait for the end of a hold, since its seat was not asked before."""
    hold = table.hold
    return hold is not None and decision.seat != hold.seat and table.chair(decision.seat).asked != decision.key


def over(table: Table, until: datetime) -> Decided | None:
    """What follows from a hold whose time was over by `until`: the game goes on."""
    if table.hold is None or table.hold.until >= until:
        return None
    return Decided(tables=(Changed(table, replace(table, hold=None)),))


def undo(draft: Draft, n: int, text: str, _: Undo) -> Draft:
    """Take back what the sender's last order has done. His plans for this round go with it, and nobody else's."""
    table = draft.running(draft.about(""))
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    if draft.known.party.role not in (Role.SEAT, Role.MODERATOR):
        raise Refused(Reason.NOT_THE_SEATS)
    hold = table.hold
    if hold is None or hold.seat != seat or draft.mail.received_at > hold.until:
        raise Refused(
            Reason.NOTHING_TO_UNDO,
            moderator=table.moderator.name,
            own=table.moderates(draft.sender),
            hold=bool(table.schedule.hold),
        )
    after, written = overrule(table, Override(Verb.UNDO, seat=seat, to=hold.to))
    after = _asked_again(after, hold, draft.known.now)
    entry = written[0].entry.n
    line = Line(n, text, Said.DONE, info="undone", entry=entry)
    # What stands below answers the decision that is open again, whatever the mail says that was answered.
    known = replace(draft.known, reference=None)
    drafted = replace(draft.changing(after, written), to=seat_party(after, seat), known=known, state=True, bound=())
    return replace(drafted, foreseen=None).saying(line)


def _asked_again(table: Table, hold: Hold, now: datetime) -> Table:
    """`table` with the seat's chair as it was, its clock running on; it is not reminded of what is past."""
    clock = reminded(table.schedule, hold.clock, now) if hold.clock else None
    chair = replace(table.chair(hold.seat), asked=hold.asked, kind=hold.kind, clock=clock, bank=hold.bank)
    kept = tuple(p for p in table.plans if p.seat != hold.seat or not moments.is_exact(p.decision))
    return replace(table.with_chair(chair), plans=kept)


def _may_go_back(game: AnyGame, after: Table, written: Sequence[Written]) -> bool:
    """Whether the game goes on and nothing was dealt and nothing came to light in `written`."""
    uncovers = game.capabilities.get("uncovers")
    if uncovers is None or after.status is not Status.RUNNING:
        return False
    moves = [each for each in written if isinstance(each.entry.what, Move)]
    events = (event.event if isinstance(event, Secret) else event for each in moves for event in each.events)
    return len(moves) == len(written) and not any(map(uncovers, events))
