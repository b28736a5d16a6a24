"""The host's own words: from a line to a frozen command.

One compiled expression per command, in a table; which words they are written with, in each language, stands in
`pbem.wording`. A line that begins with a command's word and does not fit is `Misused`, with the usage; a line that
begins with none is no command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from pbem.ballot import Motion
from pbem.commands import overriding
from pbem.commands.opening import Opening, all_beginnings, beginnings, keys_of, opening
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
    Examples,
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
    SetLanguage,
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
from pbem.days import DAY as _DAY
from pbem.days import DAY_OF_MONTH as _DAY_OF_MONTH
from pbem.names import folded
from pbem.press import Delivery
from pbem.table import Mails
from pbem.tongues import ENGLISH
from pbem.wording import expression, level, meant, number, usage

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
    "Examples",
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
    "SetLanguage",
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


def _practice(key: str) -> Spec[Practice]:
    """A game at once: which one may be said, and options."""
    return _spec(
        key,
        Need.TOKEN,
        r"(?:\s+(?P<kind>[a-z][\w-]*)(?![\w.-]*\s*=))?(?P<rest>(?:\s+[\w.-]+\s*=\s*\S+)*)",
        lambda g: Practice(folded(g["kind"]), options(g["rest"]), key == "solo"),
    )


_SPOKEN: Final = r"\s*(?P<words>(?s:\S.*))"
"""Words to the end of the line, or of the lines that were made one (`pbem.spoken`)."""
_OF_TABLE: Final = rf"(?:\s+{_TABLE})?"
_SWITCH: Final = r"(?P<on>%on|%off)"


def _address_spec(key: str, build: Callable[[str], Command]) -> Spec[Command]:
    """A command about an address."""
    return _spec(key, Need.TOKEN, r"\s+<?(?P<address>[^\s@<>]+@[^\s@<>]+?)>?", lambda g: build(g["address"]))


def _is_on(groups: Groups) -> bool:
    """Whether a switch is to be on, also where that is left out."""
    return meant(groups["on"], "on", "off") != "off"


SPECS: Final[tuple[Spec[Any], ...]] = (
    _spec("register", Need.NOTHING, r"(?:\s+(?:%as\s+)?(?P<name>.+?))?", lambda g: Register(g["name"])),
    _spec("confirm", Need.TOKEN, "", lambda _: Confirm()),
    _spec("new", Need.TOKEN, r"\s+(?P<kind>[\w-]+)\b(?P<rest>.*?)", _new),
    _practice("practice"),
    _practice("solo"),
    _spec(
        "join",
        Need.TOKEN,
        rf"{_OF_TABLE}(?:\s+(?:%as\s+)?(?P<name>\D.*?))?",
        lambda g: Join(g["table"], g["name"]),
    ),
    _spec("leave", Need.TOKEN, rf"{_OF_TABLE}{_CODE}", lambda g: Leave(g["table"], g["code"])),
    _spec("resign", Need.TOKEN, rf"{_OF_TABLE}{_CODE}", lambda g: Resign(g["table"], g["code"])),
    _address_spec("add_address", AddAddress),
    _spec("confirm_address", Need.NOTHING, r"\s+(?P<code>[a-z2-7]{10})", lambda g: ConfirmAddress(g["code"])),
    _address_spec("remove_address", RemoveAddress),
    _address_spec("main_address", MainAddress),
    _spec("reset_token", Need.TOKEN, "", lambda _: ResetToken()),
    _spec("start", Need.TOKEN, _OF_TABLE, lambda g: Start(g["table"])),
    _spec("rematch", Need.TOKEN, _OF_TABLE, lambda g: Rematch(g["table"])),
    _spec("games", Need.KNOWN, "", lambda _: Games()),
    _spec("status", Need.KNOWN, _OF_TABLE, lambda g: State(g["table"])),
    _spec("resend", Need.KNOWN, _OF_TABLE, lambda g: State(g["table"])),
    _spec("history", Need.KNOWN, _OF_TABLE, lambda g: History(g["table"])),
    _spec("who", Need.KNOWN, rf"(?:\s+(?:%at\s+)?{_TABLE})?", lambda g: Who(g["table"])),
    _spec("examples", Need.NOTHING, "", lambda _: Examples()),
    _spec("help", Need.NOTHING, r"(?:\s+(?P<topic>\w[\w '-]*?))?", lambda g: Help(folded(g["topic"]))),
    _spec("rules", Need.KNOWN, r"(?:\s+(?P<topic>\w[\w '-]*?))?", lambda g: Rules(folded(g["topic"]))),
    _spec("card", Need.KNOWN, r"\s+(?P<name>.+?)", lambda g: LookUpCard(g["name"])),
    _spec("timezone", Need.TOKEN, r"\s+(?P<zone>[\w/+-][\w/+ -]*)", lambda g: SetZone(g["zone"].strip())),
    _spec(
        "language",
        Need.TOKEN,
        r"\s+(?P<language>[^\W\d_][\w()-]*(?:\s+[\w()-]+)?)",
        lambda g: SetLanguage(g["language"]),
    ),
    _spec(
        "mails",
        Need.TOKEN,
        r"\s+(?P<choice>%all|%turn|%daily)",
        lambda g: SetMails(Mails(meant(g["choice"], *Mails))),
    ),
    _spec(
        "mails_form",
        Need.TOKEN,
        r"\s+(?P<form>%text|%short|%html)",
        lambda g: SetForm(meant(g["form"], "text", "short", "html")),
        "mails",
    ),
    _spec("pictures", Need.TOKEN, rf"\s+{_SWITCH}", lambda g: SetPictures(_is_on(g))),
    _spec("guide", Need.TOKEN, rf"\s+{_SWITCH}", lambda g: SetGuide(_is_on(g))),
    _spec("machine", Need.TOKEN, rf"(?:\s+{_SWITCH})?", lambda g: SetMachine(_is_on(g))),
    _spec("calendar", Need.TOKEN, rf"(?:\s+{_SWITCH})?", lambda g: SetCalendar(_is_on(g))),
    _spec(
        "away",
        Need.TOKEN,
        rf"\s+(?:%until\s+(?P<until>{_DAY})|"
        rf"(?:%from\s+)?(?P<begins>{_DAY}|{_DAY_OF_MONTH})(?:\s+%until\s+|\s*(?:-+|\.\.)\s*)(?P<ends>{_DAY}))"
        r"(?P<bot>\s+%with_bot)?",
        lambda g: GoAway(g["begins"], g["ends"] or g["until"], bool(g["bot"])),
    ),
    _spec("back", Need.TOKEN, "", lambda _: ComeBack()),
    _spec("phrase", Need.TOKEN, r"\s+(?P<words>\S.*?)", lambda g: AddPhrase(g["words"])),
    _spec("plan", Need.KNOWN, "", lambda _: ShowPlan()),
    _spec(
        "cancel",
        Need.TOKEN,
        r"\s+(?:%plan|(?:%plan\s+)?(?P<number>\d{1,3})|(?P<standing>%always))",
        lambda g: CancelPlan(number(g["number"] or "0"), bool(g["standing"])),
    ),
    _spec(
        "digest",
        Need.TOKEN,
        rf"\s+(?:{_SWITCH}|%daily\s+(?:%at_time\s+)?(?P<at>\d{{1,2}}(?:[:.h]\d{{2}}|h)?)(?:\s*%oclock)?)",
        lambda g: SetDigest(_is_on(g), level(g["at"])),
    ),
    _spec("say", Need.TOKEN, rf"(?:\s*:|\s+){_SPOKEN}", lambda g: Say(g["words"])),
    _spec(
        "tell",
        Need.TOKEN,
        rf"\s+(?P<names>[^:\n]{{1,200}}?)\s*:{_SPOKEN}",
        lambda g: Tell(g["names"], g["words"]),
    ),
    _spec(
        "press",
        Need.TOKEN,
        r"\s+(?P<delivery>%now|%next)",
        lambda g: SetPress(Delivery(meant(g["delivery"], *Delivery))),
    ),
    _spec("game", Need.TOKEN, rf"\s+{_TABLE}:?", lambda g: AboutGame(g["table"].lower())),
    _spec("undo", Need.TOKEN, "", lambda _: Undo()),
    _spec("always", Need.TOKEN, r"\s+(?P<choice>\S.*?)", lambda g: Always(g["choice"])),
    _spec("try", Need.KNOWN, r"\s+(?P<order>\S.*?)", lambda g: Try(g["order"])),
    _spec("invite", Need.MODERATOR, r"\s+(?P<addresses>.*@.*?)", lambda g: Invite(addresses(g["addresses"]))),
    _spec("stop", Need.NOTHING, "", lambda _: Stop()),
    _spec("start_again", Need.NOTHING, "", lambda _: StartAgain()),
    _spec("export", Need.TOKEN, "", lambda _: Export()),
    _spec("forget", Need.TOKEN, r"(?:\s+(?P<code>\w+))?", lambda g: Forget(g["code"])),
    _spec(
        "vote",
        Need.TOKEN,
        r"\s+(?:(?P<plain>%end|%abort)|(?P<about>%replace|%moderator)\s+(?P<name>\S.*?))",
        lambda g: Vote(Motion(meant(g["plain"] or g["about"], *Motion)), g["name"]),
    ),
    _spec("unvote", Need.TOKEN, "", lambda _: Unvote(), "unvote", "vote"),
    _spec("watch", Need.TOKEN, rf"\s+{_TABLE}", lambda g: Watch(g["table"])),
    _spec("unwatch", Need.TOKEN, _OF_TABLE, lambda g: Unwatch(g["table"])),
    *overriding.SPECS,
)

_BY_KEY: Final[Mapping[str, tuple[Spec[Any], ...]]] = {
    key: tuple(each for each in SPECS if key in each.opens) for key in sorted({k for s in SPECS for k in s.opens})
}
"""Several commands may begin with the same word: the first that fits is meant."""
WORDS: Final = all_beginnings()
"""Every phrase of any language, folded, that a command begins with."""


SPEECH: Final = frozenset({"say", "tell"})
"""Commands whose words go to other players."""
PROSE_TOO: Final = frozenset({"back", "game", "guide", *SPEECH, "press", "watch", "who"})
"""Commands whose words many a sentence begins with: a line that does not fit is none of ours."""
ANY_WORDS: Final = frozenset({"phrase", "act_as", "try", *SPEECH, *overriding.SPOKEN})
"""Commands that take whatever follows, semicolons too."""
HASH_TOO: Final = frozenset({"phrase", *SPEECH, *overriding.SPOKEN})
"""Commands in which a # is no remark."""
FREE: Final = ("words", "name", "line", "one")
"""Parts of a command that take any words."""
_BECAUSE: Final = re.compile(expression(r"\s+%because\s+"))


