"""What a letter carries: who sent it, to which address, in answer to what; and when two mails are the same."""

from __future__ import annotations

import pytest

from pbem.letters import Carriers, HostAddress, canonical, read_letter, without_tokens
from tests.letters.shapes import TOKEN, mail

HOST = HostAddress.of("Inn@Example.org")
OTHER = "aaaaaaaaaabbbbbbbbbb"


def carried(*lines: str, subject_tokens: bool = False) -> Carriers:
    return read_letter("\n".join((*lines, "", "PASS")).encode()).carriers(HOST, subject_tokens=subject_tokens)


TOKENS: dict[str, tuple[str, tuple[str, ...]]] = {
    "reply address": (f"To: The Inn <inn+{TOKEN}@example.org>", (TOKEN,)),
    "in capitals": (f"To: INN+{TOKEN.upper()}@EXAMPLE.ORG", (TOKEN,)),
    "among others": (f"To: bob@example.net, inn+{TOKEN}@example.org; chen@example.net", (TOKEN,)),
    "copy": (f"Cc: inn+{TOKEN}@example.org", (TOKEN,)),
    "where it was delivered": (f"Delivered-To: inn+{TOKEN}@example.org", (TOKEN,)),
    "original recipient": (f"X-Original-To: inn+{TOKEN}@example.org", (TOKEN,)),
    "envelope": (f"Envelope-To: inn+{TOKEN}@example.org", (TOKEN,)),
    "folded": (f"To: bob@example.net,\n inn+{TOKEN}@example.org", (TOKEN,)),
    "two that disagree": (f"To: inn+{TOKEN}@example.org, inn+{OTHER}@example.org", (TOKEN, OTHER)),
    "the same twice": (f"To: inn+{TOKEN}@example.org\nDelivered-To: inn+{TOKEN}@example.org", (TOKEN,)),
    "no token": ("To: inn@example.org", ()),
    "too short": ("To: inn+k7q2@example.org", ()),
    "not base32": (f"To: inn+{TOKEN[:-1]}1@example.org", ()),
    "another domain": (f"To: inn+{TOKEN}@example.net", ()),
    "another name": (f"To: innkeeper+{TOKEN}@example.org", ()),
    "in the subject, not asked for": (f"Subject: [inn-7 {TOKEN}] x", ()),
}


@pytest.mark.parametrize(("header", "tokens"), TOKENS.values(), ids=TOKENS)
def test_a_token_is_found_in_the_addresses_only(header: str, tokens: tuple[str, ...]) -> None:
    assert carried(header).tokens == tokens


def test_tokens_that_disagree_are_no_token() -> None:
    assert carried(f"To: inn+{TOKEN}@example.org").token == TOKEN
    assert carried(f"To: inn+{TOKEN}@example.org, inn+{OTHER}@example.org").token is None


def test_a_token_in_the_subject_counts_where_the_provider_has_no_plus_addresses() -> None:
    found = carried(f"Subject: AW: [inn-7 {TOKEN.upper()}] Round 3", subject_tokens=True)
    assert (found.token, found.subject_game) == (TOKEN, "inn-7")


SUBJECTS: dict[str, str | None] = {
    "[inn-7] Round 3, night: your 1st action - by Thu 18:00": "inn-7",
    "Re: [inn-7] Round 3": "inn-7",
    "AW: AW: [INN-7] Round 3": "inn-7",
    "Antw: [inn-7]": "inn-7",
    "[EXTERNAL] Re: [inn-7] Round 3": "inn-7",
    "\u56de\u590d\uff1a [inn-7] Round 3": "inn-7",
    "Re:[inn-7]": "inn-7",
    "[my-list] [inn-7] Round 3": "inn-7",
    "[pass] Round 1": None,
    "[pbem] your table is open": None,
    "inn-7": None,
    "[]": None,
    "[a b c]": None,
    "": None,
}


@pytest.mark.parametrize(("subject", "game"), SUBJECTS.items())
def test_the_game_is_the_name_in_brackets(subject: str, game: str | None) -> None:
    assert carried(f"Subject: {subject}").subject_game == game


def test_what_is_answered_comes_newest_first() -> None:
    found = carried("References: <a@x> <b@x>\n <c@x>", "In-Reply-To: Your mail <c@x>")
    assert found.references == ("<c@x>", "<b@x>", "<a@x>")


