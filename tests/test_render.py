"""How mails read: whole ones as files, and every sentence that the host can say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bloody_inn import GAME
from engine.record import By, Move, Override, Verb
from pbem.ballot import Motion
from pbem.clock import MISSED
from pbem.commands.grammar import SPECS
from pbem.commands.spec import Spec
from pbem.commands.timing import facts_of
from pbem.files import resource
from pbem.filters import width
from pbem.parties import Notice, Party, Role
from pbem.render import HELP_TOPICS, Rendered, Renderer, machine
from pbem.render.scene import Summary, summary
from pbem.schedule import NO_DEADLINE, Missed, Quiet, Schedule, Span
from pbem.settle import Announced, Telling
from pbem.table import Chair, Mails, Person, Status, Table
from pbem.verdicts import Line, Reason, Said, Source, Verdict
from tests.desk.sitting import ANNA, NOW, PLAYERS, Sitting, open_table
from tests.mails import FOLDER, RENDERER, SCENES, TWO_DAYS, as_text, at_night, facts, of_seat, played, written

TEMPLATES = resource("templates")
EVIL = "<b>Eve</b>"
TOKEN = "abcdefghijklmnopqrst"

BUSY = Schedule(
    time=Span(days=2),
    by_kind={"lodge": Span(seconds=7200), "pay": None},
    off=(5, 6),
    quiet=Quiet(22 * 60, 8 * 60),
    at=18 * 60,
    grace=timedelta(hours=2),
    remind=(timedelta(hours=24), timedelta(hours=6)),
    bank=timedelta(hours=24),
    zone="Europe/Brussels",
    missed=Missed.MODERATOR,
)
"""Everything that a schedule can say."""
RUNNING = [["inn-7", "2026-12-24T18:00:00+00:00"]]
AWAY = {"begins": "2026-12-24T00:00:00+00:00", "ends": "2027-01-03T00:00:00+00:00"}
EXAMPLES = {"orders": ["BRIBE baron"], "plans": ["PASS UNTIL CASH >= 10"], "conditions": [], "choices": ["PAY CHECKS"]}
REFERRED = {"game": "inn-7", "name": EVIL, "misses": 2, "until": "2026-12-24T18:00:00+00:00"}
TABLE_FACTS: dict[str, Any] = {
    "game": "inn-7",
    "title": "The Bloody Inn",
    "options": {"length": "long"},
    "usual": True,
    "seated": ["Anna", EVIL],
    "places": 4,
    "allowed": [1, 2, 3, 4],
    "moderator": "Modi",
    "commitment": "c0" * 32,
    "chosen": True,
    "clock": facts_of(Schedule(time=Span(days=2))),
}
PHRASES = {"phrases": [["Anna", "rain in May"], [EVIL, "&amp;"]]}
SEAT_FACTS: dict[str, Any] = {"game": "inn-7", "title": "The Bloody Inn", "moderator": "Modi", "seat": 2}
LISTED: dict[str, Any] = {
    "name": "inn-7",
    "title": "The Bloody Inn",
    "status": "running",
    "seated": [EVIL],
    "places": 4,
    "moderator": "Modi",
    "mine": True,
    "watched": False,
    "watchable": True,
    "round": 3,
    "free": 1,
    "pace": "2 days",
}

TIME = "2026-12-03T18:00:00+00:00"
PLACE = {"round": 3, "phase": "night"}
ROLLED: dict[str, Any] = {"moves": 1, "before": PLACE, "after": PLACE, "deals": 0, "seen": []}
INFOS: dict[str, list[dict[str, Any]]] = {
    "always": [{"choice": "LODGE ANY"}, {"choice": "LODGE 3", "replaces": "LODGE ANY"}],
    "away": [
        {**AWAY, "replaces": True, "running": RUNNING, "bot": True},
        {**AWAY, "replaces": False, "running": []},
        {**AWAY, "replaces": True, "running": RUNNING},
    ],
    "back": [{"was_away": True, "running": RUNNING}, {"was_away": False, "running": []}],
    "calendar": [{"on": True}, {"on": False}],
    "press": [{"choice": "now"}, {"choice": "next"}],
    "said": [
        {"names": ["Bob", EVIL], "private": False, "at": NOW.isoformat(), "withheld": True, "unclosed": True},
        {"names": [EVIL], "private": True, "at": "", "withheld": False, "unclosed": False},
    ],
    "again": [{}],
    "again_asked": [{}],
    "acted": [{"name": EVIL, "order": "PASS"}],
    "digest": [{"way": way, "at": "18:00", "next": "2026-12-03T17:00:00+00:00"} for way in ("on", "off", "daily")],
    "cancelled": [{"lines": ["PASS", EVIL]}, {"lines": []}],
    "card_list": [{"kind": GAME.name, "keys": ["monk", "baron"]}],
    "confirm": [{"name": EVIL}, {"name": EVIL, "practice": True}],
    "confirmed": [{"name": EVIL}],
    "end_asked": [{"game": "inn-7", "code": "K7Q2M", "late": late, "sealed": late} for late in (False, True)],
    "ended": [{"scored": False}, {"scored": True}, {"scored": False, "sealed": True}],
    "export": [{}],
    "forget": [{"code": "WINTER"}],
    "forgotten": [{}],
    "watching": [{"game": "inn-7", "begun": begun, "mails": each.value} for each in Mails for begun in (True, False)],
    "unwatched": [{"game": "inn-7"}],
    "games": [{"games": [LISTED], "kinds": []}, {"games": [], "kinds": [{"name": "x", "title": "X", "seats": [2]}]}],
    "examples": [{"examples": {}, "title": "X"}, {"examples": EXAMPLES, "title": "X"}],
    "help": [
        *({"topic": topic} for topic in ("", "nonsense", EVIL, *HELP_TOPICS)),
        *(
            {"topic": "", "practice": True, "newcomer": new, "closed": closed}
            for new in (True, False)
            for closed in (True, False)
        ),
    ],
    "practice": [{**TABLE_FACTS, **PHRASES, "welcome": new} for new in (True, False)],
    "history": [{"game": "inn-7"}],
    "invited": [{"addresses": ["eve@example.org"], **TABLE_FACTS}],
    "joined": [{"name": EVIL, **TABLE_FACTS}],
    "left": [{"name": EVIL, **TABLE_FACTS}],
    "costly": [
        {"word": word, "game": "inn-7", "code": "K7Q2M", "late": late}
        for word in ("RESIGN", "END")
        for late in (True, False)
    ],
    "resigned": [{"game": "inn-7", "alone": alone} for alone in (True, False)],
    "address_asked": [{"address": "anna@work.example"}],
    "address_added": [{"address": "anna@work.example", "main": "anna@example.org"}],
    "address_removed": [{"address": "anna@work.example"}],
    "transfer_offered": [{"address": "dora@example.org"}],
    "moderates": [{"game": "inn-7"}],
    "address_main": [{"address": "anna@work.example"}],
    "reset": [{"games": []}, {"games": ["inn-7", "inn-8"]}],
    "lookup": [{"kind": GAME.name, "what": "card", "key": "monk"}, {"kind": GAME.name, "what": "rules", "key": "kill"}],
    "machine": [{"on": True, "game": "inn-7"}, {"on": False, "game": "inn-7"}],
    "mails": [{"choice": "all"}, {"choice": "turn"}, {"choice": "daily"}],
    "new": [
        {"invited": ["eve@example.org"], **TABLE_FACTS},
        {"invited": [], **TABLE_FACTS, "clock": facts_of(BUSY)},
        {"invited": [], **TABLE_FACTS, "clock": facts_of(NO_DEADLINE)},
    ],
    "paused": [{}],
    "phrase": [{"phrase": EVIL, "game": "inn-7"}],
    "plan": [{"lines": ["PASS", EVIL]}, {"lines": []}],
    "replaced": [{"name": EVIL, "address": "e@x.org", "waits": waits} for waits in (True, False)],
    "resumed": [{}],
    "rolled_back": [ROLLED, ROLLED | {"moves": 2, "deals": 2, "seen": [EVIL, "Bob"]}, ROLLED | {"after": {}}],
    "rolled_forward": [{"before": PLACE, "after": PLACE}],
    "skipped": [{"names": [EVIL, "Bob"]}],
    "deadlines": [{"times": [[EVIL, "", TIME], ["Bob", TIME, ""]]}],
    "excused": [{"name": EVIL, "left": left} for left in (0, 1, 2)],
    "options_set": [{"changed": [["time", "2 days", "none"]]}, {"changed": []}],
    "ejected": [{"name": EVIL, "empty": empty} for empty in (True, False)],
    "bot": [{"name": EVIL, "on": True, "level": EVIL}, {"name": EVIL, "on": False, "level": ""}],
    "bot_seated": [{"name": EVIL, **TABLE_FACTS}],
    "opened": [{"name": EVIL, "game": "inn-7"}],
    "swapped": [{"seated": [EVIL, "Bob"]}],
    "token_reset": [{"name": EVIL}],
    "corrected": [{}],
    "announced": [{"count": 1}, {"count": 3}],
    "ruled": [{}],
    "resent": [{"name": EVIL}],
    "transferred": [{"name": EVIL}],
    "undone": [{}],
    "voted": [
        {"motion": motion.value, "about": EVIL, "missing": missing, "cast": 1}
        for motion in Motion
        for missing in (0, 1, 2)
    ],
    "unvoted": [{"there": there} for there in (True, False)],
    "revealed": [{"game": "inn-7"}],
    "renamed": [{"before": EVIL, "after": EVIL}],
    "labelled": [{"game": "inn-7", "before": "", "after": EVIL}, {"game": "inn-7", "before": EVIL, "after": ""}],
    "promoted": [{"name": EVIL}],
    "promotion_offered": [{"address": "dora@example.org"}],
    "demoted": [{"name": EVIL}],
    "cloned": [{"game": "inn-7-trial-9"}],
    "noted": [{}],
    "notes": [
        {"game": "inn-7", "notes": [["2026-12-01T10:00:00+00:00", name, EVIL] for name in names]}
        for names in (("", "Modi"), ())
    ],
    "preview": [
        ROLLED | {"shown": "rolled_back", "stops": False, "awaited": [EVIL]},
        {"shown": "paused", "stops": True, "awaited": []},
    ],
    "preview_act": [{"name": EVIL}],
    "rules_list": [{"kind": GAME.name, "keys": ["kill", "bury"]}],
    "started": [{**TABLE_FACTS, **PHRASES}],
    "state": [{"game": "inn-7"}],
    "stop_asked": [{}],
    "stopped": [{"games": []}, {"games": ["inn-7", "inn-8"]}],
    "table": [TABLE_FACTS, {**TABLE_FACTS, "chosen": False}],
    "taken_over": [{"name": EVIL, **TABLE_FACTS}],
    "without_look_up": [{"title": "Choices"}],
    "rematch": [{"missing": [EVIL], **TABLE_FACTS}, {"missing": [], **TABLE_FACTS}],
    "form": [{"plain": plain, "brief": brief} for plain, brief in ((True, True), (True, False), (False, False))],
    "pictures": [{"on": on, "plain": plain} for on in (True, False) for plain in (True, False)],
    "language": [{}],
    "guide": [{"on": False, "there": True}, {"on": True, "there": True}, {"on": True, "there": False}],
    "who": [{"game": "inn-7"}],
    "zone": [{"zone": "Europe/Brussels"}],
}
NOTICES: dict[str, dict[str, Any]] = {
    "announcement": {"moderator": EVIL, "words": EVIL},
    "press": {"by": EVIL, "private": True, "also": [EVIL, "Bob"], "lines": [EVIL, "", "LODGE 1", "=" * 90]},
    "locked": {"contact": "keeper@example.org", "why": EVIL},
    "player-locked": {"name": EVIL, "game": "inn-7"},
    "handed-over": {"game": "inn-7", "name": EVIL},
    "moderation-offered": {"game": "inn-7", "title": "The Bloody Inn", "moderator": EVIL},
    "handed": {"game": "inn-7", "title": "The Bloody Inn", "old": EVIL},
    "overruled": {"game": "inn-7", "by": EVIL, "line": f"PAUSE because {EVIL}"},
    "promoted": {"game": "inn-7", "title": "The Bloody Inn"},
    "promotion-offered": {"game": "inn-7", "title": "The Bloody Inn", "moderator": EVIL},
    "cloned": {"game": "inn-7-trial-9", "of": "inn-7", "title": "The Bloody Inn", "bots": False},
    "resent": {"game": "inn-7"},
    "swapped": {"game": "inn-7", "moderator": EVIL, "why": EVIL, "seated": [EVIL, "Bob"]},
    "token": {"game": "inn-7"},
    "tried": {"game": "inn-7", "moderator": EVIL, "order": EVIL},
    "unwatched": {"game": "inn-7"},
    "voted": {"name": EVIL, "motion": "replace", "about": "Bob", "missing": 1, "cast": 1},
    "admitted": {"host": "Play by email"},
    "closed": {"game": "inn-7"},
    "ended": {"game": "inn-7"},
    "failed": {"name": EVIL, "game": "inn-7"},
    "fallen": {"game": "inn-7", "name": EVIL, "free": True},
    "invitation": TABLE_FACTS,
    "joined": {"name": EVIL, **TABLE_FACTS},
    "left": {"name": EVIL, **TABLE_FACTS},
    "resigned": {"name": EVIL, "game": "inn-7"},
    "new_address": {"game": "inn-7"},
    "robot": {"name": EVIL, "game": "inn-7"},
    "confirm_address": {"name": EVIL, "code": "K7Q2MK7Q2M"},
    "missed": {"order": "PASS", "misses": 3, "skipped": True, "bot": False},
    "moderating": {**TABLE_FACTS, **PHRASES},
    "outage": {"game": "inn-7", "lost": "3 hours"},
    "referred": REFERRED,
    "reminder": {"last": False, "missed": "moderator"},
    "seat-offered": SEAT_FACTS,
    "seated": SEAT_FACTS,
    "started": {**TABLE_FACTS, **PHRASES},
    "stopped": {"name": EVIL, "game": "inn-7"},
    "unreachable": {"name": EVIL, "game": "inn-7"},
    "unseated": SEAT_FACTS | {"voted": True},
    "vacant": {"game": "inn-7", "name": EVIL, "free": True, "until": NOW.isoformat()},
    "waiting": REFERRED,
    "rematch": {"game": "inn-7", "new": "inn-8", "name": EVIL},
    "rematch-moderated": {"game": "inn-7", "new": "inn-8", "name": EVIL},
    "welcome": {"name": EVIL, "kinds": [GAME.name], "practice": True},
}
REASON_FACTS: dict[Reason, dict[str, Any]] = {
    Reason.TOO_MANY_MAILS: {"limit": "300", "again": NOW.isoformat()},
    Reason.TOO_MANY_GAMES: {"limit": 20, "games": ["inn-1", "inn-2"]},
    Reason.NO_PRESS: {"game": "inn-7"},
    Reason.NOBODY_LISTENS: {"game": "inn-7"},
    Reason.CANNOT_BE_TOLD: {"name": EVIL},
    Reason.TOO_MUCH_PRESS: {"characters": 2001, "lines": 1, "most_characters": 2000, "most_lines": 40},
    Reason.PRESS_SPENT: {"limit": 20},
    Reason.ADDRESS_ASKED: {"address": "anna@work.example"},
    Reason.CONDITION_AMBIGUOUS: {"condition": EVIL, "readings": ["Ann KILLED", "Anne KILLED"]},
    Reason.NOT_SO: {"condition": "POLICE AND CASH >= 10"},
    Reason.ROUND_PAST: {"round": "2"},
    Reason.NO_PLAN: {"number": 3, "there": 1},
    Reason.TOO_MANY_PLANS: {"most": 100},
    Reason.NOTHING_TO_ROLL_FORWARD: {"game": "inn-7"},
    Reason.NO_SUCH_PHASE: PLACE,
    Reason.OTHER_PHASE: PLACE,
    Reason.NO_DEADLINE: {"game": "inn-7"},
    Reason.NOT_ASKED: {"game": "inn-7"},
    Reason.NO_MISS: {"name": EVIL},
    Reason.BAD_TIME: {"time": EVIL},
    Reason.NO_PLAYER: {"name": EVIL},
    Reason.NO_BOTS: {"title": EVIL},
    Reason.PLAYED_ALREADY: {"name": EVIL, "bot": True},
    Reason.FREE_ALREADY: {"name": EVIL},
    Reason.NO_CORRECTIONS: {"title": EVIL},
    Reason.CORRECTION: {"usage": ["CASH name francs"]},
    Reason.NO_RESULT: {"title": EVIL},
    Reason.MODERATES_ALREADY: {"name": EVIL},
    Reason.NO_VOTE: {"motion": "replace"},
    Reason.NO_WATCHERS: {"game": "inn-7"},
    Reason.NOT_WATCHING: {"game": "inn-7"},
    Reason.ONLY_WATCHING: {"game": "inn-7"},
    Reason.MODERATOR_THERE: {"name": EVIL, "days": 3},
    Reason.NOT_PROMOTED: {"name": EVIL},
    Reason.NO_TRIALS: {"title": "Choices"},
    Reason.REPEATED: {"at": "2026-12-01T10:00:00+00:00"},
    Reason.USAGE: {"usage": "JOIN table [AS name]"},
    Reason.NOT_PLAYING: {"game": "inn-7"},
    Reason.NOT_MODERATOR: {"game": "inn-7", "own": False, "moderator": "Modi"},
    Reason.NOT_RUNNING: {"game": "inn-7", "status": "over"},
    Reason.NOT_AHEAD: {"kind": "act"},
    Reason.NO_GAME: {"game": EVIL},
    Reason.WHICH_GAME: {"game": ""},
    Reason.NO_KIND: {"kind": EVIL},
    Reason.BAD_OPTION: {"option": EVIL, "value": "5", "allowed": ["1", "2"]},
    Reason.BAD_ADDRESS: {"address": EVIL},
    Reason.NAME_BAD: {"name": EVIL},
    Reason.NAME_MISSING: {"usage": "JOIN inn-7 AS Anna"},
    Reason.NAME_TAKEN: {"name": EVIL},
    Reason.NAME_RESERVED: {"name": EVIL},
    Reason.NAME_UNCLEAR: {"name": EVIL},
    Reason.ALREADY_REGISTERED: {"name": EVIL},
    Reason.TABLE_FULL: {"game": "inn-7"},
    Reason.SEAT_GONE: {"game": "inn-7"},
    Reason.ALREADY_SEATED: {"game": "inn-7"},
    Reason.NOT_SEATED: {"game": "inn-7"},
    Reason.NOT_INVITED: {"game": "inn-7"},
    Reason.STARTED: {"game": "inn-7"},
    Reason.NOT_OVER: {"game": "inn-7"},
    Reason.SEATS: {"seated": 1, "allowed": [2, 3, 4]},
    Reason.BAD_ZONE: {"zone": EVIL},
    Reason.BAD_LANGUAGE: {"language": EVIL},
    Reason.NO_SEAT: {"name": EVIL, "names": ["Anna", "Bob"]},
    Reason.NOTHING_TO_ROLL_BACK: {"asked": 5, "there": 1},
    Reason.OTHER_GAME: {"game": "inn-8"},
    Reason.NOTHING_TO_UNDO: {"moderator": "Modi", "own": False, "hold": True},
    Reason.NOT_AWAITED: {"name": "Anna", "kind": "act"},
    Reason.WANTS_NO_MAIL: {"address": EVIL},
    Reason.ALREADY_INVITED: {"address": EVIL},
    Reason.TOO_MANY_TODAY: {"limit": 20, "there": 19},
    Reason.TOO_MANY_OPEN: {"limit": 40, "there": 40},
    Reason.ABSENCE_TOO_LONG: {"days": 60},
    Reason.STILL_PLAYING: {"games": ["inn-7"]},
    Reason.ADDRESS_TAKEN: {"address": "anna@work.example"},
    Reason.ADDRESS_UNKNOWN: {"address": "anna@work.example", "addresses": ["anna@home.example"]},
    Reason.TOO_MANY_ADDRESSES: {"limit": 5},
    Reason.ACT_REFUSED: {"name": "Anna", "why": "not-in-hand"},
}


class Reader(HTMLParser):
    """Collects the text of a page and what is wrong with its tags."""

    VOID = frozenset({"meta", "br", "img", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.faults += [
            f"{tag} {name}" for name, value in attrs if name.startswith("on") or "javascript" in (value or "")
        ]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def seen(html: str) -> str:
    """The text of a page, with every run of white space as one space; its tags must fit."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert (reader.faults, reader.open) == ([], [])
    return " ".join(" ".join(reader.words).split())


