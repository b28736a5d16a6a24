"""Leave to use a mailbox, against a stand-in for the endpoints of a provider."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.errors import Trouble
from pbem.oauth import Endpoints, Leave, access_token, ask_leave, keep
from tests.servers.issuer import Issuer
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


def test_many_who_ask_at_once_do_so_one_after_the_other_each_by_the_newest_leave(
    issuer: Issuer, tmp_path: Path
) -> None:
    file = tmp_path / "inn.leave"
    keep(file, issuer.grant("inn"))
    with ThreadPoolExecutor(8) as pool:
        tokens = list(pool.map(access_token, [file] * 16))
    assert len(set(tokens)) == 16
    assert [path.name for path in tmp_path.iterdir()] == ["inn.leave"]


def test_leave_that_is_asked_for_anew_is_not_overwritten_by_who_renews_the_old_one(
    issuer: Issuer, tmp_path: Path
) -> None:
    file = tmp_path / "inn.leave"
    keep(file, issuer.grant("inn"))
    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(access_token, file) for _ in range(3)]
        new = issuer.grant("inn")
        pool.submit(keep, file, new).result()
        for each in asking:
            each.result()
    assert issuer.knows("inn", access_token(file))


@pytest.mark.parametrize("mode", [0o644, 0o600])
def test_leave_is_for_its_owner_alone_whatever_lay_there(tmp_path: Path, mode: int) -> None:
    file, elsewhere = tmp_path / "inn.leave", tmp_path / "elsewhere"
    for path in (file, tmp_path / f".inn.leave.{os.getpid()}"):
        path.touch(mode)
    keep(file, Leave("me", "https://x.example/token", "hush"))
    assert file.stat().st_mode & 0o777 == 0o600
    (tmp_path / f".inn.leave.{os.getpid()}").symlink_to(elsewhere)
    with pytest.raises(Trouble, match="cannot be written"):
        keep(file, Leave("me", "https://x.example/token", "hush"))
    assert not elsewhere.exists()


def test_a_proxy_gets_nothing_that_does_not_go_by_tls(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    keep(tmp_path / "leave", Leave("me", f"{provider.url}/token", "hush-0"))
    provider.answers = [GRANTED]
    assert access_token(tmp_path / "leave") == "access-1"


@pytest.mark.parametrize("url", ["http://login.example.org/token", "http://192.168.0.1/token", "ftp://127.0.0.1/token"])
def test_a_token_never_travels_in_the_clear(tmp_path: Path, url: str) -> None:
    keep(tmp_path / "leave", Leave("me", url, "hush-0"))
    with pytest.raises(Trouble, match="in the clear") as caught:
        access_token(tmp_path / "leave")
    assert "hush" not in str(caught.value)


def test_leave_that_was_withdrawn_or_lost_is_said_with_what_to_do(provider: Provider, tmp_path: Path) -> None:
    keep(tmp_path / "leave", Leave("me", f"{provider.url}/token", "hush-0"))
    provider.answers = [(400, {"error": "invalid_grant", "error_description": "hush-0 is over"})]
    why = r"gives no token \(invalid_grant\): the leave is over or was withdrawn\. Ask for leave again with pbem login"
    with pytest.raises(Trouble, match=why):
        access_token(tmp_path / "leave")
    for broken in ("{}", "[", '{"client_id": "me", "token_url": "https://x.example", "refresh_token": null}'):
        (tmp_path / "leave").write_text(broken)
        with pytest.raises(Trouble, match="holds no leave"):
            access_token(tmp_path / "leave")
    with pytest.raises(Trouble, match="cannot be read"):
        access_token(tmp_path / "none")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((400, {"error": "invalid_client"}), r"\(invalid_client\): it does not know this program.*Look there"),
        ((400, {"error": "interaction_required"}), "has to log in once more. Ask for leave again"),
        ((503, "<html>busy</html>"), "it has troubles of its own. Wait"),
        ((429, ""), "it has troubles of its own. Wait"),
        ((200, "[" * 50_000), r"\(no answer\): what comes back is not what a provider says"),
        ((400, {"error": "hush hush"}), r"\(no reason\)\. Ask for leave again"),
    ],
)
def test_each_reason_for_a_refusal_has_its_meaning_and_its_next_step(
    provider: Provider, tmp_path: Path, answer: tuple[int, Any], why: str
) -> None:
    keep(tmp_path / "leave", Leave("me", f"{provider.url}/token", "hush-0"))
    provider.answers = [answer]
    with pytest.raises(Trouble, match=f"The provider gives no token .*{why}") as caught:
        access_token(tmp_path / "leave")
    assert "hush" not in str(caught.value)


def test_a_provider_cannot_make_a_person_wait_for_days_or_write_on_a_terminal(provider: Provider) -> None:
    endless = {**DEVICE, "interval": 10**9, "expires_in": 10**9, "user_code": "A\x1b[2JB"}
    _, told, waited = asked(provider, (200, endless), GRANTED)
    assert waited == [60]
    assert "\x1b" not in told[0]
