"""The archive as the host writes it by itself: what runs anew with each round, and all of a game at its end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.bootstrap import site_of
from pbem.config import Running
from pbem.files import resource
from pbem.publish import Built, build, shows
from pbem.render import Renderer
from tests.conversations.world import World

pytestmark = pytest.mark.slow


@pytest.fixture
def shown(at_night: World) -> World:
    """inn-1 in its first night, on a host that shows games as they run."""
    at_night.set("archive", running=Running.ALL)
    at_night.answer("anna", "PASS")
    at_night.tick()
    return at_night


def home(world: World) -> Path:
    return world.settings.archive.folder / "inn-1"


def page(world: World) -> str:
    return (home(world) / "index.html").read_text("utf-8")


def night(world: World) -> None:
    """The rest of the night."""
    for name in ("bob", "chen", "anna", "bob", "chen"):
        world.answer(name, "PASS")
        world.tick()


def built(world: World, running: Running = Running.ALL) -> Built:
    """What building the whole archive comes to."""
    site = site_of(world.settings, Renderer(world.host.games, resource("templates")))
    return build(site, world.store, world.host.games, lambda table: shows(table, running))


def test_a_game_that_runs_is_shown_as_it_was_when_its_round_began(shown: World) -> None:
    before = page(shown)
    assert "Round 1 of season 1 began" in before
    assert "passed" not in before
    night(shown)
    after = page(shown)
    assert after.count("Anna passed") == 2
    assert "Round 2 of season 1 began" in after


def test_what_is_secret_is_neither_on_the_page_nor_beside_it_while_the_game_runs(shown: World) -> None:
    night(shown)
    files = {path.name: path.read_text("utf-8") for path in home(shown).iterdir()}
    assert sorted(files) == ["about.json", "index.html"]
    table = shown.table()
    hashes = [entry.hash[:12] for entry in shown.entries()]
    hidden = [table.secret, table.head[:12], *hashes, "example.org", "the only answer", "as planned", "PASS"]
    assert [word for word in hidden if any(word in text for text in files.values())] == []


def test_a_new_name_is_on_the_page_at_once(shown: World) -> None:
    shown.answer("modi", "RENAME Anna TO Annie")
    shown.tick()
    assert "Annie" in page(shown)
    assert "Anna<" not in page(shown)


def test_where_only_watched_games_are_shown_a_table_has_to_let_others_watch(at_night: World) -> None:
    at_night.set("archive", running=Running.WATCHED)
    at_night.answer("anna", "PASS")
    at_night.tick()
    assert not home(at_night).exists()
    at_night.answer("modi", "OPTIONS watchers=on")
    at_night.tick()
    assert home(at_night).exists()


def test_what_was_ended_and_sealed_stays_closed_until_it_is_laid_open(shown: World) -> None:
    shown.answer("modi", "END SEALED")
    code = shown.tick()[0].text.partition("with the line: END SEALED ")[2].split()[0]
    shown.answer("modi", f"END SEALED {code}")
    shown.tick()
    assert "its hands stay closed" in page(shown)
    assert not (home(shown) / "record.json").exists()
    assert shown.table().secret not in page(shown)
    shown.answer("modi", "REVEAL")
    shown.tick()
    assert (home(shown) / "record.json").exists()
    assert shown.table().secret in page(shown)


def test_building_finds_nothing_to_do_where_the_host_has_written_and_makes_anew_what_is_lost(shown: World) -> None:
    assert built(shown) == Built(games=1, renewed=0, retracted=0, lists=0)
    written = page(shown)
    shutil.rmtree(shown.settings.archive.folder)
    shown.settings.archive.folder.mkdir()
    assert built(shown) == Built(games=1, renewed=1, retracted=0, lists=4)
    assert page(shown) == written


def test_building_takes_away_what_is_not_to_be_shown_any_more(shown: World) -> None:
    assert built(shown, Running.NONE) == Built(games=0, renewed=0, retracted=1, lists=3)
    assert not home(shown).exists()
    assert built(shown, Running.NONE) == Built(games=0, renewed=0, retracted=0, lists=0)


def test_a_page_that_cannot_be_written_is_written_once_it_can(shown: World) -> None:
    shutil.rmtree(home(shown))
    home(shown).write_text("in the way")
    night(shown)
    home(shown).unlink()
    assert shown.tick() == []
    assert "Round 2 of season 1 began" in page(shown)
