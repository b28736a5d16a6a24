"""A whole game as three people play it: from sign-up to archive, by nothing but mail, on a real mail server.

The host is `pbem run` in a process of its own, from the file that `pbem init` writes, with TLS on both sides; in
mid-game it is killed, and later stopped, and started again. The players are mail clients of the standard library.
"""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from engine.record import By, Dealt, Move, Record, dump, load
from pbem.config import Security
from pbem.verifying import NotProved, verify_file
from tests.end_to_end.client import Account, MailClient, above, below, in_html, text_of
from tests.end_to_end.keeper import Keeper
from tests.end_to_end.player import Player
from tests.end_to_end.tampering import careful, naive
from tests.servers.fixtures import DovecotMail

pytestmark = pytest.mark.slow

INN: Final = "inn@example.org"
PASSWORD: Final = "secret"
PATIENCE: Final = 30.0
"""Seconds that an answer may take; longer than the interval, so that a missed announcement only costs time."""
KILLED_AFTER: Final = 20
"""Orders of all players until the host is killed."""
STOPPED_AFTER: Final = 45
GLANCE: Final = 0.02
"""Seconds between two looks of a player."""


@pytest.fixture
def mail(dovecot_mail: DovecotMail) -> DovecotMail:
    """A mail server that has a mailbox for the inn and for each player."""
    for address in (INN, *(f"{name}@example.org" for name in ("anna", "bob", "chen"))):
        dovecot_mail.add_user(address, PASSWORD)
    return dovecot_mail


@pytest.fixture
def keeper(tmp_path: Path, mail: DovecotMail) -> Iterator[Keeper]:
    """A keeper with a configuration that fits the mail server, whose host is ended with the test."""
    keeper = Keeper(tmp_path)
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    imap, smtp = mail.imap(INN, Security.TLS), mail.smtp(INN, Security.STARTTLS)
    servers = {"imap": imap, "smtp": smtp}
    settings: dict[tuple[str, str], Any] = {("host", "address"): INN, ("clock", "interval"): "5s"}
    for section, server in servers.items():
        settings |= {
            (section, "host"): server.host,
            (section, "port"): server.port,
            (section, "user"): server.user,
            (section, "password_file"): "password",
            (section, "ca_file"): str(server.ca_file),
        }
    keeper.configure({place: json.dumps(value) for place, value in settings.items()})
    try:
        yield keeper
    finally:
        if keeper.is_running():
            keeper.kill()


@pytest.fixture
def players(mail: DovecotMail) -> Iterator[list[Player]]:
    """Anna answers above the quotation, Bob below it, Chen in HTML alone; Bob and Chen plan now and then."""
    ways = (("Anna", above, ()), ("Bob", below, (2, 5)), ("Chen", in_html, (3, 6)))
    with ExitStack() as clients:
        seated = []
        for name, reply, plans in ways:
            client = MailClient(account(mail, f"{name.lower()}@example.org"))
            clients.callback(client.close)
            seated.append(Player(name, client, reply, plans))
        yield seated


def account(mail: DovecotMail, address: str) -> Account:
    imap, smtp = mail.imap(address, Security.TLS), mail.smtp(address, Security.STARTTLS)
    return Account(address, PASSWORD, imap.port, smtp.port, str(imap.ca_file), imap.host)


def test_three_people_play_a_whole_game_by_mail_from_sign_up_to_archive(
    keeper: Keeper, players: list[Player], tmp_path: Path
) -> None:
    keeper.start()
    sign_up(keeper, players)
    play(keeper, players)
    assert keeper.stop() == 0
    record = tmp_path / "archive" / "inn-1" / "record.json"
    check_final_mails(players)
    check_orders(record, players)
    check_secrets(keeper, players)
    check_archive(keeper, record, players)
    check_that_no_change_is_accepted(record, players[0].heads[-1])
    report(players, tmp_path)


def sign_up(keeper: Keeper, players: list[Player]) -> None:
    """Be invited by the keeper, register, open a table, invite, join and start."""
    anna, bob, chen = players
    invited = keeper.pbem("invite", "anna@example.org", "--config", str(keeper.config))
    assert invited.returncode == 0, invited.stderr
    eventually(anna.look, keeper)
    anna.answer("REGISTER Anna", "NEW bloody-inn bob@example.org chen@example.org deadline=72")
    for guest in (bob, chen):
        eventually(guest.look, keeper)
        guest.answer(f"JOIN AS {guest.name}", f"PHRASE {guest.name} was here")
        eventually(guest.look, keeper)
    eventually(lambda: anna.look() and "(3 of" in " ".join(text_of(anna.client.received[-1]).split()), keeper)
    anna.answer("START")


