"""A database of each earlier form comes to the newest one with its game, and the game goes on.

Each is made from a game of today by taking migrations back, so that its tables hold what they could hold then.
"""

from __future__ import annotations

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


def take_back(url: str, revision: str) -> None:
    """Bring the database at `url` to an earlier form."""
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        command.downgrade(migrate._config(connection), revision)
    engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_game_that_ran_on_an_earlier_form_goes_on(at_night: World, revision: str) -> None:
    world = at_night
    before = [entry.hash for entry in world.entries()]
    world.store.close()
    url = world.settings.database.url
    take_back(url, revision)
    assert (health.look(url).form, health.look(url).revision) == (Form.OLDER, revision)
    world.restart()
    assert health.look(url).form is Form.NEWEST
    assert [entry.hash for entry in world.entries()] == before
    play(world, "anna >> PASS\n... <")
    table = world.table()
    assert len(world.entries()) > len(before)
    assert flaw_in(table, world.store.log(table)) is None
    assert not world.store.parked()
