"""What people write is text: in no mail, page or file of the host does it become a template, markup, header or path."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from pbem.bootstrap import site_of
from pbem.config import Running
from pbem.files import resource
from pbem.publish import build, shows
from pbem.render import Renderer
from tests.conversations.world import World
from tests.test_house import HOST, named, parsed

EVIL: Final = "{{ 7191 * 7 }}{% if 1 %}<script>alert(1)</script><svg onload=alert(1)>\"'&{# gone #}"
RESULT: Final = str(7191 * 7)
"""What a template would make of it."""
NAMES: Final = (
    "{{ 7191 * 7 }}",
    "{% include 'x' %}",
    "<script>alert(1)</script>",
    "<svg onload=alert(1)>",
    "Eve\r\nBcc: x@y.org",
    "../../etc/passwd",
    "..",
    "/tmp/eve",
    "%(name)s",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_more_than_a_name_is_taken_by_nobody(night: World, name: str) -> None:
    night.write("eve", f"REGISTER {name}")
    night.answer("modi", f"RENAME Anna TO {name}", f"RENAME GAME TO {name}")
    sent = night.tick()
    assert night.store.person_by_address("eve@example.org") is None or name.startswith("Eve")
    assert night.table().names == ("Anna", "Bob", "Chen")
    assert night.table().label == ""
    assert all(RESULT not in mail.text and "<script" not in mail.html for mail in sent)


@pytest.mark.parametrize("words", [f"SAY {EVIL}", f"TELL Bob: {EVIL}", EVIL, f"BRIBE {EVIL}", f"HELP {EVIL}"])
def test_what_a_player_writes_is_text_in_the_mails_of_all(night: World, words: str) -> None:
    night.answer("anna", words)
    night.answer("anna", "STATUS")
    sent = night.tick()
    assert sent
    for mail in sent:
        assert RESULT not in mail.lines + mail.html
        assert "<script" not in mail.html
        assert "<svg" not in mail.html


def test_words_of_a_moderator_are_text_too(night: World) -> None:
    night.answer("modi", f"ANNOUNCE {EVIL}", f"RULING {EVIL}", f"NOTE {EVIL}")
    sent = night.tick()
    assert "{{ 7191 * 7 }}" in next(mail for mail in sent if mail.to == "anna").text
    assert not [mail for mail in sent if RESULT in mail.text or "<script" in mail.html]


@pytest.mark.parametrize("field", ["subject", "Message_ID", "In_Reply_To", "References", "Reply_To"])
def test_no_header_of_a_mail_adds_one_to_its_answer(night: World, field: str) -> None:
    """An encoded word hides the line break from whoever looks at the raw header."""
    evil = "=?utf-8?q?Hi=0D=0ABcc:=20eve=40example.org=0D=0A?= [inn-1]"
    private = night.last("anna").message["Reply-To"]
    subject = evil if field == "subject" else "Hello"
    headers = {} if field == "subject" else {field: f"<{evil}@x.org>"}
    raw = night.write("anna", "STATUS", to=private)
    night.mailbox.arrivals.pop()
    head, _, body = raw.partition(b"\n\n")
    kept = [line for line in head.split(b"\n") if field.replace("_", "-").lower() not in line.lower().decode()]
    added = [f"{name.replace('_', '-')}: {value}".encode() for name, value in headers.items()]
    if field == "subject":
        added = [f"Subject: {subject}".encode()]
    night.deliver(b"\n".join((*kept, *added)) + b"\n\n" + body)
    (answer,) = night.tick()
    assert answer.to == "anna"
    assert answer.message["Bcc"] is None
    assert "eve@example.org" not in answer.message.as_string()


@pytest.mark.slow
def test_pages_of_a_table_with_evil_words_are_text_and_lie_in_its_folder_alone(night: World, tmp_path: Path) -> None:
    night.answer("anna", f"SAY {EVIL}", "PASS")
    night.answer("modi", "RENAME GAME TO ../../../outside", f"RULING {EVIL}")
    night.tick()
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    site = site_of(night.settings, Renderer(night.host.games, resource("templates")))
    build(site, night.store, night.host.games, lambda table: shows(table, Running.ALL))
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert written
    assert all(path.is_relative_to(night.settings.archive.folder) for path in written)
    for path in written:
        text = path.read_text("utf-8")
        assert RESULT not in text
        assert "<script>alert" not in text
        assert "<svg onload" not in text


@pytest.mark.parametrize("path", [path for path in HOST if "jinja2" in path.read_text("utf-8")], ids=named)
def test_a_template_is_a_file_and_never_a_text_that_was_put_together(path: Path) -> None:
    calls = [node.func for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)]
    assert [call.attr for call in calls if isinstance(call, ast.Attribute) and call.attr == "from_string"] == []
    assert [call.id for call in calls if isinstance(call, ast.Name) and call.id == "Template"] == []