def squeezed(text: str) -> str:
    """Letters and digits alone: text and HTML break, indent and capitalize differently."""
    return re.sub(r"[\W_]+", "", text).casefold()


def checked(rendered: Rendered) -> Rendered:
    """A mail that breaks none of the rules of form."""
    assert [line for line in rendered.text.splitlines() if width(line) > 72] == []
    assert rendered.text.endswith("\n")
    assert "\n\n\n" not in rendered.text
    assert "\n" not in rendered.subject
    for word in ("None", "undefined", "Undefined", "{{", "{%", "[]", "()"):
        assert word not in rendered.text + rendered.subject
    assert "<b>Eve" not in rendered.html
    seen(rendered.html)
    return rendered


def to_anna(**telling: Any) -> Telling:
    return Telling(to=Party(Role.SEAT, ANNA.address, ANNA, "inn-7", 1), **telling)


def answered(table: Table | None, *lines: Line, **verdict: Any) -> Rendered:
    telling = to_anna(verdicts=(Verdict(lines, received_at=NOW, **verdict),))
    if table is None:
        telling = replace(telling, to=Party(Role.PERSON, ANNA.address, ANNA))
    return checked(written(telling, table).rendered)


def said(rendered: Rendered, sentence: str) -> bool:
    """Whether text and HTML both say it."""
    wanted = squeezed(sentence)
    return wanted in squeezed(rendered.text) and wanted in squeezed(seen(rendered.html))


