"""Whatever the bytes: an answer, never an exception, and in time."""

from __future__ import annotations

import string
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.letters import Letter, own_text, read_letter, shown_text
from tests.letters.shapes import STATE, mail, marked
from tests.timing import within

pytestmark = pytest.mark.slow

SECONDS = 1.0
"""Seconds of processor, generously: the figures of an idle machine are a tenth for text and a third for HTML."""

KIB = 1024
TEXTS: dict[str, str] = {
    "marks": ">" * 64 * KIB,
    "short quoted lines": "> x\n" * 16 * KIB,
    "empty lines": "\n" * 64 * KIB,
    "attribution on attribution": "On Mon, 30 Nov 2026 at 10:00, x <a@b.c> wrote:\n" * 1_400,
    "colons": "a:\n" * 21_000,
    "headers": "From: a@b.c\n" * 5_400,
    "headers that are none": "To: 10:00\n" * 6_500,
    "addresses": "a@" * 32 * KIB,
    "at signs in lines": ("@" * 900 + "\n") * 70,
    "dots and digits": ("1." * 450 + "\n") * 70,
    "dashes": ("-" * 900 + "\n") * 70,
    "dashes and words": ("- " * 450 + "x\n") * 70,
    "spaces": (" " * 900 + "x\n") * 70,
    "separators": "-----Original Message-----\n" * 2_400,
    "footers": ("sent from " + "x " * 60 + "\n") * 500,
    "marks of the host": "pbem-aaaaaaaa\n" * 4_600,
    "long words for writing": ("schrieb " * 100 + ":\n") * 80,
    "one line": "x" * 64 * KIB,
    "the sent mail over and over": STATE * 40,
    "quoted again and again": marked(STATE) * 40,
    "combining characters": "a" + "\u0301" * 64 * KIB,
    "joiners": "\u200d" * 64 * KIB,
    "its first word": ("the \n" * 13_000),
}
HTML: dict[str, str] = {
    "divs": "<div>" * 50_000 + "x",
    "bold": "<b>" * 85_000 + "x",
    "tables": "<table><tr><td>" * 17_000 + "x",
    "blockquotes": "<blockquote>" * 21_000 + "x",
    "paragraphs": "<p>x" * 64_000,
    "breaks": "<br>" * 64_000,
    "open tags": "<" * 256 * KIB,
    "ampersands": "&" * 256 * KIB,
    "entities": "&nbsp;" * 43_000,
    "comments": "<!--" * 64_000,
    "attributes": "<div " + "a=b " * 60_000 + ">",
    "styles": f"<div style='{'a:b;' * 60_000}'>x",
    "classes": f"<div class='{'gmail ' * 40_000}'>x",
    "wrong ends": "</div><p></b>" * 19_000,
    "script": "<script>" + "</scrip" * 36_000,
    "text": "x " * 128 * KIB,
}


