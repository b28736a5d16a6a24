"""How a game reads: whole texts of hand-built positions, and every page of games played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from textwrap import dedent
from typing import Any, Final, NamedTuple

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action, Bribe, Build, Bury, Dismiss, Grave, Kill, Lodge, Pass, Pay
from engine.bloody_inn.cards import FACES
from engine.bloody_inn.replay import REPLAY
from engine.bloody_inn.state import Account, Phase, State
from engine.game import DEALER, Deal, Decision, Outcome, told
from pbem.filters import width
from tests.engine.bloody_inn.pages import (
    AWKWARD,
    COLUMNS,
    Page,
    check_html,
    check_text,
    lines_of,
    macro,
    rendered,
    seen,
    the_decision,
    unwrapped,
)
from tests.engine.bloody_inn.positions import evening, night, player, position

# --- whole texts ---

THIRD_NIGHT: Final = night(
    player("mechanic peasant peasant", "barn mechanic[baron]", "novice", cash=12),
    player("baron baron baron baron", cash=7, checks=2),
    player("major bishop", "barn[peasant] concierge cultivator grocer[baron count]", "count count", cash=20),
    rooms="landscaper - brigadier - monk concierge",
    keys="1 2 3 - - -",
    tokens="- - 3 - - -",
    seats=3,
    entrance="baron viscount viscount viscount viscount viscount viscount",
    exit="novice novice monk",
    round=3,
    bistro=3,
)


def test_the_board_as_text() -> None:
    assert rendered("board.txt.j2", view=seen(THIRD_NIGHT)) == dedent(
        """\
        Round 3, season 1: night, Anna acts.
        Then 1 more round before season 2.

        THE INN
          room  key    guest       rank  color   does    F  annex
           1    Anna   Landscaper   3    red     build  26  Park
           2    Bob    -
           3    Chen   Brigadier    1    grey    kill   12  -
           4    white  -
           5    white  Monk         1    purple  bury   12  Room
           6    white  Concierge    2    blue    bribe  18  Room Service
          Park: 4F; at the end 4F per red card in the exit.
          Room: a white key becomes yours.
          Room Service: each new guest of one room pays you his rank.
          Room 3 has the Room Service token of Chen.
          Bistro: 3 peasants. Entrance: 7, next: Baron. Exit: 3.
          There is police in the inn: each unburied corpse will cost 10F.

        THE TABLE
          player cash checks hand annexes (graves)                  unburied
          Anna     12      1    3 Barn 0/1, Workshop 1/1            Novice 8F
          Bob       7      2    4 Barn 0/1                          -
          Chen     20      1    2 Barn 1/1, Room Service 0/2,       2 Counts 36F
                                  Vegetable Garden, Grocery 2/3"""
    )


def test_the_hand_as_text_is_the_readers_own() -> None:
    assert rendered("hand.txt.j2", view=seen(THIRD_NIGHT, 1)) == dedent(
        """\
        YOUR HAND, which only you see
          card       rank color  does   F as an annex
          Mechanic    1   red    build 12 Workshop: build with one card fewer
          2 Peasants  0   yellow -      4 -
          If the police are still here in the morning, you pay 10F for Novice."""
    )


def test_a_hand_that_cannot_be_paid_says_so() -> None:
    text = rendered("hand.txt.j2", view=seen(night(player("novice novice novice", cash=1)), 1))
    assert text.splitlines()[3:] == [
        "  Wages for this hand are 3F and your cash is 1F: unless you earn more",
        "  before they are due, 2 of your hand leave unpaid.",
    ]


def test_the_public_has_no_hand() -> None:
    assert rendered("hand.txt.j2", view=seen(THIRD_NIGHT)) == ""
    assert rendered("hand.html.j2", view=seen(THIRD_NIGHT)).strip() == ""


ORDERS: Final = (
    Bury((Grave("novice", 1, "barn"),)),
    Bury((Grave("novice", 3, "concierge"),)),
    Bribe((5,), pay=("peasant",)),
    Bribe(peasants=2),
    Kill((3,), pay=("peasant",)),
    Kill((5,), pay=("peasant",)),
    Kill(peasants=1),
    Build("mechanic"),
    Pass(launder=10),
    Pass(cash=10),
    Pass(),
)


def test_orders_as_text() -> None:
    view = seen(THIRD_NIGHT, 1)
    text = rendered("orders.txt.j2", view=view, decision=the_decision(view), lines=lines_of(view, ORDERS))
    assert text == dedent(
        """\
        YOU MAY, for example
          BURY novice UNDER barn                 (8F for you)
          BURY novice UNDER Chen's room service  (4F for you, 4F for Chen)
          BRIBE monk WITH peasant                (joins your hand)
          BRIBE 2 PEASANTS                       (2 peasants join your hand)
          KILL brigadier WITH peasant            (no police in the morning)
          KILL monk WITH peasant                 (a corpse worth 12F)
          KILL PEASANT                           (a corpse worth 4F)
          BUILD mechanic                         (Workshop: 1 grave)
          PASS LAUNDER 10                        (10F cash become 1 check)
          PASS CASH 10                           (1 check becomes 10F cash)
          PASS                                   (do nothing)
          You may send both actions of the night, one per line; the second waits
          for its turn.
          A night to copy; what stands behind ELSE is done if the first is not
          possible any more:
          BURY novice UNDER barn ELSE BURY novice UNDER Chen's room service
          BUILD mechanic"""
    )


class Asked(NamedTuple):
    state: State
    actions: tuple[Action, ...]
    text: str


ASKED: Final = {
    "lodging shows this traveler and the next": Asked(
        evening(rooms="- - - baron -", tokens="- 2", entrance="count monk novice"),
        (Lodge((1,)), Lodge((2,)), Lodge((3,))),
        """\
        YOU MAY, for example
          At the door: Count (green, rank 2, 18F). Next: Monk (purple, rank 1,
          12F).
          LODGE 1  (Anna's key)
          LODGE 2  (Room Service: 2F for Bob)
          LODGE 3  (a white key)
          LODGE 3 2 1 lodges several, in the order in which they come up.""",
    ),
    "the police name their price": Asked(
        position(
            player(corpses="novice count", cash=15, checks=2), phase=Phase.POLICE, rooms="major", turn=0, awaited=(1,)
        ),
        (Pay(1), Pay(2)),
        """\
        YOU MAY, for example
          The police found Count and Novice: you pay 20F, in cash, checks or
          both. You have 15F cash and 2 checks.
          PAY 1 CHECK   (10F cash and 1 check)
          PAY 2 CHECKS  (2 checks)""",
    ),
    "wages that cannot be paid ask who leaves": Asked(
        position(player("monk novice peasant", cash=1), phase=Phase.WAGES, turn=0, awaited=(1,)),
        (Dismiss(("novice", "peasant")),),
        """\
        YOU MAY, for example
          You cannot pay all wages: choose 2 of your hand, who leave.
          DISMISS novice, peasant  (leave unpaid)""",
    ),
}


@pytest.mark.parametrize("case", ASKED.values(), ids=ASKED.keys())
def test_what_is_asked_is_said_first(case: Asked) -> None:
    keyed = replace(case.state, rooms=tuple(replace(room, key=int(room.number == 1)) for room in case.state.rooms))
    view = seen(keyed, 1)
    text = rendered("orders.txt.j2", view=view, decision=the_decision(view), lines=lines_of(view, case.actions))
    assert text == dedent(case.text)


def test_before_its_turn_a_seat_reads_that_orders_wait() -> None:
    state = night(player("peasant"), player("novice"), turn=2)
    later = Decision(1, "act", 1, "night", 1, 2)
    text = rendered("orders.txt.j2", view=seen(state, 1), decision=later, lines=[("PASS", Pass())])
    assert "It is not your turn yet; what you send now waits for it." in text


def test_nothing_to_decide_shows_nothing() -> None:
    for form in ("txt", "html"):
        assert rendered(f"orders.{form}.j2", view=seen(THIRD_NIGHT, 2), decision=None, lines=[]).strip() == ""


def test_a_line_too_long_for_the_mail_is_not_shown_and_one_remark_too_long_is_dropped() -> None:
    view = seen(THIRD_NIGHT, 1)
    lines = [("PASS " + "x" * 66, Pass()), ("PASS " + "y" * 65, Pass())]
    text = rendered("orders.txt.j2", view=view, decision=the_decision(view), lines=lines)
    assert text.splitlines()[1:2] == ["  PASS " + "y" * 65]


OVER: Final = replace(
    position(player("monk"), seats=3, phase=Phase.OVER, rooms="- - -", turn=0, entrance=""),
    accounts=(
        Account(12, 1, 20, (("landscaper", 8), ("prince", 3)), 0, 22, 1),
        Account(40, 2, 0, (("bishop", 12),), 3, 60, 0),
        Account(20, 1, 0, (), 0, 30, 2),
    ),
    removed=("baron", "baron"),
)
RESULT: Final = Outcome((3, 1, 2), (22, 60, 30))


def test_the_account_as_text() -> None:
    assert rendered("account.txt.j2", view=seen(OVER), outcome=RESULT) == dedent(
        """\
        THE ACCOUNT
          Bob wins with 60F.

              player  cash  checks  wealth  graves
          1.  Bob      40F       2     60F       0
          2.  Chen     20F       1     30F       2
          3.  Anna     12F       1     22F       1
          Bob: Bishopric paid 12F and 3F over the limit were lost.
          Anna: the gravedigger took 20F, Park paid 8F and Greenhouse paid 3F."""
    )


def test_a_shared_victory_names_all_who_share_it() -> None:
    text = rendered("account.txt.j2", view=seen(OVER), outcome=Outcome((1, 1, 3), (30, 30, 22)))
    assert text.splitlines()[1] == "  Anna and Bob share the victory."


def alone(wealth: int, lost: bool = False) -> State:
    accounts = () if lost else (Account(wealth % 10, wealth // 10, 0, (), 0, wealth, 3),)
    ended = position(player(), seats=1, phase=Phase.OVER, rooms="- - - -", turn=0)
    return replace(ended, lost=lost, accounts=accounts, options=replace(ended.options, length="long"))


@pytest.mark.parametrize("wealth", [109, 110, 130, 150, 170])
def test_every_grade_of_a_game_alone_has_its_words(wealth: int) -> None:
    state = alone(wealth)
    outcome = GAME.outcome(state)
    assert outcome is not None
    first, _, grade = rendered("account.txt.j2", view=seen(state), outcome=outcome).splitlines()[1].partition("F.")
    assert first == f"  Anna ends with {wealth}"
    assert bool(grade) == bool(outcome.grade)


def test_a_lost_game_has_no_account_but_the_loss() -> None:
    state = alone(0, lost=True)
    text = rendered("account.txt.j2", view=seen(state), outcome=GAME.outcome(state))
    assert text.splitlines() == ["THE ACCOUNT", "  The game is lost: a corpse was found."]


def test_alone_the_police_are_a_matter_of_life_and_death() -> None:
    text = rendered("board.txt.j2", view=seen(night(player(corpses="baron"), rooms="major - - -", seats=1)))
    assert "There is police in the inn: with an unburied corpse in the morning the game is lost." in unwrapped(text)


def test_when_the_game_is_over_everything_is_laid_open() -> None:
    text = rendered("board.txt.j2", view=seen(OVER))
    assert "Anna holds Monk." in text
    assert "Never in the game: 2 Barons." in text


@pytest.mark.parametrize(
    ("decision", "name"),
    [
        (Decision(1, "act", 3, "night", 1, 2), "your 1st action"),
        (Decision(1, "act", 3, "night", 2, 2), "your 2nd action"),
        (Decision(1, "lodge", 3, "evening", 4, 2), "lodging travelers"),
        (Decision(1, "pay", 3, "police", 1, 2), "paying the police"),
        (Decision(1, "dismiss", 3, "wages", 1, 2), "whom to dismiss"),
    ],
)
def test_a_decision_has_a_short_name(decision: Decision, name: str) -> None:
    assert macro("decision.txt.j2", "name", decision) == name


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_has_a_name(phase: Phase) -> None:
    text = macro("decision.txt.j2", "phase", replace(seen(THIRD_NIGHT), phase=phase))
    assert text in {
        "before the first round",
        "round 3, evening",
        "round 3, night",
        "round 3, the police",
        "round 3, wages",
        "the game is over",
    }


@pytest.mark.parametrize("card", [card for card, face in FACES.items() if face.buildable])
def test_what_an_annex_does_fits_beside_its_name(card: str) -> None:
    assert 0 < width(macro("words.txt.j2", "power", card)) <= 45


# --- games at random ---


def pages(state: State, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every page that this position gives anybody, by the name of its template."""
    public = seen(state, 0, names)
    views = [seen(state, seat, names) for seat in range(1, len(state.players) + 1)]
    outcome = GAME.outcome(state)
    for form in ("txt", "html"):
        yield f"board.{form}.j2", rendered(f"board.{form}.j2", view=public)
        for view in views:
            yield f"hand.{form}.j2", rendered(f"hand.{form}.j2", view=view)
            lines = lines_of(view, tuple(islice(GAME.legal(view, view.seat), 12)))
            context = {"view": view, "decision": the_decision(view), "lines": lines}
            yield f"orders.{form}.j2", rendered(f"orders.{form}.j2", **context)
        if outcome:
            yield f"account.{form}.j2", rendered(f"account.{form}.j2", view=public, outcome=outcome)
    if outcome:
        yield "archive_game.html.j2", rendered("archive_game.html.j2", view=public, views=views, outcome=outcome)


class Moment(NamedTuple):
    state: State
    events: tuple[Any, ...]


def course(seats: int, options: dict[str, str], seed: int) -> Iterator[Moment]:
    """A game played at random, all its moments."""
    stream = random.Random(seed)
    state = GAME.start(seats, options)
    while waiting := GAME.waiting(state):
        decision = stream.choice(waiting)
        if decision.seat == DEALER:
            action: Action = Deal(tuple(stream.sample(range(decision.size), decision.size)))
        else:
            action = stream.choice(list(islice(GAME.legal(state, decision.seat), 60)))
        step = GAME.apply(state, decision.seat, action)
        state = step.state
        yield Moment(state, step.events)


CHECKS: Final = {"txt.j2": check_text, "html.j2": check_html}
TABLES: Final = [
    (1, {"length": "long"}, 1),
    (2, {"welcome": "first-come", "reshuffle": "at-once"}, 2),
    (3, {"hands": "open", "last-round": "full-inn"}, 3),
    (4, {"unlimited": "on"}, 4),
]


@pytest.mark.parametrize(("seats", "options", "seed"), TABLES)
def test_every_page_of_a_game_is_whole_narrow_and_escaped(seats: int, options: dict[str, str], seed: int) -> None:
    moments = list(course(seats, options, seed))
    for moment in (*moments[::9], moments[-1]):
        for name, text in pages(moment.state, AWKWARD):
            CHECKS[name.partition(".")[2]](text)
            assert "None" not in text
            assert "Undefined" not in text


@pytest.mark.parametrize(("seats", "options", "seed"), TABLES)
def test_every_order_that_is_shown_reads_back_remark_and_all(seats: int, options: dict[str, str], seed: int) -> None:
    for moment in list(course(seats, options, seed))[::5]:
        for view in (seen(moment.state, seat) for seat in range(1, seats + 1)):
            lines = lines_of(view, tuple(islice(GAME.legal(view, view.seat), 12)))
            text = rendered("orders.txt.j2", view=view, decision=the_decision(view), lines=lines)
            shown = [line.strip() for line in text.splitlines()]
            for line, action in lines:
                copies = [copy for copy in shown if copy == line or copy.startswith(line + "  ")]
                assert [GAME.read(copy, view) for copy in copies] == [action] * len(copies)
                assert copies or width(line) > COLUMNS - 2


@pytest.mark.parametrize(("seats", "options", "seed"), TABLES)
def test_the_news_of_a_game_tell_everybody_everything_in_sentences(
    seats: int, options: dict[str, str], seed: int
) -> None:
    for moment in course(seats, options, seed):
        view = seen(moment.state, 1, AWKWARD)
        events = told(moment.events, 1)
        for line in macro("news.txt.j2", "story", events, view).splitlines():
            assert line == " ".join(line.split())
            assert line.endswith((".", "?", "!"))
            assert "None" not in line
        check_html(macro("news.html.j2", "story", events, view))


def on_page(state: State, opened: bool, ended: bool = False) -> str:
    """A position as the archive shows it."""
    view = seen(state, 0, AWKWARD)
    hands = [seen(state, seat, AWKWARD) for seat in (1, 2, 3)] if opened else []
    fragments = REPLAY.fragments(view, hands, ended=ended)
    drawn = {place: Markup(macro("replay.html.j2", each.macro, *each.facts)) for place, each in fragments.items()}
    return macro("replay.html.j2", "frame", drawn, view)


def test_the_archive_lays_the_hands_open_where_it_may_and_else_counts_their_cards() -> None:
    for opened, hands in ((True, "Hand Mechanic 2 Peasants"), (False, "3 cards in hand")):
        page = on_page(THIRD_NIGHT, opened)
        check_html(page)
        text = " ".join(Page(page).text.split())
        assert "Landscaper" in text
        assert hands.removeprefix("Hand ") in text
        assert all(name in text for name in AWKWARD[:3])


def test_the_archive_tells_nothing_of_what_would_have_come_where_a_game_was_broken_off() -> None:
    assert "Next:" in on_page(THIRD_NIGHT, opened=True)
    page = on_page(THIRD_NIGHT, opened=True, ended=True)
    assert "Next:" not in page
    assert "The game was broken off in round 3" in page


def test_the_archive_of_a_game_that_was_ended_early_has_hands_and_no_account() -> None:
    views = [seen(THIRD_NIGHT, seat) for seat in (1, 2, 3)]
    page = rendered("archive_game.html.j2", view=seen(THIRD_NIGHT), views=views, outcome=None)
    check_html(page)
    text = " ".join(Page(page).text.split())
    assert text.startswith("The hands at the end AnnaMechanic and 2 Peasants")
    assert "account" not in text
