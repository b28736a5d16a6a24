"""`pbem explain`: how mails would be read, without effect, configuration or database."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli import app
from pbem.explain import Explained, explained
from pbem.files import resource
from pbem.letters import Automatic, Cap, Problem
from pbem.letters import Reason as Ignored
from tests.letters.shapes import STATE, TOKEN, headers, mail, marked

pytestmark = pytest.mark.slow

TYPED = """\
Hi all, sorry for the delay!
1. *KILL the baron in 4*; pass launder 10
BURRY baron
KILL brigadeer
MAILS sometimes
help rules
"""
REPLY = mail(
    f"{TYPED}\nSent from my iPhone\n\nOn Mon, 30 Nov 2026 at 10:00, The Inn <inn@example.org> wrote:\n{marked(STATE)}"
)
RUNNER = CliRunner()


def explain(*arguments: str | Path) -> tuple[int, str, str]:
    result = RUNNER.invoke(app, ["explain", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def seen(raw: bytes) -> Explained:
    return explained("x.eml", raw)


@pytest.fixture
def reply(tmp_path: Path) -> Path:
    path = tmp_path / "reply.eml"
    path.write_bytes(REPLY)
    return path


def test_every_own_line_has_a_kind_and_a_reading_or_a_fault() -> None:
    found = [(line.n, line.kind.value, line.reading, line.fault and line.fault.reason) for line in seen(REPLY).lines]
    assert found == [
        (1, "prose", None, None),
        (2, "order", "KILL baron IN 4", None),
        (2, "order", "PASS LAUNDER 10", None),
        (3, "misspelt", None, "unknown"),
        (4, "order", None, "card"),
        (5, "command", None, "usage"),
        (6, "command", "HELP rules", None),
    ]


def test_a_fault_says_what_the_sender_would_be_told() -> None:
    faults = [line.fault for line in seen(REPLY).lines if line.fault]
    assert [fault.near[0] for fault in faults] == ["BURY baron", "brigadier", "MAILS ALL, MAILS TURN or MAILS DAILY"]
    assert faults[1].says.startswith('I know no card called "brigadeer". Did you mean brigadier')
    assert all(fault.says for fault in faults)


def test_what_stands_below_a_fault_is_not_tried() -> None:
    assert [(line.n, line.tried) for line in seen(REPLY).lines] == [
        (1, True),
        (2, True),
        (2, True),
        (3, True),
        (4, False),
        (5, False),
        (6, False),
    ]


def test_every_line_that_is_not_the_senders_own_has_its_reason() -> None:
    found = seen(REPLY)
    assert found.own_text == tuple(TYPED.splitlines())
    reasons = {each.reason for each in found.ignored}
    assert reasons == {Ignored.FOOTER, Ignored.ATTRIBUTION, Ignored.MARK, Ignored.QUOTE}


def test_a_line_that_a_client_broke_in_two_is_one_order() -> None:
    text = "BURY baron UNDER barn, count UNDER Anna's cellar WITH novice, abbot, newsboy,\nmechanic\nPASS\n"
    found = seen(mail(text)).lines
    assert [line.reading for line in found] == [
        "BURY baron UNDER barn, count UNDER anna's cellar WITH abbot, mechanic, newsboy, novice",
        "PASS",
    ]


def test_a_mail_of_a_robot_is_read_by_nobody() -> None:
    found = seen(REPLY.replace(b"MIME-Version", b"Auto-Submitted: auto-replied\nMIME-Version"))
    assert (found.automatic, found.automatic_reason, found.lines) == (True, Automatic.AUTO_SUBMITTED, ())
    assert not seen(REPLY).automatic


def test_no_claim_of_a_mail_about_itself_is_believed() -> None:
    claim = b"Authentication-Results: mx.example.org; dkim=pass; spf=pass; dmarc=pass\n"
    assert seen(claim + REPLY).identity == "unknown"


@pytest.mark.parametrize("outcome", ["pass", "fail"])
def test_the_verdict_is_that_of_the_server_which_one_names(outcome: str, tmp_path: Path) -> None:
    path = tmp_path / "claimed.eml"
    path.write_bytes(f"Authentication-Results: mx.example.org; dmarc={outcome}\n".encode() + REPLY)
    for server, identity in (("mx.example.org", outcome), ("mx.example.net", "unknown")):
        assert json.loads(explain("--json", "--authserv-id", server, path)[1])["identity"] == identity


def test_a_token_is_told_of_and_never_shown() -> None:
    quoted = headers("From: {} / Sent: Monday, 30 November 2026 10:00 / To: Anna / Subject: {}")
    raw = mail(f"PASS\n\n{quoted}\n\n{STATE}").replace(b"Re: [inn-7]", b"Re: [inn-7 " + TOKEN.encode() + b"]")
    found = seen(raw)
    assert found.carries_token
    assert TOKEN not in str(found)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", Problem.EMPTY),
        (b"From: a@b.c\nContent-Type: image/png\n\nxx", Problem.ONLY_ATTACHMENT),
        (b"From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nPASS\n", Problem.INCOMPLETE),
    ],
)
def test_a_mail_that_says_nothing_has_a_problem_and_no_lines(raw: bytes, problem: Problem) -> None:
    found = seen(raw)
    assert (found.problem, found.lines) == (problem, ())


def test_limits_that_were_reached_are_named() -> None:
    assert seen(mail("PASS\n" * 3_000)).caps == (Cap.LINES,)


def test_the_mail_that_is_answered_helps_where_no_mark_tells_quotation(tmp_path: Path) -> None:
    lines = STATE.splitlines()
    answer, sent = tmp_path / "answer.eml", tmp_path / "sent.eml"
    answer.write_bytes(mail("\n".join((*lines[:20], "PASS", *lines[20:]))))
    sent.write_bytes(mail(STATE))
    assert json.loads(explain("--json", "--sent", sent, answer)[1])["own_text"] == ["PASS"]
    assert len(json.loads(explain("--json", answer)[1])["own_text"]) != 1


def test_several_files_give_one_object_a_line_in_their_order(reply: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.eml"
    other.write_bytes(mail("PASS"))
    code, out, err = explain(other, reply, other, "--json")
    found: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [each["file"] for each in found] == [str(other), str(reply), str(other)]
    assert [len(each["own_text"]) for each in found] == [1, 6, 1]
    assert found[0]["lines"] == [
        {"n": 1, "text": "PASS", "kind": "order", "reading": "PASS", "game": "bloody-inn", "fault": None, "tried": True}
    ]
    assert set(found[0]) >= {"sender", "identity", "automatic", "own_text", "ignored", "lines", "seconds"}
    assert 0 <= found[0]["seconds"] < 5


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_file_that_cannot_be_read_is_one_line_and_the_others_are_explained(reply: Path, form: list[str]) -> None:
    code, out, err = explain(reply.parent / "none.eml", reply.parent, reply, *form)
    assert code == 1
    assert [line.split(" cannot")[0] for line in err.splitlines()] == [
        f"pbem: {reply.parent / 'none.eml'}",
        f"pbem: {reply.parent}",
    ]
    assert out.count(str(reply)) == 1


def test_people_get_a_text_with_every_line_and_what_it_means(reply: Path) -> None:
    code, out, _ = explain(reply)
    assert code == 0
    for told in (
        "from       anna@example.net (Anna)",
        "identity   unknown, with a reply token",
        "automatic  no",
        "    2  order     KILL the baron in 4\n                   -> KILL baron IN 4",
        "Did you mean BURY baron?",
        "help rules\n                   -> not tried, since a line above cannot be read; it says: HELP rules",
        "    footer        Sent from my iPhone",
        "    quote         ... and",
    ):
        assert told in out


def test_people_see_what_a_robot_wrote_as_not_read(tmp_path: Path) -> None:
    path = tmp_path / "away.eml"
    path.write_bytes(mail("PASS").replace(b"MIME-Version", b"Auto-Submitted: auto-replied\nMIME-Version"))
    out = explain(path)[1]
    assert "automatic  yes: auto-submitted" in out
    assert "    1  not read  PASS" in out


def test_nothing_is_loaded_that_a_reader_of_mails_does_not_need(reply: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from pbem.explain import explain;"
        f"list(explain([Path({str(reply)!r})], as_json=True));"
        "print(sorted({'sqlmodel', 'sqlalchemy', 'pydantic', 'imapclient', 'alembic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_page_names_every_field_and_every_reason() -> None:
    page = (resource("pbem").parent / "docs" / "explain.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z_-]+)`", page))
    assert {field for field in Explained.__struct_fields__ if field not in named} == set()
    assert {reason.value for reason in Ignored} - named == set()
    assert {cap.value for cap in Cap} - named == set()
