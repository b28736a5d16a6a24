"""Handled mail leaves the mailbox when it has lain there long enough, and no other mail does."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from imapclient import IMAPClient  # type: ignore[import-untyped]

from pbem.config import Host, Imap, Maildir, Outbox, Settings
from pbem.errors import Unreachable
from pbem.mailbox.handled import take_away
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.maildir import MaildirInbox
from pbem.tidying import MOST, Tidying
from tests.conversations.world import NOON, World
from tests.servers.fixtures import MailServer, Users

NOW = datetime.now(UTC)
OLD, YOUNG = NOW - timedelta(days=91), NOW - timedelta(days=89)
BEFORE = NOW - timedelta(days=90)
RAW = b"From: anna@example.org\r\nMessage-ID: <1@a>\r\n\r\nHELP\r\n"


def settings(folder: Path, **way_in: Any) -> Settings:
    host = Host(address="inn@example.org", secret=cast(Any, "k" * 32))
    return Settings(host=host, outbox=Outbox(folder=folder), **way_in)


def lying(imap: Imap, folder: str) -> int:
    with ImapInbox(imap.model_copy(update={"folder": folder}), 1_000_000) as inbox:
        return len(inbox.fetch(50))


@pytest.fixture
def imap(mail_server: MailServer, new_address: Callable[[Users], str]) -> Imap:
    """A mailbox with an old and a young mail, and the same in its folder for handled mail."""
    imap = mail_server.imap(new_address(mail_server))
    with IMAPClient(imap.host, imap.port, ssl=False) as client:
        client.login(imap.user, imap.password.get_secret_value())
        client.create_folder(imap.handled_folder)
        for folder in ("INBOX", imap.handled_folder):
            for came in (OLD, YOUNG):
                client.append(folder, RAW, msg_time=came)
    return imap


def test_only_old_mail_that_was_handled_leaves_the_server(imap: Imap, tmp_path: Path) -> None:
    assert take_away(settings(tmp_path, imap=imap), BEFORE, 50) == 1
    assert (lying(imap, "INBOX"), lying(imap, imap.handled_folder)) == (2, 1)
    assert take_away(settings(tmp_path, imap=imap), BEFORE, 50) == 0


@pytest.mark.parametrize("folder", ["", "INBOX", "Nowhere"])
def test_without_a_folder_of_its_own_handled_mail_stays(imap: Imap, tmp_path: Path, folder: str) -> None:
    there = imap.model_copy(update={"handled_folder": folder})
    assert take_away(settings(tmp_path, imap=there), BEFORE, 50) == 0
    assert lying(imap, "INBOX") == 2


def test_only_old_mail_that_was_handled_leaves_a_maildir_some_at_a_time(tmp_path: Path) -> None:
    maildir = Maildir(path=tmp_path / "mail")
    with _made(maildir) as inbox:
        inbox.close()
    places = [tmp_path / "mail" / "new", tmp_path / "mail" / ".Handled" / "cur"]
    for place in places:
        for number, came in enumerate((OLD, OLD, YOUNG)):
            file = place / f"{number}.a.host"
            file.write_bytes(RAW)
            os.utime(file, (came.timestamp(),) * 2)
    wanted = settings(tmp_path, maildir=maildir)
    assert [take_away(wanted, BEFORE, 1) for _ in range(3)] == [1, 1, 0]
    assert [len(list(place.iterdir())) for place in places] == [3, 1]


def _made(maildir: Maildir) -> MaildirInbox:
    assert maildir.path is not None
    for place in ("new", "cur", "tmp"):
        (maildir.path / place).mkdir(parents=True, exist_ok=True)
    return MaildirInbox(maildir.path, maildir.handled_folder, 1_000_000)


class Broom:
    """Takes so much away each time, and notes when it was asked."""

    def __init__(self, *amounts: int) -> None:
        self.amounts = list(amounts)
        self.asked: list[datetime] = []

    def __call__(self, before: datetime, _most: int) -> int:
        self.asked.append(before)
        if not self.amounts:
            raise Unreachable("the imap server is away", "Wait")
        return self.amounts.pop(0)


def test_the_host_tidies_once_a_day_until_nothing_is_left_and_never_unless_it_is_asked_to(tmp_path: Path) -> None:
    world, broom = World(tmp_path), Broom(MOST, 3, 0)
    for _ in range(3):
        world.tick()
    world.host.tidying = Tidying(world.store, timedelta(days=30), broom)
    for _ in range(3):
        world.tick()
    assert broom.asked == [NOON - timedelta(days=30)] * 2
    world.wait(days=1)
    world.tick()
    assert len(broom.asked) == 3
    world.wait(days=1)
    assert world.passed()[0].trouble is None
    assert len(broom.asked) == 4