@pytest.fixture(scope="module")
def night() -> Table:
    return at_night().table


def test_an_editor_of_templates_leaves_nothing_out() -> None:
    """Each template of an answer or a notice has its facts above, and the other way round."""
    infos = {path.name.removesuffix(".txt.j2") for path in (TEMPLATES / "info").iterdir()}
    topics = {f"help_{topic}" for topic in HELP_TOPICS}
    assert infos == set(INFOS) - {"lookup"} | topics
    assert {path.name.removesuffix(".txt.j2") for path in (TEMPLATES / "notices").iterdir()} == set(NOTICES)


@pytest.mark.parametrize("name", SCENES)
def test_a_whole_mail_reads_as_it_is_committed(name: str) -> None:
    rendered = checked(SCENES[name]().rendered)
    assert as_text(rendered) == (FOLDER / f"{name}.txt").read_text("utf-8"), (
        "read the change, then python -m tests.mails"
    )


def test_no_committed_mail_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCENES)


@pytest.mark.parametrize("name", SCENES)
def test_html_says_what_the_text_says(name: str) -> None:
    """Title, status, news and receipts word by word; the game's own parts are the game's to compare."""
    mail = SCENES[name]().rendered
    above = mail.text.split("=====", 1)[0]
    page = squeezed(seen(mail.html))
    assert [part for part in above.split("\n\n") if not all(squeezed(line) in page for line in part.splitlines())] == []


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("near", [(), ("BRIBE monk",), tuple(f"word{n}" for n in range(60))], ids=["", "one", "many"])
def test_every_reason_has_a_sentence_for_a_line(night: Table, reason: Reason, near: tuple[str, ...]) -> None:
    line = Line(1, "KILL <i>", Said.REFUSED, reason=reason, facts=REASON_FACTS.get(reason, {}), near=near)
    for table in (night, None):
        rendered = answered(table, line)
        without = answered(table, Line(1, "KILL <i>", Said.REFUSED))
        assert len(squeezed(rendered.text)) > len(squeezed(without.text)) + 20
        assert re.search(r"[a-z][.?;:](?=[A-Z])", rendered.text) is None


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence_for_a_whole_mail(night: Table, reason: Reason) -> None:
    verdict_facts = REASON_FACTS.get(reason, {})
    rendered = answered(night, reason=reason, facts=verdict_facts)
    assert len(squeezed(rendered.text)) > len(squeezed(answered(night).text)) + 20


