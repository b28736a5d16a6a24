"""The lists of all games of an archive, and its feed."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import msgspec
import pytest

from engine.game import Outcome
from pbem.archive import About
from pbem.archive.listing import ORDERS, groups, newest_first
from pbem.files import resource
from pbem.publish import Site, write_lists
from pbem.render import Renderer
from tests.archive.finished import BEGUN, GAMES, NAMES

pytestmark = pytest.mark.slow

RENDERER: Final = Renderer(GAMES, resource("templates"))
ATOM: Final = "{http://www.w3.org/2005/Atom}"
WON: Final = Outcome((1, 2), (30, 20))


def game(name: str, day: int = 0, **values: object) -> About:
    """A game of two that was over so many days after `BEGUN`."""
    given = {"title": "The Bloody Inn", "names": ("Anna", "Bob"), "winners": ("Anna",), "outcome": WON}
    times = {"begun": BEGUN, "ended": BEGUN + timedelta(days=day), "commitment": "c" * 64}
    return About(table=name, **{**given, **times, **values})  # type: ignore[arg-type]


def site(folder: Path, *games: About, url: str = "") -> Site:
    for about in games:
        (folder / about.table).mkdir(exist_ok=True)
        (folder / about.table / "about.json").write_bytes(msgspec.json.encode(about))
    return Site(folder=folder, renderer=RENDERER, url=url, host="The <inn>")


def text(folder: Path, file: str = "index.html") -> str:
    return (folder / file).read_text("utf-8")


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, "Anna and Bob</span>. Anna won."),
        ({"names": ("Anna", "Bob", "Chen"), "winners": ("Anna", "Chen")}, "Anna and Chen share the victory."),
        ({"names": ("Anna",)}, "Anna reached the end."),
        ({"winners": ()}, "The game was lost."),
        ({"winners": (), "outcome": None}, "The game was ended early."),
        ({"winners": (), "outcome": None, "ended": None}, "The game is being played."),
    ],
)
def test_a_list_says_how_each_game_stands(tmp_path: Path, values: dict[str, Any], verdict: str) -> None:
    write_lists(site(tmp_path, game("inn-1", **values)))
    assert verdict in " ".join(text(tmp_path).split())


def test_games_stand_in_the_order_of_their_ends_those_that_run_first() -> None:
    games = [game("inn-1", 1), game("inn-2", 3), game("inn-3", ended=None), game("inn-4", 2)]
    assert [each.table for each in newest_first(games)] == ["inn-3", "inn-2", "inn-4", "inn-1"]


def test_a_list_by_player_has_a_game_under_each_name_and_one_by_game_under_its_title() -> None:
    games = [game("inn-1"), game("inn-2", names=("zoë", "Bob", "Bob")), game("go-3", title="Another")]
    listed = {order: {group.heading: len(group.games) for group in groups(games, ORDERS[order])} for order in ORDERS}
    assert listed["player"] == {"Anna": 2, "Bob": 3, "zoë": 1}
    assert list(listed["player"]) == ["Anna", "Bob", "zoë"]
    assert listed["game"] == {"Another": 1, "The Bloody Inn": 2}
    assert listed["date"] == {"2026": 3}


def test_lists_that_would_be_the_same_are_not_written(tmp_path: Path) -> None:
    shown = site(tmp_path, game("inn-1"))
    assert write_lists(shown) == 4
    assert write_lists(shown) == 0
    site(tmp_path, game("inn-2", ended=None))
    assert write_lists(shown) == 3  # what runs is in no feed


def test_an_empty_archive_says_so_and_its_feed_is_whole(tmp_path: Path) -> None:
    write_lists(site(tmp_path))
    assert "No game has been finished here yet." in text(tmp_path)
    assert ElementTree.fromstring(text(tmp_path, "feed.xml")).findall(f"{ATOM}entry") == []


@pytest.mark.parametrize("junk", [b"", b"{}", b"[1]", b"\xff", b'{"table": "other"}'])
def test_what_is_no_game_is_left_out(tmp_path: Path, junk: bytes) -> None:
    shown = site(tmp_path, game("inn-1"))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "about.json").write_bytes(junk)
    write_lists(shown)
    assert "notes" not in text(tmp_path)
    assert "inn-1/index.html" in text(tmp_path)


def test_a_game_under_a_folder_that_is_not_its_own_is_left_out(tmp_path: Path) -> None:
    shown = site(tmp_path, game("inn-1"))
    (tmp_path / "copy").mkdir()
    forged = json.loads(msgspec.json.encode(game("inn-1"))) | {"table": "../../etc"}
    (tmp_path / "copy" / "about.json").write_text(json.dumps(forged))
    write_lists(shown)
    assert "etc" not in text(tmp_path)


def test_names_are_text_in_every_list_and_in_the_feed(tmp_path: Path) -> None:
    write_lists(site(tmp_path, game("inn-1", names=NAMES, label='<i>"so"</i>')))
    for file in ("index.html", "player.html", "game.html", "feed.xml"):
        assert "<b>Eve" not in text(tmp_path, file)
        assert "<i>" not in text(tmp_path, file)
        assert "&lt;b&gt;Eve&lt;/b&gt;" in text(tmp_path, file)


def test_the_feed_tells_of_the_fifty_games_that_were_over_last(tmp_path: Path) -> None:
    games = [game(f"inn-{n}", n) for n in range(1, 61)]
    write_lists(site(tmp_path, *games, game("inn-99", ended=None), url="https://example.org/games"))
    feed = ElementTree.fromstring(text(tmp_path, "feed.xml"))
    entries = feed.findall(f"{ATOM}entry")
    links = [link.attrib["href"] for entry in entries for link in entry.findall(f"{ATOM}link")]
    assert links == [f"https://example.org/games/inn-{n}/index.html" for n in range(60, 10, -1)]
    ids = [entry.findtext(f"{ATOM}id") for entry in (feed, *entries)]
    assert len(set(ids)) == 51
    assert all(each and each.startswith("urn:uuid:") for each in ids)
    assert feed.findtext(f"{ATOM}updated") == (BEGUN + timedelta(days=60)).isoformat()
    assert feed.findtext(f"{ATOM}title") == "Finished games of The <inn>"


def test_a_game_keeps_its_id_in_the_feed_whatever_it_is_called(tmp_path: Path) -> None:
    ids = []
    for label in ("", "Winter night"):
        write_lists(site(tmp_path, game("inn-1", label=label)))
        ids.append(ElementTree.fromstring(text(tmp_path, "feed.xml")).findtext(f"{ATOM}entry/{ATOM}id"))
    assert ids[0] == ids[1]
