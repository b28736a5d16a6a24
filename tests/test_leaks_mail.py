"""No mail tells its reader what he cannot know: with that changed, it is the same mail byte for byte (law 3).

The reader asks, and tries what is refused; the mail that he then gets is made at the table as it is, and at one
where the stack, the hands and sealed answers of others, and the secret behind the deals are different.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import msgspec
import pytest

from engine.bloody_inn import GAME, BloodyInn
from engine.bloody_inn.state import State, View
from engine.record import By
from engine.shuffle import Stream
from pbem import bots_at_table
from pbem.files import resource
from pbem.render import Renderer
from pbem.render.machine import machine
from pbem.schedule import Schedule
from pbem.settle import Answers, Logged, tellings, watcher_party
from pbem.table import Status, Table, begin, play
from pbem.verdicts import Line, Said, Verdict
from pbem.watcher import Watcher
from tests.desk.sitting import MODI, NOW, PLAYERS, Sitting, open_table
from tests.engine.unknown import PUBLIC, UNKNOWN
from tests.games.choices import GAME as CHOICES
from tests.mails import facts

pytestmark = pytest.mark.slow

ASKED: Final = ("STATUS", "HISTORY", "GAMES", "HELP")
LINES: Final = {
    GAME.name: (
        *ASKED,
        "CARD duke",
        "RULES police",
        "LODGE 9",
        "BRIBE monk WITH novice, duke",
        "BRIBE 3 PEASANTS",
        "BUILD abbot WITH peasant",
        "KILL baron WITH major",
        "KIL baron",
        "BURY count UNDER Bob's cellar",
        "BURY peasant UNDER barn",
        "PASS LAUNDER 990",
        "PAY 9 CHECKS",
        "DISMISS duke, novice",
        "IF NOT POLICE KILL baron WITH major ELSE IF BOB KILLED PASS CASH 10 ELSE BRIBE monk WITH novice, duke",
        "IF duke IN HAND PASS ELSE WAIT",
        "EVERY ROUND: BRIBE monk WITH novice ELSE PASS",
        "PASS UNTIL ANNA KILLED OR HAND > 3",
        "ALWAYS KEEP duke, novice",
        "TRY KILL baron WITH major ELSE BRIBE 2 PEASANTS ELSE PASS CASH 10",
        "TRY LODGE 1 2 3",
        "PLAN",
    ),
    CHOICES.name: (*ASKED, "PICK", "PICK 9", "PICK one", "PUCK 3"),
}
"""By game: what readers write, a mail each."""
TABLES: Final = {
    "private hands": open_table(*PLAYERS),
    "open hands": open_table(*PLAYERS, hands="open"),
    "choices": replace(open_table(*PLAYERS), game=CHOICES, options={}, name="choices-2"),
}
EVERY: Final = {GAME.name: 25, CHOICES.name: 2}
"""Of so many positions one is looked at, and of those in which an answer is sealed a few more."""
SEALED: Final = 3
OTHER_SECRET: Final = "cd" * 32


class CarelessInn(BloodyInn):
    """The game as somebody might break it: every view shows all hands."""

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        options = msgspec.structs.replace(state.options, hands="open")
        return super().view(msgspec.structs.replace(state, options=options), seat, names)


def sittings(table: Table) -> Iterator[Sitting]:
    """A random game, move by move; nobody has been told anything of it."""
    stream = Stream(table.name.encode())
    table, written = begin(table)
    log = [Logged(each.entry, each.events, NOW) for each in written]
    yield seated(table, log)
    while table.waiting:
        decision = table.waiting[stream.below(len(table.waiting))]
        legal = tuple(islice(table.game.legal(table.running.state, decision.seat), 200))
        table, written = play(table, decision.seat, legal[stream.below(len(legal))], By.SEAT)
        log += [Logged(each.entry, each.events, NOW) for each in written]
        yield seated(table, log)


def seated(table: Table, log: Sequence[Logged]) -> Sitting:
    sitting = Sitting(table)
    sitting.log = list(log)
    return sitting


def looked_at(table: Table) -> list[Sitting]:
    """A few positions of a game, the last one among them, and some in which somebody's answer is sealed."""
    found = list(sittings(table))
    sealed = [sitting for sitting in found if getattr(sitting.table.running.state, "sealed", ())]
    return [*found[:: -EVERY[table.game.name]], *sealed[:SEALED]]


def unlike(sitting: Sitting, reader: int) -> Sitting:
    """A sitting that `reader` (0: somebody who does not play) cannot tell from `sitting`."""
    table, stream = sitting.table, Stream(f"{sitting.table.running.n} {reader}".encode())
    state = UNKNOWN[table.game.name](table.running.state, reader, stream)
    secret = OTHER_SECRET if table.status is Status.RUNNING else table.secret
    position = msgspec.structs.replace(table.running, state=state)
    return seated(replace(table, position=position, secret=secret), sitting.log)


def ask(sitting: Sitting, reader: int, line: str) -> None:
    """A mail with one line."""
    if reader == PUBLIC:
        sitting.moderator(line)
    else:
        sitting.seat(reader, line)


def harmless(sitting: Sitting, reader: int) -> tuple[str, ...]:
    """The lines that move nothing there; what follows from a move may turn up what nobody knew."""
    lines = []
    for line in LINES[sitting.table.game.name]:
        tried = seated(sitting.table, sitting.log)
        ask(tried, reader, line)
        if tried.table.running == sitting.table.running:
            lines.append(line)
    return tuple(lines)


