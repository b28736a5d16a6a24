"""The moderator's words. Each may give its reason: ``PAUSE because Anna is ill``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from pbem.commands.spec import CODE, Groups, Need, Spec, spec
from pbem.lengths import LENGTH, length
from pbem.wording import level, meant, number

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
NONE: Final = "none"
"""Instead of a time: no deadline."""

_PHASE: Final = r"(?:%round\s+)?(?P<round>\d{1,3})\s*,?\s*(?P<phase>[^\W\d_]+)"
_OPTION: Final = re.compile(r"([a-z.-]+)\s*=\s*([^\s,]+)", re.IGNORECASE)
_SPOKEN: Final = r"\s*:?\s+(?P<words>\S.*?)"


def span(text: str) -> timedelta:
    """``24h``, ``3 days``, ``90 min`` as a time span; `text` has that form."""
    found = length(text)
    assert found is not None
    return found.time


def _whom(name: str) -> str:
    """`name`, or `ALL` however that is written."""
    return ALL if meant(name, ALL) else name


def _when(text: str) -> str:
    return NONE if meant(text, NONE) else level(text)


def _reasoned(key: str, rest: str, build: Callable[[Groups], Moderating], *opens: str) -> Spec[Moderating]:
    """A command that may end in its reason."""

    def with_reason(groups: Groups) -> Moderating:
        return replace(build(groups), why=" ".join(groups["why"].split()))

    because = r"(?:\s*,?\s+%because(?:\s*:\s*|\s+)(?P<why>\S.*?))?"
    return spec(key, Need.MODERATOR, rf"(?:{rest}){because}", with_reason, *opens)


def _plain(key: str, rest: str, build: Callable[[Groups], Moderating], *opens: str) -> Spec[Moderating]:
    return spec(key, Need.MODERATOR, rest, build, *opens)


SPECS: Final[tuple[Spec[Moderating] | Spec[ListNotes], ...]] = (
    _plain("preview", r"\s*:?\s+(?P<line>\S.*?)", lambda g: Preview(g["line"])),
    _reasoned("pause", "", lambda _: Pause()),
    _reasoned("resume", "", lambda _: Resume()),
    _reasoned(
        "deadline",
        rf"\s+(?P<name>.+?)\s+(?P<when>%none|{LENGTH}|\d{{4}}-\d\d-\d\d(?:[\sT]+\d?\d:\d\d)?|\d?\d:\d\d)",
        lambda g: SetDeadline(_whom(g["name"]), _when(g["when"])),
    ),
    _reasoned(
        "extend",
        rf"(?:\s+(?P<name>\D.*?))??\s+(?:%by\s+)?(?P<span>{LENGTH})",
        lambda g: Extend(_whom(g["name"] or ALL), span(g["span"])),
    ),
    _reasoned("process", rf"\s+{_PHASE}", lambda g: Process(number(g["round"]), g["phase"].lower())),
    _reasoned("excuse", r"\s+(?P<name>.+?)", lambda g: Excuse(_whom(g["name"]))),
    _reasoned("skip", r"\s+(?P<name>.+?)", lambda g: Skip(_whom(g["name"]))),
    _reasoned("act_as", r"\s+(?P<name>[^:]+?)\s*:\s*(?P<order>\S.*?)", lambda g: ActAs(g["name"], g["order"])),
    _reasoned(
        "replace",
        r"\s+(?P<name>.+?)\s+(?:%by\s+)?<?(?P<address>[^\s@<>]+@[^\s@<>]+?)>?",
        lambda g: ReplaceSeat(g["name"], g["address"]),
    ),
    _reasoned("eject", r"\s+(?P<name>.+?)", lambda g: Eject(g["name"])),
    _reasoned(
        "bot",
        r"\s+(?P<name>.+?)(?:\s+(?P<on>%on|%off))?",
        lambda g: LetBotPlay(g["name"], meant(g["on"], "on", "off") != "off"),
    ),
    _reasoned("open", r"\s+(?P<name>.+?)", lambda g: OpenSeat(g["name"])),
    _reasoned("swap", r"\s+(?P<one>.+?)\s+%and\s+(?P<other>.+?)", lambda g: Swap(g["one"], g["other"])),
    _reasoned("reset_token_of", r"\s+(?:%of\s+)?(?P<name>.+?)", lambda g: ResetToken(g["name"]), "reset_token"),
    _reasoned("rollback", r"(?:\s+(?P<count>\d{1,4})(?:\s+%moves)?)?", lambda g: Rollback(number(g["count"] or "1"))),
    _reasoned(
        "rollback_to",
        rf"\s+%to\s+{_PHASE}",
        lambda g: RollbackTo(number(g["round"]), g["phase"].lower()),
        "rollback",
    ),
    _reasoned("rollforward", "", lambda _: Rollforward()),
    _reasoned("correct", r"\s*:?\s+(?P<change>\S.*?)", lambda g: Correct(g["change"])),
    _reasoned("clone", r"(?P<bots>\s+%with_bots)?", lambda g: Clone(bool(g["bots"]))),
    _plain("announce", _SPOKEN, lambda g: Announce(g["words"])),
    _plain("ruling", _SPOKEN, lambda g: Rule(g["words"])),
    _plain("note", _SPOKEN, lambda g: Note(g["words"])),
    spec("notes", Need.MODERATOR, "", lambda _: ListNotes()),
    _plain("resend_to", r"\s+(?:%to\s+)?(?P<name>\S.*?)", lambda g: ResendTo(g["name"]), "resend"),
    _reasoned(
        "options",
        r"\s+(?P<rest>\S+\s*=.*?)",
        lambda g: SetOptions(tuple((name.lower(), value.lower()) for name, value in _OPTION.findall(g["rest"]))),
    ),
    _reasoned("rename", r"\s+(?P<name>.+?)\s+%becomes\s+(?P<new>\S.*?)", lambda g: Rename(g["name"], g["new"])),
    _reasoned("promote", r"\s+(?P<name>.+?)", lambda g: Promote(g["name"])),
    _reasoned("demote", r"\s+(?P<name>.+?)", lambda g: Demote(g["name"])),
    _reasoned("transfer", r"\s+(?:%to\s+)?(?P<name>.+?)", lambda g: Transfer(g["name"])),
    _reasoned(
        "end",
        rf"(?:\s+(?P<scored>%with_result)|\s+(?P<sealed>%sealed))?{CODE}",
        lambda g: End(bool(g["scored"]), bool(g["sealed"]), g["code"]),
    ),
    _reasoned("reveal", "", lambda _: Reveal()),
)
