"""docs/machine.md is true: its schemas are what the host writes, real mails fit them, and its program plays a game."""

from __future__ import annotations

import ast
import json
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec
import pytest

from examples import player
from examples.player import attached
from pbem.bootstrap import assemble, store_of
from pbem.config import Archive, Clock, Database, Maildir, Outbox, Registration, Security, Settings
from pbem.config import Host as HostSection
from pbem.host import Host
from pbem.render.machine import FORMAT, Machine
from pbem.table import Status
from tests.conversations.world import Mail, World
from tests.machine_schema import DOCS, SCHEMAS, text
from tests.servers.fixtures import DovecotMail, ServerPost, Users

KINDS: Final[Mapping[str, type]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
MOST_PASSES: Final = 300
Schema = Mapping[str, Any]


def faults(value: Any, schema: Schema, root: Schema, where: str = "") -> Iterator[str]:
    """Where `value` does not fit a schema made of what the published ones are made of."""
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, where)
    elif "anyOf" in schema:
        if all(any(faults(value, each, root)) for each in schema["anyOf"]):
            yield f"{where}: {value!r} is none of those"
    elif "enum" in schema:
        if value not in schema["enum"]:
            yield f"{where}: {value!r}"
    elif "type" in schema:
        yield from _typed_faults(value, schema, root, where)


def _typed_faults(value: Any, schema: Schema, root: Schema, where: str) -> Iterator[str]:
    kind = schema["type"]
    if not _is(value, kind):
        yield f"{where}: {value!r} is no {kind}"
    elif kind == "array":
        for number, item in enumerate(value):
            yield from faults(item, schema.get("items") or {}, root, f"{where}[{number}]")
    elif kind == "object" and "properties" in schema:
        known = schema["properties"]
        yield from (f"{where}.{name} is missing" for name in schema.get("required", ()) if name not in value)
        yield from (f"{where}.{name} is not described" for name in value if name not in known)
        for name in value.keys() & known.keys():
            yield from faults(value[name], known[name], root, f"{where}.{name}")


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def published(name: str) -> Schema:
    schema: Schema = json.loads((DOCS / name).read_text("utf-8"))
    return schema


def data_in(mail: Mail) -> dict[str, Any]:
    data = attached(mail.message)
    assert data is not None
    told: dict[str, Any] = json.loads(data)
    return told


def misfits(data: Any, name: str) -> list[str]:
    return list(faults(data, published(name), published(name)))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_what_the_host_writes(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == text(SCHEMAS[name]), "python -m tests.machine_schema"


def test_every_field_is_described_and_the_format_is_said() -> None:
    manual = (DOCS / "machine.md").read_text("utf-8")
    rows = [line for line in manual.splitlines() if line.startswith("| `")]
    described = {word.strip("`,") for row in rows for word in row.split("|")[1].split()}
    fields = {field.encode_name for field in msgspec.structs.fields(Machine)}
    assert fields <= described
    assert {name.split(".")[0] for name in described} == fields
    assert f"the number of this description: {FORMAT} |" in manual


@pytest.mark.slow
def test_all_mails_of_a_game_fit_the_schemas(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("eve", "REGISTER Eve")
    world.tick()
    world.answer("eve", "NEW PRACTICE bots=steady,random", "MACHINE ON")
    world.tick()
    told: list[dict[str, Any]] = []
    while world.table().status is Status.RUNNING and len(told) < MOST_PASSES:
        mail = world.last("eve")
        told.append(data_in(mail))
        world.answer("eve", told[-1]["orders"][0])
        world.tick()
    told.append(data_in(world.last("eve")))
    assert told[-1]["outcome"]["places"]
    for each in told:
        assert misfits(each, "machine.schema.json") == []
        assert misfits(each["view"], "machine-bloody-inn.schema.json") == []


def test_what_does_not_fit_a_schema_is_found() -> None:
    assert misfits({"format": "1"}, "machine.schema.json")
    told = {"text": "PASS", "said": "done", "reason": 3, "more": 1}
    found = list(faults(told, published("machine.schema.json")["$defs"]["Answered"], {}))
    assert found == [".more is not described", ".reason: 3 is no string"]


def test_the_example_imports_nothing_but_the_standard_library() -> None:
    tree = ast.parse(Path(player.__file__).read_text("utf-8"))
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in plain | parts} <= set(sys.stdlib_module_names)


@pytest.fixture
def inn(dovecot_mail: DovecotMail, new_address: Callable[[Users], str], tmp_path: Path) -> Iterator[tuple[str, Host]]:
    """The address of a host on Dovecot, and the host."""
    post, address = ServerPost(dovecot_mail), new_address(dovecot_mail)
    with post.inbox(address) as inbox:
        settings = Settings(
            host=HostSection(address=address, secret=cast(Any, "k" * 32), registration=Registration.OPEN),
            maildir=Maildir(path=tmp_path),
            outbox=Outbox(folder=tmp_path),
            database=Database(url=f"sqlite:///{tmp_path / 'pbem.db'}"),
            clock=Clock(),
            archive=Archive(folder=tmp_path / "archive"),
        )
        with store_of(settings) as store:
            yield address, assemble(settings, store, inbox, post.sender(address), "ab" * 32)


@pytest.mark.slow
def test_the_example_plays_a_whole_game_by_imap_and_smtp(
    inn: tuple[str, Host], dovecot_mail: DovecotMail, new_address: Callable[[Users], str], tmp_path: Path
) -> None:
    address, host = inn
    mine = new_address(dovecot_mail)
    imap, smtp = dovecot_mail.imap(mine, Security.TLS), dovecot_mail.smtp(mine, Security.STARTTLS)
    tls = ssl.create_default_context(cafile=str(imap.ca_file))
    account = player.Account(mine, "secret", (imap.host, imap.port), (smtp.host, smtp.port), tls)
    eve = player.Player(player.Mailbox(account), address, "Eve", "NEW PRACTICE", 7)
    eve.register()
    for _ in range(MOST_PASSES):
        assert host.once().trouble is None
        eve.turn()
        if eve.over:
            break
    assert eve.told is not None
    assert eve.told["outcome"]["places"]
    assert (tmp_path / "archive" / "inn-1" / "record.json").exists()
