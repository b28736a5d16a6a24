"""A whole game of the second game over each kind of mail server, from sign-up to an archive that proves itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from engine import record
from engine.record import By, Dealt, Move, Override, Record
from pbem.verifying import NotProved, verify_file
from tests.conversations.test_each_way import posted
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.end_to_end.tampering import careful, naive
from tests.games.conftest import SIGN_UP
from tests.games.picking import TABLE, ended
from tests.servers.fixtures import Post

ROUNDS: Final = ({"anna": 1, "bob": 4, "chen": 4}, {"chen": 5, "anna": 3, "bob": 2}, {"bob": 1, "chen": 3, "anna": 2})
"""Who picks what, in this order."""


def play_on(world: World) -> None:
    """All rounds, each player answering his last mail."""
    for picks in ROUNDS:
        for name, number in picks.items():
            world.answer(name, f"PICK {number}")
            world.tick()


@pytest.mark.usefixtures("choices")
def test_a_whole_game_on_every_kind_of_mail_server(tmp_path: Path, post: Post) -> None:
    world = posted(World(tmp_path), post)
    play(world, SIGN_UP)
    play_on(world)
    finals = {mail.to: mail for mail in world.mails[-4:]}
    assert set(finals) == {"anna", "bob", "chen", "modi"}
    for name in ("anna", "bob", "chen"):
        assert "[choices-1] The game is over: Chen wins" in finals[name].subject
        assert "1 Chen 8" in finals[name].text
        assert table_head(world) in finals[name].text
    report = verify_file(record_in(world), head=table_head(world))
    assert report.title == "Choices"
    assert report.text.startswith("The record of Choices, table choices-1, holds: 3 seats, 10 entries, 1 deal")


def table_head(world: World) -> str:
    return world.table(TABLE).head[: record.SHORT_HEAD]


def record_in(world: World) -> Path:
    return world.settings.archive.folder / TABLE / "record.json"


@pytest.fixture
def finished(begun: World) -> World:
    """A game in which a moderator moved, a deadline was missed, and both were taken back, played to its end."""
    play(
        begun,
        """
        anna >> PICK 3
        ... <
        modi >> ACT AS Bob: PICK 5
        ... <
        wait 49h
        ... <
        modi >> ROLLBACK 2
        ... <
        bob >> PICK 1
        ... <
        chen >> PICK 2
        ... <
        """,
    )
    for picks in ROUNDS[1:]:
        for name, number in picks.items():
            begun.answer(name, f"PICK {number}")
        begun.tick()
    return begun


def test_the_archive_shows_what_nobody_could_see_and_holds_from_its_file_alone(finished: World) -> None:
    report = verify_file(record_in(finished), head=table_head(finished))
    moves = [entry.what for entry in report.record.entries if isinstance(entry.what, Move)]
    assert [what.by for what in moves][:5] == [By.SEAT, By.MODERATOR, By.FALLBACK, By.SEAT, By.SEAT]
    assert "anna" not in record_in(finished).read_text().casefold()
    page = record_in(finished).with_name("index.html").read_text()
    for words in ("Anna picked 3.", "Bob picked 5.", "Chen picked 1.", "Taken back in", "Chen"):
        assert words in page
    assert "choices-1" in record_in(finished).parent.with_name("index.html").read_text()


def test_the_archive_is_refused_when_any_single_thing_in_it_is_changed(finished: World, tmp_path: Path) -> None:
    whole = record.load(record_in(finished).read_bytes())
    forged = [*naive(whole), *(other for kind in (Move, Dealt, Override) for other in careful(whole, kind))]
    assert len(forged) > 5 * len(whole.entries)
    held = [other for other in forged if holds(tmp_path / "forged.json", other, table_head(finished))]
    assert held == []


def holds(path: Path, other: Record, head: str) -> bool:
    path.write_bytes(record.dump(other))
    try:
        verify_file(path, head=head)
    except NotProved:
        return False
    return True


def test_the_last_mail_brings_the_record_and_names_the_page(begun: World) -> None:
    begun.set("archive", url="https://example.org/games/")
    play_on(begun)
    last = {name: begun.last(name) for name in ("anna", "bob", "chen", "modi")}
    for mail in last.values():
        (attached,) = mail.message.iter_attachments()
        assert attached.get_filename() == "record.json"
        assert attached.get_payload(decode=True) == record_in(begun).read_bytes()
        assert "attached to this mail" in mail.text
        assert "https://example.org/games/choices-1/" in mail.text
    assert not any("record.json" in mail.text for mail in begun.mails if mail not in last.values())


def test_no_record_leaves_while_a_game_runs(begun: World) -> None:
    play_on(begun)
    running = [mail for mail in begun.mails if "is over" not in mail.subject]
    assert len(running) > 5
    assert not any(list(mail.message.iter_attachments()) for mail in running)


def test_an_ended_game_is_archived_with_what_was_sealed_and_without_a_result(begun: World) -> None:
    begun.answer("anna", "PICK 3")
    begun.tick()
    assert not record_in(begun).exists()
    ended(begun)
    report = verify_file(record_in(begun), head=table_head(begun))
    assert report.record.result is None
    assert "Anna picked 3." in record_in(begun).with_name("index.html").read_text()
