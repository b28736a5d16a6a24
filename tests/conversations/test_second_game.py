"""The host knows no game: the same host, with a tiny second game of simultaneous secret choices beside the first."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest

from engine.record import By, Move
from pbem.files import resource
from pbem.games import games
from pbem.render import Renderer
from pbem.verifying import verify_file
from tests.conversations import world as worlds
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.games.choices import GAME

BOTH = MappingProxyType({**games(), GAME.name: GAME})

SIGN_UP = """
anna > REGISTER Anna
anna < Re: [pbem] please confirm your name
anna >> NEW choices bob@example.org deadline=24
... <
bob >> JOIN AS Bob
... <
anna >> START
... <
"""


@cache
def renderer(_kinds: tuple[str, ...]) -> Renderer:
    return Renderer(BOTH, resource("templates"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Anna, who moderates, and Bob are both awaited for their first pick."""
    monkeypatch.setattr("pbem.bootstrap.games", lambda: BOTH)
    monkeypatch.setattr(worlds, "_renderer", renderer)
    world = World(tmp_path)
    play(world, SIGN_UP)
    return world


def moves(world: World) -> list[tuple[int, By]]:
    whats = [entry.what for entry in world.entries("choices-1")]
    return [(what.seat, what.by) for what in whats if isinstance(what, Move)]


def seat_mail(world: World, name: str) -> worlds.Mail:
    """The newest mail of somebody's that is no moderator's."""
    return next(mail for mail in reversed(world.mails) if mail.to == name and "your pick" in mail.subject)


def test_both_are_asked_at_once_and_a_sealed_answer_is_told_to_nobody_else(table: World) -> None:
    table.answer("anna", "PICK 5", to=seat_mail(table, "anna"))
    sent = table.tick()
    assert [mail.to for mail in sent] == ["anna"]
    table.answer("bob", "STATUS", to=seat_mail(table, "bob"))
    asked = table.tick()
    assert [mail.to for mail in asked] == ["bob"]
    assert "Anna picked" not in asked[0].text
    table.answer("bob", "PICK 2", to=seat_mail(table, "bob"))
    assert {mail.to for mail in table.tick()} == {"anna", "bob"}
    assert all("The picks were 5 and 2" in seat_mail(table, name).text for name in ("anna", "bob"))


def test_two_idle_players_are_treated_at_the_same_time(table: World) -> None:
    table.wait(hours=24)
    table.tick()
    assert moves(table) == [(1, By.FALLBACK), (2, By.FALLBACK)]
    assert {table.table("choices-1").chair(seat).due_at for seat in (1, 2)} == {table.now + timedelta(hours=24)}


def test_who_answered_in_time_is_not_treated_as_idle(table: World) -> None:
    table.wait(hours=23)
    table.answer("bob", "PICK 4", to=seat_mail(table, "bob"))
    table.wait(hours=2)
    table.tick()
    assert moves(table) == [(2, By.SEAT), (1, By.FALLBACK)]


def test_an_illegal_order_of_the_second_game_is_told_in_its_own_words(table: World) -> None:
    table.answer("anna", "PICK 9", to=seat_mail(table, "anna"))
    table.answer("bob", "PASS", "BRIBE monk", to=seat_mail(table, "bob"))
    sent = {mail.to: mail.text for mail in table.tick()}
    assert "NOT DONE PICK 9" in sent["anna"]
    assert "PASS" not in sent["bob"].partition("answer above this line")[2]
    assert moves(table) == []


def test_a_whole_game_ends_in_an_archive_that_holds(table: World) -> None:
    for pick in ("1", "2", "3"):
        for name in ("anna", "bob"):
            table.answer(name, f"PICK {pick if name == 'anna' else 5}", to=seat_mail(table, name))
        table.tick()
    finals = [mail for mail in table.mails if "The game is over: Bob wins" in mail.subject]
    assert sorted(mail.to for mail in finals) == ["anna", "bob"]
    record = table.settings.archive.folder / "choices-1" / "record.json"
    assert "Choices" in verify_file(record, games=BOTH).text


def test_two_games_in_one_pass_get_an_answer_each(table: World) -> None:
    asked = seat_mail(table, "anna")
    play(
        table,
        """
        anna > GAMES
        ... <
        anna >> NEW bloody-inn seats=1 deadline=none
        ... <
        anna >> START inn-2
        ... <
        """,
    )
    inn = next(mail for mail in reversed(table.mails) if "lodging travelers" in mail.subject)
    table.answer("anna", "PICK 3", to=asked)
    table.answer("anna", "LODGE 1 2 3 4", to=inn)
    sent = table.tick()
    assert sorted(mail.subject.partition("]")[0] for mail in sent) == ["Re: [choices-1", "Re: [inn-2"]
    assert all(mail.to == "anna" and "DONE" in mail.text for mail in sent)
