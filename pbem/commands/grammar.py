"""The host's own words: from a line to a frozen command.

One compiled expression per command, in a table. A line that begins with a command's word and does not
fit is `Misused`, with the usage; a line that begins with none is no command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.ballot import Motion
from pbem.commands import overriding
from pbem.commands.options import addresses, is_clear, is_playing, options
from pbem.commands.overriding import End
from pbem.commands.spec import CODE as _CODE
from pbem.commands.spec import TABLE as _TABLE
from pbem.commands.spec import Groups, Misused, Need, Spec
from pbem.commands.spec import spec as _spec
from pbem.commands.words import (
    AboutGame,
    AddAddress,
    AddPhrase,
    Always,
    CancelPlan,
    ComeBack,
    Command,
    Confirm,
    ConfirmAddress,
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
    Practice,
    Register,
    Rematch,
    RemoveAddress,
    ResetToken,
    Resign,
    Rules,
    Say,
    SetCalendar,
    SetDigest,
    SetForm,
    SetGuide,
    SetMachine,
    SetMails,
    SetPictures,
    SetPress,
    SetZone,
    ShowPlan,
    Start,
    StartAgain,
    State,
    Stop,
    Tell,
    Try,
    Undo,
    Unvote,
    Unwatch,
    Vote,
    Watch,
    Who,
)
from pbem.names import folded
from pbem.press import Delivery
from pbem.table import Mails
from pbem.times import WEEKDAYS

__all__ = [
    "ANY_WORDS",
    "PROSE_TOO",
    "SPECS",
    "WORDS",
    "AboutGame",
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
    "Practice",
    "Register",
    "Rematch",
    "RemoveAddress",
    "ResetToken",
    "Resign",
    "Rules",
    "Say",
    "SetCalendar",
    "SetDigest",
    "SetForm",
    "SetGuide",
    "SetMachine",
    "SetMails",
    "SetPictures",
    "SetPress",
    "SetZone",
    "ShowPlan",
    "Spec",
    "Start",
    "StartAgain",
    "State",
    "Stop",
    "Tell",
    "Try",
    "Undo",
    "Unvote",
    "Unwatch",
    "Vote",
    "Watch",
    "Who",
    "parse",
    "takes_any_words",
]


def _new(groups: Groups) -> New:
    rest = groups["rest"]
    return New(folded(groups["kind"]), options(rest), addresses(rest), is_playing(rest))


def _practice(words: str, pattern: str, *first: str) -> Spec[Practice]:
    """A game at once: which one may be said, and options."""
    return _spec(
        f"{words} [game] [option=value ...]",
        Need.TOKEN,
        rf"new\s+{pattern}(?:\s+(?P<kind>[a-z][\w-]*)(?![\w.-]*\s*=))?(?P<rest>(?:\s+[\w.-]+\s*=\s*\S+)*)",
        lambda g: Practice(folded(g["kind"]), options(g["rest"]), words == "NEW SOLO"),
        *first,
    )


_WEEKDAY: Final = rf"(?:{'|'.join(day[:3] for day in WEEKDAYS)})[a-z]*"
_DAY: Final = rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}\.?\s+[a-z]{{3,9}}\.?(?:\s+\d{{4}})?|today|tomorrow|{_WEEKDAY}"


_SPOKEN: Final = r"\s*(?P<words>(?s:\S.*))"
"""Words to the end of the line, or of the lines that were made one (`pbem.spoken`)."""


def _address_spec(words: str, build: Callable[[str], Command]) -> Spec[Command]:
    """Two words and an address."""
    pattern = "\\s+".join(words.lower().split()) + r"\s+<?(?P<address>[^\s@<>]+@[^\s@<>]+?)>?"
    return _spec(f"{words} address", Need.TOKEN, pattern, lambda g: build(g["address"]), words.lower())


SPECS: Final[tuple[Spec[Any], ...]] = (
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
    _practice("NEW PRACTICE", r"practi[cs]e", "new practice", "new practise"),
    _practice("NEW SOLO", r"solo", "new solo"),
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
    _spec("REMATCH [table]", Need.TOKEN, rf"rematch(?:\s+{_TABLE})?", lambda g: Rematch(g["table"]), "rematch"),
    _spec("GAMES", Need.KNOWN, r"games", lambda _: Games(), "games"),
    _spec("STATUS [table]", Need.KNOWN, rf"status(?:\s+{_TABLE})?", lambda g: State(g["table"]), "status"),
    _spec("RESEND [table]", Need.KNOWN, rf"resend(?:\s+{_TABLE})?", lambda g: State(g["table"]), "resend"),
    _spec("HISTORY [table]", Need.KNOWN, rf"history(?:\s+{_TABLE})?", lambda g: History(g["table"]), "history"),
    _spec(
        "WHO [table]",
        Need.KNOWN,
        rf"who(?:(?:\s+is|['\u2019]s)\s+(?:awaited|next|missing))?(?:\s+(?:(?:at|in)\s+)?{_TABLE})?",
        lambda g: Who(g["table"]),
        "who",
        "who's",
        "who\u2019s",
    ),
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
        "MAILS TEXT or MAILS HTML",
        Need.TOKEN,
        r"mails?\s+(?P<form>(?:plain\s+)?text|html)",
        lambda g: SetForm(folded(g["form"]) != "html"),
        "mails",
        "mail",
    ),
    _spec(
        "PICTURES ON or PICTURES OFF",
        Need.TOKEN,
        r"pictures?\s+(?P<on>on|off)",
        lambda g: SetPictures(folded(g["on"]) != "off"),
        "pictures",
        "picture",
    ),
    _spec(
        "GUIDE ON or GUIDE OFF",
        Need.TOKEN,
        r"guide\s+(?P<on>on|off)",
        lambda g: SetGuide(folded(g["on"]) != "off"),
        "guide",
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
        "AWAY UNTIL Friday or AWAY FROM 2026-12-24 TO 2027-01-02 [WITH BOT]",
        Need.TOKEN,
        rf"away\s+(?:(?:until|till|to)\s+(?P<until>{_DAY})|"
        rf"(?:from\s+)?(?P<begins>{_DAY})\s*(?:\s(?:until|till|to)\s|-+|\.\.)\s*(?P<ends>{_DAY}))"
        r"(?P<bot>\s+with\s+(?:a\s+)?bot)?",
        lambda g: GoAway(g["begins"], g["ends"] or g["until"], bool(g["bot"])),
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
    _spec(
        "DIGEST ON, DIGEST OFF or DIGEST DAILY 18:00",
        Need.TOKEN,
        r"digest\s+(?:(?P<on>on|off)|daily\s+(?:at\s+)?(?P<at>\d{1,2}(?:[:.h]\d{2})?))",
        lambda g: SetDigest(folded(g["on"]) != "off", g["at"]),
        "digest",
    ),
    _spec("SAY any words", Need.TOKEN, rf"say(?:\s*:|\s){_SPOKEN}", lambda g: Say(g["words"]), "say"),
    _spec(
        "TELL name, name: any words",
        Need.TOKEN,
        rf"tell\s+(?P<names>[^:\n]{{1,200}}?)\s*:{_SPOKEN}",
        lambda g: Tell(g["names"], g["words"]),
        "tell",
    ),
    _spec(
        "PRESS NOW or PRESS NEXT",
        Need.TOKEN,
        r"press\s+(?P<delivery>now|next)",
        lambda g: SetPress(Delivery(folded(g["delivery"]))),
        "press",
    ),
    _spec("GAME table", Need.TOKEN, rf"game\s+{_TABLE}:?", lambda g: AboutGame(g["table"].lower()), "game"),
    _spec("UNDO", Need.TOKEN, r"undo", lambda _: Undo(), "undo"),
    _spec("ALWAYS choice", Need.TOKEN, r"always\s+(?P<choice>\S.*?)", lambda g: Always(g["choice"]), "always"),
    _spec("TRY order", Need.KNOWN, r"try\s+(?P<order>\S.*?)", lambda g: Try(g["order"]), "try"),
    _spec(
        "INVITE address ...",
        Need.MODERATOR,
        r"invite\s+(?P<addresses>.*@.*?)",
        lambda g: Invite(addresses(g["addresses"])),
        "invite",
    ),
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
    _spec(
        "VOTE END, VOTE ABORT, VOTE REPLACE name or VOTE MODERATOR name",
        Need.TOKEN,
        r"vote\s+(?:(?P<plain>end|abort)|(?P<about>replace|moderator)\s+(?P<name>\S.*?))",
        lambda g: Vote(Motion(folded(g["plain"] or g["about"])), g["name"]),
        "vote",
    ),
    _spec("UNVOTE", Need.TOKEN, r"unvote|vote", lambda _: Unvote(), "unvote", "vote"),
    _spec("WATCH table", Need.TOKEN, rf"watch\s+{_TABLE}", lambda g: Watch(g["table"]), "watch"),
    _spec("UNWATCH [table]", Need.TOKEN, rf"unwatch(?:\s+{_TABLE})?", lambda g: Unwatch(g["table"]), "unwatch"),
    *overriding.SPECS,
)

_BY_WORD: Final[Mapping[str, tuple[Spec[Any], ...]]] = {
    word: tuple(each for each in SPECS if word in each.words) for word in sorted({w for s in SPECS for w in s.words})
}
"""Several commands may begin with the same word: the first that fits is meant."""
WORDS: Final = frozenset(_BY_WORD)
"""Every word, folded, that a command begins with."""


SPEECH: Final = frozenset({"say", "tell"})
"""Commands whose words go to other players."""
PROSE_TOO: Final = frozenset({"back", "game", "guide", *SPEECH, "press", "watch", "who"})
"""Words that many a sentence begins with: a line that does not fit is none of ours."""
ANY_WORDS: Final = frozenset({"phrase", "act as", "try", *SPEECH, *overriding.SPOKEN})
"""Commands that take whatever follows, semicolons too."""
HASH_TOO: Final = frozenset({"phrase", *SPEECH, *overriding.SPOKEN})
"""Commands in which a # is no remark."""