def test_a_sentence_of_the_game_stands_below_the_line_it_refuses(night: Table) -> None:
    line = Line(1, "LODGE 9", Said.REFUSED, source=Source.GAME, reason="room-closed", facts={"room": 9})
    assert said(answered(night, line), "LODGE 9 Room 9 is not open in this game")


@pytest.mark.parametrize("word", Said)
def test_every_fate_of_a_line_has_a_word(night: Table, word: Said) -> None:
    rendered = answered(night, Line(1, f"KILL {EVIL}", word))
    row = next(line for line in rendered.text.splitlines() if EVIL in line)
    assert re.fullmatch(r"  [A-Z][A-Z ]+ +KILL <b>Eve</b>", row)
    assert said(rendered, row)


@pytest.mark.parametrize(("name", "info_facts"), [(name, each) for name, all_ in INFOS.items() for each in all_])
def test_every_answer_can_be_given_at_a_table_and_without_one(
    night: Table, name: str, info_facts: dict[str, Any]
) -> None:
    for table in (night, None):
        rendered = answered(table, Line(1, "a question", Said.ANSWERED, info=name, facts=info_facts))
        assert (
            len(squeezed(rendered.text))
            > len(squeezed(answered(table, Line(1, "a question", Said.ANSWERED)).text)) + 10
        )


