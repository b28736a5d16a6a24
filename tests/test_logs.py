"""The log: how a line is written, that a long trouble fills no disk, and that what is private in it is found."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO

import pytest
import structlog

from pbem import logs
from pbem.config import LogFormat
from pbem.logs import MOST, RECOVERED, Sparing, set_up_logs
from pbem.tokens import Tokens
from tests.kills.judge import judged_log
from tests.private import told

WEEK = timedelta(days=7).total_seconds()
AWAY = {"event": "reading mail failed", "level": "warning", "trouble": "the imap server is away. Wait"}

Log = Callable[..., str]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    """Writes an event in a form; the lines that stand on standard error by then."""
    before = structlog.get_config()
    with (tmp_path / "err").open("w+") as err:

        def written(form: LogFormat, level: str = "warning", **facts: Any) -> str:
            monkeypatch.setattr(sys, "stderr", err)
            set_up_logs(logging.INFO, form)
            structlog.get_logger().log(getattr(logging, level.upper()), "mail not accepted", **facts)
            return _text(err)

        yield written
    structlog.configure(**before)


def _text(file: TextIO) -> str:
    file.seek(0)
    return file.read()


def test_text_begins_with_time_and_level(log: Log) -> None:
    line = log(LogFormat.TEXT, code=450)
    assert line.startswith("timestamp='20")
    assert line.endswith(" level='warning' event='mail not accepted' code=450\n")


def test_json_is_one_object_a_line_whatever_is_said(log: Log) -> None:
    log(LogFormat.JSON, trouble='a "quoted"\nline')
    said = json.loads(log(LogFormat.JSON, level="info", span=timedelta(hours=1)).splitlines()[-1])
    assert (said["level"], said["event"], said["span"]) == ("info", "mail not accepted", "1:00:00")


@pytest.mark.parametrize(("level", "priority"), [("info", 6), ("warning", 4), ("error", 3)])
def test_the_journal_gets_the_level_as_its_own_and_no_second_time(log: Log, level: str, priority: int) -> None:
    assert log(LogFormat.JOURNAL, level=level, code=450) == f"<{priority}>event='mail not accepted' code=450\n"


def test_the_journal_is_known_by_the_file_that_systemd_names(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    assert log(LogFormat.AUTO).startswith("timestamp")
    there = os.fstat(sys.stderr.fileno())
    monkeypatch.setenv("JOURNAL_STREAM", f"{there.st_dev}:{there.st_ino}")
    assert log(LogFormat.AUTO, code=1).splitlines()[-1].startswith("<4>")


def test_a_fault_is_one_line_with_its_traceback(log: Log) -> None:
    try:
        raise RuntimeError("ours")
    except RuntimeError:
        line = log(LogFormat.TEXT, level="error", exc_info=True)
    assert line.count("\n") == 1
    assert "Traceback" in line
    assert "RuntimeError: ours" in line


class Full(io.StringIO):
    """A file on a disk without room."""

    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_stops_nothing(monkeypatch: pytest.MonkeyPatch, log: Log) -> None:
    log(LogFormat.TEXT)
    monkeypatch.setattr(sys, "stderr", Full())
    set_up_logs()
    structlog.get_logger().warning("nobody reads this")


# How much there is


class Paper:
    """What stays of many events, and a clock for them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[dict[str, Any]] = []
        self._sparing = Sparing(lambda: self.now)

    def write(self, **event: Any) -> None:
        try:
            self.lines.append(dict(self._sparing(None, "", event)))
        except structlog.DropEvent:
            return


def test_a_server_that_is_away_for_a_week_takes_a_line_an_hour() -> None:
    paper = Paper()
    while paper.now < WEEK:
        paper.write(**AWAY)
        paper.now += 60
    assert len(paper.lines) <= 7 * 24 + 1
    assert "again" not in paper.lines[0]
    assert paper.lines[1]["again"] == 59


def test_troubles_that_are_never_the_same_are_bounded_too() -> None:
    paper = Paper()
    while paper.now < WEEK:
        paper.write(**{**AWAY, "trouble": f"session {paper.now} is over"})
        paper.now += 5
    assert len(paper.lines) <= (7 * 24 + 1) * MOST
    assert len(paper._sparing._told) <= 3 * 3600 / 5 + 2


def test_a_trouble_is_news_again_once_all_went_well() -> None:
    paper = Paper()
    for event in (AWAY, AWAY, {"event": RECOVERED, "level": "info"}, AWAY):
        paper.write(**event)
    assert [line["event"] for line in paper.lines] == [AWAY["event"], RECOVERED, AWAY["event"]]


def test_what_is_about_another_mail_or_table_is_no_repetition_and_news_of_work_is_never_kept_back() -> None:
    paper = Paper()
    for mail in (7, 8, 7):
        paper.write(event="handling a mail failed", level="error", mail=mail, attempt=1)
    for _ in range(3):
        paper.write(event="pass", level="info", read=1)
    assert [line.get("mail") for line in paper.lines] == [7, 8, None, None, None]


# What is private

PRIVATE = {
    "an address": "trouble='550 anna@example.org is unknown'",
    "a token": f"reply='{Tokens(b'key').seat('inn-7', 2, 1, 0)}'",
    "a hash or a secret": "hash='5f4dcc3b5aa765d61d8327deb882cf99'",
    "a card": "order='BRIBE landscaper WITH 2 peasants'",
    "a secret of this run": "password='correct-horse-battery'",
}


@pytest.mark.parametrize(("what", "line"), PRIVATE.items(), ids=PRIVATE)
def test_whoever_judges_a_log_finds_each_kind_of_what_is_private(tmp_path: Path, what: str, line: str) -> None:
    (tmp_path / "host.log").write_text(f"event='pass' read=1\n{line}\nevent='pass' read=2\n")
    assert list(judged_log(tmp_path, {"correct-horse-battery"})) == [f"the log tells {what}: {line}"]


def test_words_of_a_mail_are_found(tmp_path: Path) -> None:
    (tmp_path / "host.log").write_text("event='x' text='I shall betray Bob'\n")
    assert list(told((tmp_path / "host.log").read_text(), {"betray Bob"}))


@pytest.mark.parametrize("what", ["an address", "a token", "a hash or a secret"])
def test_what_can_be_recognised_is_left_out_wherever_it_came_from(what: str) -> None:
    event = logs.masked(None, "", {"event": "x", "trouble": PRIVATE[what]})
    assert list(told(event["trouble"])) == []