@pytest.mark.parametrize("sent", [None, STATE], ids=["sent-unknown", "sent-known"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_hostile_text_is_read_in_time(text: str, sent: str | None) -> None:
    with within(SECONDS):
        own_text(read_letter(mail(text)).body, sent)


@pytest.mark.parametrize("html", HTML.values(), ids=HTML)
def test_hostile_html_is_read_in_time(html: str) -> None:
    with within(SECONDS):
        own_text(read_letter(mail(html, "text/html")).body, STATE)


MAILS: dict[str, bytes] = {
    "nested multiparts": b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(3_000)
    ),
    "boundaries": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 100_000,
    "boundaries that are none": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--bb\n" * 100_000,
    "headers": b"a: b\n" * 60_000,
    "one header": b"Subject: " + b"x" * KIB * KIB,
    "encoded words": b"Subject: " + b"=?utf-8?q?x?= " * 50_000,
    "parameters": b'Content-Type: text/plain; a="' + b'\\";' * 100_000,
    "comments in From": b"From: " + b"(" * 100_000,
    "quotes in From": b"From: " + b'"' * 100_000,
    "angles in From": b"From: " + b"<a@b" * 50_000,
    "recipients": b"To: " + b"a@b.c, " * 50_000,
    "references": b"References: " + b"<a@b> " * 50_000,
    "attachments": b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nPASS\n--b\nContent-Type: image/png\n\n"
    + b"A" * 76 * 1_000
    + b"\n--b--\n",
}


@pytest.mark.parametrize("raw", MAILS.values(), ids=MAILS)
def test_a_hostile_container_is_read_in_time(raw: bytes) -> None:
    with within(SECONDS):
        own_text(read_letter(raw).body)


def whole(raw: bytes) -> Letter:
    """Everything that is asked of a mail, asked once."""
    letter = read_letter(raw, "inn@example.org")
    for sent in (None, STATE, shown_text(raw)):
        found = own_text(letter.body, sent)
        assert all(line == line.strip() and line and "\n" not in line for line in found.own)
        assert len(found.own) + len(found.ignored) <= len(letter.body.lines)
    return letter


@given(st.binary(max_size=2_000))
@settings(max_examples=150, deadline=None)
def test_random_bytes_are_a_letter(raw: bytes) -> None:
    assert len(whole(raw).digest) == 64


SNIPPETS = st.sampled_from(
    [
        *STATE.splitlines(),
        *marked(STATE).splitlines(),
        "PASS",
        "",
        "-- ",
        "On Mon, 30 Nov 2026 at 10:00, x <a@b.c>",
        "wrote:",
        "From: a@b.c",
        "Sent: 10:00",
        "-----Original Message-----",
        "===== pbem-k7q2m7x4",
        "Sent from my iPhone",
        "<div>",
        "=?utf-8?q?=ff?=",
        "=",
        "--b",
        "--b--",
        "Content-Type: text/html",
        "Content-Type: multipart/mixed; boundary=b",
    ]
)
HEADER_VALUES = st.one_of(SNIPPETS, st.text(max_size=60), st.text(alphabet=string.printable, max_size=60))


@given(
    lines=st.lists(st.one_of(SNIPPETS, st.text(max_size=80)), max_size=40),
    names=st.lists(st.sampled_from(["From", "To", "Subject", "Message-ID", "References", "Return-Path"]), max_size=5),
    values=st.lists(HEADER_VALUES, min_size=5, max_size=5),
    charset=st.sampled_from(["utf-8", "gb18030", "iso-8859-1", "utf-16", "hz", "utf-7", "nobody"]),
    kind=st.sampled_from(["text/plain", "text/html", "text/plain; format=flowed", "multipart/mixed; boundary=b"]),
    encoding=st.sampled_from(["7bit", "8bit", "base64", "quoted-printable", "x-uuencode"]),
)
@settings(max_examples=150, deadline=None)
def test_a_mail_of_any_pieces_is_a_letter(
    lines: list[str], names: list[str], values: list[str], charset: str, kind: str, encoding: str
) -> None:
    head = [f"{name}: {value}" for name, value in zip(names, values, strict=False)]
    head += [f"Content-Type: {kind}; charset={charset}", f"Content-Transfer-Encoding: {encoding}", ""]
    whole("\n".join((*head, *lines)).encode("utf-8", "replace"))


TREES = st.recursive(
    st.tuples(st.sampled_from(["plain", "html", "calendar"]), st.text(max_size=50)),
    lambda below: st.tuples(
        st.sampled_from(["mixed", "alternative", "related"]), st.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=6,
)


def built(tree: tuple[str, str | list[tuple[str, str]]]) -> EmailMessage:
    """The mail of a drawn tree."""
    kind, content = tree
    message = EmailMessage(policy=SMTP)
    if isinstance(content, str):
        message.set_content(content, subtype=kind)
        return message
    message["Content-Type"] = f"multipart/{kind}"
    for below in content:
        message.attach(built(below))
    return message


@given(TREES)
@settings(max_examples=60, deadline=None)
def test_a_mail_of_any_tree_is_a_letter_that_is_complete(tree: tuple[str, str | list[tuple[str, str]]]) -> None:
    letter = whole(built(tree).as_bytes())
    assert letter.problem is None or letter.problem.value in ("empty", "only-attachment")


@given(
    st.lists(st.sampled_from(STATE.splitlines()), min_size=1, max_size=40), st.sampled_from(["> ", ">", "| ", ">> "])
)
@settings(max_examples=60, deadline=None)
def test_a_marked_line_is_never_the_senders(lines: list[str], mark: str) -> None:
    text = "PASS\n\n" + marked("\n".join(lines), mark)
    assert own_text(read_letter(mail(text)).body, STATE).own == ("PASS",)