@pytest.mark.parametrize("kind", NOTICES)
@pytest.mark.parametrize("role", [Role.SEAT, Role.MODERATOR, Role.PERSON, Role.INVITED])
def test_every_notice_can_be_sent_to_anybody(night: Table, kind: str, role: Role) -> None:
    person = None if role is Role.INVITED else ANNA
    to = Party(role, ANNA.address, person, "inn-7", 1 if role is Role.SEAT else 0)
    for table in (night, open_table(*PLAYERS)):
        rendered = checked(written(Telling(to=to, notices=(Notice(to, kind, NOTICES[kind]),)), table).rendered)
        assert "news" not in rendered.subject


@pytest.mark.parametrize("verb", Verb)
def test_every_override_is_told_to_all(night: Table, verb: Verb) -> None:
    rendered = checked(written(to_anna(news=(Announced(Override(verb, seat=2, to=3)),)), night).rendered)
    assert said(rendered, "Since your last mail")
    own = {Verb.RESIGN: "Bob has given up", Verb.UNDO: "Bob took back the last order"}
    assert said(rendered, own.get(verb, "The moderator"))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.usage)
def test_help_tells_of_every_command(night: Table, spec: Spec[Any]) -> None:
    asked = [Line(1, "HELP", Said.ANSWERED, info="help", facts={"topic": topic}) for topic in ("", *HELP_TOPICS)]
    asked.append(Line(2, "REGISTER", Said.ANSWERED, info="confirm", facts={"name": "Anna"}))
    word = spec.words[0].upper()
    assert re.search(rf"^ +(\w+, )*{word}\b", answered(night, *asked).text, re.MULTILINE)


