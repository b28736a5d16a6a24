"""From the entries of a log to the rounds and phases that a page tells them in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from engine import record
from engine.game import AnyGame
from engine.record import Override, Position, What
from pbem.archive.values import Chapter, Part, Step


def taken_back(said: Sequence[What]) -> dict[int, int]:
    """For each entry that does not count any more, the first rollback or undo that took it back."""
    undone: dict[int, int] = {}
    for n, what in enumerate(said, 1):
        if isinstance(what, Override) and what.verb in record.BACK:
            undone = {**dict.fromkeys(range(what.to + 1, n), n), **undone}
    return {n: undone[n] for n in undone.keys() - set(record.living(said))}


def chapters(game: AnyGame, line: Sequence[Position], steps: Sequence[Step]) -> Iterator[Chapter]:
    """`steps` by round, in the order of the record within each; `line` are all positions, the opening first."""
    stood = list(places(game, line))
    place = {step.n: stood[step.n - 1] for step in steps}
    for number in sorted({round_ for round_, _ in place.values()}):
        own = [step for step in steps if place[step.n][0] == number]
        yield Chapter(round=number, parts=tuple(_parts(own, place)), last=_last(own))


def places(game: AnyGame, line: Iterable[Position]) -> Iterator[tuple[int, str]]:
    """The round and phase of what is awaited in each position; of the one before where nothing is."""
    place = (0, "")
    for position in line:
        waiting = game.waiting(position.state)
        place = (waiting[0].round, waiting[0].phase) if waiting else place
        yield place


def _parts(steps: Iterable[Step], place: Mapping[int, tuple[int, str]]) -> Iterator[Part]:
    for phase, group in groupby(steps, lambda step: place[step.n][1]):
        yield Part(phase, tuple(group))


def _last(steps: Sequence[Step]) -> int:
    """The entry after which a round was over: the last one that counts, if any does. A rollback leads out of it."""
    played = [step for step in steps if step.verb is None] or steps
    return ([step for step in played if not step.undone] or played)[-1].n
