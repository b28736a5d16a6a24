"""Numbers for Prometheus: that they are right, are there when they are wanted, and tell of nobody."""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from pbem import metrics
from pbem.config import Clock, Metrics
from pbem.counting import KINDS, Counts, PassEnd, ended
from pbem.doctor import State, numbers
from pbem.doctor.patient import Patient
from pbem.errors import ConfigurationTrouble, DatabaseTrouble, Unreachable
from pbem.files import resource
from pbem.mailbox import Outcome
from pbem.metrics.figures import COUNTED, Numbers
from pbem.metrics.server import AT_ONCE
from pbem.passes import Idle, Pass
from pbem.store.vitals import BACKED_UP
from pbem.table import Status
from tests.conversations.world import NOON, World
from tests.private import told
from tests.terminal import closed_port

Scrape = Callable[[], dict[tuple[str, str], float]]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def read(text: str) -> dict[tuple[str, str], float]:
    """Each number by its name and the value of its label."""
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(each.name, "".join(each.labels.values())): each.value for each in samples}


def asked(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
    return text


@contextmanager
def shown(world: World, wanted: Metrics) -> Iterator[None]:
    """The numbers of a host, as `pbem run` shows them."""
    settings = world.settings.model_copy(update={"metrics": wanted})
    host = world.host
    with metrics.shown(settings, world.store, host.counts, lambda: world.now, at_port=True) as host.report:
        yield


@pytest.fixture
def scrape(world: World) -> Iterator[Scrape]:
    port = closed_port()
    with shown(world, Metrics(port=port)):
        yield lambda: read(asked(port))


def test_mails_in_are_counted_by_what_became_of_them(world: World, scrape: Scrape) -> None:
    world.write("anna", "REGISTER Anna")
    world.tick()
    world.answer("anna", "NEW PRACTICE")
    world.tick()
    world.answer("anna", "LODGE 3 9 27")
    world.write("bob", "I only say hello", Auto_Submitted="auto-replied")
    world.tick()
    world.answer("anna", "PASS", sender="mallory")
    world.tick()
    found = scrape()
    counted = {outcome for (name, outcome), count in found.items() if name == "pbem_mails_in_total" and count}
    assert {"moved", "handled", "refused", "forged", "unanswered"} >= counted >= {"handled", "refused", "unanswered"}
    assert found["pbem_mails_in_total", "forged"] == 1
    assert found["pbem_mail_handling_seconds_count", ""] == 5
    assert found["pbem_mails_out_total", "accepted"] == len(world.courier.taken)
    assert found["pbem_games", "running"] == 1


def test_what_waits_and_what_is_wrong_shows(world: World, scrape: Scrape, monkeypatch: pytest.MonkeyPatch) -> None:
    world.settings.archive.folder.mkdir()
    world.write("anna", "REGISTER Anna")
    world.courier.refusals["anna@example.org"] = (Outcome.HOST_TROUBLE, 554, "5.7.1 no")
    world.tick()
    world.courier.down = True
    world.wait(hours=1)
    world.tick()
    world.mailbox.down = True
    world.tick()
    world.mailbox.down = False
    monkeypatch.setattr("pbem.reception.Reception.decided", None)
    world.write("bob", "REGISTER Bob")
    world.tick()
    world.store.set_mark(BACKED_UP, NOON.isoformat())
    found = scrape()
    assert found["pbem_mails_out_total", "host-trouble"] == 1
    assert (found["pbem_mails_waiting", "out"], found["pbem_mails_waiting", "in"]) == (1, 1)
    assert found["pbem_mails_waiting_since_timestamp_seconds", "out"] == NOON.timestamp()
    assert found["pbem_mail_server_troubles_total", "in"] == 1
    assert found["pbem_mail_server_troubles_total", "out"] >= 1
    assert (found["pbem_mails_in_total", "failed"], found["pbem_faults_total", ""]) == (1, 1)
    assert found["pbem_pass_timestamp_seconds", "fault"] == world.now.timestamp()
    assert found["pbem_backup_timestamp_seconds", ""] == NOON.timestamp()
    assert found["pbem_database_size_bytes", ""] > 10_000
    assert found["pbem_disk_free_bytes", "archive"] > 0


def test_a_deadline_that_does_not_act_shows(at_night: World) -> None:
    at_night.wait(hours=50)
    overdue = next(each for each in _numbers(at_night).figures() if each.name == "pbem_games_overdue")
    assert overdue.values == {"": 1}


def test_without_its_database_a_host_still_says_what_it_counted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise DatabaseTrouble("no", "Wait")

    monkeypatch.setattr(type(world.store), "vitals", away)
    names = {figure.name: figure.values for figure in _numbers(world).figures()}
    assert names["pbem_database_up"] == {"": False}
    assert "pbem_passes_total" in names
    assert "pbem_games" not in names


@pytest.mark.parametrize(
    ("done", "end"),
    [
        (Pass(), PassEnd.WELL),
        (Pass(trouble=Unreachable("away", "Wait")), PassEnd.TROUBLE),
        (Pass(trouble=Unreachable("away", "Wait"), failures=1), PassEnd.FAULT),
        (Pass(idle=Idle.TAKEN), PassEnd.IDLE),
    ],
    ids=str,
)
def test_a_pass_is_counted_by_the_worst_of_it(done: Pass, end: PassEnd) -> None:
    assert ended(done) is end


def test_nothing_in_them_is_anybodys(at_night: World, tmp_path: Path) -> None:
    hostile = 'pbem_games{a="b"} 1\n# HELP'
    at_night.write("eve", f"REGISTER {hostile}", hostile, subject=hostile.replace("\n", " "))
    at_night.answer("anna", "PASS", f'SAY "{hostile}"', f"# {hostile}")
    at_night.answer("bob", "LABEL }{", sender="mallory")
    at_night.tick()
    file = tmp_path / "pbem.prom"
    with shown(at_night, Metrics(textfile=file)):
        at_night.tick()
    text = file.read_text()
    people = ("anna", "bob", "chen", "eve", "mallory", "inn-1", "example", str(tmp_path), 'a="b"')
    assert list(told(text, people)) == []
    fixed = {each.value for kind in KINDS for each in kind} | {each.value for each in Status}
    labels = {value for name, value in re.findall(r'(\w+)="([^"]*)"', text) if name not in ("le", "version")}
    assert labels <= fixed | {"database", "archive"}


def test_names_follow_the_customs_of_prometheus(world: World) -> None:
    for figure in _numbers(world).figures():
        assert re.fullmatch(r"pbem_[a-z_]+", figure.name)
        assert figure.name.endswith("_total") == (figure.kind == "counter")
        assert not figure.name.endswith(("_count", "_sum", "_bucket"))
        assert figure.says.endswith(".")


def test_each_number_is_explained_and_rules_ask_for_no_other() -> None:
    document = (Path(resource("config.example.toml")).parent / "docs" / "metrics.md").read_text()
    table, rules = document.split("## Rules")
    there = set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))
    wanted = set(re.findall(r"pbem_\w+", rules))
    assert {name.removesuffix("_bucket") for name in wanted} <= there
    for name, label, _ in COUNTED.values():
        (row,) = (line for line in table.splitlines() if line.startswith(f"| `{name}`"))
        values = Counts().of[next(kind for kind, (other, *_) in COUNTED.items() if other == name)]
        assert f"`{label}`: {', '.join(values)} " in row
    for name, outcome in re.findall(r'(pbem_\w+)\{outcome="([\w-]+)"', rules):
        kinds = [kind for kind, (other, *_) in COUNTED.items() if other == name] or [PassEnd]
        assert outcome in Counts().of[kinds[0]]