LINES = {word: Line(1, "x", word) for word in Said}


@pytest.mark.parametrize(
    ("said_of_lines", "word"),
    [
        ((), Summary.NOTHING),
        ((Said.DONE,), Summary.DONE),
        ((Said.DONE, Said.PLANNED), Summary.DONE),
        ((Said.PLANNED,), Summary.PLANNED),
        ((Said.ANSWERED,), Summary.ANSWERED),
        ((Said.DONE, Said.ANSWERED), Summary.DONE),
        ((Said.REFUSED, Said.UNTRIED), Summary.NOT),
        ((Said.UNREAD,), Summary.NOT),
        ((Said.DONE, Said.UNREAD, Said.UNTRIED), Summary.PARTLY),
        ((Said.LAPSED,), Summary.LAPSED),
    ],
)
def test_the_subject_sums_up_what_became_of_all_lines(said_of_lines: tuple[Said, ...], word: Summary) -> None:
    assert summary([Verdict(tuple(LINES[each] for each in said_of_lines))]) is word


def test_a_mail_with_a_reason_of_its_own_counts_as_not_done() -> None:
    assert summary([Verdict(reason=Reason.PASSED)]) is Summary.NOT


@pytest.mark.parametrize("by", By)
def test_a_move_that_somebody_else_made_names_the_player_first(night: Table, by: By) -> None:
    rendered = checked(written(to_anna(news=(Announced(Move(2, {}, by)),)), night).rendered)
    assert said(rendered, "Bob")


