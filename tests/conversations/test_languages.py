"""Each reader in his own language, through the whole host."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bloody_inn import GAME
from tests.conversations.world import World


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ({"Accept-Language": "nl-BE"}, "nl"),
        ({"Accept-Language": "pl, de-AT;q=0.9, en;q=0.8"}, "de"),
        ({"Accept-Language": "zh-TW"}, "zh_Hant"),
        ({"Accept-Language": "pl"}, "en"),
        ({}, "en"),
    ],
)
def test_who_registers_is_written_to_in_the_language_of_his_mail(
    world: World, header: dict[str, str], language: str
) -> None:
    world.write("eve", "REGISTER Eve", **header)
    world.tick()
    person = world.store.person_by_address("eve@example.org")
    assert person is not None
    assert person.language == language


@pytest.mark.parametrize(
    ("line", "header", "language"),
    [
        ("INSCHRIJVEN Eve", {}, "nl"),
        ("Inscription Eve", {"Accept-Language": "en-US"}, "fr"),
        ("註冊 Eve", {}, "zh_Hant"),
        ("Hallo!\nAnmelden Eve", {}, "de"),
        ("REGISTER Eve", {"Accept-Language": "nl"}, "nl"),
    ],
)
def test_who_registers_in_words_of_his_language_is_written_to_in_it(
    world: World, line: str, header: dict[str, str], language: str
) -> None:
    world.write("eve", line, **header)
    world.tick()
    person = world.store.person_by_address("eve@example.org")
    assert person is not None
    assert person.language == language


def test_a_mail_without_a_language_is_taken_to_be_in_the_one_of_the_host(world: World) -> None:
    world.set("host", language="fr")
    world.write("eve", "REGISTER Eve")
    world.tick()
    person = world.store.person_by_address("eve@example.org")
    assert person is not None
    assert person.language == "fr"
    assert 'lang="fr"' in world.last("eve").html


@pytest.mark.parametrize("name", ["Nederlands", "Dutch", "néerlandais", "nl"])
def test_who_asks_for_another_language_is_answered_in_it(at_night: World, name: str) -> None:
    at_night.answer("anna", f"LANGUAGE {name}")
    at_night.tick()
    assert 'lang="nl"' in at_night.last("anna").html
    at_night.answer("bob", "STATUS")
    at_night.tick()
    assert 'lang="en"' in at_night.last("bob").html


def test_a_language_that_is_not_spoken_is_answered_with_those_that_are(at_night: World) -> None:
    at_night.answer("anna", "LANGUAGE Klingon")
    at_night.tick()
    said = " ".join(at_night.last("anna").text.split())
    assert "Choose one of these: English, Nederlands, Français, Deutsch and 繁體中文." in said


def test_a_sentence_about_language_is_no_order(at_night: World) -> None:
    at_night.answer("anna", "Language is a funny thing, as we all know.")
    at_night.tick()
    assert 'lang="en"' in at_night.last("anna").html
    assert "NOT DONE" not in at_night.last("anna").text


def test_a_game_reads_and_writes_the_orders_of_each_player_in_his_language(
    at_night: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[tuple[int, str]] = set()
    read, write = type(GAME).read, type(GAME).write

    def reading(self: Any, text: str, view: Any, language: str = "en") -> Any:
        asked.add((view.seat, language))
        return read(self, text, view, language)

    def writing(self: Any, action: Any, view: Any, language: str = "en") -> str:
        asked.add((view.seat, language))
        return write(self, action, view, language)

    at_night.answer("anna", "LANGUAGE nl")
    at_night.tick()
    monkeypatch.setattr(type(GAME), "read", reading)
    monkeypatch.setattr(type(GAME), "write", writing)
    at_night.answer("anna", "PASS")
    at_night.answer("bob", "PASS")
    at_night.tick()
    assert asked == {(1, "nl"), (2, "en"), (3, "en")}
