"""Costs that can be counted (DESIGN.md), held through the whole host: they are the same on any machine."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import jinja2
import pytest
import trustme

from engine.record import Override, Verb
from pbem.files import resource
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.smtp import SmtpSender
from pbem.parties import Changed, Decided
from pbem.render import voice
from pbem.render.renderer import Renderer
from pbem.table import Table, Written, overrule
from tests.conversations.conftest import LODGE, SIGN_UP, START
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.servers.fixtures import MailServer
from tests.servers.proxy import Proxy
from tests.servers.smtp_sink import SmtpSink
from tests.store.ear import Ear, Heard

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).resolve().parent.parent
PURE: Final = sorted([*(ROOT / "engine").rglob("*.py"), *(ROOT / "pbem").rglob("*.py")])
MAIL_COMMITS: Final = 2
"""Intake, and what was decided."""
SETTLED: Final = 1
SENT: Final = 1
"""A batch of mails that the SMTP server took over."""
MAIL_TRIPS: Final = ("FETCH", "MOVE")
LOOK_TRIPS: Final = ("NOOP", "SEARCH")
"""Whether there is more: asked once a pass."""
SMALL: Final = ("host", "CONSTANT ROW")
"""What may be read through: a handful of rows."""


@pytest.fixture(scope="module")
def _first_night(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("first-night"))
    play(world, SIGN_UP + START + LODGE)
    return world


@pytest.fixture
def night(_first_night: World, tmp_path: Path) -> Iterator[World]:
    """Anna, Bob and Chen in the first night of inn-1; Anna is awaited."""
    world = _first_night.copied(tmp_path)
    with closing(world.store):
        yield world


def heard_in(world: World) -> Heard:
    """What the host says to its database in one pass."""
    with Ear(world.store.engine).listening() as heard:
        world.tick()
    return heard


def grown(world: World, entries: int) -> None:
    """Let the record of inn-1 grow by so many entries, and all be told of them: its moderator pauses and resumes it."""
    table = after = world.table()
    written: list[Written] = []
    while len(written) < entries:
        after, more = overrule(after, Override(Verb.RESUME if after.running.paused else Verb.PAUSE))
        written.extend(more)
    world.store.write(Decided(tables=(Changed(table, after, tuple(written)),)), inbox=None, now=world.now)
    world.tick()


# Commits and statements


@pytest.mark.parametrize("mails", [1, 2, 3])
def test_a_mail_costs_two_commits_and_a_settled_game_one(night: World, mails: int) -> None:
    for name in ("anna", "bob", "chen")[:mails]:
        night.answer(name, "PASS")
    heard = heard_in(night)
    assert heard.commits <= MAIL_COMMITS * mails + SETTLED + SENT


def test_a_pass_without_mail_commits_nothing(night: World) -> None:
    assert heard_in(night).commits == 0


def test_a_pass_that_finds_nothing_asks_its_database_two_things(night: World) -> None:
    night.tick()
    assert len(heard_in(night).statements) == 2


def test_an_order_costs_the_same_statements_whatever_the_history(night: World, tmp_path: Path) -> None:
    young = night.copied(tmp_path / "young")
    counts = []
    for world, entries in ((young, 2), (night, 200)):
        grown(world, entries)
        world.answer("anna", "PASS")
        counts.append(len(heard_in(world).statements))
    assert counts[0] == counts[1]


def test_an_order_costs_the_same_statements_however_many_games_there_are(night: World, tmp_path: Path) -> None:
    counts = []
    for world, more in ((night.copied(tmp_path / "alone"), 0), (night, 3)):
        for _ in range(more):
            world.answer("modi", "NEW bloody-inn dora@example.org eve@example.org")
            world.tick()
        assert world.store.next_number() == 2 + more
        world.answer("anna", "PASS")
        counts.append(len(heard_in(world).statements))
    assert counts[0] == counts[1]


def test_questions_about_many_tables_cost_the_statements_of_one(night: World) -> None:
    for _ in range(4):
        night.answer("modi", "NEW bloody-inn dora@example.org eve@example.org")
        night.tick()
    counts = []
    for tables in (1, 4):
        night.answer("modi", *(f"STATUS inn-{number}" for number in range(2, 2 + tables)))
        counts.append(len(heard_in(night).statements))
    assert counts[0] == counts[1]


# Indexes


def plans_of(world: World, heard: Heard) -> dict[str, list[str]]:
    """By statement how SQLite finds its rows. An INSERT searches nothing."""
    queries = {statement: values for statement, values in heard.statements if not statement.startswith("INSERT")}
    with world.store.engine.connect() as connection:
        return {
            statement: [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
            for statement, values in queries.items()
        }


def test_every_query_of_a_pass_finds_its_rows_by_an_index(night: World) -> None:
    night.answer("modi", "GAMES", "RESEND inn-1", "HISTORY inn-1")
    night.answer("anna", "PASS", "PASS")
    night.answer("bob", "HELP", "PASS")
    night.write("eve", "REGISTER Eve")
    heard = heard_in(night)
    night.wait(hours=40)
    heard.statements += heard_in(night).statements
    night.wait(hours=10)
    heard.statements += heard_in(night).statements
    plans = plans_of(night, heard)
    scans = {
        statement: detail
        for statement, details in plans.items()
        for detail in details
        if detail.startswith("SCAN") and not detail.removeprefix("SCAN ").startswith(SMALL)
    }
    assert len(plans) > 30
    assert scans == {}, json.dumps(scans, indent=1)


def test_deadlines_are_looked_for_among_those_that_are_due_not_among_all_games(night: World) -> None:
    with Ear(night.store.engine).listening() as heard:
        night.store.due(night.now)
        night.store.to_remind(night.now)
    first = {details[0] for details in plans_of(night, heard).values()}
    assert first == {
        "SEARCH chair USING INDEX ix_chair_lapses_at (lapses_at<?)",
        "SEARCH chair USING INDEX ix_chair_remind_at (remind_at<?)",
    }


# Mail servers


@pytest.fixture
def dovecot_world(
    night: World, dovecot_mail: MailServer, new_address: Callable[[MailServer], str]
) -> Iterator[tuple[World, Callable[[bytes], None], Proxy]]:
    """The same night with its mail on Dovecot; something that delivers a mail there, and the wire to it."""
    address = new_address(dovecot_mail)
    settings = dovecot_mail.imap(address)
    with (
        Proxy(settings.port) as proxy,
        ImapInbox(settings.model_copy(update={"port": proxy.port}), 1_000_000) as inbox,
    ):
        night.host.inbox = inbox
        # The first mail that is put away makes the folder for it.
        dovecot_mail.deliver(address, night.answer("anna", "STATUS"))
        night.tick()
        yield night, lambda raw: dovecot_mail.deliver(address, raw), proxy


@pytest.mark.slow
@pytest.mark.parametrize("mails", [1, 20])
def test_a_batch_of_mails_costs_two_round_trips_beside_the_look_for_news(
    dovecot_world: tuple[World, Callable[[bytes], None], Proxy], mails: int
) -> None:
    world, deliver, proxy = dovecot_world
    for _ in range(mails):
        deliver(world.answer("anna", "STATUS"))
    assert world.host.inbox.wait(10)
    proxy.commands.clear()
    assert world.passed()[0].handled == mails
    assert sorted(proxy.commands) == sorted((*MAIL_TRIPS, *LOOK_TRIPS))


@pytest.mark.slow
def test_a_look_for_news_brings_as_many_bytes_whatever_lies_in_the_folder(
    dovecot_world: tuple[World, Callable[[bytes], None], Proxy],
) -> None:
    world, deliver, proxy = dovecot_world
    brought = []
    for mails in (1, 30):
        for _ in range(mails):
            deliver(world.answer("anna", "STATUS"))
        world.tick()
        before = proxy.bytes_received
        world.tick()
        brought.append(proxy.bytes_received - before)
    assert abs(brought[1] - brought[0]) < 10
    assert max(brought) < 300


class Everybody:
    """Mailboxes for anybody, into which nothing is put."""

    def has_user(self, address: str) -> bool:  # noqa: ARG002
        return True

    def password(self, address: str) -> str:  # noqa: ARG002
        return "secret"

    def deliver(self, address: str, raw: bytes) -> None: ...


def test_the_mails_of_a_pass_leave_through_one_connection(night: World, tls_authority: trustme.CA) -> None:
    with SmtpSink(Everybody(), tls_authority) as sink:
        night.host.dispatch = replace(night.host.dispatch, sender=SmtpSender(sink.smtp("inn@example.org")))
        for name in ("anna", "bob", "chen"):
            night.answer(name, "PASS")
        sent = night.passed()[0].sent
        assert (sent, sink.connections) == (len(sink.received), 1)
        assert sent >= 3


# Templates


def begin_to_render(world: World) -> None:
    """The host gets a renderer that has rendered nothing yet."""
    fresh = Renderer(world.host.games, resource("templates"))
    world.host.postroom = replace(world.host.postroom, renderer=fresh)


def test_a_template_environment_is_made_once_for_ever(night: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[jinja2.Environment] = []
    healthy = jinja2.Environment.__init__

    def counted(self: jinja2.Environment, **arguments: Any) -> None:
        made.append(self)
        healthy(self, **arguments)

    monkeypatch.setattr(jinja2.Environment, "__init__", counted)
    begin_to_render(night)
    for name in ("anna", "bob", "chen"):
        night.answer(name, "PASS")
        night.tick()
    assert len(made) == 1


def test_what_all_may_see_is_rendered_once_for_each_position(night: World, monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[str] = []
    healthy = voice.Voice.pair

    def counted(self: voice.Voice, name: str, context: Any) -> Any:
        if name == "game/board":
            boards.append(night.table().head)
        return healthy(self, name, context)

    monkeypatch.setattr(voice.Voice, "pair", counted)
    begin_to_render(night)
    for name in ("anna", "bob", "chen"):
        night.answer(name, "STATUS")
    night.answer("anna", "PASS")
    assert night.passed()[0].sent == 3
    assert boards == [night.table().head]


# Copies


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_copies_deeply(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    assert not {"copy", "pickle", "deepcopy"} & (imported | modules)
    assert "deepcopy" not in called


def test_a_pass_copies_nothing_deeply(night: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("a deep copy")

    monkeypatch.setattr(copy, "deepcopy", refused)
    night.answer("anna", "PASS", "PASS")
    assert night.passed()[0].handled == 1
    assert "DONE PASS" in night.last("anna").text


def test_a_move_shares_with_the_position_before_all_that_it_does_not_touch(night: World) -> None:
    before: Table = night.table()
    state = before.running.state
    action = next(before.game.legal(state, 1))
    after = before.game.apply(state, 1, action).state
    assert after.entrance is state.entrance
    assert [one is other for one, other in zip(after.players, state.players, strict=True)] == [False, True, True]
