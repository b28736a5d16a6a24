"""A whole game, whichever way mail comes in and goes out: folders on this machine, the embedded server, Dovecot.

The host runs within the test, pass by pass; it and the players have only their inboxes and senders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final, cast

import pytest

from pbem.bootstrap import assemble, store_of
from pbem.config import Archive, Database, Maildir, Outbox, Registration, Settings
from pbem.config import Host as HostSection
from pbem.host import Host
from pbem.mailbox import Outcome, Parcel
from pbem.verifying import verify_file
from tests.end_to_end.client import Account, MailClient, above, below, text_of
from tests.end_to_end.player import Player
from tests.servers.fixtures import Post, Users

pytestmark = pytest.mark.slow

SEED: Final = "ab" * 32
MOST_PASSES: Final = 400


class PostClient(MailClient):
    """A mail client on one account of a post."""

    def __init__(self, post: Post, address: str) -> None:
        self.account = Account(address, "", 0, 0, "")
        self.received, self.repeated, self.sent = [], [], []
        self._inbox, self._sender = post.inbox(address), post.sender(address)
        self._inbox.open()

    def close(self) -> None:
        self._inbox.close()

    def look(self) -> list[EmailMessage]:
        arrivals = self._inbox.fetch(50)
        self._inbox.done(arrivals)
        mails = [message_from_bytes(arrival.raw or b"", policy=policy.default) for arrival in arrivals]
        return [mail for mail in mails if self._is_new(mail)]

    def _send(self, mail: EmailMessage) -> None:
        to = str(mail["To"].addresses[0].addr_spec)
        (receipt,) = self._sender.send([Parcel(self.account.address, to, mail.as_bytes(policy=policy.SMTP))])
        assert receipt.outcome is Outcome.ACCEPTED, receipt.text
        self.sent.append(mail)


@pytest.fixture
def inn(post: Post, new_address: Callable[[Users], str]) -> str:
    return new_address(post)


@pytest.fixture
def host(post: Post, inn: str, tmp_path: Path) -> Iterator[Host]:
    """A host whose mail comes in and goes out this way."""
    with post.inbox(inn) as inbox:
        settings = Settings(
            host=HostSection(address=inn, secret=cast(Any, "k" * 32), registration=Registration.OPEN),
            # Mail comes and goes by what the host is handed below.
            maildir=Maildir(path=tmp_path),
            outbox=Outbox(folder=tmp_path),
            database=Database(url=f"sqlite:///{tmp_path / 'pbem.db'}"),
            archive=Archive(folder=tmp_path / "archive"),
        )
        with store_of(settings) as store:
            yield assemble(settings, store, inbox, post.sender(inn), SEED)


@pytest.fixture
def players(post: Post, new_address: Callable[[Users], str]) -> Iterator[list[Player]]:
    """Anna and Bob, who now and then sends a plan along."""
    clients = [PostClient(post, new_address(post)) for _ in range(2)]
    yield [Player("Anna", clients[0], above), Player("Bob", clients[1], below, plans=(2, 5))]
    for client in clients:
        client.close()


def test_two_people_play_a_whole_game_whichever_way_their_mail_goes(
    host: Host, inn: str, players: list[Player], tmp_path: Path
) -> None:
    sign_up(host, inn, players)
    for _ in range(MOST_PASSES):
        if all(player.final_mail for player in players):
            break
        passed(host)
        for player in players:
            player.act()
    assert [bool(player.final_mail) for player in players] == [True, True]
    assert [player.client.repeated for player in players] == [[], []]
    verify_file(tmp_path / "archive" / "inn-1" / "record.json", players[0].heads[-1])


def sign_up(host: Host, inn: str, players: list[Player]) -> None:
    anna, bob = players
    anna.client.send(inn, "A game?", "REGISTER Anna\n")
    passed(host)
    assert anna.look()
    anna.answer("CONFIRM", f"NEW bloody-inn {bob.client.account.address}")
    passed(host)
    assert anna.look()
    assert bob.look()
    bob.answer("JOIN AS Bob")
    passed(host)
    assert bob.look()
    assert anna.look()
    assert "Anna and Bob" in text_of(anna.client.received[-1])
    anna.answer("START")


def passed(host: Host) -> None:
    done = host.once()
    assert done.trouble is None, done.trouble


def test_one_answer_to_a_digest_plays_in_both_games(host: Host, inn: str, players: list[Player]) -> None:
    anna, bob = (player.client for player in players)
    second = f"NEW bloody-inn {bob.account.address} first=2"
    anna.send(inn, "A game?", "REGISTER Anna\n")
    look(host, anna)
    anna.answer(anna.received[-1], ["CONFIRM", second], above)
    look(host, anna, bob)
    bob.answer(bob.received[-1], ["JOIN AS Bob", "DIGEST ON"], above)
    look(host, anna, bob)
    anna.answer(anna.received[-1], [second], above)
    look(host, anna, bob)
    bob.answer(bob.received[-1], ["JOIN inn-2"], above)
    look(host, anna, bob)
    anna.answer(anna.received[-1], ["START inn-1"], above)
    anna.answer(anna.received[-1], ["START inn-2"], above)
    (digest,) = look(host, bob)
    assert digest["Subject"] == "[pbem] inn-1 and inn-2"
    bob.answer(digest, ["GAME inn-1", "LODGE 1 2 3 4", "GAME inn-2", "LODGE 4 3 2 1"], above)
    (told,) = look(host, bob)
    assert told["In-Reply-To"] == bob.sent[-1]["Message-ID"]
    words = " ".join(text_of(told).split())
    assert "DONE LODGE 1 2 3 4 Bob lodged 4 travelers" in words
    assert "DONE LODGE 4 3 2 1 Bob lodged 4 travelers" in words


def look(host: Host, *clients: MailClient) -> list[EmailMessage]:
    """The host makes a pass; what the last of `clients` gets then."""
    passed(host)
    found: list[EmailMessage] = []
    for client in clients:
        found = client.look()
    return found
