"""Arrival times as no server should tell them: the mail is read all the same, and nothing counts back from them."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Final

import pytest

from pbem.mailbox.maildir import MaildirInbox
from pbem.mailbox.wire import NO_DATE, arrived

WEST, EAST = timezone(-timedelta(hours=12)), timezone(timedelta(hours=14))
ODD: Final[dict[str, Callable[[], datetime]]] = {
    "the year 1": lambda: datetime(1, 1, 1, tzinfo=UTC),
    "before the year 1": lambda: datetime(1, 1, 1, tzinfo=EAST),
    "behind the year 9999": lambda: datetime(9999, 12, 31, 23, tzinfo=WEST),
    "no such second": lambda: datetime.fromtimestamp(10**15, UTC),
}


@pytest.mark.parametrize("said", ODD.values(), ids=ODD.keys())
def test_a_time_that_nobody_can_reckon_with_counts_as_none(said: Callable[[], datetime]) -> None:
    assert arrived(said) == NO_DATE


def test_any_other_is_told_in_utc() -> None:
    assert arrived(lambda: datetime(2026, 12, 1, 14, tzinfo=EAST)) == datetime(2026, 12, 1, tzinfo=UTC)


def test_a_file_that_was_written_before_all_mail_is_read(tmp_path: Path) -> None:
    for place in ("new", "cur", "tmp"):
        (tmp_path / place).mkdir()
    file = tmp_path / "new" / "1"
    file.write_bytes(b"Subject: Hello\n\nPASS\n")
    os.utime(file, (-(10**9), -(10**9)))
    inbox = MaildirInbox(tmp_path, "Handled", 10_000)
    inbox.open()
    assert [each.received_at for each in inbox.fetch(1)] == [NO_DATE]
