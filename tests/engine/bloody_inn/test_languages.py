"""The words of the five languages: what they say, that none says two things, and orders as their people write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import pytest
from jinja2 import Environment

from engine.bloody_inn import GAME, conditions
from engine.bloody_inn.actions import Action, Bribe, Build, Dismiss, Kill, Lodge, Pass, Pay
from engine.bloody_inn.examples import examples
from engine.bloody_inn.lookup import CARD, LOOKUP, RULES
from engine.bloody_inn.notation import kind_of, read, verbs, write
from engine.bloody_inn.outline import outline
from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.sample import ROOM
from engine.bloody_inn.sample import night as night_to_copy
from engine.bloody_inn.standing import OFFERED, STANDING
from engine.bloody_inn.state import View
from engine.bloody_inn.words import ENGLISH, Words, languages, plain, words
from engine.game import Unreadable, told
from pbem.filters import width, wrap
from pbem.plans.syntax import parse
from tests.catalogues import HOMES, template
from tests.engine.bloody_inn.pages import COLUMNS, check_text, environment, seen, the_decision
from tests.engine.bloody_inn.positions import bury, busy_night
from tests.engine.bloody_inn.test_notation import positions
from tests.engine.bloody_inn.test_templates import Moment, course

OTHERS: Final = ("de", "fr", "nl", "zh_Hant")
NIGHT: Final[View] = busy_night(("Anna", "Ole", "小明"))


READ: Final[dict[str, dict[str, Action]]] = {
    "nl": {
        "OMKOPEN hovenier MET boer, novice, monteur": Bribe((1,), 0, ("mechanic", "novice", "peasant")),
        "ronsel de baron op kamer 4": Bribe((4,)),
        "werf 2 boeren": Bribe(peasants=2),
        "Vermoord de brigadier met een boer": Kill((3,), 0, ("peasant",)),
        "kill baron op 2": Kill((2,)),
        "bouw de werkplaats met één van mijn boeren": Build("mechanic", 0, ("peasant",)),
        "Begraaf de graaf onder de kelder van Ole met novice en abt": bury("count", 2, "abbot", "abbot", "novice"),
        "begraaf novice onder mijn schuur": bury("novice", 1, "barn"),
        "begraaf novice in Ole's kelder": bury("novice", 2, "abbot"),
        "pas witwassen 20 frank": Pass(launder=20),
        "BETAAL 2 cheques": Pay(2),
        "ontsla twee boeren": Dismiss(("peasant", "peasant")),
        "HUISVESTEN 6": Lodge((6,)),
        "logeer overal": Lodge((6,)),
    },
    "de": {
        "BESTECHEN Parkgärtner MIT Bauer, Novize, Mechaniker": Bribe((1,), 0, ("mechanic", "novice", "peasant")),
        "bestechen zwei Bauern": Bribe(peasants=2),
        "TÖTE den Baron in Zimmer 4!": Kill((4,)),
        "kill den Baron im Zimmer 2": Kill((2,)),
        "toeten Brigadier mit Major": Kill((3,), 0, ("major",)),
        "bestich Parkgaertner mit dem Mechaniker, einem Bauern und dem Novizen": Bribe(
            (1,), 0, ("mechanic", "novice", "peasant")
        ),
        "bauen Mechaniker mit einem meiner Bauern": Build("mechanic", 0, ("peasant",)),
        "Begrabe den Grafen unter dem Keller von Ole mit Abt und Novize": bury("count", 2, "abbot", "abbot", "novice"),
        "begraben Novize in Oles Keller": bury("novice", 2, "abbot"),
        "begraben Novizen unter meiner Scheune": bury("novice", 1, "barn"),
        "passen waschen 20": Pass(launder=20),
        "ZAHLE zwei Schecks": Pay(2),
        "entlasse Novize und Mönch": Dismiss(("monk", "novice")),
        "UNTERBRINGEN egal": Lodge((6,)),
    },
    "fr": {
        "SOUDOYER paysagiste AVEC paysan, novice, mécanicien": Bribe((1,), 0, ("mechanic", "novice", "peasant")),
        "soudoyez le baron dans la chambre 4": Bribe((4,)),
        "soudoyer deux paysans": Bribe(peasants=2),
        "Tuez le brigadier avec l\u2019abbé": Kill((3,), 0, ("abbot",)),
        "kill baron en 2": Kill((2,)),
        "bâtir l'atelier avec un paysan": Build("mechanic", 0, ("peasant",)),
        "enterrer le comte sous la cave d'Ole avec l'abbé et le novice": bury("count", 2, "abbot", "abbot", "novice"),
        "enterrer le novice dans la cave chez Ole": bury("novice", 2, "abbot"),
        "inhumez novice dans ma grange": bury("novice", 1, "barn"),
        "passe blanchir 20 francs": Pass(launder=20),
        "PAYEZ deux chèques": Pay(2),
        "renvoyez un novice et un paysan": Dismiss(("novice", "peasant")),
        "LOGER n'importe où": Lodge((6,)),
    },
    "zh_Hant": {
        "賄賂 造園師 用 農夫、見習修士、技工": Bribe((1,), 0, ("mechanic", "novice", "peasant")),
        "殺死男爵在4號房": Kill((4,)),
        "殺四號房的男爵": Kill((4,)),
        "殺 男爵 在 4": Kill((4,)),
        "殺警佐用農夫": Kill((3,), 0, ("peasant",)),
        "殺死:警佐 用警監(這是備註)。": Kill((3,), 0, ("major",)),
        "收買兩名農夫": Bribe(peasants=2),
        "賄賂2個農夫": Bribe(peasants=2),
        "建造技工用一名農夫": Build("mechanic", 0, ("peasant",)),
        "埋葬伯爵於小明的酒窖用修道院長和見習修士": bury("count", 3, "abbot", "abbot", "novice"),
        "埋葬伯爵在Ole的酒窖下用修道院長、見習修士": bury("count", 2, "abbot", "abbot", "novice"),
        "埋見習修士在我的穀倉裡": bury("novice", 1, "barn"),
        "跳過洗錢20法郎": Pass(launder=20),
        "跳過": Pass(),
        "付2張支票": Pay(2),
        "解雇見習修士、農夫": Dismiss(("novice", "peasant")),
        "安置6": Lodge((6,)),
        "安置任意": Lodge((6,)),
        "kill 男爵 in 4": Kill((4,)),
        "殺死男爵 in 4": Kill((4,)),
    },
}
CASES: Final = [(language, line) for language, lines in READ.items() for line in lines]


@pytest.mark.parametrize(("language", "line"), CASES)
def test_a_line_is_read_as_people_write_it(language: str, line: str) -> None:
    assert read(line, NIGHT, language) == READ[language][line]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("seats", [1, 3])
def test_every_legal_action_has_a_line_in_the_language_that_reads_back(language: str, seats: int) -> None:
    for view, actions in positions(seats, OTHERS.index(language)):
        for action in actions[:6]:
            assert read(write(action, view, language), view, language) == action
            assert read(write(action, view, ENGLISH), view, language) == action


def test_a_line_in_another_language_is_read_where_ones_own_cannot() -> None:
    for language, lines in READ.items():
        for reader in {*OTHERS, ENGLISH} - {language}:
            action = next(iter(lines.values()))
            assert read(write(action, NIGHT, language), NIGHT, reader) == action


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_misspelt_line_may_have_meant_is_said_in_the_language_of_its_reader(language: str) -> None:
    tongue = words(language)
    line = write(Bribe((2,)), NIGHT, language).replace(tongue.inline(tongue.card("baron")), "Baroxn")
    with pytest.raises(Unreadable) as fault:
        read(line, NIGHT, language)
    assert fault.value.reason == Fault.CARD
    with pytest.raises(Unreadable) as fault:
        read(line, NIGHT)  # the fault is that of the language whose verb it is
    assert fault.value.reason == Fault.CARD


@pytest.mark.parametrize("language", OTHERS)
def test_conditions_and_choices_read_back(language: str) -> None:
    asked = ("baron IN INN", "baron IN 2", "peasant IN HAND", "POLICE", "CASH >= 10", "ROUND >= 5", "ANNA KILLED")
    for line in asked:
        condition = conditions.read(line, NIGHT, language)
        assert conditions.read(conditions.write(condition, NIGHT, language), NIGHT, language) == condition
    for choice in (
        *OFFERED,
        STANDING.read("KEEP abbot, bishop"),
        STANDING.read("DISMISS novice"),
        STANDING.read("ASK"),
    ):
        assert STANDING.read(STANDING.write(choice, language), language) == choice


ASKED: Final = {
    "nl": {"de baron op 2": "baron IN 2", "geld minstens 10 frank": "CASH >= 10", "Anna vermoordde": "ANNA KILLED"},
    "de": {"der Baron im Gasthaus": "baron IN INN", "Bargeld mindestens 10": "CASH >= 10"},
    "fr": {"l'abbé dans l'auberge": "abbot IN INN", "argent au moins 10 francs": "CASH >= 10"},
    "zh_Hant": {"男爵在旅店": "baron IN INN", "現金至少10法郎": "CASH >= 10", "小明殺了人": "小明 KILLED"},
}


@pytest.mark.parametrize(("language", "text"), [(language, text) for language in ASKED for text in ASKED[language]])
def test_a_condition_is_read_as_people_write_it(language: str, text: str) -> None:
    assert conditions.read(text, NIGHT, language) == conditions.read(ASKED[language][text], NIGHT)


OUTLINES: Final = {
    "nl": {"begraaf graaf onder kelder van Piet": "BEGRAVEN graaf ONDER kelder van piet"},
    "de": {"töte 2 Bauern": "TÖTEN 2 Bauern", "begrabe Graf unter Piets Keller": "BEGRABEN Graf UNTER Keller von piet"},
    "fr": {"tuez l'évêque": "TUER évêque", "enterrer comte sous cave d'Ida": "ENTERRER comte SOUS cave d'ida"},
    "zh_Hant": {"殺死男爵用農夫": "殺死 男爵 用 農夫", "埋葬伯爵於Piet的酒窖": "埋葬 伯爵 於 piet的酒窖"},
}


@pytest.mark.parametrize(("language", "text"), [(tongue, text) for tongue in OUTLINES for text in OUTLINES[tongue]])
def test_a_line_without_a_position_is_shown_as_the_language_writes_it(language: str, text: str) -> None:
    assert outline(text, language) == OUTLINES[language][text]


@pytest.mark.parametrize("language", OTHERS)
def test_cards_and_topics_are_looked_up_by_every_spelling(language: str) -> None:
    tongue = words(language)
    for card, names in tongue.cards.items():
        for spelling in filter(None, (*names.spellings, *names.annex_spellings)):
            assert LOOKUP.find(CARD, spelling, language) == card
    for topic, spellings in tongue.topics.items():
        assert LOOKUP.find(RULES, spellings[0], language) == topic


def test_the_kind_of_a_line_is_known_in_every_language() -> None:
    for language in OTHERS:
        assert kind_of(write(Lodge((6,)), NIGHT, language), language) == "lodge"
        assert kind_of(write(Bribe((4,)), NIGHT, language)) == "act"


# --- the words themselves ---


def test_there_are_words_for_five_languages() -> None:
    assert languages() == ("de", "en", "fr", "nl", "zh_Hant")


def spellings(tongue: Words) -> Iterable[tuple[str, str]]:
    """Every spelling that stands for a verb, a card, an annex or a number, and what it stands for."""
    yield from ((word, verb) for verb, known in tongue.verbs.items() for word in known)
    yield from ((word, card) for card, names in tongue.cards.items() for word in names.spellings)
    yield from ((word, card) for card, names in tongue.cards.items() for word in names.annex_spellings)
    yield from ((word, str(number)) for word, number in tongue.numbers.items())


def meanings(tongues: Iterable[Words]) -> dict[str, set[str]]:
    """The meanings of each spelling in `tongues` together."""
    found: dict[str, set[str]] = defaultdict(set)
    for tongue in tongues:
        for word, meaning in spellings(tongue):
            found[plain(word)].add(meaning)
    return found


@pytest.mark.parametrize("language", languages())
def test_no_spelling_means_two_things_in_a_language(language: str) -> None:
    doubtful = {word: told for word, told in meanings([words(language)]).items() if word and len(told) > 1}
    assert doubtful == {}


def test_no_spelling_means_two_things_in_two_languages() -> None:
    every = meanings(map(words, languages()))
    assert {word: told for word, told in every.items() if word and len(told) > 1} == {}


@pytest.mark.parametrize("language", languages())
def test_a_verb_is_one_word_and_small_words_stand_for_one_part_of_an_order(language: str) -> None:
    tongue = words(language)
    assert [verb for known in tongue.verbs.values() for verb in known if " " in verb] == []
    parts = (*(tongue.phrases[part] for part in ("with", "room")), tongue.little.joins, tongue.little.skip)
    folded = [plain(word) for part in parts for word in part]
    assert sorted(folded) == sorted(set(folded))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_words_for_all_that_english_has(language: str) -> None:
    own, english = words(language), words(ENGLISH)
    for part in ("verbs", "phrases", "conditions", "choices", "topics", "cards"):
        assert list(getattr(own, part)) == list(getattr(english, part))
    for card, names in english.cards.items():
        assert bool(own.cards[card].annex) == bool(names.annex)
        assert bool(own.cards[card].name) == bool(names.name)


def test_a_peasant_is_never_called_as_a_cultivator() -> None:
    for language in languages():
        tongue = words(language)
        assert tongue.card("peasant") != tongue.card("cultivator")


def test_verbs_of_ones_own_language_come_first_and_of_the_others_only_the_written_ones() -> None:
    assert verbs("fr")[0] == "loger"
    assert {"doden", "toten", "tuer", "殺死"} <= set(verbs())
    assert "tue" not in verbs()  # it begins a date: Tue 3 March
    assert "tue" in verbs("fr")


# --- whole pages ---


@cache
def speaking(language: str) -> Environment:
    return environment(language)


def said(language: str, name: str, **context: Any) -> str:
    """A page of the game in a language."""
    return speaking(language).get_template(f"game/{name}").render(**context).rstrip("\n")


def told_in(language: str, moment: Moment, seats: int) -> Iterator[str]:
    """All that a position and what led to it say to anybody, as text."""
    public, outcome = seen(moment.state), GAME.outcome(moment.state)
    yield said(language, "board.txt.j2", view=public)
    yield said(language, "board_short.txt.j2", view=public)
    news = vars(speaking(language).get_template("game/news.txt.j2").module)["story"]
    for seat in range(1, seats + 1):
        view = seen(moment.state, seat)
        lines = [(write(action, view, language), action) for action in GAME.suggest(view, 6)]
        yield said(language, "hand.txt.j2", view=view)
        yield said(language, "orders.txt.j2", view=view, decision=the_decision(view), lines=lines)
        yield from map(wrap, news(told(moment.events, seat), view).splitlines())
    if outcome:
        yield said(language, "account.txt.j2", view=public, outcome=outcome)


@cache
def english() -> frozenset[str]:
    """Texts that no other language would have, without placeholders: at least three words."""
    texts = (message.id for message in template(HOMES[1]) if isinstance(message.id, str))
    return frozenset(text for text in texts if "%" not in text and len(text.split()) > 2)


@pytest.mark.parametrize("language", OTHERS)
def test_a_game_is_told_in_the_language_alone_and_within_the_columns_of_a_mail(language: str) -> None:
    seats = 3
    moments = list(course(seats, {"hands": "open"}, seed=OTHERS.index(language)))
    for moment in (*moments[::30], *moments[-3:]):
        for text in told_in(language, moment, seats):
            check_text(text)
            assert [each for each in english() if each in text] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_order_that_a_mail_suggests_reads_back_remark_and_all(language: str) -> None:
    for moment in list(course(3, {}, seed=4))[::10]:
        for view in (seen(moment.state, seat) for seat in (1, 2, 3) if the_decision(seen(moment.state, seat))):
            lines = [(write(action, view, language), action) for action in GAME.suggest(view, 6)]
            text = said(language, "orders.txt.j2", view=view, decision=the_decision(view), lines=lines)
            shown = [line.strip() for line in text.splitlines()]
            for line, action in lines:
                copies = [copy for copy in shown if copy == line or copy.startswith(f"{line}  ")]
                assert [read(copy, view, language) for copy in copies] == [action] * len(copies)
                assert copies or width(line) > COLUMNS - 2


@pytest.mark.parametrize("language", languages())
def test_a_night_to_copy_fits_on_its_lines_so_that_it_comes_back_as_it_was(language: str) -> None:
    otherwise = {"de": "SONST", "fr": "SINON", "nl": "ANDERS", "zh_Hant": "否則"}.get(language, "ELSE")
    best = Bribe((1,), 0, ("mechanic", "novice", "peasant"))
    for next_best in (Kill((4,), 0, ("abbot", "mechanic", "monk")), Bribe(peasants=2)):
        first, second = night_to_copy(NIGHT, [best, next_best], language, otherwise)
        assert max(width(first), width(second)) <= ROOM
        order, alternative = first.split(f" {otherwise} ")
        assert read(order, NIGHT, language) == best
        assert read(alternative, NIGHT, language) in (next_best, Pass())


@pytest.mark.parametrize("language", languages())
def test_the_lines_that_newcomers_can_copy_read_in_their_language(language: str) -> None:
    lines = examples(language)
    for line in lines["orders"]:
        assert outline(line, language)
    for line in lines["plans"]:
        said = parse(line, GAME.verbs(language))
        assert said is not None
        assert len(said.ways) + (said.until is not None) > 1
        for way in said.ways:
            assert way.waits or read(way.order, NIGHT, language)
            assert all(conditions.read(term.text, NIGHT, language) for term in way.test.terms)
    for line in lines["conditions"]:
        assert conditions.read(line.replace("小安", "Anna"), NIGHT, language)
    for line in lines["choices"]:
        assert STANDING.read(line, language)


@pytest.mark.parametrize("language", OTHERS)
def test_the_rules_fit_a_mail_and_their_examples_are_orders(language: str) -> None:
    for topic in LOOKUP.keys(RULES):
        text = said(language, "lookup_rules.txt.j2", topic=topic)
        check_text(text)
        first = tuple(f"  {word} " for word in map(words(language).verb, words(language).verbs))
        for line in text.splitlines():
            assert not line.startswith(first) or outline(line, language)
    for card in LOOKUP.keys(CARD):
        assert said(language, "lookup_card.txt.j2", **LOOKUP.facts(CARD, card))


@pytest.mark.parametrize("language", OTHERS)
def test_a_number_decides_which_form_a_text_has(language: str) -> None:
    peasants = vars(speaking(language).get_template("game/words.txt.j2").module)["peasants"]
    one, three = (str(peasants(count)) for count in (1, 3))
    assert words(language).card("peasant", 1).lower() in one.lower()
    assert words(language).card("peasant", 3).lower() in three.lower()
