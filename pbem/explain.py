"""How mails would be read, without any effect: the host's eyes, and nothing of its memory.

No configuration, no database and no game is needed. So nobody can say who is at which seat or what would be legal:
orders are read as far as they can be understood without a position, and faults are only those that no position mends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.game import AnyGame, Unreadable
from pbem import letters
from pbem.commands import grammar
from pbem.errors import Trouble
from pbem.files import resource
from pbem.games import games
from pbem.letters import Letter, OwnText
from pbem.letters.authentication import sender_verdict
from pbem.lines import Kind, Piece, bare, is_order, looks, pieces
from pbem.plans.syntax import PlanLine, Test, Unclear, headed, is_now, parse
from pbem.spoken import gathered
from pbem.tongues import ENGLISH, LANGUAGES
from pbem.verdicts import Reason

if TYPE_CHECKING:
    from pbem.render.voice import Voice

_SHOWN: Final = 5
"""Ignored lines of one reason that the form for people shows."""


class Fault(msgspec.Struct, frozen=True):
    """Why a line can never be read."""

    reason: str
    near: tuple[str, ...] = ()
    """What may have been meant."""
    facts: dict[str, Any] = {}
    says: str = ""
    """The sentence that the sender would get."""


class Seen(msgspec.Struct, frozen=True):
    """One own line, or one of several orders on it."""

    n: int
    """The number of the line in `own_text`, from 1."""
    text: str
    kind: Kind
    reading: str | None = None
    """An order or a command in its written form; prose has none."""
    game: str | None = None
    """The game whose order it is."""
    fault: Fault | None = None
    tried: bool = True
    """False for an order or a command below a fault, where a mail stops."""


class Ignored(msgspec.Struct, frozen=True):
    """A line that is not the sender's own, or was not looked at."""

    line: str
    reason: str


class Explained(msgspec.Struct, frozen=True):
    """One mail as the host would see it. What a robot sent has own text, but none of it is read."""

    file: str
    sender: str
    sender_name: str
    subject: str
    identity: str
    """The verdict on the sender: ``pass``, ``fail`` or ``unknown``."""
    automatic: bool
    automatic_reason: str | None
    carries_token: bool
    """A reply address with a token; whether it is a right one only the host's secret can tell."""
    problem: str | None
    """Why nothing of the mail would be done."""
    caps: tuple[str, ...]
    """Limits beyond which it was not read."""
    own_text: tuple[str, ...]
    ignored: tuple[Ignored, ...]
    lines: tuple[Seen, ...]
    seconds: float


def explained(file: str, raw: bytes, sent: str | None = None, authserv_id: str = "") -> Explained:
    """The mail `raw`.

    `sent` is what the mail shows that it answers (`letters.shown_text`), where that is known; `authserv_id` the server
    whose Authentication-Results are to be believed.
    """
    installed = games()
    begun = time.perf_counter()
    letter = letters.read_letter(raw)
    own = letters.own_text(letter.body, sent)
    lines = () if letter.automatic or letter.problem else tuple(_until_a_fault(_seen(own, installed)))
    seconds = time.perf_counter() - begun
    return Explained(
        file=file,
        sender=letter.sender,
        sender_name=letter.sender_name,
        subject=letters.without_tokens(letter.subject),
        identity=sender_verdict(raw, authserv_id),
        automatic=letter.automatic is not None,
        automatic_reason=letter.automatic,
        carries_token=_carries_token(letter),
        problem=letter.problem,
        caps=tuple(letter.body.caps),
        own_text=own.own,
        ignored=tuple(Ignored(each.line, each.reason) for each in own.ignored),
        lines=tuple(map(_told, lines)),
        seconds=round(seconds, 6),
    )


def explain(
    files: Sequence[Path], *, as_json: bool, sent: Path | None = None, authserv_id: str = ""
) -> Iterator[str | Trouble]:
    """Each file as a text to print, in their order; a `Trouble` in the place of one that cannot be read."""
    shown = letters.shown_text(_bytes(sent)) if sent else None
    for file in files:
        try:
            found = explained(str(file), _bytes(file), shown, authserv_id)
        except Trouble as trouble:
            yield trouble
        else:
            yield msgspec.json.encode(found).decode() if as_json else for_people(found)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Trouble(f"{file} cannot be read: {error.strerror or error}", "Name a file that holds one mail") from error


def _carries_token(letter: Letter) -> bool:
    return any(letters.without_tokens(address) != address for address in letter.recipients)


# Lines


def _seen(own: OwnText, among: Mapping[str, AnyGame]) -> Iterator[Seen]:
    """The own lines in order. One that cannot be read, but can together with the next, was broken in two."""
    verbs = frozenset(verb for game in among.values() for verb in game.verbs())
    said = gathered(own.own, own.open_ends, own.adjoining)
    found = pieces(said.lines, verbs, said.open_ends, said.adjoining)
    index = 0
    while index < len(found):
        seen = _line(found[index], among, verbs)
        if seen.fault and found[index].open and index + 1 < len(found):
            whole = Piece(found[index].n, f"{found[index].text} {found[index + 1].text}")
            joined = _line(whole, among, verbs)
            if not joined.fault:
                seen, index = joined, index + 1
        yield seen
        index += 1


def readable(line: str) -> Kind | None:
    """What `line` is, a command or an order, if it can be understood somewhere and in some language; ``None`` for prose
    and for a fault."""
    installed = games()
    for language in LANGUAGES:
        verbs = frozenset(verb for game in installed.values() for verb in game.verbs(language))
        seen = _line(Piece(1, bare(line)), installed, verbs, language)
        if seen.kind in (Kind.COMMAND, Kind.ORDER) and seen.fault is None:
            return seen.kind
    return None