SENDERS: dict[str, tuple[str, str]] = {
    "Anna <anna@example.net>": ("anna@example.net", "Anna"),
    "anna@example.net": ("anna@example.net", ""),
    "<anna@example.net>": ("anna@example.net", ""),
    "anna@example.net (Anna)": ("anna@example.net", "Anna"),
    '"Anna, of the Inn" <Anna@Example.NET>': ("Anna@Example.NET", "Anna, of the Inn"),
    '"bob@example.net" <anna@example.net>': ("anna@example.net", "bob@example.net"),
    "bob@example.net <anna@example.net>": ("anna@example.net", "bob@example.net"),
    "(bob@example.net) anna@example.net": ("anna@example.net", "bob@example.net"),
    "=?utf-8?Q?Anna_=F0=9F=8E=B2?= <anna@example.net>": ("anna@example.net", "Anna \U0001f3b2"),
    "=?utf-8?Q?bob=40example.org_=3Cbob=40example.org=3E?= <anna@example.net>": (
        "anna@example.net",
        "bob@example.org <bob@example.org>",
    ),
    "=?utf-8?Q?=3Cbob=40example.org=3E?=": ("", ""),
    '"anna smith"@example.net': ('"anna smith"@example.net', ""),
    "undisclosed-recipients:;": ("", ""),
    "": ("", ""),
    "<>": ("", ""),
    "(<bob@example.org>) anna@example.net": ("anna@example.net", "<bob@example.org>"),
    "(a (<bob@example.org>) b) <anna@example.net> (c)": ("anna@example.net", "(a (<bob@example.org>) b)"),
    '"<bob@example.org>" <anna@example.net>': ("anna@example.net", "<bob@example.org>"),
    '"<bob@example.org>"@example.net': ('"<bob@example.org>"@example.net', ""),
    r'"a\" <bob@example.org>" <anna@example.net>': ("anna@example.net", r"a\" <bob@example.org>"),
    "Smith, Anna <anna@example.net>": ("anna@example.net", "Smith, Anna"),
    "Friends: Anna <anna@example.net>;": ("anna@example.net", "Friends: Anna"),
    "<anna@example.net>, Anna <Anna@Example.net>": ("anna@example.net", ""),
    # whatever names two is nobody's
    "<bob@example.org> <anna@example.net>": ("", ""),
    "<bob@example.org> anna@example.net": ("", ""),
    "bob@example.org, <anna@example.net>": ("", ""),
    "bob@example.org anna@example.net": ("", ""),
    "Bob <bob@example.org>, Anna <anna@example.net>": ("", ""),
    "bob@example.org@example.net": ("", ""),
    "<@example.org:bob@example.net>": ("", ""),
    "<bob@example.org <anna@example.net>": ("anna@example.net", "<bob@example.org"),
    "(<anna@example.net>": ("", ""),
    "bob@example.org\nFrom: anna@example.net": ("", ""),
    "anna@example.net" + " " * 2_000 + "<bob@example.org>": ("", ""),
}


@pytest.mark.parametrize(("field", "mailbox"), SENDERS.items())
def test_the_sender_is_the_address_and_never_what_a_name_pretends(field: str, mailbox: tuple[str, str]) -> None:
    letter = read_letter(f"From: {field}\n\nPASS".encode())
    assert (letter.sender, letter.sender_name) == mailbox


def test_addresses_are_compared_in_lower_case_and_kept_as_given() -> None:
    letter = read_letter(b"From: Anna <Anna.B+games@Example.NET>\n\nPASS")
    assert letter.sender == "Anna.B+games@Example.NET"
    assert letter.canonical_sender == canonical(" anna.b+GAMES@example.net ") == "anna.b+games@example.net"


def test_the_host_owns_its_address_with_anything_behind_the_separator() -> None:
    assert HOST.owns("INN@example.org")
    assert HOST.owns("inn+x@example.org")
    assert not HOST.owns("innx@example.org")
    assert not HOST.owns("inn@example.org.evil.example")


def test_a_mail_has_one_digest_however_it_travelled() -> None:
    raw = mail("PASS\n")
    same = (
        raw.replace(b"\n", b"\r\n"),
        b"Received: from x\n\tby y\nDelivered-To: z@example.org\n" + raw,
        raw + b"\n",
    )
    assert {read_letter(other).digest for other in same} == {read_letter(raw).digest}


def test_two_mails_that_differ_in_what_counts_have_two_digests() -> None:
    raw = mail("PASS\n")
    others = (
        raw.replace(b"PASS", b"PASS 1"),
        raw.replace(b"reply@", b"other@"),
        raw.replace(b"From: Anna", b"From: Bob"),
        raw.replace(b"Date: Mon", b"Date: Tue"),
        raw.replace(b"Round 3", b"Round 4"),
        raw.replace(b"Message-ID: <reply@example.net>\n", b""),
    )
    assert len({read_letter(other).digest for other in (raw, *others)}) == 1 + len(others)


def test_tokens_are_blotted_out_of_what_is_shown() -> None:
    shown = without_tokens(f"inn+{TOKEN}@example.org [inn-7 {TOKEN.upper()}] {TOKEN}")
    assert shown == f"inn+...@example.org [inn-7 ...] {TOKEN}"
