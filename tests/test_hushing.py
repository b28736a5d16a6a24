"""What a foreign program says of its trouble, as a keeper is shown it."""

from __future__ import annotations

import pytest

from pbem.hushing import HIDDEN, hushed


@pytest.mark.parametrize(
    "said",
    [
        "google.auth.exceptions.RefreshError: ('invalid_grant: Token has been expired or revoked.')",
        "Failed to refresh token: invalid_grant",
        "urllib.error.HTTPError: HTTP Error 400: Bad Request",
        "AADSTS700082: The refresh token has expired due to inactivity.",
        "curl: (6) Could not resolve host: oauth2.googleapis.com",
        "gpg: decryption failed: No secret key",
        "login.microsoftonline.com cannot be reached (Connection refused)",
        "cat: missing: No such file or directory",
    ],
)
def test_why_it_failed_is_shown_as_it_is(said: str) -> None:
    assert hushed(f"Traceback\n{said}\n\n") == said


@pytest.mark.parametrize(
    "secret",
    [
        "ya29.a0AfH6SMBx-Yz_1234567890",
        "1//0gabcDEF-xyz_12345678",
        "EwBAAl3BAAUFFpUAo7J3Ve0bjLBWZWCclRC3EoAA",
        "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "abcde2fghij3klmno4pqrst2uv",
        "abcdefghijklmnop",
        "0123456789abcdef0123456789abcdef",
        "M.C512_BAY.0.U.-CkPz!uzZ8",
    ],
)
@pytest.mark.parametrize("around", ["refused {}", "token={}", '{{"refresh_token": "{}"}}', "Bearer {}", "({}) is over"])
def test_what_may_be_a_token_is_left_out_whatever_stands_around_it(secret: str, around: str) -> None:
    shown = hushed(around.format(secret))
    assert HIDDEN in shown
    assert not any(part in shown for part in (secret[:10], secret[-10:]))


@pytest.mark.parametrize(
    "said", ["password: hunter", "Passphrase = hunter", 'client_secret="hunter"', "secret: hunter"]
)
def test_what_is_called_a_password_is_left_out_however_short_it_is(said: str) -> None:
    assert "hunter" not in hushed(said)


def test_no_terminal_obeys_it_and_it_is_never_long() -> None:
    assert "\x1b" not in hushed("\x1b[31mred\x1b[0m\x07")
    assert len(hushed("so it goes " * 100)) < 250
    assert hushed("\n \n") == ""
