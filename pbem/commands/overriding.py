"""The moderator's words. Each may give its reason: ``PAUSE because Anna is ill``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from pbem.commands.spec import CODE, Groups, Need, Spec, spec

ALL: Final = "all"
"""Instead of a name: whoever is awaited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moderating:
    """Something that only a moderator may say."""

    why: str = ""
    """His reason, in his own words."""


@dataclass(frozen=True, slots=True)
class Preview(Moderating):
    """What the other line would do; nothing is done."""

    line: str


@dataclass(frozen=True, slots=True)
class Pause(Moderating):
    pass


@dataclass(frozen=True, slots=True)
class Resume(Moderating):
    pass


@dataclass(frozen=True, slots=True)
class End(Moderating):
    scored: bool = False
    """With the result that the game has now; else without one."""
    sealed: bool = False
    """Its secret and its hands stay closed, until `Reveal`."""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Reveal(Moderating):
    """Lay open a game that was ended sealed."""


@dataclass(frozen=True, slots=True)
class SetDeadline(Moderating):
    name: str
    when: str


@dataclass(frozen=True, slots=True)
class Extend(Moderating):
    name: str
    by: timedelta


@dataclass(frozen=True, slots=True)
class Process(Moderating):
    """Do for everybody awaited what a missed deadline does, if the game stands where the sender means."""

    round: int
    phase: str


