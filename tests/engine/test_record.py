"""A record holds as it was written, and is refused when any single thing in its file is another one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import record
from engine.bloody_inn import GAME
from engine.record import Dealt, Flaw, Flawed, Move, Record
from tests.engine.recorded import SECRET, ended, flaw_of, header, overruled, played, whats_of

RECORDS: list[Callable[[], Record]] = [
    lambda: played(1, 1),
    lambda: played(2, 1),
    lambda: played(3, 1),
    lambda: played(4, 2),
    overruled,
    ended,
]


# A record that is left alone


@pytest.mark.parametrize("whole", RECORDS)
def test_a_record_holds_as_it_was_written_and_read_back(whole: Callable[[], Record]) -> None:
    again = record.load(record.dump(whole()))
    assert again == whole()
    assert flaw_of(again, again.head) is None


def test_verify_gives_the_last_position() -> None:
    last = record.verify(GAME, overruled())
    assert GAME.outcome(last.state) == overruled().result
    assert last.n == len(overruled().entries)


@pytest.mark.parametrize("length", [8, 12, 64])
def test_a_kept_head_may_be_short_and_in_capitals(length: int) -> None:
    assert flaw_of(played(), played().head[:length].upper()) is None


def test_the_chain_can_be_worked_out_with_nothing_but_json_and_sha256() -> None:
    said = json.loads(record.dump(overruled()))
    salt = hashlib.sha256(f"pbem salt 1\ninn-7\n{said['secret']}\n".encode()).hexdigest()
    before = hashlib.sha256(salt.encode() + b"\n" + canonical(said["header"])).hexdigest()
    for entry in said["entries"]:
        before = hashlib.sha256(
            before.encode() + b"\n" + canonical({"n": entry["n"], "what": entry["what"]})
        ).hexdigest()
        assert entry["hash"] == before
    assert said["head"] == before


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_hash_of_a_header_stays_the_same_for_ever() -> None:
    assert record.header_hash(header(2), SECRET) == "2daaebac8cb326c5ddf8c6015d1fb260d6927e7761cc9cf1fc1ba551395cf8dd"


def test_nobody_without_the_secret_can_work_out_what_the_chain_begins_with() -> None:
    """Else a head that a mail prints would tell a sealed answer to whoever tries the few that there are."""
    begins = {record.header_hash(header(2), secret) for secret in (SECRET, "5f" * 32, "", header(2).commitment)}
    assert len(begins) == 4
    assert hashlib.sha256(canonical(msgspec.to_builtins(header(2)))).hexdigest() not in begins


def test_a_record_says_nothing_but_seats_and_numbers() -> None:
    said = json.loads(record.dump(overruled()))
    assert set(said) == {"header", "entries", "head", "secret", "result"}
    assert set(said["header"]) == {
        "format", "game", "kind", "version", "seats", "options", "commitment", "phrases", "chosen",
    }  # fmt: skip
    assert {tuple(entry["what"]) for entry in said["entries"]} == {
        ("type", "seat", "action", "by"),
        ("type", "number", "order"),
        ("type", "verb", "seat", "to"),
    }


# A record in which a single thing was changed


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The way to everything within a JSON value, the value itself left out."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for key, child in children for way in ((*path, key), *paths(child, (*path, key)))]


def holder(value: Any, path: tuple[str | int, ...]) -> Any:
    """What holds the thing at the end of the path."""
    for key in path[:-1]:
        value = value[key]
    return value


FILES = [json.loads(record.dump(whole())) for whole in RECORDS]
WAYS = [paths(file) for file in FILES]
OTHERS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 80),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "seat", "host", "pause", "end", "move", "deal", "peasant", "barn", "0" * 64, "short", "long"]),
    st.text(max_size=3),
    st.lists(st.integers(0, 5), max_size=3),
    st.dictionaries(st.sampled_from(["type", "seat", "to"]), st.integers(0, 3), max_size=2),
)


def put(place: Any, key: str | int, draw: Callable[..., Any]) -> None:
    place[key] = draw(OTHERS)


def shift(place: Any, key: str | int, draw: Callable[..., Any]) -> None:
    assume(isinstance(place[key], int))
    place[key] += draw(st.sampled_from([-1, 1]))


def turn(place: Any, key: str | int, draw: Callable[..., Any]) -> None:
    """Change one character."""
    text = place[key]
    assume(isinstance(text, str) and text)
    at = draw(st.integers(0, len(text) - 1))
    place[key] = text[:at] + draw(st.sampled_from("0123456789abcdefABCDEF\n")) + text[at + 1 :]


def drop(place: Any, key: str | int, _: Callable[..., Any]) -> None:
    del place[key]


def double(place: Any, key: str | int, _: Callable[..., Any]) -> None:
    assume(isinstance(key, int))
    place.insert(key, place[key])


def swap(place: Any, key: str | int, draw: Callable[..., Any]) -> None:
    other = draw(st.sampled_from(range(len(place)) if isinstance(place, list) else sorted(place)))
    place[key], place[other] = place[other], place[key]


def grow(place: Any, _: str | int, draw: Callable[..., Any]) -> None:
    """A field that nobody asked for."""
    assume(isinstance(place, dict))
    place[draw(st.sampled_from(["name", "note", "address"]))] = draw(OTHERS)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_file_that_says_anything_else_is_refused(data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(FILES) - 1))
    file = json.loads(json.dumps(FILES[which]))
    path = data.draw(st.sampled_from(WAYS[which]))
    data.draw(st.sampled_from([put, shift, turn, drop, double, swap, grow]))(holder(file, path), path[-1], data.draw)
    assume(json.dumps(file) != json.dumps(FILES[which]))
    assert not holds(json.dumps(file).encode()) or says_the_same(file, RECORDS[which]())


def says_the_same(file: Any, true: Record) -> bool:
    """Whether a field that is left out has the value that stands for one."""
    return record.load(json.dumps(file).encode()) == true


def holds(data: bytes) -> bool:
    """Whether a file is accepted."""
    try:
        record.verify(GAME, record.load(data))
    except Flawed:
        return False
    return True


DIFFERENT: dict[type, Callable[[Any], Any]] = {
    bool: lambda value: not value,
    int: lambda value: value + 1,
    str: lambda value: value[:-1] + ("0" if value[-1:] != "0" else "1"),
    list: lambda value: [*value, 0],
    dict: lambda value: {**value, "more": 0},
    type(None): lambda _: 0,
}


@pytest.mark.parametrize("which", [0, 1, 5], ids=["solo", "two", "ended"])
def test_every_value_in_a_file_matters(which: int) -> None:
    file = json.loads(json.dumps(FILES[which]))
    for path in WAYS[which]:
        place, key = holder(file, path), path[-1]
        true = place[key]
        place[key] = DIFFERENT[type(true)](true)
        assert not holds(json.dumps(file).encode()), path
        place[key] = true


@pytest.mark.parametrize("place", range(0, 160, 7))
def test_an_entry_that_is_left_out_or_stands_elsewhere_breaks_the_chain_right_there(place: int) -> None:
    entries = played(3).entries
    without = replace(played(3), entries=(*entries[:place], *entries[place + 1 :]))
    swapped = replace(played(3), entries=(*entries[:place], entries[place + 1], entries[place], *entries[place + 2 :]))
    assert flaw_of(without) == (Flaw.CHAIN, place + 1)
    assert flaw_of(swapped) == (Flaw.CHAIN, place + 1)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"{}",
        b"[" * 200_000,
        record.dump(played(2))[:-40],
        record.dump(played(2)) + b"{}",
        record.dump(played(2)).replace(b'"format": 1', b'"format": 2'),
        record.dump(played(2)).replace(b'"action": {', b'"action": ' + b'{"a":' * 100_000 + b"{", 1),
    ],
    ids=["empty", "null", "list", "no text", "nothing", "deep", "cut", "two", "format", "deep action"],
)
def test_what_is_no_record_is_refused_as_one(data: bytes) -> None:
    with pytest.raises(Flawed) as flawed:
        record.load(data)
    assert flawed.value.flaw is Flaw.FORMAT


def test_positions_are_what_the_moves_lead_to_one_by_one() -> None:
    whats = whats_of(played(3))
    line = record.positions(GAME, header(3), whats)
    position = record.opening(GAME, header(3))
    for n, what in enumerate(whats, 1):
        assert isinstance(what, Move | Dealt)
        position, _ = record.follow(GAME, position, what)
        assert position == line[n]
    assert len(line) == len(whats) + 1
