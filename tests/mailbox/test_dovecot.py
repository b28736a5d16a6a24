"""What only a real server does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trustme

from pbem.mailbox.imap import ImapInbox
from tests.servers.dovecot import DovecotServer
from tests.servers.fixtures import MailServer, require_dovecot

pytestmark = pytest.mark.slow

MAIL = b"Subject: a\r\n\r\nhello\r\n"
INN = "inn@example.org"


def test_a_server_that_wants_folders_under_a_prefix_gets_the_handled_one_there(tls_authority: trustme.CA) -> None:
    require_dovecot()
    with DovecotServer(tls_authority, prefix="INBOX/") as server:
        server.add_user(INN, "secret")
        for _ in range(2):
            server.deliver(INN, MAIL)
            with ImapInbox(server.imap(INN), 1_000_000) as inbox:
                inbox.done(inbox.fetch(50))
        with ImapInbox(server.imap(INN), 1_000_000) as inbox:
            assert inbox.fetch(50) == []
        handled = server.imap(INN).model_copy(update={"folder": "INBOX/Handled"})
        with ImapInbox(handled, 1_000_000) as inbox:
            assert len(inbox.fetch(50)) == 2


def test_where_the_folder_for_handled_mail_cannot_be_made_mail_stays_and_the_mark_goes_on(
    dovecot: DovecotServer, new_address: Callable[[MailServer], str], dovecot_mail: MailServer
) -> None:
    address = new_address(dovecot_mail)
    dovecot.deliver(address, MAIL)
    impossible = dovecot.imap(address).model_copy(update={"handled_folder": "no//such//name"})
    with ImapInbox(impossible, 1_000_000) as inbox:
        arrivals = inbox.fetch(50)
        inbox.done(arrivals)
        mark = inbox.mark
    assert mark is not None
    assert mark.uid == arrivals[0].uid
    with ImapInbox(impossible, 1_000_000, after=mark) as inbox:
        assert inbox.fetch(50) == []


def test_a_server_that_comes_back_is_used_again_by_the_same_inbox(tls_authority: trustme.CA) -> None:
    require_dovecot()
    with DovecotServer(tls_authority) as server:
        server.add_user(INN, "secret")
        with ImapInbox(server.imap(INN), 1_000_000) as inbox:
            assert inbox.fetch(50) == []
            server.stop()
            assert inbox.wait(10) is True
            server.start()
            server.deliver(INN, MAIL)
            assert len(inbox.fetch(50)) == 1
