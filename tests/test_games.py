"""Games are found by entry point, and one that cannot be used is named."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from engine.bloody_inn import GAME
from pbem import games
from pbem.errors import Trouble


def test_the_installed_game_is_found_by_its_name() -> None:
    assert games.games()["bloody-inn"] is GAME
    assert games.game_called("bloody-inn") is GAME


@pytest.mark.parametrize(("among", "there"), [({}, "none"), ({"bloody-inn": GAME}, "bloody-inn")])
def test_a_game_that_is_not_there_is_named_with_those_that_are(among: dict[str, object], there: str) -> None:
    with pytest.raises(Trouble, match=f"'chess' is not installed.*games found: {there}"):
        games.game_called("chess", among)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("chess", "no_such_package:GAME", "The game chess cannot be loaded: No module named 'no_such_package'"),
        ("chess", "engine.game:GAME", "The game chess cannot be loaded: module 'engine.game' has no attribute 'GAME'"),
        ("chess", "engine.bloody_inn:GAME", "The game bloody-inn is installed under another name, chess"),
    ],
)
def test_a_game_that_cannot_be_used_is_a_trouble(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, what: str
) -> None:
    monkeypatch.setattr(games, "entry_points", lambda group: [EntryPoint(name, value, group)])
    games.games.cache_clear()
    with pytest.raises(Trouble) as trouble:
        games.games()
    assert trouble.value.what == what