def test_news_keep_their_order_between_the_game_and_the_host() -> None:
    sitting = at_night()
    sitting.moderator("ACT AS Anna: PASS", "PAUSE")
    telling = next(each for each in sitting.settle() if each.to.seat == 2)
    text = checked(written(telling, sitting.table).rendered).text
    parts = ("The moderator Modi moved for Anna:", "Anna passed.", "The moderator Modi paused")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_a_moderator_at_a_terminal_gets_the_answer_alone() -> None:
    sitting = at_night()
    verdict = sitting.moderator("ACT AS Anna: PASS", "RESUME", "PAUSE")
    assert RENDERER.answer(verdict, sitting.table, NOW).splitlines() == [
        "  DONE       ACT AS Anna: PASS",
        "             You moved for Anna: PASS",
        "  NOT DONE   RESUME",
        "             The game is not paused, so there is nothing to resume.",
        "  NOT TRIED  PAUSE",
        "",
        "The mails that tell of it go out with the next pass of the host (pbem",
        "poll or pbem run).",
    ]


def sources() -> Iterator[str]:
    yield from (path.read_text("utf-8") for path in (Path(__file__).parent.parent / "pbem").rglob("*.py"))


def test_every_answer_and_notice_that_the_host_can_give_has_a_template() -> None:
    text = "\n".join(sources())
    infos = re.findall(r"\.(?:answering|doing)\(\s*n,\s*text,\s*\"([a-z_]+)\"", text)
    notices = re.findall(r"Notice\([^\"\n{]*\"([a-z-]+)\"", text)
    assert len(infos) > 20
    assert len(notices) > 5
    assert set(infos) <= set(INFOS)
    assert {*notices, MISSED} <= set(NOTICES)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_mail_of_a_whole_game_keeps_to_the_form(players: int) -> None:
    names = ("<b>Eve</b>", "陳小明的大旅館", "O'Brien of the Hills", "Zoë")
    people = [Person(at, name, f"p{at}@example.org") for at, name in enumerate(names[:players], 1)]
    sitting = Sitting(open_table(*people, deadline=TWO_DAYS))
    sitting.moderator("START")
    count = 0
    while True:
        for telling in sitting.settle():
            checked(written(telling, sitting.table, sitting.log).rendered)
            count += 1
        if not sitting.table.waiting:
            break
        sitting.table, log = played(sitting.table, 1, count)
        sitting.log += log
    assert sitting.table.status is Status.OVER
    assert count > 5


def test_a_name_cannot_break_out_of_subject_text_or_html() -> None:
    eve = replace(ANNA, name="<b>Eve</b>\r\nBcc: x@y.org\x1b[31m\u202e")
    sitting = Sitting(open_table(eve, *PLAYERS[1:], first="1"))
    sitting.moderator("START")
    for telling in sitting.settle():
        rendered = written(telling, sitting.table).rendered
        assert "\n" not in rendered.subject
        assert not {"\r", "\x1b", "\u202e"} & set(rendered.subject + rendered.text + rendered.html)
        assert "<b>Eve" not in rendered.html


def test_names_of_twenty_wide_characters_keep_to_the_columns() -> None:
    players = [replace(person, name=f"{'陳' * 19}{at}") for at, person in enumerate(PLAYERS)]
    sitting = Sitting(open_table(*players))
    sitting.moderator("START")
    for telling in sitting.settle():
        checked(written(telling, sitting.table).rendered)


def test_a_reader_sees_no_hand_and_no_plan_but_his_own() -> None:
    sitting = at_night()
    sitting.seat(2, "BRIBE grocer WITH 2 peasants  # secret of Bob")
    sitting.seat(2, "PLAN")
    bob = of_seat(sitting, 2).rendered
    sitting.seat(1, "STATUS")
    anna = of_seat(sitting, 1).rendered
    assert said(bob, "secret of Bob")
    assert not said(anna, "secret of Bob")