def says(line: str) -> bool:
    """Whether `line` brings words for other players, in which nothing else is looked for."""
    return any(not SPEECH.isdisjoint(each.words) for each in _specs_of(line))


def takes_any_words(line: str) -> bool:
    """Whether `line` is a command that takes any words to its end, a reason among them."""
    reason = " because " in folded(line.split(";")[0])
    return any(reason or not ANY_WORDS.isdisjoint(each.words) for each in _specs_of(line))


def _specs_of(line: str) -> tuple[Spec[Any], ...]:
    words = folded(line).replace(":", " ").split()
    if not words:
        return ()
    first = words[0].rstrip(".!,?") or words[0]
    return _BY_WORD.get(" ".join(words[:2])) or _BY_WORD.get(first) or ()


def parse(line: str) -> tuple[Command, Need] | Misused | None:
    """The command that `line` is, with what it needs; ``None`` for a line of another kind.

    A remark behind ``#`` is ignored, as in orders; not in what may hold one (a phrase).
    """
    specs = _specs_of(line)
    for each in specs:
        text = line if not HASH_TOO.isdisjoint(each.words) else line.split(" #", 1)[0]
        match = each.pattern.fullmatch(text.strip())
        if match is not None and ("new" not in each.words or is_clear(match["rest"])):
            groups: dict[str, Any] = {name: value or "" for name, value in match.groupdict().items()}
            return each.build(groups), each.need
    if not specs or not PROSE_TOO.isdisjoint(specs[0].words):
        return None
    return Misused(specs[0].usage, specs[0].need)
