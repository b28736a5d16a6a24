"""The door of the sandbox: who comes without the key, by another name or from another page stays outside."""

from __future__ import annotations

from typing import Final

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from pbem.sandbox.guard import Door, Guard, Refusal

DOOR: Final = Door(8765, "the-key", "the-pass")
HERE: Final = "http://127.0.0.1:8765"
INSIDE: Final = {"Cookie": f"{DOOR.cookie}={DOOR.pass_}"}


def told(why: Refusal, _request: Request) -> str:
    return f"{why}\n"


def asked(method: str, path: str, **headers: str) -> httpx2.Response:
    """What somebody gets who asks for `path`."""
    client = TestClient(Guard(PlainTextResponse("inside"), DOOR, told), base_url=HERE, follow_redirects=False)
    found: httpx2.Response = client.request(method, path, headers=headers)
    return found


def test_the_key_is_changed_for_a_cookie_that_no_script_and_no_other_page_can_use() -> None:
    entered = asked("GET", f"/?key={DOOR.key}")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert entered.headers["set-cookie"] == f"{DOOR.cookie}={DOOR.pass_}; HttpOnly; Path=/; SameSite=strict"
    assert DOOR.key not in entered.headers["set-cookie"]


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765"])
def test_who_has_the_cookie_is_let_in_by_each_name_of_this_machine(host: str) -> None:
    assert asked("GET", "/", **INSIDE, Host=host).text == "inside"


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/", {}),
        ("GET", "/?key=wrong", {}),
        ("GET", "/?key=wrong", INSIDE),
        ("GET", "/?key=", {}),
        ("GET", "/?key=%C3%A9", {}),
        ("GET", "/", {"Cookie": f"{DOOR.cookie}={DOOR.key}"}),
        ("GET", "/", {"Cookie": f"pbem-sandbox-1={DOOR.pass_}"}),
        ("GET", "/", {**INSIDE, "Host": "inn.example.org:8765"}),
        ("GET", "/", {**INSIDE, "Host": "127.0.0.1"}),
        ("GET", "/", {**INSIDE, "Host": "127.0.0.1:8766"}),
        ("GET", f"/?key={DOOR.key}", {"Host": "inn.example.org:8765"}),
        ("POST", "/", INSIDE),
        ("POST", "/", {**INSIDE, "Origin": "null"}),
        ("POST", "/", {**INSIDE, "Origin": "http://127.0.0.1:8766"}),
        ("POST", "/", {**INSIDE, "Origin": "http://inn.example.org:8765"}),
        ("POST", "/", {"Origin": HERE}),
        ("POST", f"/?key={DOOR.key}", {"Origin": "http://inn.example.org"}),
    ],
)
def test_a_stranger_is_told_so_and_nothing_else(method: str, path: str, headers: dict[str, str]) -> None:
    found = asked(method, path, **headers)
    assert found.status_code == 403
    assert "set-cookie" not in found.headers
    assert not [word for word in ("inside", DOOR.key, DOOR.pass_) if word in found.text]


def test_a_form_of_our_own_is_let_in() -> None:
    assert asked("POST", "/", **INSIDE, Origin=HERE).text == "inside"


@pytest.mark.parametrize("headers", [INSIDE, {}], ids=["a page", "a refusal"])
def test_every_answer_is_strict_and_for_nobody_else(headers: dict[str, str]) -> None:
    found = asked("GET", "/", **headers).headers
    assert found["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert found["x-content-type-options"] == "nosniff"
    assert found["x-frame-options"] == "DENY"
    assert found["cache-control"] == "no-store"
    assert not [name for name in found if name.startswith("access-control-")]


def test_each_door_has_a_key_and_a_pass_of_its_own_that_nothing_shows() -> None:
    first, second = Door(8765), Door(8765)
    assert len({first.key, first.pass_, second.key, second.pass_}) == 4
    assert first.key not in repr(first)
    assert first.pass_ not in repr(first)
