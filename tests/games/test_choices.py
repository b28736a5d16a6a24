"""The rules of the second game, its secrets, and its words. What any game promises is in tests/engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import msgspec
import pytest

from engine.game import Illegal, Unreadable, told
from engine.record import By
from pbem.files import resource
from pbem.parties import Party, Role
from pbem.render import MailFacts, Renderer
from pbem.settle import Answers, Logged, Telling, tellings
from pbem.table import Chair, Person, Status, Table, begin, play
from pbem.verdicts import Line, Said, Source, Verdict
from tests.games.choices import GAME, Fault, Pick, Picked, Refusal, Revealed, Sealed, State

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = ("Anna", "Bob", "<b>Eve</b>")


def state(*picks: int, round: int = 1) -> State:
    return State(round, picks, (0,) * len(picks), (0, 2, 4))


# Rules


@pytest.mark.parametrize(
    ("picks", "scores"),
    [
        ((1, 4, 2), (0, 4, 0)),
        ((5, 5, 3), (0, 0, 3)),
        ((2, 2), (0, 0)),
        ((5, 5, 4, 4), (0, 0, 0, 0)),
        ((1, 5, 5, 1), (0, 0, 0, 0)),
    ],
)
def test_the_highest_number_that_stands_alone_scores(picks: tuple[int, ...], scores: tuple[int, ...]) -> None:
    step = GAME.apply(state(*picks[:-1], 0), len(picks), Pick(picks[-1]))
    assert step.state.scores == scores


def test_the_bonus_of_the_round_goes_with_the_score() -> None:
    step = GAME.apply(state(4, 0, round=2), 2, Pick(1))
    assert step.events[1] == Revealed((4, 1), 1, 4 + 2)


def test_the_game_ends_after_three_rounds_and_places_may_be_shared() -> None:
    step = GAME.apply(state(2, 2, 0, round=3), 3, Pick(2))
    outcome = GAME.outcome(step.state)
    assert outcome is not None
    assert (outcome.places, outcome.scores) == ((1, 1, 1), (0, 0, 0))


@pytest.mark.parametrize(
    ("where", "seat", "number", "reason"),
    [
        (state(0, 0), 1, 6, Refusal.OUT_OF_RANGE),
        (state(0, 0), 1, 0, Refusal.OUT_OF_RANGE),
        (state(3, 0), 1, 4, Refusal.NOT_AWAITED),
        (state(0, 0), 3, 4, Refusal.NOT_AWAITED),
        (state(0, 0, round=4), 1, 4, Refusal.OVER),
        (state(0, 0, round=0), 0, 4, Refusal.WRONG_KIND),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_reason(where: State, seat: int, number: int, reason: Refusal) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.apply(where, seat, Pick(number))
    assert refused.value.reason is reason


@pytest.mark.parametrize("text", ["pick 3", "PICK 3", "Pick 3  (a remark)", "pick 3 # mine"])
def test_an_order_is_read_in_any_form(text: str) -> None:
    assert GAME.read(text, GAME.view(state(0, 0), 1)) == Pick(3)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("choose 3", Fault.VERB), ("", Fault.VERB), ("pick", Fault.NUMBER), ("pick three", Fault.NUMBER)],
)
def test_what_is_no_order_is_not_read(text: str, fault: Fault) -> None:
    with pytest.raises(Unreadable) as unread:
        GAME.read(text, GAME.view(state(0, 0), 1))
    assert unread.value.reason is fault


# Secrets


@pytest.mark.parametrize("reader", [None, 1, 2, 3])
@pytest.mark.parametrize("other", [(4, 1, 0), (4, 5, 0), (2, 3, 0), (5, 3, 0)])
def test_nobody_sees_what_others_have_picked(reader: int | None, other: tuple[int, ...]) -> None:
    """What the reader himself has picked stays; all else that he cannot know is exchanged."""
    mine = (4, 3, 0)
    changed = tuple(mine[i] if reader == i + 1 else number for i, number in enumerate(other))
    assert GAME.encode(GAME.view(state(*mine), reader)) == GAME.encode(GAME.view(state(*changed), reader))


@pytest.mark.parametrize("reader", [None, 1])
def test_nobody_sees_the_bonuses_that_are_to_come(reader: int | None) -> None:
    shuffled = msgspec.structs.replace(state(0, 0), bonuses=(4, 0, 2))
    assert GAME.view(state(0, 0), reader) == GAME.view(shuffled, reader)


def test_a_pick_is_told_to_its_seat_and_its_twin_to_the_others() -> None:
    events = GAME.apply(state(0, 0), 1, Pick(3)).events
    assert told(events, 1) == (Picked(1, 3),)
    assert told(events, 2) == told(events, None) == (Sealed(1),)


# Words


def table() -> Table:
    people = [Person(number, name, f"p{number}@example.org") for number, name in enumerate(NAMES, 1)]
    chairs = tuple(Chair(seat, person) for seat, person in enumerate(people, 1))
    return Table(
        id=1,
        name="choices-1",
        game=GAME,
        options={"bonus": "on"},
        places=3,
        status=Status.OPEN,
        moderator=people[0],
        secret="5e" * 32,
        chairs=chairs,
    )


def all_tellings() -> list[tuple[Telling, Table]]:
    """Every mail of a whole game in which each seat picks its own number."""
    now, written = begin(table())
    log = [Logged(each.entry, each.events, NOW) for each in written]
    told_so_far: list[tuple[Telling, Table]] = []
    while True:
        for telling in tellings(now, (), log, NOW):
            told_so_far.append((telling, now))
            assert telling.chair is not None
            now = now.with_chair(telling.chair)
        if now.status is not Status.RUNNING:
            return told_so_far
        seat = now.waiting[0].seat
        now, written = play(now, seat, Pick(seat), By.SEAT)
        log += [Logged(each.entry, each.events, NOW) for each in written]


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer({GAME.name: GAME}, resource("templates"))


FACTS = MailFacts(now=NOW, host="The inn", address="inn@example.org", mark="abcdefgh")


def test_every_mail_of_a_game_can_be_written(renderer: Renderer) -> None:
    mails = [renderer.mail(telling, of, FACTS) for telling, of in all_tellings()]
    assert len(mails) >= len(NAMES) * 3 + len(NAMES)
    for mail in mails:
        assert max(map(len, mail.text.splitlines())) <= 72
        assert "None" not in mail.text
        assert NAMES[2] not in mail.html


def test_a_mail_shows_the_reader_his_pick_and_nobody_else(renderer: Renderer) -> None:
    moved, _ = play(begin(table())[0], 1, Pick(5), By.SEAT)
    parties = [Party(Role.SEAT, "", chair.person, moved.name, chair.seat) for chair in moved.chairs]
    texts = [renderer.mail(Telling(to=to, state=True, chair=moved.chair(to.seat)), moved, FACTS).text for to in parties]
    assert ["You have picked 5" in text for text in texts] == [True, False, False]


@pytest.mark.parametrize("reason", [*Fault, *Refusal])
def test_every_reason_has_its_sentence(renderer: Renderer, reason: Fault | Refusal) -> None:
    running, _ = begin(table())
    facts = {"word": "choose", "near": ["pick"], "number": 9, "highest": 5, "seat": 1, "kind": "pick"}
    line = Line(1, "PICK 9", Said.REFUSED, source=Source.GAME, reason=reason.value, facts=facts)
    to = Party(Role.SEAT, "", running.chair(1).person, running.name, 1)
    telling = Telling(to=to, verdicts=Answers(to, (Verdict((line,), received_at=NOW),)).verdicts)
    assert (
        renderer.mail(telling, running, FACTS).text != renderer.mail(replace(telling, verdicts=()), running, FACTS).text
    )
