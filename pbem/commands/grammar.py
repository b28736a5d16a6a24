"""The host's own words: from a line to a frozen command.

One compiled expression per command, in a table. A line that begins with a command's word and does not
fit is `Misused`, with the usage; a line that begins with none is no command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from pbem.commands.options import addresses, is_clear, is_playing, options
from pbem.commands.words import (
    ActAs,
    AddAddress,
    AddPhrase,
    Always,
    CancelPlan,
    ComeBack,
    Command,
    Confirm,
    ConfirmAddress,
    End,
    Export,
    Forget,
    Games,
    GoAway,
    Help,
    History,
    Invite,
    Join,
    Leave,
    LookUpCard,
    MainAddress,
    New,
    Pause,
    Register,
    RemoveAddress,
    ReplaceSeat,
    ResetToken,
    Resign,
    Resume,
    Rollback,
    Rules,
    SetCalendar,
    SetMachine,
    SetMails,
    SetZone,
    ShowPlan,
    Start,
    StartAgain,
    State,
    Stop,
    Try,
)
from pbem.names import folded
from pbem.table import Mails

__all__ = [
    "ANY_WORDS",
    "PROSE_TOO",
    "SPECS",
    "WORDS",
    "ActAs",
    "AddAddress",
    "AddPhrase",
    "Always",
    "CancelPlan",
    "ComeBack",
    "Command",
    "Confirm",
    "ConfirmAddress",
    "End",
    "Export",
    "Forget",
    "Games",
    "GoAway",
    "Groups",
    "Help",
    "History",
    "Invite",
    "Join",
    "Leave",
    "LookUpCard",
    "MainAddress",
    "Misused",
    "Need",
    "New",
    "Pause",
    "Register",
    "RemoveAddress",
    "ReplaceSeat",
    "ResetToken",
    "Resign",
    "Resume",
    "Rollback",
    "Rules",
    "SetCalendar",
    "SetMachine",
    "SetMails",
    "SetZone",
    "ShowPlan",
    "Spec",
    "Start",
    "StartAgain",
    "State",
    "Stop",
    "Try",
    "parse",
    "takes_any_words",
]


class Need(IntEnum):
    """What a sender must have proved for a command."""

    NOTHING = 0
    KNOWN = 1
    """His address is registered: he may ask."""
    TOKEN = 2
    """He answered one of his mails."""
    MODERATOR = 3
    """He answered the moderator's mail."""


@dataclass(frozen=True, slots=True)
class Misused:
    """A command's word in a line that does not fit; `usage` shows how it is written."""

    usage: str


Groups = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Spec:
    """How one command is written and what it needs."""

    usage: str
    pattern: re.Pattern[str]
    build: Callable[[Groups], Command]
    need: Need
    words: tuple[str, ...]
    """The words that a line of this command begins with."""


def _new(groups: Groups) -> New:
    rest = groups["rest"]
    return New(folded(groups["kind"]), options(rest), addresses(rest), is_playing(rest))


def _spec(usage: str, need: Need, pattern: str, build: Callable[[Groups], Command], *words: str) -> Spec:
    return Spec(usage, re.compile(rf"(?:{pattern})\s*[.!]?", re.IGNORECASE), build, need, words)


_DAY: Final = r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.?\s+[a-z]{3,9}\.?(?:\s+\d{4})?|today|tomorrow"
_TABLE: Final = r"(?P<table>[\w-]+-\d+)"
_CODE: Final = r"(?:\s+(?P<code>[a-z2-7]{5}))?"
"""What confirms a line that costs much; it comes with the answer to the line without it."""


def _address_spec(words: str, build: Callable[[str], Command]) -> Spec:
    """Two words and an address."""
    pattern = "\\s+".join(words.lower().split()) + r"\s+<?(?P<address>[^\s@<>]+@[^\s@<>]+?)>?"
    return _spec(f"{words} address", Need.TOKEN, pattern, lambda g: build(g["address"]), words.lower())