def says(line: str, language: str = ENGLISH) -> bool:
    """Whether `line` brings words for other players, in which nothing else is looked for."""
    return not SPEECH.isdisjoint(_keys(line, language))


def takes_any_words(line: str, language: str = ENGLISH) -> bool:
    """Whether `line` is a command that takes any words to its end, a reason among them."""
    keys = _keys(line, language)
    return bool(keys) and (_BECAUSE.search(level(line).split(";")[0]) is not None or not ANY_WORDS.isdisjoint(keys))


def words_in_front(line: str, language: str = ENGLISH) -> int:
    """How many signs of `line` are the words that its command begins with."""
    begun = opening(line, language)
    return begun.end if begun else 0


@cache
def offered(language: str) -> frozenset[str]:
    """What a misspelt word may have been meant for: the words of `language` and English, but for those of sentences."""
    return frozenset(each for each in beginnings(language) if PROSE_TOO.isdisjoint(keys_of(each, language)))


def _keys(line: str, language: str) -> tuple[str, ...]:
    begun = opening(line, language)
    return begun.keys if begun else ()


def parse(line: str, language: str = ENGLISH) -> tuple[Command, Need] | Misused | None:
    """The command that `line` is, with what it needs; ``None`` for a line of another kind.

    Words of all languages are understood; what one means in several is taken as in the writer's own `language`, which
    also shows him how a command is written. A remark behind ``#`` is ignored, as in orders; not in what may hold one
    (a phrase).
    """
    begun = opening(line, language)
    specs = [each for key in begun.keys for each in _BY_KEY.get(key, ())] if begun else []
    if begun is None or not specs:
        return None
    for each in specs:
        found = _fitted(each, line, begun)
        if found is not None:
            return found
    if not PROSE_TOO.isdisjoint(begun.keys) or not begun.loud or not begun.parted:
        return None
    return Misused(usage(specs[0].key, language), specs[0].need)


def _fitted(each: Spec[Any], line: str, begun: Opening) -> tuple[Command, Need] | None:
    """`line` as the command `each`. Where any words follow what a sentence may begin with, it is a sentence."""
    text = line if not HASH_TOO.isdisjoint(each.opens) else line.split(" #", 1)[0]
    match = each.match(level(text), begun.end)
    if match is None:
        return None
    spans = {name: match.span(name) for name in match.groupdict()}
    groups = {name: text[start:end] if start >= 0 else "" for name, (start, end) in spans.items()}
    at_once = len(text) - len(text[begun.end :].lstrip())
    if not begun.loud and any(spans.get(name, (-1,))[0] == at_once for name in FREE):
        return None
    if "new" in each.opens and not is_clear(groups["rest"]):
        return None
    return each.build(groups), each.need
