"""Whether our server found a mail signed by the domain in From: what grants something has to be plain."""

from __future__ import annotations

import pytest

from pbem.letters import is_signed

OURS = "mx.example.org"
FROM = "From: Anna <anna@home.example.com>"


def mail(*results: str, author: str = FROM) -> bytes:
    headers = [f"Authentication-Results: {result}" for result in results]
    return "\r\n".join((*headers, author, "Subject: Hello", "", "PASS", "")).encode()


GOOD = [
    f"{OURS}; dkim=pass header.d=home.example.com",
    f"{OURS}; dkim=pass (2048-bit key) header.d=example.com header.s=s1 header.b=abc",
    f"{OURS} 1; spf=fail smtp.mailfrom=x.example; DKIM = Pass header.i=@Example.com",
    f'"{OURS}"; dkim=fail header.d=home.example.com; dkim=pass header.d=home.example.com',
    f"{OURS};\r\n\tdmarc=pass (p=NONE) header.from=home.example.com",
    f"{OURS}; dkim/1=pass header.i=anna@home.example.com",
]
BAD = [
    "",
    OURS,
    f"{OURS}; none",
    f"{OURS}; dkim=fail header.d=home.example.com",
    f"{OURS}; dkim=none; spf=pass smtp.mailfrom=home.example.com",
    f"{OURS}; dkim=neutral header.d=home.example.com; dmarc=bestguesspass header.from=home.example.com",
    f"{OURS}; dkim=pass",
    f"{OURS}; dkim=pass header.d=list.example",
    f"{OURS}; dkim=pass header.d=com",
    f"{OURS}; dkim=pass header.d=ample.com",
    f"{OURS}; dkim=pass header.d=evil.home.example.com",
    f"{OURS}; dmarc=pass header.from=example.com",
    f"{OURS}; dkim=fail (dkim=pass header.d=home.example.com)",
    f'{OURS}; dkim=fail reason="; dkim=pass header.d=home.example.com"',
    f"{OURS}; spf=pass; policy.dkim=pass header.d=home.example.com",
    "mx.evil.example; dkim=pass header.d=home.example.com",
    # Microsoft names no server at all.
    "spf=pass; dkim=pass (signature was verified) header.d=home.example.com; dmarc=pass header.from=home.example.com",
]


@pytest.mark.parametrize("result", GOOD)
def test_an_aligned_pass_of_our_server_is_a_signature(result: str) -> None:
    assert is_signed(mail(result), OURS)


@pytest.mark.parametrize("result", BAD)
def test_whatever_else_stands_there_is_none(result: str) -> None:
    assert not is_signed(mail(result), OURS)


def test_a_mail_without_the_header_is_not_signed() -> None:
    assert not is_signed(mail(), OURS)


@pytest.mark.parametrize("above", [f"{OURS}; dkim=fail header.d=home.example.com", f"{OURS}; none", "mx.other.example"])
def test_a_header_that_came_with_the_mail_stands_below_and_counts_for_nothing(above: str) -> None:
    assert is_signed(mail(GOOD[0]), OURS)
    assert not is_signed(mail(above, GOOD[0]), OURS)


@pytest.mark.parametrize("server", ["", "mx.example", "x.example.org"])
def test_only_the_server_of_the_settings_counts(server: str) -> None:
    assert not is_signed(mail(GOOD[0]), server)


@pytest.mark.parametrize(
    "author",
    [
        "From: eve@evil.example, anna@home.example.com",
        "From: anna@home.example.com\r\nFrom: eve@evil.example",
        "From: eve@evil.example\r\nFrom: anna@home.example.com",
        "From: nobody",
        "Sender: anna@home.example.com",
    ],
)
def test_a_mail_with_two_senders_or_none_is_not_signed(author: str) -> None:
    assert not is_signed(mail(f"{OURS}; dkim=pass header.d=home.example.com", author=author), OURS)
