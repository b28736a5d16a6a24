"""A folder to send from holds each mail once, whole, with its envelope; or says why it cannot."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from pbem.errors import MailboxTrouble
from pbem.mailbox import Outcome, Parcel
from pbem.mailbox.outfolder import FolderSender

RAW = b"From: inn@example.org\r\nMessage-ID: <one@example.org>\r\nSubject: x\r\n\r\nhello\r\n\r\nMessage-ID: no\r\n"


@pytest.fixture
def outbox(tmp_path: Path) -> Path:
    for place in ("new", "cur", "tmp"):
        (tmp_path / "outbox" / place).mkdir(parents=True)
    return tmp_path / "outbox"


def send(outbox: Path, *parcels: Parcel) -> list[Outcome]:
    return [receipt.outcome for receipt in FolderSender(outbox).send(parcels)]


def parcel(to: str = "anna@example.org", raw: bytes = RAW) -> Parcel:
    return Parcel("inn@example.org", to, raw)


def waiting(outbox: Path) -> list[Path]:
    return list((outbox / "new").iterdir())


def test_a_mail_stands_behind_its_envelope_with_the_line_ends_of_this_machine(outbox: Path) -> None:
    assert send(outbox, parcel("anna+é@example.org")) == [Outcome.ACCEPTED]
    (file,) = waiting(outbox)
    envelope = "Return-Path: <inn@example.org>\nX-Original-To: anna+é@example.org\n".encode()
    assert file.read_bytes() == envelope + RAW.replace(b"\r\n", b"\n")


def test_a_file_is_for_its_owner_alone_and_nothing_is_left_where_it_was_written(outbox: Path) -> None:
    send(outbox, parcel())
    assert stat.S_IMODE(waiting(outbox)[0].stat().st_mode) == 0o600
    assert list((outbox / "tmp").iterdir()) == []


def test_a_mail_that_is_sent_again_is_still_one_file(outbox: Path) -> None:
    assert send(outbox, parcel(), parcel()) == [Outcome.ACCEPTED] * 2
    assert send(outbox, parcel()) == [Outcome.ACCEPTED]
    assert len(waiting(outbox)) == 1


@pytest.mark.parametrize("info", ["", ":2,", ":2,S"])
def test_a_mail_that_another_program_has_sent_and_kept_is_not_written_again(outbox: Path, info: str) -> None:
    send(outbox, parcel())
    (file,) = waiting(outbox)
    file.rename(outbox / "cur" / f"{file.name}{info}")
    assert send(outbox, parcel()) == [Outcome.ACCEPTED]
    assert waiting(outbox) == []


@pytest.mark.parametrize(
    "other",
    [
        parcel("bob@example.org"),
        parcel(raw=RAW.replace(b"one@", b"two@")),
        parcel(raw=b"Subject: without Message-ID\r\n\r\nhello\r\n"),
    ],
)
def test_another_mail_or_another_recipient_is_another_file(outbox: Path, other: Parcel) -> None:
    send(outbox, parcel(), other)
    assert len(waiting(outbox)) == 2


def test_what_a_process_left_half_written_when_it_died_is_never_sent(outbox: Path) -> None:
    send(outbox, parcel())
    name = waiting(outbox)[0].name
    waiting(outbox)[0].unlink()
    (outbox / "tmp" / f"{name}.{os.getpid()}").write_text("a long half " * 1000)
    send(outbox, parcel())
    assert waiting(outbox)[0].read_bytes().endswith(b"Message-ID: no\n")
    assert list((outbox / "tmp").iterdir()) == []


@pytest.mark.parametrize("missing", ["", "new", "tmp"])
def test_a_folder_that_is_not_there_is_said_so_and_gives_no_receipt(outbox: Path, missing: str) -> None:
    shutil.rmtree(outbox / missing)
    for action in (FolderSender(outbox).check, lambda: send(outbox, parcel())):
        with pytest.raises(MailboxTrouble, match=rf"{outbox} is no Maildir.*folder in \[outbox\].*mkdir -p"):
            action()


def test_a_disk_that_takes_no_more_is_said_so_and_leaves_nothing_behind(
    outbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MailboxTrouble, match="No space left on device"):
        send(outbox, parcel())
    assert waiting(outbox) + list((outbox / "tmp").iterdir()) == []
