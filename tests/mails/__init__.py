"""Whole mails, committed as text so that a change of what they say is read in review.

`SCENES` makes them; ``python -m tests.mails`` writes them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from engine.bloody_inn import GAME
from engine.record import By
from engine.shuffle import Stream
from pbem.bundling import parts
from pbem.clock import remind
from pbem.compose import Inline, OutgoingMail, compose
from pbem.desk import decide
from pbem.draft import Known, Mail
from pbem.files import resource
from pbem.parties import Party, Role
from pbem.render import MailFacts, Rendered, Renderer
from pbem.settle import Logged, Telling
from pbem.table import Person, Table, begin, play
from tests.desk.sitting import ANNA, BOB, MODI, PLAYERS, Sitting, open_table
from tests.games.choices import GAME as CHOICES

FOLDER: Final = Path(__file__).parent
NOW: Final = datetime(2026, 12, 1, 10, tzinfo=UTC)
TWO_DAYS: Final = timedelta(hours=48)
RENDERER: Final = Renderer({GAME.name: GAME, CHOICES.name: CHOICES}, resource("templates"))


def facts(table: Table | None = None, seat: int = 0, **other: object) -> MailFacts:
    """What the shell would hand in."""
    clock = table.chair(seat).clock if table and seat else None
    base = MailFacts(
        now=NOW,
        host="Play by email",
        address="inn@example.org",
        mark="k7q2m9x4",
        zone="Europe/Brussels",
        clock=clock,
    )
    return replace(base, **other)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Written:
    """A mail, and what it was made from."""

    telling: Telling
    table: Table | None
    rendered: Rendered
    facts: MailFacts
    history: Sequence[Logged] = ()

    def in_language(self, language: str) -> Written:
        """The same for somebody who reads another language."""
        facts = replace(self.facts, language=language)
        return replace(self, rendered=RENDERER.mail(self.telling, self.table, facts, self.history), facts=facts)


def written(telling: Telling, table: Table | None, history: Sequence[Logged] = (), **other: object) -> Written:
    mail_facts = facts(table, telling.to.seat if telling.chair else 0, **other)
    return Written(telling, table, RENDERER.mail(telling, table, mail_facts, history), mail_facts, history)


def of_seat(sitting: Sitting, seat: int) -> Written:
    """The mail that a seat gets once the table is at rest."""
    telling = next(each for each in sitting.settle() if each.to.role is Role.SEAT and each.to.seat == seat)
    return written(telling, sitting.table, sitting.log)


def of_moderator(sitting: Sitting) -> Written:
    telling = next(each for each in sitting.settle() if each.to.role is Role.MODERATOR)
    return written(telling, sitting.table, sitting.log)


def in_the_lobby(to: Party, *lines: str, table: Table | None = None, now: datetime = NOW) -> Written:
    """The answer to a mail before any game."""
    tables = {table.name: table} if table else {}
    known = Known(
        now=now,
        party=to,
        games={GAME.name: GAME},
        tables=tables,
        mine=tuple(tables),
        next_number=8,
        entropy="cd" * 32,
    )
    decided = decide(known, Mail(lines=lines, received_at=now, inbox=1))
    assert decided.verdict is not None
    assert decided.to is not None
    after = decided.tables[-1].after if decided.tables else table
    notices = tuple(notice for notice in decided.notices if notice.to == decided.to)
    return written(Telling(to=decided.to, verdicts=(decided.verdict,), notices=notices), after)


def at_night() -> Sitting:
    """The first night, Anna to act, and every seat told of it."""
    sitting = Sitting.at_night(TWO_DAYS)
    sitting.settle()
    return sitting


def played(table: Table, moves: int = 10_000, seed: int = 0) -> tuple[Table, tuple[Logged, ...]]:
    """`table` after so many random moves, or at its end; always the same ones for a seed."""
    stream, log = Stream(seed.to_bytes(32, "big")), []
    while table.waiting and moves:
        seat = table.waiting[0].seat
        legal = list(table.game.legal(table.running.state, seat))
        table, entries = play(table, seat, legal[stream.below(len(legal))], By.SEAT)
        log += [Logged(each.entry, each.events, NOW) for each in entries]
        moves -= 1
    return table, tuple(log)


def invitation() -> Written:
    sitting = Sitting(open_table(ANNA, deadline=TWO_DAYS))
    sitting.send(Party(Role.PERSON, MODI.address, MODI, "inn-7"), ["INVITE eve@example.org"])
    to = Party(Role.INVITED, "eve@example.org", table="inn-7")
    notices = tuple(notice for notice in sitting.notices if notice.to == to)
    return written(Telling(to=to, notices=notices), sitting.table)


def first_mail() -> Written:
    return of_seat(Sitting.started(TWO_DAYS), 1)


def turn_at_night() -> Written:
    return of_seat(Sitting.at_night(TWO_DAYS), 1)


def early_at_night() -> Written:
    return of_seat(Sitting.at_night(TWO_DAYS), 2)


def done_and_planned() -> Written:
    sitting = at_night()
    sitting.seat(1, "Bribe the mechanic in 1 with a peasant (as you say)", "PASS", "Good luck!")
    return of_seat(sitting, 1)


def refused() -> Written:
    sitting = at_night()
    sitting.seat(1, "BURY novice UNDER cellar", "PASS")
    return of_seat(sitting, 1)


def misspelt() -> Written:
    sitting = at_night()
    sitting.seat(1, "BRIBBE peasant")
    return of_seat(sitting, 1)


def looked_up() -> Written:
    sitting = at_night()
    sitting.seat(2, "CARD monk", "RULES kill")
    return of_seat(sitting, 2)


def reminder() -> Written:
    sitting = at_night()
    sitting.now += timedelta(hours=40)
    decided = remind(sitting.table, sitting.now)
    assert decided is not None
    sitting.write(decided)
    telling = next(each for each in sitting.settle() if each.to.seat == 1)
    return written(telling, sitting.table, now=sitting.now)


def rolled_back() -> Written:
    sitting = at_night()
    sitting.seat(1, "BRIBE mechanic IN 1 WITH peasant")
    sitting.settle()
    sitting.moderator("ROLLBACK 1")
    return of_seat(sitting, 1)


def missed_deadline() -> Written:
    sitting = at_night()
    sitting.now += timedelta(hours=49)
    assert sitting.sweep() is not None
    return of_seat(sitting, 1)


def moderating() -> Written:
    sitting = Sitting(open_table(*PLAYERS, deadline=TWO_DAYS))
    sitting.moderator("START")
    return of_moderator(sitting)


def acting_for_somebody() -> Written:
    sitting = at_night()
    sitting.moderator("ACT AS Anna: PASS", "PAUSE")
    return of_moderator(sitting)


def in_the_middle() -> Written:
    """Four players with long names, and something of everything."""
    names = ("Bartholomew Longname", "陳小明的大旅館", "O'Brien of the Hills", "Zoë")
    people = [Person(at, name, f"p{at}@example.org") for at, name in enumerate(names, 1)]
    sitting = Sitting(open_table(*people, deadline=TWO_DAYS, length="long"))
    sitting.table, log = played(_begun(sitting), 26, 4)
    sitting.log += log
    return of_seat(sitting, sitting.table.waiting[0].seat)


def final() -> Written:
    sitting = Sitting.at_night(TWO_DAYS)
    sitting.settle()
    sitting.table, log = played(sitting.table)
    sitting.log += log[:-6]
    sitting.table = sitting.table.with_chair(replace(sitting.table.chair(1), told=log[-6].entry.n))
    sitting.log += log[-6:]
    return of_seat(sitting, 1)


def registering() -> Written:
    return in_the_lobby(Party(Role.STRANGER, "eve@example.org"), "REGISTER Eve")


def welcome() -> Written:
    eve = Person(9, "Eve", "eve@example.org", confirmed=False)
    return in_the_lobby(Party(Role.PERSON, eve.address, eve), "CONFIRM")


def new_table() -> Written:
    return in_the_lobby(
        Party(Role.PERSON, ANNA.address, ANNA), "NEW bloody-inn bob@example.org length=long deadline=48"
    )


def help_for_newcomers() -> Written:
    return in_the_lobby(Party(Role.PERSON, BOB.address, BOB), "HELP")


def a_vote() -> Written:
    sitting = at_night()
    sitting.seat(2, "VOTE REPLACE Anna")
    return of_seat(sitting, 3)


def a_second_game() -> Written:
    table = replace(open_table(*PLAYERS), game=CHOICES, options={}, name="choices-2")
    sitting = Sitting(table)
    sitting.table, log = played(_begun(sitting), 3)
    sitting.log += log
    return of_seat(sitting, 2)


def _begun(sitting: Sitting) -> Table:
    table, entries = begin(sitting.table)
    sitting.log += [Logged(each.entry, each.events, NOW) for each in entries]
    return table


SCENES: Final[Mapping[str, Callable[[], Written]]] = {
    scene.__name__.replace("_", "-"): scene
    for scene in (
        registering,
        welcome,
        help_for_newcomers,
        new_table,
        invitation,
        moderating,
        first_mail,
        turn_at_night,
        early_at_night,
        done_and_planned,
        refused,
        misspelt,
        looked_up,
        reminder,
        missed_deadline,
        acting_for_somebody,
        rolled_back,
        a_vote,
        in_the_middle,
        final,
        a_second_game,
    )
}


def as_text(rendered: Rendered) -> str:
    """A mail as its file holds it."""
    return f"Subject: {rendered.subject}\n\n{rendered.text}"


def digest(language: str = "en") -> str:
    """The HTML of a mail for two games at once, made of two whole mails."""
    mails = (SCENES[name]().in_language(language).rendered for name in ("turn-at-night", "a-vote"))
    found = parts((f"inn-{n}", mail.subject, _sent(mail)) for n, mail in enumerate(mails, 7))
    return RENDERER.digest(found, "Play by email", "k7q2m9x4", language).html


def _sent(rendered: Rendered) -> bytes:
    return compose(
        OutgoingMail(
            message_id="<mail@example.org>",
            date=NOW,
            sender="inn@example.org",
            to="anna@example.org",
            reply_to="inn@example.org",
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            picture=Inline(rendered.picture.id, rendered.picture.png) if rendered.picture else None,
            host="example.org",
        )
    )