def renderer() -> Renderer:
    return Renderer({GAME.name: GAME, CHOICES.name: CHOICES}, resource("templates"))


def mail(made_by: Renderer, sitting: Sitting, reader: int, lines: Sequence[str]) -> tuple[str, ...]:
    """All parts of the mail that answers `lines`, the one for programs too."""
    at = seated(sitting.table, sitting.log)
    for line in lines:
        ask(at, reader, line)
    telling = next(telling for telling in at.settle() if telling.to.seat == reader)
    rendered = made_by.mail(telling, at.table, facts(at.table, reader), at.log)
    parts = (rendered.subject, rendered.text, rendered.html)
    return (*parts, machine(telling, at.table)) if reader else parts


def compared(table: Table, reader: int) -> Iterator[tuple[bool, bool]]:
    """For each position: whether anything is unknown to `reader`, and whether his mail is the same without it.

    Two renderers, since one keeps the boards that it has made.
    """
    made_here, made_there = renderer(), renderer()
    for sitting in looked_at(table):
        other = unlike(sitting, reader)
        lines = harmless(sitting, reader)
        assert len(lines) > len(ASKED)
        same = mail(made_here, sitting, reader, lines) == mail(made_there, other, reader, lines)
        yield other.table.running != sitting.table.running, same


@pytest.mark.parametrize("reader", [PUBLIC, 1, 2, 3])
@pytest.mark.parametrize("name", TABLES)
def test_no_mail_depends_on_what_its_reader_cannot_know(name: str, reader: int) -> None:
    found = list(compared(TABLES[name], reader))
    assert any(unknown for unknown, _ in found)
    assert all(same for _, same in found)


SEEN: Final = open_table(*PLAYERS, schedule=Schedule(blind=False))
"""A table whose moderator, who does not play, sees every hand."""


@pytest.mark.parametrize("reader", [1, 2, 3])
def test_no_player_learns_what_a_moderator_sees(reader: int) -> None:
    assert all(same for _, same in compared(SEEN, reader))


def test_a_moderator_who_sees_every_hand_gets_them() -> None:
    assert not all(same for _, same in compared(SEEN, PUBLIC))


def test_a_moderator_who_plays_sees_nothing_more_at_such_a_table() -> None:
    table = replace(SEEN, moderator=PLAYERS[0])
    assert all(same for _, same in compared(table, 1))


@pytest.mark.parametrize("name", TABLES)
def test_no_mail_to_who_watches_depends_on_what_is_hidden(name: str) -> None:
    made_here, made_there = renderer(), renderer()
    sent = 0
    for sitting in looked_at(TABLES[name]):
        mails = [watched(made, each) for made, each in ((made_here, sitting), (made_there, unlike(sitting, PUBLIC)))]
        sent += bool(mails[0])
        assert mails[0] == mails[1]
    assert sent


def watched(made_by: Renderer, sitting: Sitting) -> tuple[str, ...]:
    """The mail to somebody who has watched from the beginning, with all news, and has asked for more."""
    table = replace(sitting.table, watchers=(Watcher(MODI),))
    to = watcher_party(table, MODI)
    lines = tuple(
        Line(n, line, Said.ANSWERED, info=line.lower(), facts={"game": table.name})
        for n, line in enumerate(("HISTORY", "WHO"))
    )
    asked = Answers(to, (Verdict(lines=lines, received_at=NOW, state=True),))
    telling = next(telling for telling in tellings(table, (asked,), sitting.log, NOW) if telling.to == to)
    rendered = made_by.mail(telling, table, facts(table), sitting.log)
    return rendered.subject, rendered.text, rendered.html


def test_a_game_that_shows_other_hands_would_be_noticed() -> None:
    table = replace(TABLES["private hands"], game=CarelessInn())
    assert not all(same for _, same in compared(table, 1))


@pytest.mark.parametrize("reader", [PUBLIC, 1, 2, 3])
def test_a_stand_in_shows_nobody_more_of_its_hand_than_its_move(reader: int) -> None:
    """Wherever its owner might hold other cards and the bot would do the same, all others get the same mail."""
    made_here, made_there = renderer(), renderer()
    compared = 0
    for sitting in sittings(TABLES["private hands"]):
        here, there = stood_in(sitting, reader), stood_in(unlike(sitting, reader), reader)
        if here and there and here.entries == there.entries and here.table.running != there.table.running:
            compared += 1
            assert mail(made_here, here, reader, ASKED) == mail(made_there, there, reader, ASKED)
    assert compared >= 5


def stood_in(sitting: Sitting, reader: int) -> Sitting | None:
    """The same after a bot's move for somebody else than `reader`; nothing where none is awaited, or where more follows
    from it, as a morning that turns up what nobody knew."""
    decision = next((each for each in sitting.table.waiting if each.seat != reader), None)
    if decision is None:
        return None
    chair = replace(sitting.table.chair(decision.seat), bot="steady")
    after = seated(sitting.table.with_chair(chair), sitting.log)
    after.write(bots_at_table.move(after.table, decision))
    follows = any(each.phase != decision.phase for each in after.table.waiting) or decision.kind == "lodge"
    return None if follows or len(after.log) > len(sitting.log) + 1 else after
