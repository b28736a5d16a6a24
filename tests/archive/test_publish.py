"""The archive as files: pages that stand by themselves, written at once or not at all, and only where they belong."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
import pytest

from engine import record
from engine.game import Outcome
from engine.record import Override, Verb
from pbem.archive import page_of
from pbem.errors import Trouble
from pbem.files import resource
from pbem.publish import About, Archived, write_archive, write_index
from pbem.render import Renderer
from pbem.table import Remark
from tests.archive.finished import BEGUN, EVERY, GAMES, NAMES, Finished, plain

pytestmark = pytest.mark.slow

RENDERER: Final = Renderer(GAMES, resource("templates"))
VOID: Final = {"meta", "br", "hr", "img", "link", "input"}
every = pytest.mark.parametrize("which", EVERY)


class Tags(HTMLParser):
    """The tags of a page; anything that is not closed in its order is a fault."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.levels: list[int] = []
        self.names: Counter[str] = Counter()
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names[tag] += 1
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        for name, value in attrs:
            assert not name.startswith("on")
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


@cache
def shown(which: str) -> str:
    """The page of a game."""
    with TemporaryDirectory() as folder:
        return archived(Path(folder), EVERY[which]()).page.read_text("utf-8")


def archived(folder: Path, game: Finished) -> Archived:
    return write_archive(folder, game.table, game.log, RENDERER)


# The page


@every
def test_the_page_is_whole_and_every_link_within_it_leads_somewhere(which: str) -> None:
    tags = Tags(shown(which))
    assert len(tags.ids) == len(set(tags.ids))
    within = {link[1:] for link in tags.links if link.startswith("#")}
    assert within <= set(tags.ids)
    assert {link for link in tags.links if not link.startswith("#")} == {"../index.html", "record.json"}


@every
def test_headings_go_down_one_level_at_a_time_from_a_single_first_one(which: str) -> None:
    levels = Tags(shown(which)).levels
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@every
def test_the_page_has_its_landmarks_and_runs_no_script(which: str) -> None:
    names = Tags(shown(which)).names
    assert all(names[landmark] == 1 for landmark in ("header", "main", "nav", "footer"))
    assert not any(names[tag] for tag in ("script", "iframe", "img", "link", "form", "object"))


@every
def test_what_people_call_themselves_is_text_and_no_address_is_on_the_page(which: str) -> None:
    html, game = shown(which), EVERY[which]()
    assert "@" not in Tags(html).text
    assert "<b>Eve</b>" not in html
    assert all(name in Tags(html).text for name in game.table.names)


@every
def test_the_page_shows_every_entry_and_the_whole_proof(which: str) -> None:
    game, html = EVERY[which](), shown(which)
    tags = Tags(html)
    assert [f"entry-{n}" for n in range(1, len(game.log) + 1) if f"entry-{n}" not in tags.ids] == []
    assert game.table.header is not None
    for proof in (game.table.secret, game.table.head, game.table.header.commitment, *game.table.header.phrases):
        assert proof in tags.text
    assert f"--head {game.table.head[:12]}" in tags.text


@every
def test_nothing_is_left_unsaid_that_a_template_should_have_said(which: str) -> None:
    text = Tags(shown(which)).text
    assert not re.search(r"\bNone\b|Undefined|\{\{|\}\}|\{%|<macro|\bBy\.|\bVerb\.", text)


def test_what_was_taken_back_is_struck_through_and_says_where() -> None:
    html = shown("rolled back")
    rollback = re.search(
        r'id="entry-(\d+)" value="\1" class="override">\s*<p class="move"><b>The moderator</b> took', html
    )
    assert rollback
    assert html.count('class="undone"') == html.count("<del>") == 20
    assert f'Taken back by the moderator in <a href="#entry-{rollback[1]}">' in html
    assert "gave seat 2 to somebody else" in html
    assert "Round 3</a> (taken back)" in shown("given up")


@pytest.mark.parametrize(
    "words",
    ["as planned", "the only answer", "the deadline was missed", "ordered by the moderator", "The deal", "The hands"],
)
def test_the_page_says_who_gave_an_order_and_why(words: str) -> None:
    assert words in Tags(shown("plain")).text


@pytest.mark.parametrize(
    ("remark", "words"),
    [
        (Remark(7, "Modi", "Anna is <ill>"), "The moderator Modi paused the game. Anna is <ill>"),
        (Remark(0, "", "repairs"), "The keeper of the host paused the game. repairs"),
        (Remark(7, "Modi"), "The moderator Modi paused the game."),
        (None, "The moderator paused the game."),
    ],
)
def test_the_page_says_who_overruled_the_game_and_why(tmp_path: Path, remark: Remark | None, words: str) -> None:
    game = EVERY["rolled back"]()
    log = tuple(replace(each, remark=remark if _is_a_pause(each.entry.what) else None) for each in game.log)
    page = write_archive(tmp_path, game.table, log, RENDERER).page.read_text("utf-8")
    assert words in " ".join(Tags(page).text.split())


def _is_a_pause(what: record.What) -> bool:
    return isinstance(what, Override) and what.verb is Verb.PAUSE


def test_the_page_begins_with_how_it_ended() -> None:
    winner = page_of(EVERY["plain"]().table, EVERY["plain"]().log).winners[0]
    assert f"The result {winner} won." in " ".join(Tags(shown("plain")).text.split())
    assert "The result The game was ended early." in " ".join(Tags(shown("ended")).text.split())


