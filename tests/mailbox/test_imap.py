"""What IMAP needs besides, on each kind of server: marks, flags, constant costs, connections that are lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain

import pytest
from imapclient import IMAPClient  # type: ignore[import-untyped]

from pbem.config import Imap
from pbem.errors import MailboxTrouble, Unreachable
from pbem.mailbox import Mark
from pbem.mailbox.imap import ImapInbox
from tests.mailbox.samples import mail, subjects
from tests.servers.fixtures import LARGEST, MailServer
from tests.servers.proxy import Proxy

LONG = 60.0


@pytest.fixture
def address(mail_server: MailServer, new_address: Callable[[MailServer], str]) -> str:
    return new_address(mail_server)


@pytest.fixture
def settings(mail_server: MailServer, address: str) -> Imap:
    return mail_server.imap(address)


@pytest.fixture
def deliver(mail_server: MailServer, address: str) -> Callable[..., None]:
    """Puts a mail for each subject into the mailbox."""

    def each(*subjects: object, size: int = 0) -> None:
        for subject in subjects:
            mail_server.deliver(address, mail(subject, size))

    return each


def left_in(settings: Imap, folder: str = "INBOX") -> int:
    with raw_client(settings) as client:
        return len(client.search()) if client.select_folder(folder)[b"EXISTS"] else 0


@contextmanager
def raw_client(settings: Imap) -> Iterator[IMAPClient]:
    with IMAPClient(settings.host, settings.port, ssl=False, timeout=10) as client:
        client.login(settings.user, settings.password.get_secret_value())
        yield client


def through(proxy: Proxy, settings: Imap, **changes: object) -> Imap:
    return settings.model_copy(update={"port": proxy.port, **changes})


def test_reading_leaves_a_mail_unseen_until_it_is_done(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver("one")
    stay = settings.model_copy(update={"handled_folder": ""})
    with ImapInbox(stay, LARGEST) as inbox, raw_client(settings) as client:
        arrivals = inbox.fetch(50)
        client.select_folder("INBOX")
        assert client.search("UNSEEN") == [arrivals[0].uid]
        inbox.done(arrivals)
        client.select_folder("INBOX")
        assert client.search("UNSEEN") == []


def test_mail_left_in_the_folder_is_told_from_work_by_the_mark(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver("old", "older")
    stay = settings.model_copy(update={"handled_folder": ""})
    with ImapInbox(stay, LARGEST) as inbox:
        inbox.done(inbox.fetch(50))
        mark = inbox.mark
    deliver("new")
    with ImapInbox(stay, LARGEST, after=mark) as inbox:
        assert subjects(inbox.fetch(50)) == ["new"]
    assert left_in(settings) == 3


def test_the_mark_waits_for_the_first_undone_mail(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver("a", "b", "c")
    stay = settings.model_copy(update={"handled_folder": ""})
    with ImapInbox(stay, LARGEST) as inbox:
        first, second, third = inbox.fetch(50)
        inbox.done([first, third])
        mark = inbox.mark
    assert mark is not None
    assert mark.uid == second.uid - 1
    with ImapInbox(stay, LARGEST, after=mark) as inbox:
        assert inbox.fetch(50) == [second, third]


def test_after_a_change_of_uidvalidity_the_whole_folder_is_looked_at(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    deliver("a", "b")
    stay = settings.model_copy(update={"handled_folder": ""})
    with ImapInbox(stay, LARGEST) as inbox:
        inbox.done(inbox.fetch(50))
        mark = inbox.mark
    assert mark is not None
    with ImapInbox(stay, LARGEST, after=Mark(mark.uidvalidity + 1, mark.uid)) as inbox:
        assert subjects(inbox.fetch(50)) == ["a", "b"]


def test_a_folder_made_anew_is_read_from_its_beginning_and_old_arrivals_are_left_alone(settings: Imap) -> None:
    play = settings.model_copy(update={"folder": "Play", "handled_folder": ""})
    with raw_client(settings) as client:
        client.create_folder("Play")
        client.append("Play", mail("before"))
        with ImapInbox(play, LARGEST) as inbox:
            before = inbox.fetch(50)
            mark = inbox.mark
        client.delete_folder("Play")
        client.create_folder("Play")
        client.append("Play", mail("after"))
        with ImapInbox(play, LARGEST, after=mark) as inbox:
            after = inbox.fetch(50)
            inbox.done(before)
            assert subjects(after) == ["after"]
            assert after[0].folder_key != before[0].folder_key
            assert inbox.mark == Mark(int(after[0].folder_key.rpartition(":")[2]), after[0].uid - 1)


def test_a_wide_gap_in_the_numbers_hides_no_mail(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver("parked", *range(30), "behind the gap")
    with ImapInbox(settings, LARGEST) as inbox:
        arrivals = list(chain.from_iterable(iter(lambda: inbox.fetch(50), [])))
        inbox.done(arrivals[1:-1])
    with ImapInbox(settings, LARGEST) as inbox:
        assert [subjects(inbox.fetch(3)) for _ in range(3)] == [["parked"], ["behind the gap"], []]


def test_a_mail_over_the_cap_is_not_downloaded(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver("huge", size=2_000_000)
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        (huge,) = inbox.fetch(50)
        assert huge.raw is None
        assert proxy.bytes_received < 300_000


def test_thirty_mails_are_fetched_with_one_command_and_moved_with_one(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    deliver("before")
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        inbox.done(inbox.fetch(50))
        deliver(*range(30))
        assert inbox.wait(LONG)
        proxy.commands.clear()
        arrivals = inbox.fetch(50)
        inbox.done(arrivals)
        assert len(arrivals) == 30
        assert proxy.commands == ["FETCH", "MOVE"]


def test_one_mail_costs_two_round_trips_however_many_lie_in_the_folder(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    deliver(*range(120))
    stay = settings.model_copy(update={"handled_folder": ""})
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, stay), LARGEST) as inbox:
        while arrivals := inbox.fetch(50):
            inbox.done(arrivals)
        deliver("new")
        assert inbox.wait(LONG)
        proxy.commands.clear()
        before = proxy.bytes_received
        inbox.done(inbox.fetch(50))
        assert proxy.commands == ["FETCH", "STORE"]
        assert proxy.bytes_received - before < 2_000


def test_starting_behind_a_mark_never_lists_what_lies_before_it(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver(*range(120))
    stay = settings.model_copy(update={"handled_folder": ""})
    with ImapInbox(stay, LARGEST) as inbox:
        while arrivals := inbox.fetch(50):
            inbox.done(arrivals)
        mark = inbox.mark
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, stay), LARGEST, after=mark) as inbox:
        assert inbox.fetch(50) == []
        assert proxy.bytes_received < 3_000


def test_where_a_server_cannot_move_handled_mail_is_flagged_and_the_mark_goes_on(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    deliver("a", "b")
    with Proxy(settings.port, hidden=["MOVE"]) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        arrivals = inbox.fetch(50)
        inbox.done(arrivals)
        assert "MOVE" not in proxy.commands
        assert inbox.mark is not None
        assert inbox.mark.uid == arrivals[-1].uid
        assert inbox.fetch(50) == []
    with raw_client(settings) as client:
        client.select_folder("INBOX")
        assert client.search("SEEN") == [arrival.uid for arrival in arrivals]


def test_without_idle_a_wait_sleeps_and_the_poll_finds_the_mail(settings: Imap, deliver: Callable[..., None]) -> None:
    with Proxy(settings.port, hidden=["IDLE"]) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        assert inbox.fetch(50) == []
        assert inbox.wait(0.01) is True
        deliver("polled")
        assert subjects(inbox.fetch(50)) == ["polled"]
        assert "IDLE" not in proxy.commands


def test_a_cut_connection_is_made_anew_and_undone_mail_comes_again(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    deliver("done", "undone")
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        first, second = inbox.fetch(50)
        proxy.cut()
        inbox.done([first])
        assert inbox.fetch(50) == [second]
        assert proxy.connections == 2


def test_a_server_that_is_gone_is_said_so_in_one_line_and_found_again_when_it_is_back(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    deliver("one")
    with Proxy(settings.port) as proxy:
        inbox = ImapInbox(through(proxy, settings), LARGEST)
        inbox.open()
        proxy.refuse()
        with pytest.raises(Unreachable, match=rf"the imap server .*:{proxy.port} cannot be reached") as caught:
            inbox.fetch(50)
    assert len(str(caught.value).splitlines()) == 1
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        assert subjects(inbox.fetch(50)) == ["one"]


def test_a_line_that_falls_silent_is_given_up_after_the_timeout(settings: Imap, deliver: Callable[..., None]) -> None:
    deliver("one")
    impatient = {"timeout": timedelta(seconds=0.2)}
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, settings, **impatient), LARGEST) as inbox:
        proxy.swallow()
        with pytest.raises(Unreachable, match="does not answer in time"):
            inbox.fetch(50)


def test_a_missing_folder_is_said_so_in_one_line(settings: Imap) -> None:
    with pytest.raises(MailboxTrouble, match=r"Check folder in \[imap\]") as caught:
        ImapInbox(settings.model_copy(update={"folder": "Nowhere"}), LARGEST).open()
    assert len(str(caught.value).splitlines()) == 1


def test_a_connection_that_ends_during_a_wait_ends_the_wait_and_the_next_look_connects(
    settings: Imap, deliver: Callable[..., None]
) -> None:
    with Proxy(settings.port) as proxy, ImapInbox(through(proxy, settings), LARGEST) as inbox:
        assert inbox.fetch(50) == []
        cutter = threading.Timer(0.1, proxy.cut)
        cutter.start()
        assert inbox.wait(LONG) is True
        cutter.join()
        deliver("meanwhile")
        assert subjects(inbox.fetch(50)) == ["meanwhile"]


def test_without_a_connection_a_wait_is_a_sleep(settings: Imap) -> None:
    begun = time.monotonic()
    assert ImapInbox(settings, LARGEST).wait(0.1) is True
    assert time.monotonic() - begun > 0.05