SPECS: Final[tuple[Spec, ...]] = (
    _spec(
        "REGISTER your name",
        Need.NOTHING,
        r"register(?:\s+(?:as\s+)?(?P<name>.+?))?",
        lambda g: Register(g["name"]),
        "register",
    ),
    _spec("CONFIRM", Need.TOKEN, r"confirm", lambda _: Confirm(), "confirm"),
    _spec(
        "NEW game [option=value ...] [address ...] [NOT PLAYING]",
        Need.TOKEN,
        r"new\s+(?P<kind>[\w-]+)\b(?P<rest>.*?)",
        _new,
        "new",
    ),
    _spec(
        "JOIN table [AS name]",
        Need.TOKEN,
        rf"join(?:\s+{_TABLE})?(?:\s+(?:as\s+)?(?P<name>\D.*?))?",
        lambda g: Join(g["table"], g["name"]),
        "join",
    ),
    _spec(
        "LEAVE [table]",
        Need.TOKEN,
        rf"leave(?:\s+{_TABLE})?{_CODE}",
        lambda g: Leave(g["table"], g["code"]),
        "leave",
    ),
    _spec(
        "RESIGN [table] [code]",
        Need.TOKEN,
        rf"resign(?:\s+{_TABLE})?{_CODE}",
        lambda g: Resign(g["table"], g["code"]),
        "resign",
    ),
    _address_spec("ADD ADDRESS", AddAddress),
    _spec(
        "CONFIRM ADDRESS code",
        Need.NOTHING,
        r"confirm\s+address\s+(?P<code>[a-z2-7]{10})",
        lambda g: ConfirmAddress(g["code"]),
        "confirm address",
    ),
    _address_spec("REMOVE ADDRESS", RemoveAddress),
    _address_spec("MAIN ADDRESS", MainAddress),
    _spec("RESET TOKEN", Need.TOKEN, r"reset\s+tokens?", lambda _: ResetToken(), "reset token", "reset tokens"),
    _spec("START [table]", Need.TOKEN, rf"start(?:\s+{_TABLE})?", lambda g: Start(g["table"]), "start"),
    _spec("GAMES", Need.KNOWN, r"games", lambda _: Games(), "games"),
    _spec("STATUS [table]", Need.KNOWN, rf"status(?:\s+{_TABLE})?", lambda g: State(g["table"]), "status"),
    _spec("RESEND [table]", Need.KNOWN, rf"resend(?:\s+{_TABLE})?", lambda g: State(g["table"]), "resend"),
    _spec("HISTORY [table]", Need.KNOWN, rf"history(?:\s+{_TABLE})?", lambda g: History(g["table"]), "history"),
    _spec(
        "HELP [topic]",
        Need.NOTHING,
        r"(?:help|\?)(?:\s+(?P<topic>\w[\w -]*))?",
        lambda g: Help(folded(g["topic"])),
        "help",
        "?",
    ),
    _spec(
        "RULES [topic]",
        Need.KNOWN,
        r"rules?(?:\s+(?P<topic>\w[\w -]*))?",
        lambda g: Rules(folded(g["topic"])),
        "rules",
        "rule",
    ),
    _spec("CARD name", Need.KNOWN, r"cards?\s+(?P<name>.+?)", lambda g: LookUpCard(g["name"]), "card", "cards"),
    _spec(
        "TIMEZONE Europe/Brussels",
        Need.TOKEN,
        r"time\s?zone\s+(?P<zone>[\w/+-][\w/+ -]*)",
        lambda g: SetZone(g["zone"].strip()),
        "timezone",
        "time zone",
    ),
    _spec(
        "MAILS ALL, MAILS TURN or MAILS DAILY",
        Need.TOKEN,
        r"mails?\s+(?P<choice>all|turn|daily)",
        lambda g: SetMails(Mails(folded(g["choice"]))),
        "mails",
        "mail",
    ),
    _spec(
        "MACHINE ON or MACHINE OFF",
        Need.TOKEN,
        r"machine(?:\s+(?P<on>on|off))?",
        lambda g: SetMachine(folded(g["on"]) != "off"),
        "machine",
    ),
    _spec(
        "CALENDAR ON or CALENDAR OFF",
        Need.TOKEN,
        r"calendar(?:\s+(?P<on>on|off))?",
        lambda g: SetCalendar(folded(g["on"]) != "off"),
        "calendar",
    ),
    _spec(
        "AWAY FROM 2026-12-24 TO 2027-01-02",
        Need.TOKEN,
        rf"away\s+(?:until|till|to)\s+(?P<until>{_DAY})|"
        rf"away\s+(?:from\s+)?(?P<begins>{_DAY})\s*(?:\s(?:until|till|to)\s|-+|\.\.)\s*(?P<ends>{_DAY})",
        lambda g: GoAway(g["begins"], g["ends"] or g["until"]),
        "away",
    ),
    _spec("BACK", Need.TOKEN, r"back", lambda _: ComeBack(), "back"),
    _spec("PHRASE any words", Need.TOKEN, r"phrase\s+(?P<words>\S.*?)", lambda g: AddPhrase(g["words"]), "phrase"),
    _spec("PLAN", Need.KNOWN, r"plans?", lambda _: ShowPlan(), "plan", "plans"),
    _spec(
        "CANCEL PLAN, CANCEL 2 or CANCEL ALWAYS",
        Need.TOKEN,
        r"cancel\s+(?:plans?|(?:plan\s+)?(?P<number>\d{1,3})|(?P<standing>always))",
        lambda g: CancelPlan(int(g["number"] or 0), bool(g["standing"])),
        "cancel",
    ),
    _spec("ALWAYS choice", Need.TOKEN, r"always\s+(?P<choice>\S.*?)", lambda g: Always(g["choice"]), "always"),
    _spec("TRY order", Need.KNOWN, r"try\s+(?P<order>\S.*?)", lambda g: Try(g["order"]), "try"),
    _spec(
        "INVITE address ...",
        Need.MODERATOR,
        r"invite\s+(?P<addresses>.*@.*?)",
        lambda g: Invite(addresses(g["addresses"])),
        "invite",
    ),
    _spec(
        "ACT AS name: order",
        Need.MODERATOR,
        r"act\s+as\s+(?P<name>[^:]+?)\s*:\s*(?P<order>\S.*?)",
        lambda g: ActAs(g["name"], g["order"]),
        "act as",
    ),
    _spec(
        "REPLACE name address",
        Need.MODERATOR,
        r"replace\s+(?P<name>.+?)\s+(?:(?:with|by)\s+)?<?(?P<address>[^\s@<>]+@[^\s@<>]+)>?",
        lambda g: ReplaceSeat(g["name"], g["address"]),
        "replace",
    ),
    _spec(
        "ROLLBACK [number of moves]",
        Need.MODERATOR,
        r"roll\s?back(?:\s+(?P<count>\d{1,4}))?",
        lambda g: Rollback(int(g["count"] or 1)),
        "rollback",
        "roll back",
    ),
    _spec("PAUSE", Need.MODERATOR, r"pause", lambda _: Pause(), "pause"),
    _spec("RESUME", Need.MODERATOR, r"resume", lambda _: Resume(), "resume"),
    _spec("END [code]", Need.MODERATOR, rf"end{_CODE}", lambda g: End(g["code"]), "end"),
    _spec("STOP", Need.NOTHING, r"stop|unsubscribe", lambda _: Stop(), "stop", "unsubscribe"),
    _spec("START AGAIN", Need.NOTHING, r"start\s+again", lambda _: StartAgain(), "start again"),
    _spec("EXPORT ME", Need.TOKEN, r"export\s+me", lambda _: Export(), "export me"),
    _spec(
        "FORGET ME [code word]",
        Need.TOKEN,
        r"forget\s+me(?:\s+(?P<code>\w+))?",
        lambda g: Forget(g["code"]),
        "forget me",
    ),
)

