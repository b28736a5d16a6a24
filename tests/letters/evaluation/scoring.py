"""How well replies are read, and how well they have to be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.bloody_inn import GAME
from pbem.letters import own_text, read_letter
from pbem.lines import Kind, looks
from tests.games.choices import GAME as CHOICES
from tests.letters.evaluation.replies import Reply

VERBS: Final = (*GAME.verbs(), *CHOICES.verbs())
RUNNING: Final = frozenset({Kind.ORDER, Kind.COMMAND})
SAFE: Final = 0.97
EXACT: Final = 0.90
EACH_LANGUAGE: Final = 0.85


@dataclass(frozen=True, slots=True)
class Score:
    """How one reply was read."""

    reply: Reply
    lost: tuple[str, ...]
    """Own lines that were not read."""
    extra: tuple[str, ...]
    """Lines that were read and are not the sender's own."""
    exact: bool

    @property
    def quoted(self) -> tuple[str, ...]:
        """Of the extra lines those of the mail that is answered."""
        shown = f" {' '.join(_words(self.reply.mail.shown))} "
        return tuple(line for line in self.extra if (words := _words(line)) and f" {' '.join(words)} " in shown)

    @property
    def run(self) -> tuple[str, ...]:
        """Lines that would have run and are not the sender's own."""
        return tuple(line for line in self.extra if looks(line, VERBS).kind in RUNNING)

    @property
    def orders_lost(self) -> tuple[str, ...]:
        return tuple(line for line in self.lost if looks(re.sub(r"^[-\d. ]+", "", line), VERBS).kind in RUNNING)

    @property
    def safe(self) -> bool:
        """No own line lost, no line of the quoted body left."""
        return not self.lost and not self.quoted and not self.run


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def score(reply: Reply, *, sent: bool) -> Score:
    """How `reply` is read, with or without the mail that it answers."""
    found = own_text(read_letter(reply.raw).body, reply.mail.shown if sent else None).own
    lost = Counter(reply.own) - Counter(found)
    extra = Counter(found) - Counter(reply.own)
    return Score(reply, tuple(lost.elements()), tuple(extra.elements()), found == reply.own)


def scores(replies: Iterable[Reply]) -> Iterator[Score]:
    """Every reply twice: as the host reads it when it finds the mail that is answered, and when it does not."""
    for reply in replies:
        yield score(reply, sent=True)
        if not reply.needs_sent:
            yield score(reply, sent=False)


@dataclass(frozen=True, slots=True)
class Figures:
    """What a number of readings come to."""

    readings: int
    run: int
    orders_lost: int
    safe: float
    exact: float

    @classmethod
    def of(cls, scored: Iterable[Score]) -> Figures:
        found = list(scored)
        return cls(
            readings=len(found),
            run=sum(len(each.run) for each in found),
            orders_lost=sum(len(each.orders_lost) for each in found),
            safe=sum(each.safe for each in found) / len(found),
            exact=sum(each.exact for each in found) / len(found),
        )


def grouped(scored: Iterable[Score], key: Callable[[Score], str]) -> dict[str, Figures]:
    """Figures for each value of `key`, in the order in which they come."""
    groups: dict[str, list[Score]] = {}
    for each in scored:
        groups.setdefault(key(each), []).append(each)
    return {name: Figures.of(group) for name, group in groups.items()}


def short(scored: list[Score]) -> list[str]:
    """Which figures are not reached; none when all are."""
    whole = Figures.of(scored)
    languages = grouped(scored, lambda each: each.reply.language)
    goals = {
        "quoted lines run": whole.run == 0,
        "own orders lost": whole.orders_lost == 0,
        "order-safe": whole.safe >= SAFE,
        "exact": whole.exact >= EXACT,
        **{name: min(found.exact, found.safe) >= EACH_LANGUAGE for name, found in languages.items()},
    }
    return [name for name, reached in goals.items() if not reached]
