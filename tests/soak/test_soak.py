"""A few games are too few to see a host grow, but enough to see that the measuring itself works."""

from __future__ import annotations

import json

import pytest

from tests.servers.fixtures import require_dovecot
from tests.soak.__main__ import main

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def test_three_games_are_played_to_their_ends_and_the_process_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    require_dovecot()
    assert main(["0.006"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (said["games"], said["records"], said["short"]) == (3, 3, [])
    assert said["orders"] > 50
    assert said["warm"]["handles"] > 5
