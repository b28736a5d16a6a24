"""Every change that somebody could make to a single entry, deal or result of a finished game's record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from engine.record import Dealt, Entry, Move, Override, Record, What, header_hash, link


def naive(whole: Record) -> Iterator[Record]:
    """One thing is another, and all the rest, the hashes too, as it was."""
    for place, entry in enumerate(whole.entries):
        before, behind = whole.entries[:place], whole.entries[place + 1 :]
        yield replace(whole, entries=(*before, *behind))
        yield replace(whole, entries=(*before, entry, entry, *behind))
        for other in _others(entry):
            yield replace(whole, entries=(*before, other, *behind))
    yield replace(whole, head=_other_hash(whole.head))
    yield replace(whole, secret=_other_hash(whole.secret))
    yield from _other_results(whole)


def careful(whole: Record, kind: type[What]) -> Iterator[Record]:
    """One entry of a kind says something else, and all hashes from there on fit it."""
    for place, entry in enumerate(whole.entries):
        if isinstance(entry.what, kind):
            whats = [each.what for each in whole.entries]
            whats[place] = _other_what(entry.what)
            yield _chained(whole, whats)


def _chained(whole: Record, whats: Sequence[What]) -> Record:
    entries: list[Entry] = []
    before = header_hash(whole.header, whole.secret)
    for n, what in enumerate(whats, 1):
        entries.append(link(before, n, what))
        before = entries[-1].hash
    return replace(whole, entries=tuple(entries), head=before)


def _others(entry: Entry) -> Iterator[Entry]:
    yield replace(entry, what=_other_what(entry.what))
    yield replace(entry, n=entry.n + 1)
    yield replace(entry, hash=_other_hash(entry.hash))


def _other_what(what: What) -> What:
    match what:
        case Dealt(order=order) if len(order) > 1:
            return replace(what, order=(order[1], order[0], *order[2:]))
        case Dealt(number=number):
            return replace(what, number=number + 1)
        case Move(seat=seat):
            return replace(what, seat=seat % 3 + 1)
        case Override(to=to):
            return replace(what, to=to + 1)
    raise AssertionError(what)


def _other_results(whole: Record) -> Iterator[Record]:
    assert whole.result is not None
    yield replace(whole, result=None)
    for field in ("places", "scores"):
        values: Sequence[Any] = getattr(whole.result, field)
        for seat, value in enumerate(values):
            other = (*values[:seat], (value or 0) + 1, *values[seat + 1 :])
            yield replace(whole, result=replace(whole.result, **{field: other}))


def _other_hash(digits: str) -> str:
    return digits[:-1] + ("0" if digits[-1] != "0" else "1")
