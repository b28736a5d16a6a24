"""The archive as files: pages that stand by themselves, written at once or not at all, and only where they belong."""

from __future__ import annotations

import base64
import hashlib
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

import pytest

from engine import record
from engine.record import Override, Verb
from pbem.archive import page_of
from pbem.errors import Trouble
from pbem.files import resource
from pbem.filters import width
from pbem.publish import Published, Site, publish
from pbem.render import Renderer
from pbem.table import Remark
from tests.archive.finished import EVERY, GAMES, Finished, plain

pytestmark = pytest.mark.slow

RENDERER: Final = Renderer(GAMES, resource("templates"))
VOID: Final = {"meta", "br", "hr", "img", "link", "input"}
DRAWN: Final = {"path", "rect", "circle", "polyline"}
"""Of a still, they close themselves."""
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
        self.styled: list[str] = []
        self.inline: list[str] = []
        """What stands in elements for styles and scripts."""
        self.policy = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names[tag] += 1
        if tag not in VOID | DRAWN:
            self.open.append(tag)
        if tag in ("style", "script"):
            self.inline.append("")
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        for name, value in attrs:
            assert not name.startswith("on")
            if name == "style":
                self.styled.append(tag)
            if name == "content" and value and value.startswith("default-src"):
                self.policy = value
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in DRAWN
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("style", "script"):
            self.inline[-1] += data
        else:
            self.text += data


@cache
def shown(which: str) -> str:
    """The page of a game."""
    with TemporaryDirectory() as folder:
        return archived(Path(folder), EVERY[which]()).page.read_text("utf-8")


def archived(folder: Path, game: Finished) -> Published:
    return publish(Site(folder=folder, renderer=RENDERER), game.table, game.log)


# The page


@every
def test_the_page_is_whole_and_every_link_within_it_leads_somewhere(which: str) -> None:
    tags = Tags(shown(which))
    assert len(tags.ids) == len(set(tags.ids))
    within = {link[1:] for link in tags.links if link.startswith("#")}
    assert within <= set(tags.ids)
    outside = {"../index.html", "../feed.xml", "record.json", "log.txt"}
    assert {link for link in tags.links if not link.startswith("#")} == outside


@every
def test_headings_go_down_one_level_at_a_time_from_a_single_first_one(which: str) -> None:
    levels = Tags(shown(which)).levels
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@every
def test_the_page_has_its_landmarks_and_asks_nothing_of_a_network(which: str) -> None:
    names = Tags(shown(which)).names
    assert all(names[landmark] == 1 for landmark in ("header", "main", "nav", "footer"))
    assert not any(names[tag] for tag in ("iframe", "img", "form", "object", "base"))


@every
def test_the_policy_of_the_page_allows_its_own_style_and_scripts_by_their_hashes_and_nothing_else(which: str) -> None:
    tags = Tags(shown(which))
    running = [text for text in tags.inline if not text.startswith("{")]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in running]
    style, *scripts = (f"'sha256-{hash}'" for hash in hashes)
    assert tags.policy == (
        f"default-src 'none'; style-src {style}; script-src {' '.join(scripts)}; base-uri 'none'; form-action 'none'"
    )
    assert tags.styled == []


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
    assert [f"step-{n}" for n in range(1, len(game.log) + 1) if f"step-{n}" not in tags.ids] == []
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
        r'id="entry-(\d+)" value="\1" class="override">\s*.*\s*.*The moderator took the game back', html
    )
    assert rollback
    assert html.count('class="undone"') == html.count("<del>") == 20
    assert f'Taken back in <a href="#entry-{rollback[1]}">' in html
    assert "gave a seat to somebody else" in html
    assert "Round 3</a> (taken back)" in shown("given up")


