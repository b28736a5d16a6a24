"""Leave to use a mailbox, against a stand-in for the endpoints of a provider."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from pbem.errors import Trouble
from pbem.oauth import Endpoints, Leave, access_token, ask_leave, keep
from tests.servers.provider import Provider

DEVICE: Final = {"device_code": "dev", "user_code": "ABCD", "verification_uri": "https://x.example/in", "interval": 5}
PENDING: Final = (400, {"error": "authorization_pending"})
GRANTED: Final = (200, {"access_token": "access-1", "refresh_token": "hush-1"})


def asked(provider: Provider, *answers: tuple[int, dict[str, Any]]) -> tuple[Leave, list[str], list[float]]:
    provider.answers[:] = answers
    told: list[str] = []
    waited: list[float] = []
    endpoints = Endpoints(f"{provider.url}/device", f"{provider.url}/token", "mail")
    return ask_leave(endpoints, "me", told.append, waited.append), told, waited


def test_leave_is_granted_in_a_browser_while_the_program_asks_no_faster_than_it_may(provider: Provider) -> None:
    leave, told, waited = asked(provider, (200, DEVICE), PENDING, (400, {"error": "slow_down"}), GRANTED)
    assert leave == Leave("me", f"{provider.url}/token", "hush-1")
    assert told == ["Open https://x.example/in in a browser, log in as the host's mailbox, and enter ABCD"]
    assert waited == [5, 5, 10]
    assert [form.get("device_code") for form in provider.forms] == [None, "dev", "dev", "dev"]
    assert "hush" not in repr(leave)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([(400, {"error": "invalid_client"})], r"grants no leave \(invalid_client\)"),
        ([(200, DEVICE), (400, {"error": "access_denied"})], r"grants no leave \(access_denied\)"),
        ([(200, {**DEVICE, "expires_in": 10}), PENDING, PENDING], "Nobody has granted leave in time"),
        ([(302, {})], r"grants no leave \(no answer\)"),
    ],
)
def test_leave_that_is_not_granted_is_said_in_one_line(
    provider: Provider, answers: list[tuple[int, dict[str, Any]]], why: str
) -> None:
    with pytest.raises(Trouble, match=why):
        asked(provider, *answers)
    assert provider.answers == []


def test_a_token_is_fetched_with_the_leave_which_is_kept_anew_for_its_owner_alone(
    provider: Provider, tmp_path: Path
) -> None:
    file = tmp_path / "inn.leave"
    keep(file, Leave("me", f"{provider.url}/token", "hush-0"))
    provider.answers = [GRANTED, (200, {"access_token": "access-2"})]
    assert [access_token(file), access_token(file)] == ["access-1", "access-2"]
    assert [form["refresh_token"] for form in provider.forms] == ["hush-0", "hush-1"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["inn.leave"]


@pytest.mark.parametrize("url", ["http://login.example.org/token", "http://192.168.0.1/token", "ftp://127.0.0.1/token"])
def test_a_token_never_travels_in_the_clear(tmp_path: Path, url: str) -> None:
    keep(tmp_path / "leave", Leave("me", url, "hush-0"))
    with pytest.raises(Trouble, match="in the clear") as caught:
        access_token(tmp_path / "leave")
    assert "hush" not in str(caught.value)


def test_leave_that_was_withdrawn_or_lost_is_said_with_what_to_do(provider: Provider, tmp_path: Path) -> None:
    keep(tmp_path / "leave", Leave("me", f"{provider.url}/token", "hush-0"))
    provider.answers = [(400, {"error": "invalid_grant", "error_description": "hush-0 is over"})]
    with pytest.raises(Trouble, match=r"gives no token \(invalid_grant\)\. Ask for leave again with pbem login"):
        access_token(tmp_path / "leave")
    (tmp_path / "leave").write_text("{}")
    with pytest.raises(Trouble, match="holds no leave"):
        access_token(tmp_path / "leave")
    with pytest.raises(Trouble, match="cannot be read"):
        access_token(tmp_path / "none")