def test_a_demonstration_is_called_one(tmp_path: Path) -> None:
    game = Finished(plain().table.game, 2, chosen=True).play()
    assert "was chosen, not drawn" in archived(tmp_path, game).page.read_text("utf-8")
    assert "was chosen, not drawn" not in shown("plain")


# The files


def test_a_game_has_a_folder_with_its_record_its_page_and_what_the_list_says(tmp_path: Path) -> None:
    game = plain()
    files = archived(tmp_path, game)
    assert files.record == tmp_path / "inn-7" / "record.json"
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == [
        "index.html",
        "inn-7",
        "inn-7/about.json",
        "inn-7/index.html",
        "inn-7/record.json",
    ]
    assert record.load(files.record.read_bytes()).head == game.table.head


def test_the_same_game_gives_the_same_bytes(tmp_path: Path) -> None:
    archived(tmp_path, plain())
    once = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    archived(tmp_path, plain())
    assert once == {path: path.read_bytes() for path in tmp_path.rglob("*.*")}


def test_the_list_has_every_game_the_newest_first(tmp_path: Path) -> None:
    for which in ("plain", "second game"):
        archived(tmp_path, EVERY[which]())
    html = (tmp_path / "index.html").read_text("utf-8")
    tags = Tags(html)
    assert tags.links == ["inn-7/index.html", "choices-2/index.html"]
    assert "<b>Eve</b>" not in html
    assert NAMES[1] in tags.text
    assert all((tmp_path / link).is_file() for link in tags.links)


@pytest.mark.parametrize(
    ("names", "winners", "outcome", "verdict"),
    [
        (("Anna", "Bob"), ("Anna",), Outcome((1, 2), (30, 20)), "Anna and Bob. Anna won."),
        (("Anna", "Bob", "Chen"), ("Anna", "Chen"), Outcome((1, 3, 1), (3, 2, 3)), "Anna and Chen share the victory."),
        (("Anna",), ("Anna",), Outcome((1,), (120,), "crafty"), "Anna. Anna reached the end."),
        (("Anna",), (), Outcome((0,), (None,)), "Anna. The game was lost."),
        (("Anna", "Bob"), (), None, "Anna and Bob. The game was ended early."),
    ],
)
def test_the_list_says_how_each_game_ended(
    tmp_path: Path, names: tuple[str, ...], winners: tuple[str, ...], outcome: Outcome | None, verdict: str
) -> None:
    about = About(
        table="inn-7", title="The Bloody Inn", names=names, winners=winners, outcome=outcome, begun=BEGUN, ended=BEGUN
    )
    (tmp_path / "inn-7").mkdir()
    (tmp_path / "inn-7" / "about.json").write_bytes(msgspec.json.encode(about))
    assert verdict in " ".join(Tags(write_index(tmp_path, RENDERER).read_text("utf-8")).text.split())


def test_an_empty_list_says_so(tmp_path: Path) -> None:
    assert "No game has been finished here yet." in write_index(tmp_path, RENDERER).read_text("utf-8")


@pytest.mark.parametrize("junk", [b"", b"{}", b"[1]", b"\xff", b'{"table": "other"}'])
def test_what_is_no_game_is_left_out_of_the_list(tmp_path: Path, junk: bytes) -> None:
    archived(tmp_path, plain())
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "about.json").write_bytes(junk)
    assert Tags(write_index(tmp_path, RENDERER).read_text("utf-8")).links == ["inn-7/index.html"]


def test_a_game_under_a_folder_that_is_not_its_own_is_left_out_of_the_list(tmp_path: Path) -> None:
    archived(tmp_path, plain())
    (tmp_path / "copy").mkdir()
    about = json.loads((tmp_path / "inn-7" / "about.json").read_text())
    (tmp_path / "copy" / "about.json").write_text(json.dumps({**about, "table": "../../etc"}))
    assert Tags(write_index(tmp_path, RENDERER).read_text("utf-8")).links == ["inn-7/index.html"]


@pytest.mark.parametrize(
    "name", ["..", "../inn-7", "/tmp/inn-7", "inn/7", "", ".", "inn-7\n", "Inn-7", "inn_7", "-", "a--b"]
)
def test_a_table_cannot_have_a_folder_elsewhere(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    with pytest.raises(Trouble, match="cannot have a folder"):
        archived(folder, plain(name=name))
    assert [path.name for path in tmp_path.rglob("*")] == ["archive"]


def test_a_folder_that_cannot_be_written_is_a_trouble(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file")
    with pytest.raises(Trouble, match="cannot be written"):
        archived(tmp_path / "archive", plain())


def test_a_write_that_fails_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = archived(tmp_path, plain(seed=1))
    old = files.record.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Trouble, match="No space left"):
        archived(tmp_path, plain(seed=2))
    assert files.record.read_bytes() == old
    assert {path.name for path in files.record.parent.iterdir()} == {"record.json", "index.html", "about.json"}


@pytest.mark.parametrize("template", ["archive_words.html.j2", "overrides.txt.j2"])
def test_whatever_stands_in_a_record_has_its_words(template: str) -> None:
    text = (resource("templates") / template).read_text()
    assert [verb for verb in set(Verb) - {Verb.NOTE} if f'"{verb}":' not in text] == []


def test_what_a_process_began_to_write_and_died_over_goes_with_the_next_one(tmp_path: Path) -> None:
    finished = EVERY[next(iter(EVERY))]()
    home = archived(tmp_path, finished).page.parent
    dead = home / ".record.json.99999"
    dead.write_bytes(b"half")
    archived(tmp_path, finished)
    assert sorted(path.name for path in home.iterdir()) == ["about.json", "index.html", "record.json"]
