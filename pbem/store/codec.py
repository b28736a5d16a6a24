"""The texts in the tables: entries, events, headers, verdicts, as exact JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import msgspec

from engine.game import AnyGame, Secret
from engine.record import Header, What
from pbem.ballot import Ballot
from pbem.hold import Hold
from pbem.schedule import Schedule
from pbem.table import Orders
from pbem.verdicts import Verdict

_NOTHING: Final = msgspec.Raw(b"null")


class _Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event as it is kept: a secret one names its seat and brings its public twin."""

    event: msgspec.Raw
    seat: int | None = None
    twin: msgspec.Raw = _NOTHING


_encode: Final = msgspec.json.Encoder().encode
_told: Final = msgspec.json.Decoder(tuple[_Told, ...]).decode
_what: Final = msgspec.json.Decoder[What](What).decode
_header: Final = msgspec.json.Decoder(Header).decode
_verdict: Final = msgspec.json.Decoder(Verdict).decode
_schedule: Final = msgspec.json.Decoder(Schedule).decode
_hold: Final = msgspec.json.Decoder(Hold).decode
_orders: Final = msgspec.json.Decoder(Orders).decode
_ballot: Final = msgspec.json.Decoder(Ballot).decode
_mapping: Final = msgspec.json.Decoder(dict[str, Any]).decode


def text(value: Any) -> str:
    """`value` as JSON."""
    return _encode(value).decode()


def what(data: str) -> What:
    return _what(data)


def header(data: str) -> Header:
    return _header(data)


def verdict(data: str) -> Verdict:
    return _verdict(data)


def schedule(data: str) -> Schedule:
    return _schedule(data)


def orders(data: str) -> Orders:
    return _orders(data)


def ballot(data: str) -> Ballot:
    return _ballot(data)


def hold(data: str, before: Any) -> Hold:
    """A hold, with the state before it."""
    return replace(_hold(data), before=before)


def mapping(data: str) -> dict[str, Any]:
    return _mapping(data)


def events_text(game: AnyGame, events: Iterable[Any]) -> str:
    """`events` as JSON, each in the game's own form."""
    return text([_keep(game, event) for event in events])


def _keep(game: AnyGame, event: Any) -> _Told:
    if not isinstance(event, Secret):
        return _Told(msgspec.Raw(game.encode(event)))
    return _Told(msgspec.Raw(game.encode(event.event)), event.seat, msgspec.Raw(game.encode(event.twin)))


def events(game: AnyGame, data: str) -> tuple[Any, ...]:
    """The events in `data`, secret ones included."""
    return tuple(_event(game, kept) for kept in _told(data))


def _event(game: AnyGame, kept: _Told) -> Any:
    event = game.decode_event(bytes(kept.event))
    if kept.seat is None:
        return event
    return Secret(kept.seat, event, game.decode_event(bytes(kept.twin)))


def ids(data: str) -> frozenset[int]:
    return msgspec.json.decode(data, type=frozenset[int])
