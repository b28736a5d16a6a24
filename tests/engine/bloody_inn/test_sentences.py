"""What the game says: a sentence for every event, every fault and every refusal, read as text."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple, get_args

import msgspec
import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn import events as happened
from engine.bloody_inn.reasons import Fault, Refusal
from engine.bloody_inn.state import Phase, State
from engine.game import Illegal, Unreadable
from tests.engine.bloody_inn.pages import AWKWARD, check_html, macro, seen, unwrapped
from tests.engine.bloody_inn.positions import evening, night, player, position

TABLE: Final = night(
    player("mechanic monk peasant peasant", "mechanic[baron]", "novice", cash=12),
    player("baron baron", cash=7, checks=2),
    player("major bishop", "barn[peasant] concierge grocer[baron count]", "count count", cash=20),
    rooms="landscaper - brigadier - monk concierge",
    keys="1 2 3 - - -",
    seats=3,
    bistro=4,
)

TOLD: Final = [
    (happened.FirstPlayer(1), "Anna has the first-player card."),
    (happened.Shuffled("first", 3), "Lots were drawn for the first player."),
    (happened.Shuffled("entrance", 70), "The 70 travelers were shuffled, and some of them put away unseen."),
    (happened.Shuffled("season", 30), "The exit stack was shuffled: its 30 travelers come to the inn again."),
    (happened.RoundBegan(2, 1, 3, False), "Round 2 of season 1 began; Chen is first player."),
    (happened.RoundBegan(9, 2, 3, True), "Round 9 began, the last one; Chen is first player."),
    (happened.LeftoversArrived(2), "Too few travelers were left for another round: 2 of them came and went at once."),
    (happened.SeasonBegan(2, 4), "Season 2 began; it has 4 rounds."),
    (happened.SeasonBegan(2, 0), "Season 2 began, but too few travelers are left for a round."),
    (
        happened.LastRoundSkipped(((1, "baron"), (3, "monk"))),
        "There was no last round, for want of travelers: the Baron in room 1 and the Monk in room 3 went on.",
    ),
    (happened.LastRoundSkipped(()), "There was no last round, for want of travelers."),
    (happened.Lodged(2, 4, "butcher"), "Bob lodged the Butcher in room 4."),
    (happened.Served(3, 4, 2, 0), "Room Service in room 4 paid Chen 2F."),
    (happened.Served(3, 4, 2, 1), "Room Service in room 4 paid Chen 2F (lost over the limit: 1F)."),
    (
        happened.Bribed(1, ((5, "monk"),), 0, ("peasant",), ()),
        "Anna bribed the Monk in room 5 with Peasant.",
    ),
    (
        happened.Bribed(1, ((1, "count"), (2, "monk")), 0, ("baron", "baron", "newsboy"), ("newsboy",)),
        "Anna bribed the Count in room 1 and the Monk in room 2 with 2 Barons and Newsboy; Newsboy came back.",
    ),
    (happened.Bribed(1, (), 2, (), ()), "Anna took 2 peasants from the bistro."),
    (
        happened.Killed(3, ((4, "count"),), 0, ("major", "peasant"), ("major",)),
        "Chen killed the Count in room 4 with Major and Peasant; Major came back.",
    ),
    (
        happened.Killed(3, ((4, "count"),), 0, ("major", "major"), ("major", "major")),
        "Chen killed the Count in room 4 with 2 Majors, back in hand.",
    ),
    (happened.Killed(3, (), 1, (), ()), "Chen killed a peasant in the bistro."),
    (
        happened.Built(1, "monk", ("peasant",), (), 4, 0, 0),
        "Anna built the Monk as Room with Peasant. The key of room 4 is theirs now.",
    ),
    (
        happened.Built(1, "concierge", ("mechanic", "peasant"), ("mechanic",), 4, 0, 0),
        "Anna built the Concierge as Room Service with Mechanic and Peasant; Mechanic came back. "
        "Their token lies on room 4.",
    ),
    (happened.Built(1, "baron", (), (), 0, 4, 0), "Anna built the Baron as Large Chandelier. It paid 4F."),
    (
        happened.Buried(1, (happened.Burial("novice", 1, "barn", 8, 0, 0, 0),), (), ()),
        "Anna buried the Novice under their own Barn for 8F.",
    ),
    (
        happened.Buried(1, (happened.Burial("count", 3, "concierge", 9, 0, 4, 5),), ("monk", "peasant"), ("monk",)),
        "Anna buried the Count under Chen's Room Service: 9F for Anna, 4F for Chen (lost over the limit: 5F). "
        "Played: Monk and Peasant; Monk came back.",
    ),
    (happened.Passed(3, 0, 0), "Chen passed."),
    (happened.Passed(3, 20, 0), "Chen passed and turned 20F cash into 2 checks."),
    (happened.Passed(3, 0, 10), "Chen passed and turned 1 check into 10F cash."),
    (happened.Answered(1, "pay"), "Anna has told the police how to be paid."),
    (happened.Answered(1, "dismiss"), "Anna has chosen whom to dismiss."),
    (happened.AnswerSealed(1, "pay", 0, ()), "Anna pays in cash as soon as all have answered."),
    (
        happened.AnswerSealed(1, "pay", 1, ()),
        "Anna pays with 1 check, the rest in cash, as soon as all have answered.",
    ),
    (
        happened.AnswerSealed(1, "dismiss", 0, ("novice", "novice")),
        "Anna dismisses 2 Novices as soon as all have answered.",
    ),
    (happened.PoliceCame(((3, "major"),)), "The police investigated: the Major in room 3."),
    (
        happened.PolicePaid(1, ("count", "novice"), 10, 1),
        "Anna paid the police 10F cash and 1 check; they took Count and Novice away.",
    ),
    (happened.PolicePaid(1, ("count",), 0, 0), "Anna could not pay the police anything; they took Count away."),
    (
        happened.TravelersLeft(((1, "baron"), (2, "baron"), (3, "monk"))),
        "In the morning 3 travelers left: 2 Barons and Monk.",
    ),
    (happened.TravelersLeft(()), "In the morning no traveler was left in the inn."),
    (happened.Income(1, 2, 3, 5, 0), "Anna earned 5F: 2F for rooms, 3F from annexes."),
    (happened.WagesPaid(1, 3, 3), "Anna paid 3F wages."),
    (happened.WagesPaid(1, 3, 1), "Anna paid 1F of 3F wages."),
    (happened.Dismissed(2, ("peasant", "peasant")), "Unpaid by Bob, 2 Peasants left."),
    (happened.Gravedigger(1, ("count",), 10, 0), "Anna paid the gravedigger 10F cash for Count."),
    (happened.Gravedigger(1, ("count",), 0, 0), "Anna could not pay the gravedigger anything for Count."),
    (
        happened.EndIncome(1, (("landscaper", 8), ("prince", 3)), 9, 2),
        "At the end Anna earned 9F: Park 8F and Greenhouse 3F (lost over the limit: 2F).",
    ),
    (happened.EndIncome(1, (), 0, 0), "At the end Anna earned nothing from annexes."),
    (happened.Lost("police"), "The police found an unburied corpse: the game is lost."),
    (happened.Lost("gravedigger"), "A corpse was left unburied at the end: the game is lost."),
    (happened.Ended((20, 30, 29), (3, 1, 2)), "The game is over: Bob won with 30F."),
    (happened.Ended((20, 30, 30), (3, 1, 1)), "The game is over: Bob and Chen share the victory with 30F each."),
    (happened.Ended((120,), (1,)), "The game is over: Anna ends with 120F."),
    (happened.PurseCorrected(1, "cash", 5, 12), "Anna has 12F in cash now, instead of 5."),
    (happened.PurseCorrected(2, "checks", 1, 0), "Bob has 0 checks now, instead of 1."),
    (
        happened.CardMoved(
            "monk", happened.Spot(happened.Place("room"), 3), happened.Spot(happened.Place("corpses"), 2)
        ),
        "Monk: from room 3 to the corpses of Bob.",
    ),
    (
        happened.CardMoved(
            "peasant", happened.Spot(happened.Place("bistro")), happened.Spot(happened.Place("hand"), 1)
        ),
        "Peasant: from the bistro to the hand of Anna.",
    ),
    (
        happened.CardMoved("count", happened.Spot(happened.Place("gone")), happened.Spot(happened.Place("exit"))),
        "Count: from the corpses that are gone to the exit stack.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_an_event_is_told_in_a_sentence(event: Any, sentence: str) -> None:
    assert macro("news.txt.j2", "tell", event, seen(TABLE)) == sentence


def test_every_type_of_event_is_told() -> None:
    assert {type(event) for event, _ in TOLD} == set(get_args(happened.AnyEvent))


@pytest.mark.parametrize("event", [event for event, _ in TOLD])
def test_a_name_in_the_news_is_never_markup(event: Any) -> None:
    check_html(macro("news.html.j2", "tell", event, seen(TABLE, 0, AWKWARD)))


def test_neighbours_of_one_kind_are_told_together() -> None:
    events = (
        happened.Lodged(2, 1, "baron"),
        happened.Lodged(2, 3, "monk"),
        happened.Served(3, 3, 1, 0),
        happened.Lodged(2, 4, "count"),
        happened.Income(1, 2, 0, 2, 0),
        happened.Income(2, 0, 2, 0, 2),
        happened.WagesPaid(1, 3, 3),
        happened.WagesPaid(2, 5, 3),
        happened.Dismissed(2, ("peasant",)),
    )
    assert macro("news.txt.j2", "story", events, seen(TABLE)).splitlines() == [
        "Bob lodged the Baron in room 1 and the Monk in room 3.",
        "Room Service in room 3 paid Chen 1F.",
        "Bob lodged the Count in room 4.",
        "Income: Anna 2F, Bob 0F (lost over the limit: 2F).",
        "Wages: Anna 3F, Bob 3F of 5F.",
        "Unpaid by Bob, Peasant left.",
    ]


def test_many_travelers_are_counted_since_the_board_names_them() -> None:
    events = [happened.Lodged(2, room, "baron") for room in range(1, 6)]
    assert macro("news.txt.j2", "story", events, seen(TABLE)).splitlines() == ["Bob lodged 5 travelers."]


def test_an_answer_is_told_as_sealed_only_until_it_is_opened() -> None:
    paid = (
        happened.AnswerSealed(1, "pay", 1, ()),
        happened.Answered(2, "pay"),
        happened.PolicePaid(1, ("novice",), 0, 1),
        happened.PolicePaid(2, ("monk",), 10, 0),
    )
    next_morning = (happened.Answered(2, "pay"),)
    assert macro("news.txt.j2", "story", (*paid, *next_morning), seen(TABLE)).splitlines() == [
        "Anna paid the police 1 check; they took Novice away.",
        "Bob paid the police 10F cash; they took Monk away.",
        "Bob has told the police how to be paid.",
    ]


def test_all_wages_are_told_before_anybody_leaves() -> None:
    events = (
        happened.WagesPaid(1, 3, 1),
        happened.Dismissed(1, ("novice", "novice")),
        happened.WagesPaid(2, 2, 2),
        happened.Dismissed(3, ("monk",)),
    )
    assert macro("news.txt.j2", "story", events, seen(TABLE)).splitlines() == [
        "Wages: Anna 1F of 3F, Bob 2F.",
        "Unpaid by Anna, 2 Novices left.",
        "Unpaid by Chen, Monk left.",
    ]


class Wrong(NamedTuple):
    """An order that is not done, and what its writer reads."""

    state: State
    line: str
    answer: str


EVENING: Final = evening(rooms="- - - baron -", entrance="count monk novice")
CHEAP: Final = night(
    player("monk concierge peasant peasant peasant", "barn[novice]", "novice", cash=35, checks=2),
    rooms="baron - major - -",
    bistro=0,
)
POLICE: Final = position(
    player(corpses="novice count", cash=5, checks=3), phase=Phase.POLICE, rooms="major", turn=0, awaited=(1,)
)
WAGES: Final = position(player("monk novice peasant", cash=1), phase=Phase.WAGES, turn=0, awaited=(1,))
FREE: Final = "With a free place: your Barn, Bob's Barn, Chen's Room Service and Chen's Grocery."
GUESTS: Final = "Guests: Landscaper in 1, Brigadier in 3, Monk in 5, Concierge in 6."

WRONG: Final = [
    Wrong(TABLE, "BURRY baron", '"burry" is not an order that I know. Did you mean BURY? HELP lists the orders.'),
    Wrong(TABLE, "BUILD mecanic", 'I know no card called "mecanic". Did you mean mechanic?'),
    Wrong(TABLE, "BURY novice UNDER celar", 'I know no annex called "celar". Did you mean cellar?'),
    Wrong(TABLE, "BURY novice UNDER Bob's cellar", f"Bob has no Cellar. {FREE}"),
    Wrong(TABLE, "BURY novice UNDER my cellar", f"You have no Cellar. {FREE}"),
    Wrong(TABLE, "BURY novice UNDER workshop", f"No place is free under your Workshop. {FREE}"),
    Wrong(
        TABLE,
        "BURY novice",
        f"Under which annex should the Novice lie? Add UNDER and the annex, as in UNDER barn. {FREE}",
    ),
    Wrong(CHEAP, "BURY novice UNDER barn", "No place is free under your Barn. With a free place: Bob's Barn."),
    Wrong(
        TABLE,
        "BURY abbot UNDER barn WITH peasant, peasant",
        "You have no unburied Abbot. Unburied before you: Novice.",
    ),
    Wrong(TABLE, "KILL", "KILL whom or what? Say it behind the word, as in KILL baron."),
    Wrong(TABLE, "KILL baron", f"No Baron lies in the inn. {GUESTS}"),
    Wrong(TABLE, "KILL monk IN 3", f"No Monk lies in room 3. {GUESTS}"),
    Wrong(TABLE, "BRIBE ROOM 2", f"Nobody lies in room 2. {GUESTS}"),
    Wrong(
        TABLE,
        "KILL brigadier",
        "Which cards do you pay with? Add WITH and 1 card of your hand. For example: peasant, mechanic or monk.",
    ),
    Wrong(TABLE, "KILL brigadier WITH major", "You do not hold Major. Your hand: Mechanic, Monk and 2 Peasants."),
    Wrong(
        TABLE,
        "KILL landscaper WITH peasant, peasant, peasant",
        "You do not hold so many: for this line you lack Peasant. Your hand: Mechanic, Monk and 2 Peasants.",
    ),
    Wrong(TABLE, "KILL brigadier WITH peasant, peasant", "You named 2 cards to pay with; it takes exactly 1."),
    Wrong(
        TABLE,
        "KILL brigadier, monk WITH peasant, peasant",
        "You may kill only one at a time; with a Butcher's Shop you could do more. Name one.",
    ),
    Wrong(TABLE, "BRIBE monk UNDER barn", '"under" does not belong to BRIBE; send the line without it.'),
    Wrong(TABLE, "BRIBE 3 PEASANTS", "3 peasants are too many for one action; at most 2."),
    Wrong(
        TABLE,
        "BRIBE monk, peasant WITH peasant",
        "One action is for guests in rooms or for peasants in the bistro, not for both: choose one.",
    ),
    Wrong(CHEAP, "BRIBE PEASANT", "There is no peasant in the bistro now; choose a guest in a room."),
    Wrong(TABLE, "BUILD peasant", "The Peasant cannot be built; police and peasants never become an annex."),
    Wrong(
        TABLE, "BUILD mechanic ROOM 3 WITH peasant", "The Mechanic does not need a room; send the line without ROOM."
    ),
    Wrong(
        CHEAP,
        "BUILD monk ROOM 1 WITH peasant",
        "Room 1 cannot be chosen for the Monk; possible: rooms 3, 4 or 5.",
    ),
    Wrong(CHEAP, "BUILD monk WITH peasant", "Which room? Add its number. Possible: 3, 4 or 5."),
    Wrong(TABLE, "PASS LAUNDER 15", "Checks are worth 10F, so 15F cannot be changed; name 10, 20, 30 or 40."),
    Wrong(TABLE, "PASS LAUNDER 20", "You have 12F cash, not 20F; name less, or say just PASS."),
    Wrong(TABLE, "PASS CASH 20", "Your checks are worth 10F and you asked for 20F; name less, or say just PASS."),
    Wrong(CHEAP, "PASS CASH 10", "10F more would bring your cash of 35F over 40F; name less, or say just PASS."),
    Wrong(
        TABLE,
        "PASS LAUNDER 10 CASH 10",
        "One pass changes money one way: cash into checks (LAUNDER) or checks into cash (CASH). Choose one.",
    ),
    Wrong(TABLE, "PASS LAUNDER", 'A number is missing or unclear at "launder"; write it in digits, such as 10.'),
    Wrong(TABLE, "LODGE 3", "It is night: say BRIBE, BUILD, KILL, BURY or PASS."),
    Wrong(EVENING, "LODGE 4", "Room 4 is taken. Free: rooms 1, 2, 3 or 5."),
    Wrong(EVENING, "LODGE 9", "Room 9 is not open in this game; open are rooms 1, 2, 3, 4 and 5."),
    Wrong(EVENING, "LODGE 1 1", "You named room 1 twice; name each room once."),
    Wrong(EVENING, "PASS", "Now travelers are lodged: say LODGE and the number of a free room."),
    Wrong(POLICE, "PAY 3 CHECKS", "You can pay the police with exactly 2 checks, not with 3."),
    Wrong(WAGES, "DISMISS monk", "2 accomplices stay unpaid, so exactly 2 must leave; you named 1."),
]


@pytest.mark.parametrize("wrong", WRONG, ids=[wrong.line for wrong in WRONG])
def test_a_refusal_says_why_and_what_would_work(wrong: Wrong) -> None:
    assert answer(wrong.state, wrong.line) == wrong.answer


def answer(state: State, line: str) -> str:
    """What seat 1 is told about `line`; the facts travel as JSON, as they do in a host."""
    view = seen(state, 1)
    try:
        GAME.apply(state, 1, GAME.read(line, view))
    except (Unreadable, Illegal) as trouble:
        facts = msgspec.json.decode(msgspec.json.encode(trouble.facts))
        return macro("reasons.txt.j2", "why", str(trouble.reason), facts, view)
    pytest.fail(f"{line} was done")


def test_out_of_turn_a_seat_reads_whose_turn_it_is() -> None:
    facts = {"seat": 2}
    assert macro("reasons.txt.j2", "why", Refusal.NOT_AWAITED, facts, seen(TABLE, 2)) == (
        "It is not your turn. Now deciding: Anna."
    )


FACTS: Final[dict[StrEnum, dict[str, Any]]] = {
    Fault.VERB: {"word": "<b>", "near": []},
    Fault.CARD: {"word": "<b>", "near": []},
    Fault.ANNEX: {"word": "<b>", "near": []},
    Fault.PLAYER: {"word": "<b>", "near": ["Anna", "Bob"]},
    Fault.NUMBER: {"word": "<b>"},
    Fault.CONDITION: {"word": "<b>", "near": ["POLICE"]},
    Fault.CHOICE: {"word": "<b>", "near": ["LODGE ANY"]},
    Fault.TARGET_MISSING: {"verb": "kill"},
    Fault.PLACE_MISSING: {"corpse": "novice"},
    Fault.ROOM_MISSING: {"verb": "lodge", "near": ["1"]},
    Fault.NOT_IN_INN: {"card": "baron", "room": 0},
    Fault.NOT_HERE: {"verb": "bribe", "words": "<b>"},
    Fault.PAYMENT_UNCLEAR: {"least": 1, "most": 2, "near": ["peasant"]},
    Fault.REPEATED: {"word": "<b>"},
    Fault.REST: {"words": "<b>"},
    Refusal.OVER: {},
    Refusal.NOT_AWAITED: {"seat": 2},
    Refusal.WRONG_KIND: {"kind": "pay"},
    Refusal.NO_ROOM_NAMED: {},
    Refusal.ROOM_CLOSED: {"room": 8},
    Refusal.ROOM_TAKEN: {"room": 1},
    Refusal.ROOM_EMPTY: {"room": 2},
    Refusal.TARGET_TWICE: {"room": 1},
    Refusal.NO_TARGET: {},
    Refusal.MIXED_TARGETS: {},
    Refusal.ONE_TARGET: {"action": "bury", "annex": "archbishop"},
    Refusal.PEASANT_LIMIT: {"asked": 3, "most": 2},
    Refusal.BISTRO_SHORT: {"asked": 2, "there": 1},
    Refusal.NOT_IN_HAND: {"cards": ["baron"]},
    Refusal.HAND_TOO_SMALL: {"least": 3, "there": 1},
    Refusal.CARD_COUNT: {"given": 1, "least": 0, "most": 0},
    Refusal.NOT_BUILDABLE: {"card": "major"},
    Refusal.ROOM_NEEDED: {"card": "monk", "rooms": [4, 5]},
    Refusal.ROOM_NOT_POSSIBLE: {"card": "monk", "room": 3, "rooms": []},
    Refusal.ROOM_NOT_USED: {"card": "baron"},
    Refusal.NO_CORPSE: {"corpse": "baron"},
    Refusal.NO_ANNEX: {"owner": 3, "annex": "abbot"},
    Refusal.NO_PLACE: {"owner": 3, "annex": "barn", "places": []},
    Refusal.TENS: {"amount": 15},
    Refusal.BOTH_WAYS: {},
    Refusal.CASH_SHORT: {"amount": 20, "there": 5},
    Refusal.CHECKS_SHORT: {"amount": 20, "there": 10},
    Refusal.CASH_LIMIT: {"amount": 20, "there": 35},
    Refusal.CHECKS_RANGE: {"checks": 3, "least": 0, "most": 2},
    Refusal.DISMISS_COUNT: {"given": 1, "due": 2},
    Refusal.NO_PERMUTATION: {"size": 3},
    Refusal.NOT_NOW: {},
    Refusal.NO_AMOUNT: {"amount": 41, "most": 40},
    Refusal.NOT_THERE: {"card": "monk"},
}


def test_the_facts_above_are_of_all_reasons() -> None:
    assert set(FACTS) == {*Fault, *Refusal}
    assert len({str(reason) for reason in FACTS}) == len(FACTS)


@pytest.mark.parametrize("seat", [0, 1, 3])
@pytest.mark.parametrize("reason", FACTS)
def test_every_reason_has_whole_sentences_for_everybody(reason: StrEnum, seat: int) -> None:
    sentence = macro("reasons.txt.j2", "why", reason, FACTS[reason], seen(TABLE, seat))
    assert sentence == unwrapped(sentence)
    assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] == '"'
    assert sentence.endswith((".", "?"))
    assert " ." not in sentence
    assert "None" not in sentence


@pytest.mark.parametrize("reason", FACTS)
def test_what_a_player_wrote_is_never_markup(reason: StrEnum) -> None:
    sentence = macro("reasons.html.j2", "why", reason, FACTS[reason], seen(TABLE, 1, AWKWARD))
    check_html(sentence)
    assert "<" not in sentence
