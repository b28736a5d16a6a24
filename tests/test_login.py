"""`pbem login` and `pbem token` as commands, with a browser and a provider that say what they should, and what not."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pbem.errors import Trouble
from pbem.oauth import Client, access_token, ask_leave_here, client_of, keep, pasted
from tests.servers.issuer import Issuer
from tests.servers.provider import Provider
from tests.terminal import closed_port

GRANTED: Final = (200, {"access_token": "access-1", "refresh_token": "hush-1"})
slow: Final = pytest.mark.slow


@contextmanager
def begun(provider: Provider, folder: Path, *words: str, **changes: Any) -> Iterator[subprocess.Popen[str]]:
    """`pbem login` while it waits for leave; the browser that it opens does nothing by itself."""
    client = {"client_id": "me", "client_secret": "hush-client", "auth_uri": f"{provider.url}/in?a=b"}
    file = folder / "client.json"
    file.write_text(json.dumps({"installed": {**client, "token_uri": f"{provider.url}/token", **changes}}))
    command = [sys.executable, "-u", "-m", "pbem", "login", "inn.leave", "--client", "client.json", *words]
    with subprocess.Popen(
        command,
        cwd=folder,
        text=True,
        env={**os.environ, "BROWSER": "true"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        yield process
        process.kill()


def asked_at(process: subprocess.Popen[str]) -> dict[str, str]:
    """What the page that is to be opened is asked."""
    assert process.stdout is not None
    return dict(parse_qsl(urlsplit(process.stdout.readline().split()[-1]).query))


def brought(asked: dict[str, str], **changes: str) -> str:
    """The address at which the browser ends."""
    return f"{asked['redirect_uri']}/?{urlencode({'code': 'once', 'state': asked['state'], **changes})}"


def ended(process: subprocess.Popen[str], paste: str = "") -> tuple[int, str]:
    said, _ = process.communicate(f"{paste}\n", timeout=30)
    return process.returncode, said


@slow
def test_leave_comes_back_by_a_browser_on_this_machine_and_is_good_for_this_program_alone(
    provider: Provider, tmp_path: Path
) -> None:
    provider.answers = [GRANTED, (200, {"access_token": "access-2"})]
    with begun(provider, tmp_path) as process:
        asked = asked_at(process)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{asked['redirect_uri']}/favicon.ico", timeout=10)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(brought(asked, state="guessed", error="access_denied"), timeout=10)
        with urllib.request.urlopen(brought(asked), timeout=10) as page:
            assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
        listed = Path(f"/proc/{process.pid}/cmdline").read_text() if Path("/proc/self").exists() else ""
        status, said = ended(process)
    (form,) = provider.forms
    digest = hashlib.sha256(form["code_verifier"].encode()).digest()
    assert asked["code_challenge"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert (form["code"], form["client_secret"], form["redirect_uri"]) == ("once", "hush-client", asked["redirect_uri"])
    assert urlsplit(asked["redirect_uri"]).hostname == "127.0.0.1"
    assert status == 0, said
    assert "hush" not in said + listed
    assert (tmp_path / "inn.leave").stat().st_mode & 0o777 == 0o600
    token = [sys.executable, "-m", "pbem", "token", "inn.leave"]
    printed = subprocess.run(token, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=True)
    assert (printed.stdout, printed.stderr) == ("access-2\n", "")
    assert provider.forms[-1]["client_secret"] == "hush-client"


@slow
@pytest.mark.parametrize(
    ("changes", "answers", "why"),
    [
        ({}, [GRANTED], "inn.leave is written"),
        ({"state": "another"}, [], "does not belong to this request"),
        ({"code": "", "error": "access_denied"}, [], "grants no leave (access_denied)"),
        ({}, [(200, "{broken")], "grants no leave (no answer)"),
        ({}, [(400, {"error": "invalid_grant", "error_description": "hush"})], "grants no leave (invalid_grant)"),
    ],
)
def test_what_was_pasted_counts_if_it_fits_and_else_is_refused_in_one_line(
    provider: Provider, tmp_path: Path, changes: dict[str, str], answers: list[Any], why: str
) -> None:
    provider.answers = [*answers]
    with begun(provider, tmp_path, "--no-browser") as process:
        status, said = ended(process, brought(asked_at(process), **changes))
    assert why in said
    assert "hush" not in said
    assert "Traceback" not in said
    assert (status == 0) is (tmp_path / "inn.leave").exists() is (answers == [GRANTED])
    assert provider.answers == []


@slow
def test_a_token_that_is_asked_for_when_the_service_ends_costs_no_leave(issuer: Issuer, tmp_path: Path) -> None:
    keep(tmp_path / "inn.leave", issuer.grant("inn"))
    issuer.pause = 0.5
    token = [sys.executable, "-m", "pbem", "token", "inn.leave"]
    with subprocess.Popen(token, cwd=tmp_path, text=True, stdout=subprocess.PIPE) as process:
        assert issuer.asked.wait(20)
        process.terminate()
        said, _ = process.communicate(timeout=30)
    issuer.pause = 0.0
    assert issuer.knows("inn", said.strip())
    assert issuer.knows("inn", access_token(tmp_path / "inn.leave"))


@slow
def test_a_provider_that_cannot_be_reached_is_said_in_one_line(provider: Provider, tmp_path: Path) -> None:
    away = f"http://127.0.0.1:{closed_port()}/token"
    with begun(provider, tmp_path, "--no-browser", token_uri=away) as process:
        status, said = ended(process, brought(asked_at(process)))
    assert status == 1
    assert "127.0.0.1 cannot be reached (Connection refused). Check the network" in said
    assert not (tmp_path / "inn.leave").exists()


@pytest.mark.parametrize("answer", ["", "no", "http://[127.0.0.1/?code=x", "http://127.0.0.1:1/?state=&code=x#"])
def test_whatever_is_pasted_is_refused_unless_it_fits(answer: str) -> None:
    client = Client("me", "https://x.example/in", "https://x.example/token", "mail")
    with pytest.raises(Trouble, match="does not belong to this request"):
        pasted(client, lambda _: answer)


def test_nobody_is_awaited_for_ever_and_then_nobody_listens() -> None:
    opened: list[str] = []
    client = Client("me", "https://x.example/in", "https://x.example/token", "mail")
    with pytest.raises(Trouble, match="Nobody has granted leave in time"):
        ask_leave_here(client, opened.append, patience=0.05)
    redirect = dict(parse_qsl(urlsplit(opened[0]).query))["redirect_uri"]
    with pytest.raises(urllib.error.URLError, match="refused"):
        urllib.request.urlopen(redirect, timeout=5)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("{", "is no client"),
        ("[]", "is no client"),
        ('{"web": {"client_id": "me"}}', "is no client"),
        ('{"client_id": "me", "auth_uri": "http://x.example", "token_uri": "https://x.example"}', "in the clear"),
        ('{"client_id": "me", "auth_uri": "https://x.example", "token_uri": "http://x.example"}', "in the clear"),
        ('{"client_id": "me", "auth_uri": "https://[x", "token_uri": "https://x.example"}', "is no address"),
    ],
)
def test_a_client_that_is_none_or_would_ask_in_the_clear_is_refused(tmp_path: Path, written: str, why: str) -> None:
    (tmp_path / "client.json").write_text(written)
    with pytest.raises(Trouble, match=why):
        client_of(tmp_path / "client.json")