def _until_a_fault(lines: Iterable[Seen]) -> Iterator[Seen]:
    """A mail stops at its first fault; prose below it never runs anyway."""
    stopped = False
    for line in lines:
        yield msgspec.structs.replace(line, tried=line.kind is Kind.PROSE or not stopped)
        stopped |= line.fault is not None


def _line(piece: Piece, among: Mapping[str, AnyGame], verbs: frozenset[str], language: str = ENGLISH) -> Seen:
    found = looks(piece.text, verbs, language)
    plain = Seen(piece.n, piece.text, found.kind)
    if found.usage:
        return msgspec.structs.replace(plain, fault=Fault(Reason.USAGE, (found.usage,), {"usage": found.usage}))
    if found.near:
        return msgspec.structs.replace(plain, fault=Fault(Reason.UNKNOWN, found.near))
    if found.kind is Kind.COMMAND:
        return msgspec.structs.replace(plain, reading=_command(piece.text))
    return _order(plain, among, language) if found.kind is Kind.ORDER else plain


def _command(text: str) -> str:
    """A command with its own words in capitals."""
    own = grammar.words_in_front(text)
    return " ".join((text[:own].upper() + text[own:]).split())


def _order(line: Seen, among: Mapping[str, AnyGame], language: str) -> Seen:
    """The order as the first game understands it that can; the fault of the first one where none can."""
    read = [_of_game(line, game, language) for game in among.values() if is_order(line.text, game.verbs(language))]
    return next((each for each in read if not each.fault), read[0])


def _of_game(line: Seen, game: AnyGame, language: str) -> Seen:
    try:
        reading = _plan(parse(line.text, game.verbs(language)), game, language)
    except Unclear as unclear:
        return msgspec.structs.replace(line, fault=Fault(unclear.reason.value, (), dict(unclear.facts)))
    except Unreadable as unreadable:
        facts = msgspec.to_builtins(unreadable.facts)
        fault = Fault(unreadable.reason.value, tuple(facts.pop("near", ())), facts)
        return msgspec.structs.replace(line, game=game.name, fault=fault)
    return msgspec.structs.replace(line, game=game.name, reading=reading)


def _plan(said: PlanLine, game: AnyGame, language: str) -> str:
    """A line with its alternatives; what its conditions mean only a position tells."""
    outline: Callable[[str, str], str] = game.capabilities.get("outline", lambda text, _: _command(text))
    ways = " ELSE ".join(
        f"{_condition('IF', way.test)}{way.order if way.waits else outline(way.order, language)}" for way in said.ways
    )
    until = f" {_condition('UNTIL', said.until)}".rstrip() if said.until else ""
    round = "" if said.until or is_now(said.round) else said.round
    return headed(round, f"{ways}{until}", language).strip() or "THIS ROUND:"


def _condition(word: str, test: Test) -> str:
    """A condition as it is written, behind `word`; nothing where there is none."""
    terms = (term.text if term.wanted else f"NOT {term.text}" for term in test.terms)
    return f"{word} {(' AND ' if test.all else ' OR ').join(terms)} " if test.terms else ""


# Sentences


def _told(line: Seen) -> Seen:
    """The line with the sentence for its fault."""
    if line.fault is None:
        return line
    voice = _voice(line.game or "")
    facts = {**line.fault.facts, "near": line.fault.near}
    says = voice.say(f"{'game/' if line.game else ''}reasons.txt.j2", "why", line.fault.reason, facts, None)
    return msgspec.structs.replace(line, fault=msgspec.structs.replace(line.fault, says=says))


@cache
def _voice(game: str) -> Voice:
    from pbem.render.voice import Voice  # imported late: a mail without a fault needs no template

    return Voice(resource("templates"), games().get(game))


# The form for people


def for_people(found: Explained) -> str:
    """`found` as text for a terminal."""
    return "\n".join((found.file, *(f"  {line}" for line in _rows(found))))


def _rows(found: Explained) -> Iterator[str]:
    yield f"from       {found.sender or 'nobody'}{' (' + found.sender_name + ')' if found.sender_name else ''}"
    yield f"identity   {found.identity}{', with a reply token' if found.carries_token else ''}"
    yield f"automatic  {'yes: ' + found.automatic_reason if found.automatic_reason else 'no'}"
    if found.problem:
        yield f"problem    {found.problem}"
    yield from (f"not all    more than the cap on {cap}" for cap in found.caps)
    yield "own lines" if found.own_text else "own lines  none"
    unread = (f"  {n:3}  not read  {text}" for n, text in enumerate(found.own_text, 1))
    yield from map(_row, found.lines) if found.lines else unread
    if found.ignored:
        yield f"left out   {len(found.ignored)} lines"
        yield from _left_out(found.ignored)


def _row(line: Seen) -> str:
    told = line.fault.says if line.fault else line.reading or ""
    if not line.tried:
        told = f"not tried, since a line above cannot be read; it says: {told}"
    return f"  {line.n:3}  {line.kind:8}  {' '.join(line.text.split())}" + (f"\n{' ' * 19}-> {told}" if told else "")


def _left_out(ignored: Sequence[Ignored]) -> Iterator[str]:
    for reason in dict.fromkeys(each.reason for each in ignored):
        lines = [each.line for each in ignored if each.reason == reason]
        yield from (f"  {reason:13} {line}" for line in lines[:_SHOWN])
        if len(lines) > _SHOWN:
            yield f"  {reason:13} ... and {len(lines) - _SHOWN} more"
