"""Tables of both games that were played to their end in memory, with everything that a moderator can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import cycle, islice
from typing import Final

from engine import bloody_inn, record, shuffle
from engine.game import AnyGame
from engine.record import By, Override, Verb
from pbem.settle import Logged
from pbem.table import Chair, Person, Status, Table, Written, begin, overrule, play, whats
from tests.games import choices

BEGUN: Final = datetime(2026, 11, 30, 18, tzinfo=UTC)
PACE: Final = timedelta(hours=3, minutes=20)
SECRET: Final = "5e" * 32
NAMES: Final = ("Anna", "<b>Eve</b>", "Zoë & Jan", "小明")
GAMES: Final[dict[str, AnyGame]] = {game.name: game for game in (bloody_inn.GAME, choices.GAME)}


class Finished:
    """A table and its whole log."""

    def __init__(self, game: AnyGame, seats: int, name: str = "inn-7", seed: int = 1, **facts: object) -> None:
        people = [Person(n, called, f"player{n}@example.org") for n, called in enumerate(NAMES[:seats], 1)]
        opened = Table(
            id=1,
            name=name,
            game=game,
            options={},
            places=seats,
            status=Status.OPEN,
            moderator=Person(9, "Modi", "modi@example.org"),
            secret=SECRET,
            chairs=tuple(Chair(n, person, phrase=f"phrase {n}") for n, person in enumerate(people, 1)),
        )
        self.table = replace(opened, **facts)  # type: ignore[arg-type]
        self.log: list[Logged] = []
        self.now = BEGUN
        self._stream = shuffle.Stream(shuffle.seed("random", "", seed))
        self._why = cycle([By.SEAT, By.PLAN, By.SEAT, By.BOT, By.FALLBACK, By.SEAT, By.MODERATOR])
        self._add(begin(self.table))

    def _add(self, done: tuple[Table, tuple[Written, ...]]) -> None:
        self.table, written = done
        self.log += [Logged(each.entry, each.events, self.now) for each in written]
        self.now += PACE

    def play(self, count: int = 10**6) -> Finished:
        """So many moves of people, at random, or all to the end."""
        for _ in range(count):
            if not self.table.waiting:
                break
            decision = self.table.waiting[0]
            state = self.table.running.state
            legal = list(islice(self.table.game.legal(state, decision.seat), 30))
            action = legal[self._stream.below(len(legal))]
            why = next(self._why)
            if why is By.FALLBACK and action != self.table.game.fallback(state, decision.seat):
                why = By.SEAT
            self._add(play(self.table, decision.seat, action, why))
        return self

    def overrule(self, verb: Verb, seat: int = 0, to: int = 0) -> Finished:
        """What a moderator does now."""
        said = whats([logged.entry for logged in self.log])
        assert self.table.header is not None
        past = record.positions(self.table.game, self.table.header, said)
        self._add(overrule(self.table, Override(verb, seat, to), past))
        return self


def plain(name: str = "inn-7", seats: int = 3, seed: int = 1) -> Finished:
    return Finished(bloody_inn.GAME, seats, name, seed).play()


def rolled_back() -> Finished:
    """A game in which twenty entries were taken back, over the end of a round."""
    game = Finished(bloody_inn.GAME, 3).play(28)
    game.overrule(Verb.PAUSE).overrule(Verb.RESUME)
    game.overrule(Verb.ROLLBACK, to=len(game.log) - 20)
    return game.overrule(Verb.REPLACE, seat=2).play()


def given_up() -> Finished:
    """A game that was taken back over the end of a round, and then ended: a whole round does not count."""
    game = Finished(bloody_inn.GAME, 3).play(28)
    return game.overrule(Verb.ROLLBACK, to=len(game.log) - 20).overrule(Verb.END)


def ended() -> Finished:
    return Finished(bloody_inn.GAME, 4).play(20).overrule(Verb.END)


def second_game() -> Finished:
    game = Finished(choices.GAME, 3, "choices-2").play(4)
    return game.overrule(Verb.ROLLBACK, to=len(game.log) - 2).play()


EVERY: Final[dict[str, Callable[[], Finished]]] = {
    "plain": cache(plain),
    "solo": cache(lambda: plain(seats=1, seed=3)),
    "rolled back": cache(rolled_back),
    "given up": cache(given_up),
    "ended": cache(ended),
    "second game": cache(second_game),
}
"""Made once; nobody changes them."""
