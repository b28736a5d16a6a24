"""What a moderator's line would do, without doing it; for who is blind, no further than to the first secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.game import Secret
from engine.record import Dealt
from pbem.commands import grammar
from pbem.commands.overriding import ActAs, Moderating, Preview
from pbem.draft import Draft, Refused
from pbem.moderation.signing import moderating, seat_called, sees_all
from pbem.table import Status, Table, Written
from pbem.verdicts import Line, Reason, Said

USAGE = "PREVIEW ROLLBACK 2"


def preview(
    draft: Draft,
    n: int,
    text: str,
    command: Preview,
    overrides: Mapping[type[Moderating], Callable[[Draft, int, str, Any], Draft]],
) -> Draft:
    """Answer what the line in `command` would do; refused as the line itself would be."""
    table = moderating(draft)
    inner = _inner(command.line, draft.language)
    open_hands = sees_all(draft, table)
    if isinstance(inner, ActAs) and not open_hands:
        return _blind(draft, table, n, text, inner)
    tried = overrides[type(inner)](draft, n, text, inner)
    line: Line = tried.lines[-1]
    if line.said is not Said.DONE:
        return draft.saying(line)
    return draft.answering(
        n, text, "preview", **(line.facts | _outlook(table, tried, open_hands=open_hands)), shown=line.info
    )


def _inner(text: str, language: str) -> Moderating:
    parsed = grammar.parse(text, language)
    usage = parsed.usage if isinstance(parsed, grammar.Misused) else USAGE
    if not isinstance(parsed, tuple) or not isinstance(parsed[0], Moderating) or isinstance(parsed[0], Preview):
        raise Refused(Reason.USAGE, said=Said.UNREAD, near=(usage,), usage=usage)
    return parsed[0]


def _blind(draft: Draft, table: Table, n: int, text: str, command: ActAs) -> Draft:
    """Whether the rules allow an order depends on a hand, so a preview of it says no more than that it is awaited."""
    seat = seat_called(table, command.name)
    name = table.names[seat - 1]
    if table.open_decision(seat) is None:
        raise Refused(Reason.NOT_AWAITED, name=name, kind="")
    return draft.answering(n, text, "preview_act", name=name)


def _outlook(before: Table, tried: Draft, *, open_hands: bool) -> dict[str, Any]:
    """Who would be awaited then, unless something secret would come to light on the way."""
    after = tried.tables[before.name]
    written = tried.written.get(before.name, ())
    stops = not open_hands and any(map(_is_secret, written))
    running = after.status is Status.RUNNING and not stops
    awaited = [after.names[decision.seat - 1] for decision in after.waiting] if running else []
    return {"stops": stops, "awaited": list(dict.fromkeys(awaited))}


def _is_secret(written: Written) -> bool:
    return isinstance(written.entry.what, Dealt) or any(isinstance(event, Secret) for event in written.events)
