"""What our own mail server says of a sender: headers as servers write them, and those that others forge."""

from __future__ import annotations

import pytest

from pbem.letters import Verdict, sender_verdict

OURS = "mx.example.org"
MAIL = b"From: Eve <eve@example.com>\r\nSubject: Hello\r\n\r\nHELP\r\n"


def mail(*headers: str) -> bytes:
    return "".join(f"Authentication-Results: {header}\r\n" for header in headers).encode() + MAIL


HEADERS: list[tuple[str, Verdict]] = [
    (f"{OURS}; spf=pass smtp.mailfrom=example.com; dkim=pass header.d=example.com; dmarc=pass", Verdict.PASS),
    (
        f"{OURS};\r\n dkim=pass header.i=@example.com header.s=s1;\r\n\tdmarc=pass (p=REJECT) header.from=e.com",
        Verdict.PASS,
    ),
    (f"{OURS} 1; dmarc=fail (p=NONE dis=NONE) header.from=example.com", Verdict.FAIL),
    (f"{OURS.upper()}; DMARC = Fail", Verdict.FAIL),
    (f'"{OURS}"; dmarc/1=fail', Verdict.FAIL),
    (f"{OURS}; spf=fail smtp.mailfrom=x; dkim=fail (bad (nested) signature; dmarc=pass)", Verdict.FAIL),
    (f"{OURS}; spf=softfail; dkim=fail", Verdict.UNKNOWN),
    (f"{OURS}; spf=fail; dkim=none", Verdict.UNKNOWN),
    (f"{OURS}; spf=fail; dkim=fail; dkim=pass header.d=list.example", Verdict.UNKNOWN),
    (f"{OURS}; spf=pass; dkim=pass", Verdict.UNKNOWN),
    (f"{OURS}; dmarc=temperror", Verdict.UNKNOWN),
    (f'{OURS}; spf=pass reason="; dmarc=fail"', Verdict.UNKNOWN),
    (f"{OURS}; none", Verdict.UNKNOWN),
    (f"{OURS}", Verdict.UNKNOWN),
    (f"(a comment) {OURS} (another); dmarc=fail", Verdict.FAIL),
    # Microsoft names no server at all.
    ("spf=fail (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=fail; dmarc=fail action=none", Verdict.UNKNOWN),
    ("mx.evil.example; dmarc=fail", Verdict.UNKNOWN),
    ("", Verdict.UNKNOWN),
    ("((((((((", Verdict.UNKNOWN),
    (f"{OURS}; dmarc=fail (" + "(" * 50_000, Verdict.FAIL),
]


@pytest.mark.parametrize(("header", "verdict"), HEADERS)
def test_a_header_of_our_server_is_read_however_it_is_written(header: str, verdict: Verdict) -> None:
    assert sender_verdict(mail(header), OURS) is verdict


def test_the_topmost_header_of_our_server_counts_and_no_other() -> None:
    others = ("mx.evil.example; dmarc=fail", f"{OURS}; dmarc=pass", f"{OURS}; dmarc=fail")
    assert sender_verdict(mail(*others), OURS) is Verdict.PASS


def test_without_the_name_of_our_server_nothing_is_known() -> None:
    assert sender_verdict(mail("; dmarc=fail", "mx.example.org; dmarc=fail"), "") is Verdict.UNKNOWN


def test_a_header_below_the_first_blank_line_is_text() -> None:
    assert sender_verdict(MAIL + mail(f"{OURS}; dmarc=fail"), OURS) is Verdict.UNKNOWN