@dataclass(frozen=True, slots=True)
class Excuse(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class Skip(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class ActAs(Moderating):
    name: str
    order: str


@dataclass(frozen=True, slots=True)
class ReplaceSeat(Moderating):
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Eject(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class LetBotPlay(Moderating):
    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class OpenSeat(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class Swap(Moderating):
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class ResetToken(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class Rollback(Moderating):
    count: int


@dataclass(frozen=True, slots=True)
class RollbackTo(Moderating):
    round: int
    phase: str


@dataclass(frozen=True, slots=True)
class Rollforward(Moderating):
    pass


@dataclass(frozen=True, slots=True)
class Correct(Moderating):
    change: str


@dataclass(frozen=True, slots=True)
class Clone(Moderating):
    """A trial copy."""

    bots: bool = False
    """Bots play it to its end; else the moderator moves for all seats."""


@dataclass(frozen=True, slots=True)
class Announce(Moderating):
    words: str


@dataclass(frozen=True, slots=True)
class Rule(Moderating):
    words: str


@dataclass(frozen=True, slots=True)
class Note(Moderating):
    """For the moderators alone."""

    words: str


@dataclass(frozen=True, slots=True)
class ListNotes:
    """All that the moderators have noted."""


@dataclass(frozen=True, slots=True)
class ResendTo(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class SetOptions(Moderating):
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rename(Moderating):
    name: str
    """Of a player, or of the table."""
    new: str


@dataclass(frozen=True, slots=True)
class Transfer(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class Promote(Moderating):
    name: str


@dataclass(frozen=True, slots=True)
class Demote(Moderating):
    name: str


SPOKEN: Final = frozenset({"announce", "ruling", "note"})
"""Commands whose words are the moderator's own to their end."""

_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SPAN: Final = r"\d{1,4}\s*(?:m|min|minutes?|h|hours?|d|days?|w|weeks?)"
_PHASE: Final = r"(?:round\s+)?(?P<round>\d{1,3})\s*,?\s*(?P<phase>[a-z]+)"
_OPTION: Final = re.compile(r"([a-z.-]+)\s*=\s*([^\s,]+)", re.IGNORECASE)


def span(text: str) -> timedelta:
    """``24h``, ``3 days``, ``90 min`` as a time span; `text` has that form."""
    number, unit = re.findall(r"\d+|[a-z]+", text.lower())
    return timedelta(**{_UNITS[unit[0]]: int(number)})


def _reasoned(usage: str, pattern: str, build: Callable[[Groups], Moderating], *words: str) -> Spec[Moderating]:
    """A command that may end in its reason."""

    def with_reason(groups: Groups) -> Moderating:
        return replace(build(groups), why=" ".join(groups["why"].split()))

    because = r"(?:\s*,?\s+because\s*:?\s+(?P<why>\S.*?))?"
    return spec(usage, Need.MODERATOR, rf"(?:{pattern}){because}", with_reason, *words)


def _plain(usage: str, pattern: str, build: Callable[[Groups], Moderating], *words: str) -> Spec[Moderating]:
    return spec(usage, Need.MODERATOR, pattern, build, *words)


SPECS: Final[tuple[Spec[Moderating] | Spec[ListNotes], ...]] = (
    _plain("PREVIEW line", r"preview\s*:?\s+(?P<line>\S.*?)", lambda g: Preview(g["line"]), "preview"),
    _reasoned("PAUSE [because reason]", r"pause", lambda _: Pause(), "pause"),
    _reasoned("RESUME [because reason]", r"resume", lambda _: Resume(), "resume"),
    _reasoned(
        "DEADLINE name or ALL, and a time",
        rf"deadline\s+(?P<name>.+?)\s+(?P<when>none|{_SPAN}|\d{{4}}-\d\d-\d\d(?:[\sT]+\d?\d:\d\d)?|\d?\d:\d\d)",
        lambda g: SetDeadline(g["name"], g["when"]),
        "deadline",
    ),
    _reasoned(
        "EXTEND ALL BY 24h or EXTEND name BY 24h",
        rf"extend(?:\s+(?P<name>\D.*?))??\s+(?:by\s+)?(?P<span>{_SPAN})",
        lambda g: Extend(g["name"] or ALL, span(g["span"])),
        "extend",
    ),
    _reasoned(
        "PROCESS 3 night (round and phase)",
        rf"process\s+{_PHASE}",
        lambda g: Process(int(g["round"]), g["phase"].lower()),
        "process",
    ),
    _reasoned("EXCUSE name", r"excuse\s+(?P<name>.+?)", lambda g: Excuse(g["name"]), "excuse"),
    _reasoned("SKIP name", r"skip\s+(?P<name>.+?)", lambda g: Skip(g["name"]), "skip"),
    _reasoned(
        "ACT AS name: order",
        r"act\s+as\s+(?P<name>[^:]+?)\s*:\s*(?P<order>\S.*?)",
        lambda g: ActAs(g["name"], g["order"]),
        "act as",
    ),
    _reasoned(
        "REPLACE name address",
        r"replace\s+(?P<name>.+?)\s+(?:(?:with|by)\s+)?<?(?P<address>[^\s@<>]+@[^\s@<>]+?)>?",
        lambda g: ReplaceSeat(g["name"], g["address"]),
        "replace",
    ),
    _reasoned("EJECT name", r"eject\s+(?P<name>.+?)", lambda g: Eject(g["name"]), "eject"),
    _reasoned(
        "BOT name [level or OFF]",
        r"bot\s+(?P<name>.+?)(?:\s+(?P<on>on|off))?",
        lambda g: LetBotPlay(g["name"], g["on"].lower() != "off"),
        "bot",
    ),
    _reasoned("OPEN name", r"open\s+(?P<name>.+?)", lambda g: OpenSeat(g["name"]), "open"),
    _reasoned(
        "SWAP name AND name",
        r"swap\s+(?P<one>.+?)\s+(?:and|with)\s+(?P<other>.+?)",
        lambda g: Swap(g["one"], g["other"]),
        "swap",
    ),
    _reasoned(
        "RESET TOKEN name", r"reset\s+token\s+(?:of\s+)?(?P<name>.+?)", lambda g: ResetToken(g["name"]), "reset token"
    ),
    _reasoned(
        "ROLLBACK [number of moves], or ROLLBACK TO 3 night",
        r"roll\s?back(?:\s+(?P<count>\d{1,4})(?:\s+moves?)?)?",
        lambda g: Rollback(int(g["count"] or 1)),
        "rollback",
        "roll back",
    ),
    _reasoned(
        "ROLLBACK TO 3 night (round and phase)",
        rf"roll\s?back\s+to\s+{_PHASE}",
        lambda g: RollbackTo(int(g["round"]), g["phase"].lower()),
        "rollback",
        "roll back",
    ),
    _reasoned("ROLLFORWARD", r"roll\s?forward", lambda _: Rollforward(), "rollforward", "roll forward"),
    _reasoned("CORRECT change", r"correct\s*:?\s+(?P<change>\S.*?)", lambda g: Correct(g["change"]), "correct"),
    _reasoned("CLONE [WITH BOTS]", r"clone(?P<bots>\s+with\s+bots)?", lambda g: Clone(bool(g["bots"])), "clone"),
    _plain("ANNOUNCE any words", r"announce\s*:?\s+(?P<words>\S.*?)", lambda g: Announce(g["words"]), "announce"),
    _plain("RULING any words", r"ruling\s*:?\s+(?P<words>\S.*?)", lambda g: Rule(g["words"]), "ruling"),
    _plain("NOTE any words", r"note\s*:?\s+(?P<words>\S.*?)", lambda g: Note(g["words"]), "note"),
    spec("NOTES", Need.MODERATOR, r"notes", lambda _: ListNotes(), "notes"),
    _plain("RESEND name", r"resend\s+(?:to\s+)?(?P<name>\S.*?)", lambda g: ResendTo(g["name"]), "resend"),
    _reasoned(
        "OPTIONS option=value ...",
        r"options?\s+(?P<rest>\S+\s*=.*?)",
        lambda g: SetOptions(tuple((name.lower(), value.lower()) for name, value in _OPTION.findall(g["rest"]))),
        "options",
        "option",
    ),
    _reasoned(
        "RENAME name or GAME TO another name",
        r"rename\s+(?P<name>.+?)\s+(?:to|as)\s+(?P<new>\S.*?)",
        lambda g: Rename(g["name"], g["new"]),
        "rename",
    ),
    _reasoned("PROMOTE name or address", r"promote\s+(?P<name>.+?)", lambda g: Promote(g["name"]), "promote"),
    _reasoned("DEMOTE name or address", r"demote\s+(?P<name>.+?)", lambda g: Demote(g["name"]), "demote"),
    _reasoned("TRANSFER name", r"transfer\s+(?:to\s+)?(?P<name>.+?)", lambda g: Transfer(g["name"]), "transfer"),
    _reasoned(
        "END [WITH RESULT or SEALED] [code]",
        rf"end(?:\s+(?P<scored>with\s+(?:a\s+)?result)|\s+(?P<sealed>sealed))?{CODE}",
        lambda g: End(bool(g["scored"]), bool(g["sealed"]), g["code"]),
        "end",
    ),
    _reasoned("REVEAL", r"reveal", lambda _: Reveal(), "reveal"),
)
