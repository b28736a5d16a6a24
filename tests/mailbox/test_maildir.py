"""What a Maildir needs besides: other programs that move, remove and forbid files at any moment."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.errors import MailboxTrouble
from pbem.mailbox.maildir import MaildirInbox
from tests.mailbox.samples import mail, subjects

LARGEST = 1_000_000
LONG = 60.0


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    return made(tmp_path / "inn")


@pytest.fixture
def inbox(maildir: Path) -> MaildirInbox:
    inbox = MaildirInbox(maildir, "Handled", LARGEST)
    inbox.open()
    return inbox


def made(path: Path) -> Path:
    for place in ("new", "cur", "tmp"):
        (path / place).mkdir(parents=True)
    return path


def put(maildir: Path, name: str, subject: str = "", at: float | None = None) -> Path:
    """A mail as a file; its subject is its name unless told otherwise."""
    path = maildir / name
    path.write_bytes(mail(subject or path.name).replace(b"\r\n", b"\n"))
    if at is not None:
        os.utime(path, (at, at))
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fetched(inbox: MaildirInbox) -> list[str]:
    return subjects(inbox.fetch(50))


def test_age_is_told_by_when_a_file_was_written_not_by_its_name_or_place(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1", at=3000)
    put(maildir, "cur/2:2,", "2", at=1000)
    put(maildir, "new/3", at=2000)
    assert fetched(inbox) == ["2", "3", "1"]


def test_of_mails_written_in_the_same_instant_the_numbers_in_their_names_tell_the_order(
    maildir: Path, inbox: MaildirInbox
) -> None:
    for name in ("1700000000.M123456P7Q3.host", "1700000000.M99P7Q2.host", "999999999.M1P7Q1.host"):
        put(maildir, f"new/{name}", name.partition("Q")[2][0], at=1000)
    assert fetched(inbox) == ["1", "2", "3"]


def test_the_arrival_time_is_when_the_file_was_written_in_whole_seconds(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1", at=1_700_000_000.9)
    (arrival,) = inbox.fetch(50)
    assert arrival.received_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


def test_mail_that_another_program_has_looked_at_is_still_work(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "cur/1:2,S", "seen")
    assert fetched(inbox) == ["seen"]


@pytest.mark.parametrize("name", ["tmp/1", "new/.hidden"])
def test_what_is_not_yet_delivered_is_not_read(maildir: Path, inbox: MaildirInbox, name: str) -> None:
    put(maildir, name)
    assert (inbox.wait(0.01), inbox.fetch(50)) == (False, [])


def test_what_is_no_file_is_no_mail(maildir: Path, inbox: MaildirInbox, tmp_path: Path) -> None:
    (maildir / "new" / "folder").mkdir()
    (maildir / "new" / "link").symlink_to(put(tmp_path, "elsewhere"))
    assert inbox.fetch(50) == []


def test_a_mail_that_is_moved_and_flagged_between_two_looks_is_not_given_twice(
    maildir: Path, inbox: MaildirInbox
) -> None:
    path = put(maildir, "new/1")
    assert fetched(inbox) == ["1"]
    path.rename(maildir / "cur" / "1:2,RS")
    assert inbox.fetch(50) == []
    assert inbox.wait(0.01) is False


def test_a_mail_that_is_moved_and_flagged_after_it_was_read_is_put_away_with_its_flags(
    maildir: Path, inbox: MaildirInbox
) -> None:
    path = put(maildir, "new/1")
    arrivals = inbox.fetch(50)
    path.rename(maildir / "cur" / "1:2,FR")
    inbox.done(arrivals)
    assert (names(maildir / "cur"), names(maildir / ".Handled" / "cur")) == ([], ["1:2,FRS"])


def test_a_mail_that_is_moved_between_listing_and_reading_is_found_where_it_is_now(
    maildir: Path, inbox: MaildirInbox
) -> None:
    put(maildir, "new/1", at=1000)
    moving = put(maildir, "new/2", at=2000)
    assert subjects(inbox.fetch(1)) == ["1"]
    moving.rename(maildir / "cur" / "2:2,")
    assert fetched(inbox) == ["2"]


def test_a_mail_that_is_removed_between_listing_and_reading_hides_none_behind_it(
    maildir: Path, inbox: MaildirInbox
) -> None:
    first, second, _ = (put(maildir, f"new/{number}", at=number * 1000) for number in (1, 2, 3))
    assert subjects(inbox.fetch(1)) == ["1"]
    second.unlink()
    assert subjects(inbox.fetch(1)) == ["3"]
    first.unlink()
    assert inbox.fetch(1) == []


def test_a_mail_that_somebody_removed_is_done(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1").touch()
    arrivals = inbox.fetch(50)
    (maildir / "new" / "1").unlink()
    inbox.done(arrivals)
    assert names(maildir / ".Handled" / "cur") == []


def test_a_mail_can_be_put_away_after_rewinding(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1")
    arrivals = inbox.fetch(50)
    inbox.rewind()
    inbox.done(arrivals)
    assert names(maildir / ".Handled" / "cur") == ["1:2,S"]


def test_arrivals_of_another_process_are_left_alone(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1")
    theirs = MaildirInbox(maildir, "Handled", LARGEST).fetch(50)
    mine = inbox.fetch(50)
    inbox.done(theirs)
    assert names(maildir / "new") == ["1"]
    assert mine[0].folder_key != theirs[0].folder_key


def test_a_mail_that_comes_back_after_it_was_done_is_given_again(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1")
    inbox.done(inbox.fetch(50))
    put(maildir, "new/1", "restored")
    assert fetched(inbox) == ["restored"]


def test_of_a_mail_that_grows_over_the_cap_while_it_is_read_no_half_is_taken_for_the_whole(maildir: Path) -> None:
    put(maildir, "new/1", at=1000)
    growing = put(maildir, "new/2", at=2000)
    inbox = MaildirInbox(maildir, "Handled", 10_000)
    inbox.fetch(1)
    growing.write_bytes(mail("2", size=20_000))
    (arrival,) = inbox.fetch(1)
    assert arrival.raw is None
    assert subjects([arrival]) == ["2"]


def test_each_mail_is_looked_at_once_however_many_batches_it_takes(
    maildir: Path, inbox: MaildirInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings: list[Path] = []
    for number in range(30):
        put(maildir, f"new/{number}")
    scandir = os.scandir

    def listing(path: Path) -> Iterator[os.DirEntry[str]]:
        listings.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listing)
    assert [len(inbox.fetch(10)) for _ in range(3)] == [10, 10, 10]
    assert listings == [maildir / "new", maildir / "cur"]


@pytest.mark.parametrize("missing", ["", "new", "cur"])
def test_a_folder_that_is_no_maildir_is_said_so_with_how_to_make_one(maildir: Path, missing: str) -> None:
    shutil.rmtree(maildir / missing)
    with pytest.raises(MailboxTrouble, match=rf"{maildir} is no Maildir.*path in \[maildir\].*mkdir -p") as caught:
        MaildirInbox(maildir, "Handled", LARGEST).open()
    assert "\n" not in str(caught.value)


def test_a_folder_for_handled_mail_that_cannot_be_made_is_said_so_at_once(maildir: Path) -> None:
    (maildir / ".Handled").write_text("in the way")
    with pytest.raises(MailboxTrouble, match=r"handled_folder in \[maildir\]"):
        MaildirInbox(maildir, "Handled", LARGEST).open()


def test_a_folder_that_goes_away_ends_the_wait_and_is_a_trouble_until_it_is_back(
    maildir: Path, inbox: MaildirInbox
) -> None:
    shutil.rmtree(maildir)
    assert inbox.wait(LONG) is True
    with pytest.raises(MailboxTrouble, match="is no Maildir"):
        inbox.fetch(50)
    put(made(maildir), "new/1")
    arrivals = inbox.fetch(50)
    inbox.done(arrivals)
    assert names(maildir / ".Handled" / "cur") == ["1:2,S"]


def test_what_cannot_be_put_away_is_work_again(maildir: Path, inbox: MaildirInbox) -> None:
    put(maildir, "new/1")
    arrivals = inbox.fetch(50)
    shutil.rmtree(maildir / ".Handled")
    (maildir / ".Handled").write_text("in the way")
    with pytest.raises(MailboxTrouble, match=r"handled_folder in \[maildir\]"):
        inbox.done(arrivals)
    (maildir / ".Handled").unlink()
    again = inbox.fetch(50)
    inbox.done(again)
    assert again == arrivals
    assert names(maildir / ".Handled" / "cur") == ["1:2,S"]


@pytest.fixture
def forbidding() -> Iterator[Path]:
    """A folder of a user who is not allowed everything; root becomes nobody, who cannot reach `tmp_path`."""
    nobody = pwd.getpwnam("nobody").pw_uid
    with tempfile.TemporaryDirectory(prefix="pbem-maildir-") as name:
        if os.geteuid():
            yield Path(name)
            return
        os.chown(name, nobody, -1)
        os.seteuid(nobody)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def test_a_mail_that_may_not_be_read_is_a_trouble_after_all_others_and_is_read_once_it_may(forbidding: Path) -> None:
    forbidden = put(made(forbidding / "inn"), "new/1", at=1000)
    put(forbidding / "inn", "new/2", at=2000)
    forbidden.chmod(0)
    inbox = MaildirInbox(forbidding / "inn", "Handled", LARGEST)
    assert fetched(inbox) == ["2"]
    for _ in range(2):
        with pytest.raises(MailboxTrouble, match=rf"{forbidden} cannot be used \(Permission denied\)\. .*chown"):
            inbox.fetch(50)
    forbidden.chmod(0o600)
    assert fetched(inbox) == ["1"]


@pytest.mark.parametrize("place", ["new", "cur", "tmp"])
def test_a_folder_that_may_not_be_used_is_a_trouble_when_it_is_opened(forbidding: Path, place: str) -> None:
    folder = made(forbidding / "inn") / place
    folder.chmod(0o500)
    with pytest.raises(MailboxTrouble, match=rf"{folder} cannot be used \(Permission denied\)"):
        MaildirInbox(forbidding / "inn", "Handled", LARGEST).open()
    folder.chmod(0o700)


def test_an_interval_is_not_over_early_although_the_clock_stands_still(
    inbox: MaildirInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def silent(_bell: object, seconds: float) -> bool:
        waits.append(seconds)
        return False

    monkeypatch.setattr("pbem.mailbox.bell.Bell.rang", silent)
    assert inbox.wait(60) is False
    assert sum(waits) == pytest.approx(60)
    assert max(waits) <= 1
