"""What the host logs: events and numbers, and nothing that is anybody's: no address, token, hand or word of a mail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import structlog
from structlog.testing import CapturingLogger

from pbem.logs import set_up_logs
from pbem.mailbox import Outcome
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.private import told
from tests.store.ear import Ear


@pytest.fixture
def logged() -> Iterator[CapturingLogger]:
    """All that is logged as a host logs it, one call for each event."""
    before, logger = structlog.get_config(), CapturingLogger()
    set_up_logs()
    structlog.configure(logger_factory=lambda *_: logger, cache_logger_on_first_use=False)
    yield logger
    structlog.configure(**before)


def text_of(logger: CapturingLogger) -> str:
    return "\n".join(str(value) for call in logger.calls for value in (*call.args, *call.kwargs.values()))


def test_the_log_of_a_host_with_all_kinds_of_trouble_tells_nothing_of_anybody(
    at_night: World, logged: CapturingLogger, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = at_night
    world.answer("anna", "PASS", "# my secret remark", sender="mallory")
    world.tick()
    world.courier.refusals["bob@example.org"] = (Outcome.BAD_ADDRESS, 550, "5.1.1 bob@example.org is not known here")
    play(world, "anna >> PASS\n... <")
    world.courier.refusals["chen@example.org"] = (Outcome.HOST_TROUBLE, 554, "5.7.1 chen@example.org: no")
    world.wait(hours=50)
    world.tick()
    world.courier.down = True
    world.write("eve", "HELP")
    world.tick()
    world.courier.down, world.mailbox.down = False, True
    world.wait(hours=1)
    world.tick()
    world.mailbox.down = False

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("our fault")

    monkeypatch.setattr("pbem.reception.Reception.decided", fails)
    world.write("eve", "a word that only eve wrote")
    for _ in range(5):
        world.now += timedelta(minutes=1)
        world.tick()
    text = text_of(logged)
    for event in ("mail not accepted", "sending mail failed", "reading mail failed", "handling a mail failed"):
        assert event in text
    assert list(told(text, ("secret remark", "only eve wrote", "mallory", "anna", "k" * 32))) == []


def test_an_idle_host_writes_no_line_no_file_and_one_mark_a_minute(at_night: World, logged: CapturingLogger) -> None:
    at_night.set("clock", outage=timedelta(hours=2))
    at_night.tick()
    files = {file: file.stat().st_mtime_ns for file in at_night.settings.archive.folder.rglob("*")}
    ear, costs = Ear(at_night.store.engine), []
    for _ in range(5):
        at_night.wait(minutes=1)
        with ear.listening() as heard:
            at_night.tick()
        costs.append((len(heard.statements), heard.commits))
    assert logged.calls == []
    assert set(costs) == {costs[0]}
    assert costs[0] <= (25, 1)
    assert files == {file: file.stat().st_mtime_ns for file in at_night.settings.archive.folder.rglob("*")}
