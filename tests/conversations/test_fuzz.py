"""Mails as nobody would write them: whatever comes, nothing breaks, nothing takes long, and only own lines act.

Own lines of these mails carry a remark; the same orders stand without it in all places that are not the writer's own:
quotations, files, forwarded mails, signatures, headers. What is done has to have come from a line with the remark.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.parties import Decided
from pbem.reception import Arrived
from pbem.verdicts import Said
from tests.conversations.conftest import LODGE, SIGN_UP, START
from tests.conversations.transcript import play
from tests.conversations.world import NOON, World
from tests.timing import within

pytestmark = pytest.mark.slow

MINE: Final = "(mine)"
SECONDS: Final = 1.0
"""Of computing, for one mail (issue: HTML of 256 kB within 1 s)."""
EFFECTS: Final = frozenset({Said.DONE, Said.PLANNED})

fuzzed = settings(
    max_examples=100, deadline=timedelta(seconds=30), derandomize=True, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("night"))
    play(world, SIGN_UP + START + LODGE)
    return world


ORDERS = st.sampled_from(
    ["PASS", "BRIBE monk WITH peasant", "BUILD monk", "KILL baron", "RESIGN", "MAILS TURN", "STATUS", "LEAVE"]
)
# Without letters, of which a text could be an order by chance.
NOISE = st.text(st.characters(exclude_categories=["L", "Cs"]), max_size=80)
PROSE = st.one_of(NOISE, st.sampled_from(["", "Thank you", "-- ", "-----", "=====", "> ", ">> x", "\ufeff"]))
ATTRIBUTIONS = st.sampled_from(
    ["On Tue, 1 Dec 2026, the inn wrote:", "Am 01.12.2026 um 12:00 schrieb Inn:", "-----Original Message-----", ""]
)
CHARSETS = st.sampled_from(
    [
        "utf-8",
        "us-ascii",
        "iso-8859-1",
        "koi8-r",
        "gb2312",
        "big5",
        "iso-2022-jp",
        "utf-16",
        "utf-7",
        "klingon-8",
        '"',
        "",
    ]
)
ENCODINGS = st.sampled_from(["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "rot13", ""])
TYPES = st.sampled_from(
    [
        "text/plain",
        "text/html",
        "text/plain; format=flowed; delsp=yes",
        "text/calendar",
        "application/ms-tnef",
        "image/png",
        "message/rfc822",
        "application/pkcs7-mime",
        "nonsense",
        "text/",
    ]
)
MULTIPARTS = st.sampled_from(["mixed", "alternative", "related", "signed", "report", "digest", "encrypted", "odd"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Own lines with the remark, prose, and below an attribution the same orders quoted."""
    own = draw(st.lists(st.one_of(PROSE, ORDERS.map(lambda order: f"{order} {MINE}")), max_size=6))
    quoted = [f"> {order}" for order in draw(st.lists(ORDERS, max_size=4))]
    parts = [*own, "", draw(ATTRIBUTIONS), *quoted] if draw(st.booleans()) else [*quoted, "", *own]
    return draw(st.sampled_from(["\r\n", "\n"])).join(parts)


CODERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "base64": base64.encodebytes,
    "quoted-printable": quopri.encodestring,
}


def encoded(text: str, charset: str, encoding: str) -> bytes:
    try:
        raw = text.encode(charset or "utf-8", "replace")
    except LookupError:
        raw = text.encode("utf-8", "replace")
    return CODERS.get(encoding, bytes)(raw)


@st.composite
def leaves(draw: st.DrawFn) -> bytes:
    kind, charset, encoding = draw(TYPES), draw(CHARSETS), draw(ENCODINGS)
    text = draw(texts())
    if kind == "text/html":
        quotation = draw(ORDERS)
        text = f"<p>{text}</p><blockquote>{quotation}</blockquote><style>{quotation}</style>"
    elif not kind.startswith(("text/plain", "nonsense")):  # what is no type at all is plain text (RFC 2045, 5.2)
        text = text.replace(MINE, "")
    head = f"Content-Type: {kind}; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n"
    if draw(st.integers(0, 9)) == 0:
        head += 'Content-Disposition: attachment; filename="orders.txt"\r\n'
        text = text.replace(MINE, "")
    return head.encode() + b"\r\n" + encoded(text, charset, encoding)