_BY_WORD: Final = {word: spec for spec in SPECS for word in spec.words}
WORDS: Final = frozenset(_BY_WORD)
"""Every word, folded, that a command begins with."""


PROSE_TOO: Final = frozenset({"back"})
"""Words that many a sentence begins with: a line that does not fit is none of ours."""
ANY_WORDS: Final = frozenset({"phrase", "act as", "try"})
"""Commands that take whatever follows, semicolons too."""


def takes_any_words(line: str) -> bool:
    """Whether `line` is a command that takes any words to its end."""
    spec = _spec_of(line)
    return spec is not None and not ANY_WORDS.isdisjoint(spec.words)


def _spec_of(line: str) -> Spec | None:
    words = folded(line).replace(":", " ").split()
    if not words:
        return None
    first = words[0].rstrip(".!,")
    return _BY_WORD.get(" ".join(words[:2])) or _BY_WORD.get(first)


def parse(line: str) -> tuple[Command, Need] | Misused | None:
    """The command that `line` is, with what it needs; ``None`` for a line of another kind.

    A remark behind ``#`` is ignored, as in orders; not in what may hold one (a phrase).
    """
    spec = _spec_of(line)
    if spec is None:
        return None
    text = line if "phrase" in spec.words else line.split(" #", 1)[0]
    match = spec.pattern.fullmatch(text.strip())
    if match is None and not PROSE_TOO.isdisjoint(spec.words):
        return None
    if match is None or ("new" in spec.words and not is_clear(match["rest"])):
        return Misused(spec.usage)
    groups: dict[str, Any] = {name: value or "" for name, value in match.groupdict().items()}
    return spec.build(groups), spec.need
