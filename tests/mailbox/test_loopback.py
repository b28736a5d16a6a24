"""The embedded server takes whatever a mail client may write, keeps its bytes, and serves many at once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from pbem.mailbox import Outcome, Parcel
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.mailbox.smtp import SmtpSender

INN = "inn@example.org"
ANNA = "anna@example.org"

AWKWARD = {
    "nothing at all": b"\r\n",
    "no header": b"\r\nonly text\r\n",
    "headers that are none": b"this is not a header\r\nFrom: x\r\n\r\ntext\r\n",
    "bytes without MIME": b"From: J\xfcrgen <j@example.org>\r\nSubject: gr\xfc\xdfe\r\n\r\n\xe9\xff\r\n",
    "an unknown charset": b"Subject: =?x-nonsense?q?=E9?=\r\nContent-Type: text/plain; charset=x-nonsense\r\n\r\nx\r\n",
    "a broken content type": b"Content-Type: multipart/; boundary\r\nMIME-Version: one\r\n\r\n--\r\n",
    "a missing boundary": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nopen end\r\n",
    "a Message-ID that is none": b"Message-ID: <<>\r\nReferences: ><, <\r\nIn-Reply-To: (\r\n\r\nx\r\n",
    "an absurd date": b"Date: Tue, 99 Nul 0000 99:99:99 +9999\r\nFrom: ,;<>\r\nTo: :;\r\n\r\nx\r\n",
    "a long line": b"Subject: long\r\n\r\n" + b"x" * 100_000 + b"\r\n",
    "dots": b"Subject: dots\r\n\r\n.\r\n..\r\n.x\r\n",
}


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer({INN: "inn's own", ANNA: "anna's own"}) as running:
        yield running


def sent(server: LoopbackServer, *raws: bytes, to: str = INN) -> list[Outcome]:
    return [receipt.outcome for receipt in SmtpSender(server.smtp(ANNA)).send(Parcel(ANNA, to, raw) for raw in raws)]


@pytest.mark.parametrize("raw", AWKWARD.values(), ids=AWKWARD)
def test_an_awkward_mail_arrives_byte_for_byte(server: LoopbackServer, raw: bytes) -> None:
    assert sent(server, raw) == [Outcome.ACCEPTED]
    with ImapInbox(server.imap(INN), 1_000_000) as inbox:
        assert [arrival.raw for arrival in inbox.fetch(10)] == [raw]


def test_arrival_times_come_from_the_clock_that_was_handed_in() -> None:
    then = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    with LoopbackServer({INN: "x"}, now=lambda: then) as server, ImapInbox(server.imap(INN), 1_000_000) as inbox:
        server.deliver(INN, b"Subject: a\r\n\r\n")
        assert [arrival.received_at for arrival in inbox.fetch(10)] == [then]


def test_whoever_wants_to_is_told_of_each_delivery() -> None:
    seen: list[Parcel] = []
    with LoopbackServer({INN: "x", ANNA: "y"}, delivered=seen.append) as server:
        sent(server, b"Subject: a\r\n\r\n", to="inn+token@example.org")
    assert seen == [Parcel(ANNA, "inn+token@example.org", b"Subject: a\r\n\r\n")]


def test_a_mail_for_nobody_cannot_be_put_into_a_mailbox(server: LoopbackServer) -> None:
    with pytest.raises(KeyError, match=r"nobody@example\.org"):
        server.deliver("nobody@example.org", b"")


def test_addresses_are_the_same_in_any_case(server: LoopbackServer) -> None:
    assert sent(server, b"Subject: a\r\n\r\n", to="Inn+ABC@EXAMPLE.org") == [Outcome.ACCEPTED]
    with ImapInbox(server.imap("INN@example.org"), 1_000_000) as inbox:
        assert len(inbox.fetch(10)) == 1


def test_forty_users_read_and_wait_at_once() -> None:
    users = {f"user{number}@example.org": "secret" for number in range(40)}
    begun = time.monotonic()
    with LoopbackServer({INN: "x", **users}) as server, ExitStack() as stack:
        inboxes = [stack.enter_context(ImapInbox(server.imap(user), 1_000_000)) for user in users]
        assert [inbox.fetch(10) for inbox in inboxes] == [[]] * 40
        to_all = (Parcel(INN, user, b"Subject: to all\r\n\r\nhello\r\n") for user in users)
        assert {receipt.outcome for receipt in SmtpSender(server.smtp(INN)).send(to_all)} == {Outcome.ACCEPTED}
        assert all(inbox.wait(10) for inbox in inboxes)
        assert [len(inbox.fetch(10)) for inbox in inboxes] == [1] * 40
    assert time.monotonic() - begun < 10


def test_stopping_hangs_up_and_ends_the_thread(server: LoopbackServer) -> None:
    inbox = ImapInbox(server.imap(INN), 1_000_000)
    inbox.open()
    server.stop()
    assert inbox.wait(10) is True
    server.stop()


WITHOUT_PYMAP = """
import sys
sys.modules["pymap.user"] = None
from pbem.errors import ConfigurationTrouble
try:
    import pbem.mailbox.loopback
except ConfigurationTrouble as trouble:
    print(trouble)
"""


def test_a_missing_extra_is_said_so_in_one_line() -> None:
    said = subprocess.run([sys.executable, "-c", WITHOUT_PYMAP], capture_output=True, text=True, check=True).stdout
    assert said == (
        "the embedded mail server is not installed (pymap.user is missing). "
        "Install it with: pip install 'pbem[embedded]'\n"
    )