def play(keeper: Keeper, players: list[Player]) -> None:
    """Act whenever a mail asks for it, until each has his final mail. The host dies once and is stopped once."""
    ends = [(KILLED_AFTER, keeper.kill, -signal.SIGKILL), (STOPPED_AFTER, keeper.stop, 0)]
    given = 0
    while not is_over(players):
        given += eventually(lambda: sum([player.act() for player in players]) or is_over(players), keeper)
        if ends and given >= ends[0][0]:
            _, end, status = ends.pop(0)
            assert end() == status
            keeper.start()
    assert not ends, f"the game was over after {given} orders"


def is_over(players: list[Player]) -> bool:
    return all(player.final_mail for player in players)


def eventually(happened: Callable[[], int], keeper: Keeper) -> int:
    """Try until something has happened; what it gives then. Fails with the host's log when it takes too long."""
    end = time.monotonic() + PATIENCE
    while not (result := happened()):
        assert keeper.is_running(), keeper.log.read_text()
        assert time.monotonic() < end, keeper.log.read_text()
        time.sleep(GLANCE)
    return result


def check_final_mails(players: list[Player]) -> None:
    """Each has one, with the account of everybody's wealth, the same proof, and a head for `pbem verify`."""
    for player in players:
        finals = [mail for mail in player.client.received if "The game is over" in mail["Subject"]]
        assert finals == [player.final_mail]
        text = text_of(finals[0])
        assert "THE ACCOUNT" in text
        assert f"pbem verify record.json --head {player.heads[-1]}" in text
    assert len({player.heads[-1] for player in players}) == 1


def check_orders(record: Path, players: list[Player]) -> None:
    """Each order ran once, whatever was killed meanwhile; nothing that was only quoted ever ran."""
    moves = [entry.what for entry in load(record.read_bytes()).entries if isinstance(entry.what, Move)]
    by = Counter(move.by for move in moves)
    assert by[By.SEAT] == sum(player.orders for player in players)
    assert 0 < by[By.PLAN] <= sum(player.planned for player in players)
    assert set(by) <= {By.SEAT, By.PLAN, By.HOST}


def check_secrets(keeper: Keeper, players: list[Player]) -> None:
    """No reply address stands in anybody else's mail, and neither addresses nor tokens in the log."""
    log = keeper.log.read_text()
    assert "Traceback" not in log
    for player in players:
        others = [other for other in players if other is not player]
        for token in {mail["Reply-To"].partition("@")[0] for mail in player.client.received}:
            assert token not in log
            assert not any(token in str(mail) for other in others for mail in other.client.received)
        assert player.client.account.address not in log


def check_archive(keeper: Keeper, record: Path, players: list[Player]) -> None:
    """The record holds against every head that the mails printed, and against no other; the page names everybody."""
    page = (record.parent / "index.html").read_text()
    assert all(player.name in page for player in players)
    assert not any(player.name in record.read_text() for player in players)
    for kept in (players[0].heads[0], players[0].heads[-1]):
        accepted = keeper.pbem("verify", str(record), "--head", kept)
        assert (accepted.returncode, accepted.stderr) == (0, "")
    refused = keeper.pbem("verify", str(record), "--head", players[0].heads[0][::-1])
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Traceback" not in refused.stderr


def check_that_no_change_is_accepted(record: Path, head: str) -> None:
    """No single entry, deal or result can be changed: not even with new hashes, since each mail printed a head."""
    whole = load(record.read_bytes())
    refused_without_head = [*naive(whole), *careful(whole, Dealt)]
    assert len(refused_without_head) > 5 * len(whole.entries)
    for changed in refused_without_head:
        assert is_refused(record, changed)
    for changed in careful(whole, Move):
        assert is_refused(record, changed, head)


def is_refused(record: Path, changed: Record, head: str = "") -> bool:
    file = record.with_name("changed.json")
    file.write_bytes(dump(changed))
    try:
        verify_file(file, head)
    except NotProved:
        return True
    return False


def report(players: list[Player], folder: Path) -> None:
    """How many mails each player got and sent, for whoever wants to know."""
    counts = {
        player.name: {
            "got": len(player.client.received),
            "got_twice": len(player.client.repeated),
            "sent": len(player.client.sent),
        }
        for player in players
    }
    (folder / "mails.json").write_text(json.dumps(counts, indent=1))
    print(json.dumps(counts))
