"""`make arena`: its figures are counted rightly, and it fails when the steady bot does not win enough."""

from __future__ import annotations

import json

import pytest

from benchmarks import arena
from engine.bloody_inn.bots import BOTS

pytestmark = pytest.mark.slow


def measured(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    """The exit status of a small arena, and its last line."""
    status = arena.main(["0.05"])
    return status, json.loads(capsys.readouterr().out.splitlines()[-1])


def test_the_steady_bot_wins_enough_at_every_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    status, table = measured(capsys)
    assert status == 0
    assert table["short"] == []
    assert list(table) == ["1_players", "2_players", "3_players", "4_players", "short"]


def test_a_bot_that_plays_at_random_falls_short_everywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "BOTS", {"steady": BOTS["random"], "random": BOTS["random"]})
    status, table = measured(capsys)
    assert status == 1
    assert table["short"] == [1, 2, 3, 4]


def test_the_same_number_gives_the_same_game() -> None:
    assert arena.result(2, 5) == arena.result(2, 5)
    assert arena.result(2, 5) != arena.result(2, 7)
