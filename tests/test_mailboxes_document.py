"""What docs/mailboxes.md shows works: each configuration loads, and the programs do what it says of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from pbem import bootstrap, config
from pbem.mailbox import Parcel
from pbem.mailbox.maildir import MaildirInbox
from pbem.mailbox.outfolder import FolderSender

DOCUMENT: Final = (Path(__file__).parent.parent / "docs" / "mailboxes.md").read_text("utf-8")
HOME: Final = "/home/inn"
INN: Final = "inn@example.org"
ANNA: Final = "anna@example.org"
SENDMAIL: Final = """\
#!/bin/sh
if [ -e "$HOME/away" ]; then exit 75; fi
printf '%s\\n' "$@" > "$HOME/arguments"
cat > "$HOME/sent"
"""


def shown(language: str) -> list[str]:
    """The blocks of one language in the document."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a user who has made the folders that the document tells him to make."""
    for command in re.findall(r"mkdir -p[^`]*", DOCUMENT):
        subprocess.run(["sh", "-c", " ".join(command.split())], cwd=tmp_path, check=True)
    return tmp_path


def configured(home: Path, toml: str) -> Path:
    """The configuration, at home in `home`, with the files beside it that it names."""
    (home / "pbem.secret").write_text("k" * 32)
    for name in ("imap.password", "smtp.password"):
        (home / name).write_text("sesame")
    path = home / "pbem.toml"
    path.write_text(toml.replace(HOME, str(home)))
    return path


@pytest.mark.parametrize("toml", shown("toml"))
def test_each_configuration_loads_and_leads_to_a_way_in_and_a_way_out(home: Path, toml: str) -> None:
    settings = config.load(configured(home, toml))
    inbox, sender = bootstrap.inbox_of(settings), bootstrap.sender_of(settings)
    assert isinstance(inbox, MaildirInbox) == ("[maildir]" in toml)
    assert isinstance(sender, FolderSender) == ("[outbox]" in toml)


def test_a_host_without_any_server_answers_a_mail_from_folder_to_folder(home: Path) -> None:
    (toml,) = (each for each in shown("toml") if "[outbox]" in each)
    (home / "Maildir" / "new" / "1").write_bytes(
        b"From: anna@example.org\nTo: inn@example.org\nSubject: hello\nMessage-ID: <1@example.org>\n\nREGISTER Anna\n"
    )
    with bootstrap.host_from(configured(home, toml)) as host:
        done = host.once()
    assert (done.read, done.handled, done.sent, done.trouble) == (1, 1, 1, None)
    assert names(home / "Maildir" / ".Handled" / "cur") == ["1:2,S"]
    (answer,) = (home / "outbox" / "new").iterdir()
    assert answer.read_text().startswith(f"Return-Path: <{INN}>\nX-Original-To: {ANNA}\nFrom: ")


@pytest.fixture
def send_outbox(home: Path) -> list[str]:
    """The command that runs the program of the document, with a `sendmail` that keeps what it is told."""
    (program,) = shown("sh")
    for path, text in ((home / "send-outbox", program), (home / "sendmail", SENDMAIL)):
        path.write_text(text)
        path.chmod(0o700)
    (line,) = re.findall(r"\* flock -n \S+ (.*)", DOCUMENT)
    return ["sh", "-c", line]


def run(command: list[str], home: Path) -> None:
    environment = {"HOME": str(home), "PATH": f"{home}:{os.environ['PATH']}"}
    subprocess.run(command, env=environment, check=True, timeout=30)


def test_the_program_sends_a_mail_as_it_is_to_whom_it_is_for_and_keeps_what_it_cannot_send(
    home: Path, send_outbox: list[str]
) -> None:
    raw = b"From: inn@example.org\r\nMessage-ID: <1@example.org>\r\n\r\n.\r\nhello\r\n"
    parcel = Parcel(INN, "-anna+x@example.org", raw)
    list(FolderSender(home / "outbox").send([parcel]))
    (home / "away").touch()
    run(send_outbox, home)
    (name,) = names(home / "outbox" / "new")
    (home / "away").unlink()
    run(send_outbox, home)
    assert (home / "arguments").read_text().split() == ["-i", "-f", INN, "--", "-anna+x@example.org"]
    assert (home / "sent").read_bytes() == raw.replace(b"\r\n", b"\n")
    assert (names(home / "outbox" / "new"), names(home / "outbox" / "cur")) == ([], [f"{name}:2,S"])
    list(FolderSender(home / "outbox").send([parcel]))
    assert names(home / "outbox" / "new") == []


def test_an_empty_outbox_sends_nothing(home: Path, send_outbox: list[str]) -> None:
    run(send_outbox, home)
    assert not (home / "sent").exists()


@pytest.mark.skipif(shutil.which("procmail") is None, reason="there is no procmail on this machine")
def test_procmail_delivers_where_the_configuration_looks(home: Path) -> None:
    (rules,) = shown("procmail")
    (home / ".procmailrc").write_text(rules)
    raw = b"From anna@example.org Tue Dec  1 12:00:00 2026\nFrom: anna@example.org\nSubject: x\n\nPASS\n"
    command = ["procmail", f"HOME={home}", str(home / ".procmailrc")]
    subprocess.run(command, input=raw, check=True, timeout=30)
    with MaildirInbox(home / "Maildir", "Handled", 1_000_000) as inbox:
        (arrival,) = inbox.fetch(10)
    assert arrival.raw is not None
    assert arrival.raw.endswith(b"From: anna@example.org\nSubject: x\n\nPASS\n")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