def test_the_document_names_all_that_there_is(at_night: World) -> None:
    document = (Path(resource("config.example.toml")).parent / "docs" / "metrics.md").read_text()
    assert {each.name for each in _numbers(at_night).figures()} <= set(re.findall(r"^\| `(\w+)`", document, re.M))


def test_they_hold_in_the_stricter_form_too(world: World) -> None:
    port = closed_port()
    with shown(world, Metrics(port=port)):
        world.tick()
        wanted = Request(f"http://127.0.0.1:{port}/metrics", headers={"Accept": "application/openmetrics-text"})
        with urlopen(wanted, timeout=10) as answer:
            families = {family.name for family in openmetrics(answer.read().decode())}  # type: ignore[no-untyped-call]
    assert {"pbem_passes", "pbem_mail_handling_seconds", "pbem_games"} <= families


# Where they are shown


def test_a_file_is_counted_on_by_the_next_process_and_can_be_read_by_the_exporter(world: World, tmp_path: Path) -> None:
    file = tmp_path / "pbem.prom"
    before = os.umask(0o077)
    try:
        for _ in range(2):
            world.write("anna", "REGISTER Anna")
            with shown(world, Metrics(textfile=file)):
                world.tick()
            world.restart()
    finally:
        os.umask(before)
    found = read(file.read_text())
    assert found["pbem_passes_total", "well"] == 2
    assert found["pbem_mail_handling_seconds_count", ""] == 2
    assert found["pbem_mail_handling_seconds_bucket", "+Inf"] == 2
    assert found["pbem_mails_out_total", "accepted"] == len(world.courier.taken)
    assert file.stat().st_mode & 0o777 == 0o644
    assert list(tmp_path.glob(".pbem*")) == []


