"""The words of plans in each language: what holds an order together, but no word of the order itself."""

from __future__ import annotations

import pytest

from pbem.lines import Kind, looks, pieces
from pbem.plans.syntax import WAIT, parse
from pbem.spoken import gathered
from pbem.tongues import LANGUAGES

VERBS = ("kill", "bribe", "pass")

PLANS = {
    "ALS baron IN INN EN NIET POLICE KILL baron ANDERS WACHT": "IF baron IN INN AND NOT POLICE KILL baron ELSE WAIT",
    "als CASH >= 10 of CASH = 3, pass": "if CASH >= 10 or CASH = 3, pass",
    "SI baron IN INN ET PAS POLICE ALORS KILL baron SINON ATTENDRE": (
        "IF baron IN INN AND NOT POLICE THEN KILL baron ELSE WAIT"
    ),
    "si baron en main ou CASH > 3 : kill baron": "if baron en main or CASH > 3: kill baron",
    "WENN baron IN INN UND NICHT POLICE DANN KILL baron SONST WARTEN": (
        "IF baron IN INN AND NOT POLICE THEN KILL baron ELSE WAIT"
    ),
    "Falls CASH > 3 oder CASH = 1, pass": "If CASH > 3 or CASH = 1, pass",
    "如果 baron IN INN 且 不 POLICE 就 KILL baron 否則 等待": (
        "IF baron IN INN AND NOT POLICE THEN KILL baron ELSE WAIT"
    ),
    "PASS TOTDAT CASH >= 10": "PASS UNTIL CASH >= 10",
    "PASS BIS CASH >= 10": "PASS UNTIL CASH >= 10",
    "PASS jusqu'à CASH >= 10": "PASS UNTIL CASH >= 10",
    "PASS 直到 CASH >= 10": "PASS UNTIL CASH >= 10",
    "ronde 7: PASS": "ROUND 7: PASS",
    "Elke ronde: PASS": "EVERY ROUND: PASS",
    "manche 7 : PASS": "ROUND 7: PASS",
    "Jede Runde PASS": "EVERY ROUND PASS",
    "diese Runde: PASS": "THIS ROUND: PASS",
    "第7輪\uff1aPASS": "ROUND 7: PASS",
    "每輪 PASS": "EVERY ROUND PASS",
    "KILL baron sonst PASS": "KILL baron else PASS",
    "IF CASH > 3 UND CASH < 9 PASS ANDERS WAIT": "IF CASH > 3 AND CASH < 9 PASS ELSE WAIT",
}


@pytest.mark.parametrize(("line", "english"), PLANS.items())
def test_a_plan_means_the_same_as_in_english(line: str, english: str) -> None:
    one, other = parse(line, VERBS), parse(english, VERBS)
    assert (one.round, one.ways, one.until) == (other.round, other.ways, other.until)
    assert looks(line, VERBS).kind is Kind.ORDER


@pytest.mark.parametrize(
    "line", ["wacht", "WACHT OP MIJ", "vraag mij", "attendre", "demande-moi", "Warte", "frag mich", "等待", "問我"]
)
def test_to_be_asked_is_a_line_of_its_own(line: str) -> None:
    assert parse(line, VERBS).ways[0].order == WAIT


@pytest.mark.parametrize(
    "prose",
    [
        "Sonst alles gut bei euch?",
        "Anders was het wel leuk",
        "Sinon tout va bien",
        "Als je wilt pass ik",
        "Si tu veux, je pass",
        "Wenn ich pass, bist du dran",
        "如果你想 pass 也可以",
        "Ronde drie was lang",
        "Runde Sache",
    ],
)
def test_prose_is_no_plan_in_any_language(prose: str) -> None:
    found = pieces(("PASS", prose), VERBS, adjoining=(0,))
    assert [piece.text for piece in found] == ["PASS", prose]
    assert [looks(prose, VERBS, language).kind for language in LANGUAGES] == [Kind.PROSE] * len(LANGUAGES)


@pytest.mark.parametrize(
    "lines",
    [
        ("ZEG", "STOP", "EINDE", "PASS"),
        ("DIRE :", "STOP", "FIN", "PASS"),
        ("sagen:", "STOP", "Ende.", "PASS"),
        ("說\uff1a", "STOP", "結束", "PASS"),
        ("VERTEL Bob:", "STOP", "END", "PASS"),
    ],
)
def test_a_block_of_words_opens_and_ends_in_each_language(lines: tuple[str, ...]) -> None:
    assert gathered(lines).lines == ("\n".join(lines[:3]), "PASS")


@pytest.mark.parametrize("line", ["zeg", "Dis", "sag", "Sage"])
def test_a_word_that_a_sentence_may_begin_with_opens_none(line: str) -> None:
    assert gathered((line, "PASS")).lines == (line, "PASS")
