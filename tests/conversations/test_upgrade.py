"""A database of each earlier form comes to the newest one with its game, and the game goes on.

Each is made from a game of today by taking migrations back, so that its tables hold what they could hold then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from alembic import command
from alembic.script import ScriptDirectory

from pbem.proving import flaw_in
from pbem.store import health, migrate
from pbem.store.database import connect, writing
from pbem.store.health import Form
from tests.conversations.transcript import play
from tests.conversations.world import World

REVISIONS: Final = sorted(
    script.revision for script in ScriptDirectory.from_config(migrate._config()).walk_revisions()
)[:-1]
"""All but the newest."""


def taken_back(folder: Path, revision: str) -> str:
    """Bring the database in `folder` to an earlier form; its URL."""
    url = f"sqlite:///{folder / 'pbem.db'}"
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        command.downgrade(migrate._config(connection), revision)
    engine.dispose()
    return url


@pytest.mark.slow
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_game_that_ran_on_an_earlier_form_goes_on(at_night: World, tmp_path: Path, revision: str) -> None:
    world = at_night
    before = [entry.hash for entry in world.entries()]
    world.store.close()
    url = taken_back(tmp_path, revision)
    assert (health.look(url).form, health.look(url).revision) == (Form.OLDER, revision)
    world.restart()
    assert health.look(url).form is Form.NEWEST
    assert [entry.hash for entry in world.entries()] == before
    play(world, "anna >> PASS\n... <")
    table = world.table()
    assert len(world.entries()) > len(before)
    assert flaw_in(table, world.store.log(table)) is None
    assert not world.store.parked()
