"""TRY: what a line would bring if it ran now, from what its writer may see. Nothing is done and nothing kept."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from pbem.commands.grammar import Try
from pbem.commands.opening import is_in_capitals
from pbem.draft import Draft, Refused
from pbem.lines import is_order
from pbem.parties import seat_party
from pbem.plans.syntax import Unclear, parse
from pbem.plans.ways import forecast, holds, read
from pbem.verdicts import Line, Reason, Said


def try_line(draft: Draft, n: int, text: str, command: Try) -> Draft:
    """Answer with what the first alternative that could be taken would bring; behind planned lines, behind those."""
    table = draft.about("")
    if not is_order(command.order, table.game.verbs(draft.language)) and not is_in_capitals(
        text
    ):  # many a sentence begins so
        return replace(draft, prose=(*draft.prose, text))
    table = draft.running(table)
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    draft, line = replace(draft, to=seat_party(table, seat)), Line(n, text, Said.ANSWERED)
    try:
        said = parse(command.order, table.game.verbs(draft.language))
    except Unclear as fault:
        return draft.saying(msgspec.structs.replace(line, said=Said.UNREAD, reason=fault.reason, facts=fault.facts))
    view = draft.foreseen or table.known_view(seat)
    found = read(table, seat, line, said, view)
    if found.trouble is not None:
        return draft.saying(msgspec.structs.replace(found.trouble, said=Said.UNREAD))
    pairs = zip(said.ways, found.actions, strict=True)
    _, told = forecast(table, view, [action for way, action in pairs if holds(table, view, way.test)])
    reason = "" if told else Reason.NOT_FORESEEN
    return draft.saying(msgspec.structs.replace(line, reading=found.reading, forecast=told, reason=reason))
