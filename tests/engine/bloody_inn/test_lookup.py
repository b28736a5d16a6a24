"""Cards and rules that can be looked up: how they are found, and that each fits on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from engine.bloody_inn import GAME
from engine.bloody_inn.cards import FACES
from engine.bloody_inn.lookup import LOOKUP
from engine.bloody_inn.setup import SET_UPS
from engine.bloody_inn.words import words
from engine.game import Unreadable
from pbem.filters import width
from pbem.render.blocks import blocks, laid_out
from pbem.render.voice import Voice

VOICE: Final = Voice(Path("templates"), GAME)
ALL: Final = [(kind, key) for kind in ("card", "rules") for key in LOOKUP.keys(kind)]


def page(kind: str, key: str) -> str:
    return VOICE.text(f"game/lookup_{kind}.txt.j2", LOOKUP.facts(kind, key))


@pytest.mark.parametrize(
    ("kind", "text", "key"),
    [
        ("card", "monk", "monk"),
        ("card", "The Monks", "monk"),
        ("card", "Kiosk", "newsboy"),
        ("card", "butcher\u2019s shop", "butcher"),
        ("card", "brigadier-chief", "brigadier_chief"),
        ("card", "barn", "barn"),
        ("card", "peasant", "peasant"),
        ("rules", "Bury", "bury"),
        ("rules", "the burial?", "bury"),
        ("rules", "launder", "pass"),
        ("rules", "last round", "season"),
    ],
)
def test_things_are_found_by_name(kind: str, text: str, key: str) -> None:
    assert LOOKUP.find(kind, text) == key


@pytest.mark.parametrize(
    ("kind", "text", "near"),
    [("card", "viscont", ("viscount", "count")), ("rules", "burry", ("bury",)), ("card", "dragonfly", ())],
)
def test_what_is_not_found_is_answered_with_what_is_near(kind: str, text: str, near: tuple[str, ...]) -> None:
    with pytest.raises(Unreadable) as caught:
        LOOKUP.find(kind, text)
    assert caught.value.facts == {"word": text, "near": near}


def test_every_key_finds_itself() -> None:
    names = {"card": {card: words().card(card) or words().annex(card) for card in (*FACES, "barn")}}
    for kind, key in ALL:
        assert LOOKUP.find(kind, names.get(kind, {}).get(key, key)) == key


def test_all_faces_and_the_barn_can_be_looked_up() -> None:
    assert set(LOOKUP.keys("card")) == {*FACES, "barn"}


@pytest.mark.parametrize(("kind", "key"), ALL)
def test_a_page_fits_on_a_phone(kind: str, key: str) -> None:
    shown = laid_out(blocks(page(kind, key))).splitlines()
    assert 3 <= len(shown) <= 32
    assert max(map(width, shown)) <= 72


@pytest.mark.parametrize("card", FACES)
def test_the_page_of_a_card_gives_its_figures(card: str) -> None:
    face, shown = FACES[card], page("card", card)
    name, head, *_ = shown.splitlines()
    assert name == face.name.upper()
    assert f"rank {face.rank}, pocket {face.francs}F, {face.copies} card" in head
    assert (f"Becomes the annex {face.annex}, with" in shown) == face.buildable
    figures = [value for value in face.params.values() if value.isdigit() and value != "1"]
    assert [value for value in figures if value not in shown] == []


def test_the_page_of_options_names_them_all() -> None:
    shown = page("rules", "options")
    for option in GAME.options:
        line = " ".join(shown.split(f"  {option.name} ")[1].split("\n")[0].split())
        assert line.startswith(" | ".join(option.values))
        assert option.values[0] == option.default


def test_the_page_of_the_start_gives_the_figures_of_all_set_ups() -> None:
    shown = page("rules", "setup")
    for seats, numbers in SET_UPS.items():
        short, long = numbers.removed["short"], numbers.removed["long"]
        keys = f"{seats} + {numbers.white_keys}"
        assert f"| {seats} | {short} / {long} | {70 - short} / {70 - long} | {keys} |" in shown


@pytest.mark.parametrize("line", [each for each in page("rules", "orders").splitlines() if each.startswith("  ")])
def test_the_examples_of_orders_begin_with_a_verb(line: str) -> None:
    assert line.split()[0].lower() in GAME.verbs()
