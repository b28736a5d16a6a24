"""The picture in a mail, and who does without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import bootstrap
from tests.conversations.world import Mail, World


def kinds(mail: Mail) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk() if not part.is_multipart()]


def after(world: World, *lines: str) -> list[str]:
    """Of what the answer to a mail of Anna's consists."""
    world.answer("anna", *lines)
    world.tick()
    return kinds(world.last("anna"))


def test_the_position_comes_as_a_picture_until_its_reader_wants_none(at_night: World) -> None:
    whole = ["text/plain", "text/html", "image/png"]
    assert after(at_night, "STATUS") == whole
    assert after(at_night, "PICTURES OFF", "STATUS") == ["text/plain", "text/html"]
    assert "PICTURES ON brings them back" in at_night.last("anna").text
    assert after(at_night, "PICTURES ON", "STATUS") == whole
    assert after(at_night, "MAILS TEXT", "STATUS") == ["text/plain"]
    assert after(at_night, "PICTURES ON") == ["text/plain"]
    assert "MAILS HTML shows both" in at_night.last("anna").text


def test_a_mail_of_a_position_with_its_picture_is_small(at_night: World) -> None:
    at_night.answer("anna", "STATUS")
    at_night.tick()
    assert len(at_night.last("anna").message.as_bytes()) < 60_000


def test_a_host_that_cannot_paint_says_so_once_when_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "available", lambda: False)
    world = World(tmp_path)
    for _ in range(3):
        world.tick()
    assert capsys.readouterr().out.count("pip install 'pbem[pictures]'") == 1
