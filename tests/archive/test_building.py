"""The whole archive from the database: after one change it writes that game and the lists, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

import pytest

from pbem.files import resource
from pbem.press import Said
from pbem.publish import Built, Site, build
from pbem.render import Renderer
from pbem.settle import Logged
from pbem.store import Store
from pbem.table import Table
from tests.archive.finished import BEGUN, GAMES, Finished, plain, rolled_back, second_game

pytestmark = pytest.mark.slow

RENDERER: Final = Renderer(GAMES, resource("templates"))


class Shelf:
    """What building asks of a store, with games that were played in memory."""

    def __init__(self, *games: Finished) -> None:
        self.games = {game.table.name: game for game in games}
        self.said: dict[str, tuple[Said, ...]] = {}

    def living(self, *_: object) -> tuple[str, ...]:
        return tuple(self.games)

    def table(self, name: str, _: object) -> Table:
        return self.games[name].table

    def log(self, table: Table) -> tuple[Logged, ...]:
        return tuple(self.games[table.name].log)

    def said_to_all(self, name: str) -> tuple[Said, ...]:
        return self.said.get(name, ())


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(plain("inn-1", 2), plain("inn-2", 3), second_game())


def built(shelf: Shelf, folder: Path, language: str = "en") -> Built:
    site = Site(folder=folder, renderer=RENDERER, language=language)
    return build(site, cast(Store, shelf), GAMES, lambda _: True)


def written(folder: Path) -> dict[str, int]:
    """When each file was written."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in files}


def changed(folder: Path, before: dict[str, int]) -> set[str]:
    return {name for name, at in written(folder).items() if before.get(name) != at}


def test_all_is_written_once_and_then_left_alone(shelf: Shelf, tmp_path: Path) -> None:
    assert built(shelf, tmp_path) == Built(games=3, renewed=3, retracted=0, lists=4)
    before = written(tmp_path)
    assert built(shelf, tmp_path) == Built(games=3, renewed=0, retracted=0, lists=0)
    assert changed(tmp_path, before) == set()


def test_a_withdrawn_name_is_written_out_of_its_game_and_of_the_lists_and_nothing_else_is_touched(
    shelf: Shelf, tmp_path: Path
) -> None:
    built(shelf, tmp_path)
    before = written(tmp_path)
    game = shelf.games["inn-2"]
    chairs = (*game.table.chairs[:2], replace(game.table.chairs[2], person=None))
    game.table = replace(game.table, chairs=chairs)
    assert built(shelf, tmp_path) == Built(games=3, renewed=1, retracted=0, lists=4)
    own = {f"inn-2/{name}" for name in ("about.json", "index.html", "log.txt")}
    assert changed(tmp_path, before) == own | {"index.html", "player.html", "game.html", "feed.xml"}
    assert "Zoë" not in (tmp_path / "inn-2" / "index.html").read_text("utf-8")


def test_words_that_are_taken_back_change_their_game_alone(shelf: Shelf, tmp_path: Path) -> None:
    shelf.said["inn-1"] = (Said(table="inn-1", name="Anna", lines=("well played",), private=False, at=BEGUN),)
    built(shelf, tmp_path)
    before = written(tmp_path)
    shelf.said.clear()
    assert built(shelf, tmp_path) == Built(games=3, renewed=1, retracted=0, lists=0)
    assert changed(tmp_path, before) == {f"inn-1/{name}" for name in ("about.json", "index.html", "log.txt")}
    assert "well played" not in (tmp_path / "inn-1" / "index.html").read_text("utf-8")


def test_another_language_makes_all_pages_anew_and_leaves_the_records(shelf: Shelf, tmp_path: Path) -> None:
    built(shelf, tmp_path)
    before = written(tmp_path)
    assert built(shelf, tmp_path, "nl").renewed == 3
    assert not [name for name in changed(tmp_path, before) if name.endswith("record.json")]
    page = (tmp_path / "inn-1" / "index.html").read_text("utf-8")
    assert '<html lang="nl">' in page
    assert "Herhaling" in page
    assert built(shelf, tmp_path, "nl") == Built(games=3, renewed=0, retracted=0, lists=0)


def test_french_parts_a_colon_from_the_number_of_an_entry(tmp_path: Path) -> None:
    built(Shelf(rolled_back()), tmp_path, "fr")
    page = (tmp_path / "inn-7" / "index.html").read_text("utf-8")
    assert re.search(r'<li><a href="#entry-\d+">Entrée \d+ :</a> ', page)


@pytest.mark.parametrize(
    ("done", "line"),
    [
        (Built(3, 1, 0, 4), "3 games, 1 of them written anew; 4 lists written anew"),
        (Built(1, 0, 0, 1), "1 game, 0 of them written anew; 1 list written anew"),
        (Built(3, 1, 2, 4), "3 games, 1 of them written anew, 2 taken away; 4 lists written anew"),
    ],
)
def test_a_terminal_is_told_in_a_line_what_was_done(done: Built, line: str) -> None:
    assert done.text == line
