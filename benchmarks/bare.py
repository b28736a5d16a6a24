"""The floor of a host: fetch, flag, commit and send the same bytes, and nothing else.

Batches like the host's: one FETCH and one STORE for all, one SMTP connection; a commit for each mail.
"""

from __future__ import annotations

import imaplib
import smtplib
import socket
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tables import HOST
from pbem.config import Imap, Smtp

Answers = Sequence[tuple[str, bytes]]
"""Mails to be sent: to whom, and the bytes."""


class BareLoop:
    """Connections that stay open, as a host's do."""

    def __init__(self, imap: Imap, smtp: Smtp, folder: Path) -> None:
        self._imap = imaplib.IMAP4(imap.host, imap.port)
        self._imap.login(imap.user, imap.password.get_secret_value())
        self._imap.select()
        self._imap.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._smtp = smtp
        self._database = sqlite3.connect(folder / "bare.db")
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
        self._next_uid = 1

    def run(self, answers: Answers, each: int) -> int:
        """Take in what has arrived and send `each` answers for every mail; how many mails came."""
        mails = self._fetched()
        with smtplib.SMTP(self._smtp.host, self._smtp.port, "localhost") as smtp:
            assert smtp.sock is not None
            smtp.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for number, raw in enumerate(mails):
                self._keep(raw)
                for to, answer in answers[number * each : (number + 1) * each]:
                    smtp.sendmail(HOST, [to], answer)
        return len(mails)

    def close(self) -> None:
        """Log out."""
        self._imap.logout()
        self._database.close()

    def _fetched(self) -> list[bytes]:
        self._imap.noop()
        uids = f"{self._next_uid}:*"
        _, rows = self._imap.uid("FETCH", uids, "(INTERNALDATE RFC822.SIZE BODY.PEEK[])")
        mails = [row[1] for row in rows if isinstance(row, tuple)]
        self._imap.uid("STORE", uids, "+FLAGS.SILENT", r"(\Seen)")
        self._next_uid += len(mails)
        return mails

    def _keep(self, raw: bytes) -> None:
        with self._database:
            self._database.execute("INSERT INTO mail (raw) VALUES (?)", (raw,))
