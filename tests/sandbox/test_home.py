"""Where a sandbox lives: nothing is left of it, or all of it, to go on from."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Trouble
from pbem.sandbox.home import home
from pbem.sandbox.mail import Quoting
from pbem.sandbox.playroom import playroom
from tests.sandbox.conftest import GAME, furnished


def test_what_is_not_to_be_kept_is_gone_afterwards_and_nobody_elses_before() -> None:
    with home(None) as place:
        place.keep("to", "Anna", b"Subject: Hello\n\n")
        assert place.folder.stat().st_mode & 0o077 == 0
        assert [mail.subject for mail in place.kept("Anna")] == ["Hello"]
    assert not place.folder.exists()


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    with pytest.raises(Trouble, match="holds something else"), home(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Trouble, match="cannot be used"), home(tmp_path / "file" / "below"):
        pass


@pytest.mark.slow
def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with playroom(furnished(tmp_path)) as room:
        room.begin(GAME, 2, 2)
        name = room.standings()[0].awaited[0]
        before = [mail.raw for mail in room.clients[name.lower()].mails]
        shown = room.now
    with home(tmp_path) as place, playroom(place) as room:
        client = room.clients[name.lower()]
        assert [mail.raw for mail in client.mails] == before
        assert room.now == shown
        asking = client.newest()
        assert asking is not None
        room.answer(client, asking, "LODGE ANY", Quoting.BELOW)
        assert "LODGE ANY" in client.mails[-1].text
        assert client.mails[-1].subject.startswith("Re: [inn-1]")