def _joined(parts: list[bytes], kind: str, closed: bool) -> bytes:
    boundary = b"cut%d" % (sum(map(len, parts)) % 9973)
    body = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    end = b"--" + boundary + b"--\r\n" if closed else b""
    return b'Content-Type: multipart/%s; boundary="%s"\r\n\r\n' % (kind.encode(), boundary) + body + end


TREES = st.recursive(
    leaves(),
    lambda below: st.builds(_joined, st.lists(below, min_size=1, max_size=4), MULTIPARTS, st.integers(0, 9).map(bool)),
    max_leaves=6,
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A tree of which some bytes got lost, were doubled or changed on the way."""
    raw = draw(TREES)
    for _ in range(draw(st.integers(1, 3))):
        at, length = draw(st.integers(0, len(raw))), draw(st.integers(0, 40))
        middle = draw(st.sampled_from([b"", raw[at : at + length] * 2])) or draw(st.binary(max_size=20))
        raw = raw[:at] + middle + raw[at + length :]
    return raw


def decided(world: World, tree: bytes, to: str) -> Decided:
    """What the host decides about a mail of Anna's with this tree; how long that takes is held here."""
    head = f"From: Anna <anna@example.org>\r\nTo: {to}\r\nSubject: Re: [inn-1] PASS\r\nMessage-ID: <f@x.example>\r\n"
    with within(SECONDS):
        return world.host.reception.decided(Arrived(0, head.encode() + tree, NOON), NOON)


def check(found: Decided) -> None:
    """No effect without an own line; and every mail of a player is answered."""
    lines = found.verdict.lines if found.verdict else ()
    acting = [line.text for line in lines if line.said in EFFECTS]
    assert all(MINE in text for text in acting), acting
    if any(change.written for change in found.tables) or found.people or found.aliases:
        assert acting


@fuzzed
@given(tree=TREES)
def test_no_tree_of_parts_breaks_the_host_or_acts_without_an_own_line(night: World, tree: bytes) -> None:
    check(decided(night, tree, str(night.last("anna").message["Reply-To"])))


@fuzzed
@given(tree=TREES)
def test_without_the_private_address_nothing_at_all_is_done(night: World, tree: bytes) -> None:
    found = decided(night, tree, "inn@example.org")
    assert not found.tables
    assert not found.people


@fuzzed
@given(tree=damaged())
def test_a_damaged_mail_breaks_nothing(night: World, tree: bytes) -> None:
    decided(night, tree, str(night.last("anna").message["Reply-To"]))


@fuzzed
@given(raw=st.one_of(st.binary(max_size=2000), NOISE.map(lambda text: text.encode("utf-8", "replace"))))
def test_any_bytes_at_all_break_nothing(night: World, raw: bytes) -> None:
    assert night.host.reception.decided(Arrived(0, raw, NOON), NOON) == Decided()


@fuzzed
@given(body=st.binary(max_size=1500), kind=st.sampled_from(["report", "mixed", "alternative"]))
def test_whatever_a_mail_server_sends_back_breaks_nothing(night: World, body: bytes, kind: str) -> None:
    head = b"From: MAILER-DAEMON@x.example\r\nReturn-Path: <>\r\nContent-Type: multipart/%s; boundary=cut\r\n\r\n"
    raw = head % kind.encode() + b"--cut\r\nContent-Type: message/delivery-status\r\n\r\n" + body + b"\r\n--cut--\r\n"
    assert night.host.reception.decided(Arrived(0, raw, NOON), NOON) == Decided()