@pytest.mark.parametrize(
    "words",
    ["as planned", "the only answer", "the deadline was missed", "ordered by the moderator", "Shuffle 1", "The hands"],
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
    page = publish(Site(folder=tmp_path, renderer=RENDERER), game.table, log).page.read_text("utf-8")
    assert words in " ".join(Tags(page).text.split())


def _is_a_pause(what: record.What) -> bool:
    return isinstance(what, Override) and what.verb is Verb.PAUSE


def test_the_page_begins_with_how_it_ended() -> None:
    winner = page_of(EVERY["plain"]().table, EVERY["plain"]().log).winners[0]
    assert f"The result {winner} won." in " ".join(Tags(shown("plain")).text.split())
    assert "The result The game was ended early." in " ".join(Tags(shown("ended")).text.split())


def test_who_overruled_what_stands_in_a_list_of_its_own() -> None:
    tags = Tags(shown("rolled back"))
    listed = tags.text.split("by a moderator, the keeper of the host or a vote.")[1]
    assert listed.index("paused the game") < listed.index("let the game go on") < listed.index("took the game back")
    assert "overrides" not in Tags(shown("plain")).ids


def test_the_log_as_text_has_every_entry_and_fits_a_mail(tmp_path: Path) -> None:
    game = EVERY["rolled back"]()
    lines = (archived(tmp_path, game).home / "log.txt").read_text("utf-8").splitlines()
    numbers = [int(found[1]) for line in lines if (found := re.match(r"  (\d+)\. ", line))]
    assert sorted(numbers) == list(range(1, len(game.log) + 1))
    assert max(map(width, lines)) <= 72
    assert any("<b>Eve</b>" in line for line in lines)
    assert sum("(taken back in entry" in line for line in lines) == 20


def test_a_demonstration_is_called_one(tmp_path: Path) -> None:
    game = Finished(plain().table.game, 2, chosen=True).play()
    assert "was chosen, not drawn" in archived(tmp_path, game).page.read_text("utf-8")
    assert "was chosen, not drawn" not in shown("plain")


# The files


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """What each file holds, and when it was written."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_a_game_has_a_folder_with_its_record_its_page_its_log_and_what_the_lists_say(tmp_path: Path) -> None:
    game = plain()
    files = archived(tmp_path, game)
    assert files == Published(tmp_path / "inn-7", 4, listed=True)
    assert sorted(contents(tmp_path)) == [
        f"inn-7/{name}" for name in ("about.json", "index.html", "log.txt", "record.json")
    ]
    assert record.load(files.record.read_bytes()).head == game.table.head


def test_the_same_game_is_not_written_twice(tmp_path: Path) -> None:
    archived(tmp_path, plain())
    once = contents(tmp_path)
    assert archived(tmp_path, plain()) == Published(tmp_path / "inn-7", 0, listed=False)
    assert contents(tmp_path) == once


def test_the_same_game_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = archived(tmp_path / "one", plain()), archived(tmp_path / "other", plain())
    for name in ("about.json", "index.html", "log.txt", "record.json"):
        assert (one.home / name).read_bytes() == (other.home / name).read_bytes()


def test_a_file_that_was_lost_is_written_again_and_no_other(tmp_path: Path) -> None:
    home = archived(tmp_path, plain()).home
    before = contents(home)
    (home / "log.txt").unlink()
    assert archived(tmp_path, plain()) == Published(home, 1, listed=False)
    after = contents(home)
    assert after.pop("log.txt")[0] == before.pop("log.txt")[0]
    assert after == before


def test_a_name_that_is_withdrawn_changes_what_names_people_and_leaves_the_record_as_it_lies(tmp_path: Path) -> None:
    game = plain()
    home = archived(tmp_path, game).home
    before = contents(home)
    chairs = (game.table.chairs[0], replace(game.table.chairs[1], person=None), *game.table.chairs[2:])
    game.table = replace(game.table, chairs=chairs)
    assert archived(tmp_path, game) == Published(home, 3, listed=True)
    after = contents(home)
    assert after["record.json"] == before["record.json"]
    assert not [name for name, (data, _) in after.items() if b"Eve&lt;" in data or b"Eve<" in data]


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
    assert {path.name for path in files.record.parent.iterdir()} == {
        "record.json",
        "index.html",
        "log.txt",
        "about.json",
    }


@pytest.mark.parametrize("template", ["archive/words.txt.j2", "overrides.txt.j2"])
def test_whatever_stands_in_a_record_has_its_words(template: str) -> None:
    text = (resource("templates") / template).read_text()
    assert [verb for verb in set(Verb) - {Verb.NOTE} if f'"{verb}":' not in text] == []


def test_what_a_process_began_to_write_and_died_over_goes_with_the_next_one(tmp_path: Path) -> None:
    finished = EVERY[next(iter(EVERY))]()
    home = archived(tmp_path, finished).page.parent
    dead = home / ".record.json.99999"
    dead.write_bytes(b"half")
    archived(tmp_path, finished)
    assert sorted(path.name for path in home.iterdir()) == ["about.json", "index.html", "log.txt", "record.json"]