@pytest.mark.parametrize(
    "broken", ["pbem_passes_total{", "pbem_passes_total nine", 'pbem_pass_timestamp_seconds{outcome="x"} 1', "\xff"]
)
def test_a_file_that_cannot_be_read_is_begun_anew(world: World, tmp_path: Path, broken: str) -> None:
    file = tmp_path / "pbem.prom"
    file.write_bytes(broken.encode("latin-1"))
    with shown(world, Metrics(textfile=file)):
        world.tick()
    assert read(file.read_text())["pbem_passes_total", "well"] == 1


@pytest.mark.parametrize("wanted", [Metrics(textfile=Path("/proc/nowhere/pbem.prom")), Metrics(port=1)])
def test_numbers_that_cannot_be_shown_keep_the_host_from_nothing(world: World, wanted: Metrics) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        if wanted.port:
            wanted = Metrics(port=taken.getsockname()[1])
        with shown(world, wanted):
            world.write("anna", "REGISTER Anna")
            assert len(world.tick()) == 1


def test_nothing_listens_once_the_host_has_ended(world: World) -> None:
    port = closed_port()
    with shown(world, Metrics(port=port)):
        assert "pbem_build_info" in asked(port)
    with pytest.raises(OSError, match="refused"):
        asked(port)


def test_many_who_ask_and_say_nothing_take_few_threads_and_go_away(world: World) -> None:
    port, before = closed_port(), threading.active_count()
    with shown(world, Metrics(port=port)), ExitStack() as silent:
        for _ in range(5 * AT_ONCE):
            silent.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        assert threading.active_count() <= before + 1 + AT_ONCE
        silent.close()
        end = time.monotonic() + 20
        while "pbem_build_info" not in _tried(port):
            assert time.monotonic() < end
            time.sleep(0.02)


def _tried(port: int) -> str:
    try:
        return asked(port)
    except OSError:
        return ""


def test_a_fault_of_ours_is_in_the_log_and_not_in_the_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Numbers, "figures", None)
    port = closed_port()
    with shown(world, Metrics(port=port)), capture_logs() as logged, pytest.raises(HTTPError) as caught:
        asked(port)
    assert (caught.value.code, caught.value.read()) == (500, b"Look into the log of pbem.\n")
    assert [each["event"] for each in logged] == ["the numbers could not be taken"]


def test_without_the_extra_it_says_what_is_missing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(metrics, "exposition", raising=False)
    monkeypatch.setitem(sys.modules, "pbem.metrics.exposition", None)
    with pytest.raises(ConfigurationTrouble, match=r"pip install 'pbem\[metrics\]'"), shown(world, Metrics(port=1)):
        pass


@pytest.mark.parametrize("address", ["0.0.0.0", "192.0.2.7", "inn.example.org", "::"])
def test_an_address_that_others_reach_has_to_be_said_plainly(address: str) -> None:
    with pytest.raises(ValueError, match="set public as well"):
        Metrics(port=9464, address=address)
    assert Metrics(port=9464, address=address, public=True).address == address


# What the doctor says


def findings(world: World, wanted: Metrics) -> list[tuple[State, str]]:
    settings = world.settings.model_copy(update={"metrics": wanted, "clock": Clock()})
    patient = Patient(Path("pbem.toml"), settings, lambda: world.now, send=False)
    return [(each.state, each.says) for each in numbers.shown(patient)]


def test_the_doctor_finds_numbers_where_they_are(world: World, tmp_path: Path) -> None:
    port, file = closed_port(), tmp_path / "pbem.prom"
    assert findings(world, Metrics())[0][0] is State.OK
    nobody, unwritten = findings(world, Metrics(port=port, textfile=file))
    assert (nobody[0], unwritten[0]) == (State.NOTE, State.NOTE)
    wanted = Metrics(port=port, textfile=file)
    with shown(world, wanted):
        world.tick()
        file.touch()
        os.utime(file, (world.now.timestamp(),) * 2)
        assert [state for state, _ in findings(world, wanted)] == [State.OK, State.OK]
        world.wait(days=1)
        assert "was last written at 2026-12-01 12:00 UTC" in findings(world, wanted)[1][1]
        open_to_all = findings(world, Metrics(port=port, address="0.0.0.0", public=True))
        assert open_to_all[0] == (
            State.NOTE,
            f"any machine that reaches 0.0.0.0:{port} can read them, without a password",
        )


def test_the_doctor_knows_another_program_at_the_port(world: World, loopback_page: int) -> None:
    ((state, says),) = findings(world, Metrics(port=loopback_page))
    assert (state, says) == (State.FAULT, f"another program answers at 127.0.0.1:{loopback_page}")


@pytest.fixture
def loopback_page(tmp_path: Path) -> Iterator[int]:
    """A web server that is none of ours."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def _numbers(world: World) -> Numbers:
    world.store.set_mark(BACKED_UP, NOON.isoformat())
    return Numbers(world.host.counts, world.store, {"database": "/"}, lambda: world.now)
