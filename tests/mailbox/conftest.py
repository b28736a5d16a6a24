"""What the tests of the mailbox share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.config import Smtp
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from tests.servers.fixtures import MailServer


@pytest.fixture
def inbox_of(mail_server: MailServer) -> Callable[[str], list[bytes]]:
    """Reads all that lies in a user's INBOX."""

    def read(address: str) -> list[bytes]:
        with ImapInbox(mail_server.imap(address), 10_000_000) as inbox:
            return [arrival.raw for arrival in inbox.fetch(100) if arrival.raw is not None]

    return read


@pytest.fixture
def loopback_smtp(loopback: LoopbackServer) -> Smtp:
    """Settings that send through the embedded server."""
    loopback.add_user("anyone@example.org", "secret")
    return loopback.smtp("anyone@example.org")