def test_the_secret_is_not_told_before_the_game_is_over() -> None:
    for name, scene in SCENES.items():
        secret = "ab" * 32 in scene().rendered.text
        assert secret == (name == "final")


def test_a_deadline_is_told_in_the_reader_s_own_zone(night: Table) -> None:
    telling = to_anna(state=True)
    texts = {
        zone: RENDERER.mail(telling, night, facts(night, 1, zone=zone)).text
        for zone in ("Asia/Taipei", "Europe/Brussels")
    }
    assert "until Thursday 3 December, 18:00" in texts["Asia/Taipei"]
    assert "until Thursday 3 December, 11:00" in texts["Europe/Brussels"]


def test_a_table_without_a_deadline_names_no_time() -> None:
    sitting = Sitting.started()
    mail = of_seat(sitting, 1).rendered
    assert "until" not in mail.text.split("=====")[0]
    assert " by " not in mail.subject


def test_what_all_may_see_is_rendered_once_for_a_position(night: Table) -> None:
    asked: list[int | None] = []

    class Watched(type(GAME)):  # type: ignore[misc]
        def view(self, state: Any, seat: int | None, names: Any = ()) -> Any:
            asked.append(seat)
            return super().view(state, seat, names)

    table = replace(night, game=Watched())
    renderer = Renderer({}, TEMPLATES)
    for seat in (1, 2, 3, 1):
        person = table.chair(seat).person
        assert person is not None
        to = Party(Role.SEAT, person.address, person, table.name, seat)
        renderer.mail(Telling(to=to, state=True), table, facts())
    assert asked.count(None) == 1
    renderer.mail(to_anna(state=True), replace(table, head="f" * 64), facts())
    assert asked.count(None) == 2


def test_a_replaced_player_s_name_is_not_kept_from_an_older_board(night: Table) -> None:
    eve = Person(9, "Eve", "eve@example.org")
    before = RENDERER.mail(to_anna(state=True), night, facts()).text
    after = RENDERER.mail(to_anna(state=True), night.with_chair(Chair(2, eve)), facts()).text
    assert ("Bob" in before, "Bob" in after, "Eve" in after) == (True, False, True)


def test_a_game_without_a_look_of_its_own_in_html_shows_its_text(tmp_path: Path, night: Table) -> None:
    folder = tmp_path / "plain" / "templates"
    folder.mkdir(parents=True)
    (tmp_path / "plain" / "__init__.py").touch()
    for path in (Path(__file__).parent.parent / "engine/bloody_inn/templates").glob("*.[ts][xv][tg].j2"):
        (folder / path.name).write_text(path.read_text("utf-8"), "utf-8")
    plain = type(GAME)()
    plain.package, plain.name = "plain", "plain"  # type: ignore[misc]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        rendered = written(to_anna(state=True), replace(night, name="plain-1", game=plain)).rendered
    assert '<pre style="' in rendered.html
    assert said(rendered, "THE TABLE")


def test_a_program_gets_its_own_view_and_the_open_decision_as_json() -> None:
    sitting = at_night()
    sitting.seat(1, "BURY novice UNDER cellar")
    telling = next(each for each in sitting.settle() if each.to.seat == 1)
    data = machine(telling, sitting.table, NOW)
    assert "\n" not in data
    value = msgspec.json.decode(data)
    assert (value["format"], value["game"], value["kind"], value["seat"]) == (1, "inn-7", "bloody-inn", 1)
    assert value["names"] == ["Anna", "Bob", "Chen"]
    open_now = {"key": "1/night/1/1", "kind": "act", "round": 1, "phase": "night", "ordinal": 1, "new": False}
    assert value["decision"] == open_now
    assert value["lines"] == [{"text": "BURY novice UNDER cellar", "said": "refused", "reason": "no-corpse"}]
    assert (value["over"], value["outcome"]) == (False, None)
    assert GAME.decode_view(msgspec.json.encode(value["view"])) == sitting.table.view(1)


def test_a_program_that_is_not_awaited_gets_no_decision() -> None:
    sitting = at_night()
    sitting.seat(2, "STATUS")
    telling = next(each for each in sitting.settle() if each.to.seat == 2)
    value = msgspec.json.decode(machine(telling, sitting.table, NOW))
    assert (value["decision"], value["due_at"]) == (None, None)


def test_a_program_is_told_the_result() -> None:
    final = SCENES["final"]()
    assert final.table is not None
    value = msgspec.json.decode(machine(final.telling, final.table))
    assert value["over"] is True
    assert sorted(value["outcome"]["places"]) == [1, 2, 2]
