"""Somebody watches a game that its players end by a vote, whichever way the mails go."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pbem.host import Host
from tests.end_to_end.client import MailClient, above, text_of
from tests.end_to_end.test_each_way import PostClient, look
from tests.end_to_end.test_each_way import host as host
from tests.end_to_end.test_each_way import inn as inn
from tests.servers.fixtures import Post, Users

pytestmark = pytest.mark.slow


@pytest.fixture
def clients(post: Post, new_address: Callable[[Users], str]) -> Iterator[list[MailClient]]:
    """Of Anna, Bob and Zoe."""
    opened = [PostClient(post, new_address(post)) for _ in range(3)]
    yield list(opened)
    for client in opened:
        client.close()


def said(host: Host, client: MailClient, *lines: str) -> str:
    """What the host answers to somebody's lines."""
    client.answer(client.received[-1], list(lines), above)
    return " ".join(text_of(look(host, client)[-1]).split())


def test_a_watched_game_is_ended_by_a_vote(host: Host, inn: str, clients: list[MailClient]) -> None:
    anna, bob, zoe = clients
    for name, client in (("Anna", anna), ("Zoe", zoe)):
        client.send(inn, "Hello", f"REGISTER {name}\n")
        look(host, client)
    said(host, zoe, "CONFIRM")
    said(host, anna, "CONFIRM", f"NEW bloody-inn {bob.account.address} first=1 watchers=on")
    look(host, bob)
    said(host, bob, "JOIN AS Bob")
    look(host, anna)
    said(host, anna, "START")
    look(host, bob)
    assert "can be watched: WATCH inn-1" in said(host, zoe, "GAMES")
    seen = said(host, zoe, "WATCH inn-1")
    assert "THE INN" in seen
    assert "YOUR HAND" not in seen
    assert "so you cannot move there" in said(host, zoe, "LODGE 1 2 3 4")
    assert "1 more vote is needed" in said(host, anna, "VOTE ABORT")
    look(host, bob)
    assert "that is done: the votes are enough" in said(host, bob, "VOTE ABORT")
    (last,) = look(host, zoe)
    assert last["Subject"] == "[inn-1] The game was ended"
    assert [part.get_filename() for part in last.iter_attachments()] == ["record.json"]
