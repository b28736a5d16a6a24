"""The time of a new table, as its opener writes it."""

from __future__ import annotations

import re
from datetime import timedelta

import msgspec
import pytest

from engine.bloody_inn import GAME
from pbem.commands.timing import SETTINGS, facts_of, kinds
from pbem.desk import decide
from pbem.draft import Known, Mail
from pbem.files import resource
from pbem.parties import Decided, Party, Role
from pbem.press import Rule
from pbem.schedule import Missed, Quiet, Schedule, Span, Votes
from pbem.verdicts import Line, Reason, Said
from tests.desk.sitting import ANNA, NOW
from tests.games.choices import GAME as CHOICES

HOUR = timedelta(hours=1)
HOSTS = Schedule(time=Span(seconds=48 * 3600), remind=(12 * HOUR,), zone="Europe/Brussels")
"""What a table gets that says nothing."""


def opened(options: str, kind: str = GAME.name) -> Decided:
    known = Known(
        now=NOW,
        party=Party(Role.PERSON, ANNA.address, ANNA),
        games={GAME.name: GAME, "choices": CHOICES, "bare": BARE},
        next_number=8,
        entropy="cd" * 32,
        schedule=HOSTS,
    )
    return decide(known, Mail(lines=(f"NEW {kind} {options} NOT PLAYING",), received_at=NOW, inbox=1))


class Bare(type(CHOICES)):  # type: ignore[misc]
    """A game without bots that names no kinds."""

    name = "bare"
    capabilities: dict[str, object] = {}  # noqa: RUF012


BARE = Bare()


def schedule(options: str) -> Schedule:
    return opened(options).tables[0].after.schedule


def line(decided: Decided) -> Line:
    assert decided.verdict is not None
    return decided.verdict.lines[0]


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ("", {}),
        ("deadline=36", {"time": Span(seconds=36 * 3600)}),
        ("deadline=36h", {"time": Span(seconds=36 * 3600)}),
        ("deadline=3d", {"time": Span(days=3)}),
        ('deadline="3 days"', {"time": Span(days=3)}),
        ("DEADLINE = 3D, OFF = Sat,Sun", {"time": Span(days=3), "off": (5, 6)}),
        ("deadline=none", {"time": None}),
        ("deadline.lodge=24h", {"by_kind": {"lodge": Span(seconds=24 * 3600)}}),
        (
            "deadline.lodge=1d deadline.pay=none",
            {"by_kind": {"lodge": Span(days=1), "pay": None}},
        ),
        ("off=saturday,su", {"off": (5, 6)}),
        ("off=none", {"off": ()}),
        ("quiet=22-8", {"quiet": Quiet(22 * 60, 8 * 60)}),
        ("quiet=23:30-7:00", {"quiet": Quiet(23 * 60 + 30, 7 * 60)}),
        ("at=18:00", {"at": 18 * 60}),
        ("grace=30m", {"grace": HOUR / 2}),
        ("remind=6h,24h", {"remind": (24 * HOUR, 6 * HOUR)}),
        ("remind=none", {"remind": ()}),
        ("bank=2d", {"bank": 48 * HOUR}),
        ("zone=america/new_york", {"zone": "America/New_York"}),
        ("zone=taipei", {"zone": "Asia/Taipei"}),
        ("missed=bot", {"missed": Missed.BOT}),
        ("missed=moderator moderator-silent=5", {"missed": Missed.MODERATOR, "moderator_silent": 5}),
        ("press=anonymous", {"press": Rule.ANONYMOUS}),
        ("vote-after=7", {"vote_after": 7}),
        ("votes=all", {"votes": Votes.ALL}),
        ("blind=no", {"blind": False}),
        ("watchers=on", {"watchers": True}),
        ("skip-after=never", {"skip_after": 0}),
        ("skip-after=2", {"skip_after": 2}),
    ],
)
def test_an_option_changes_what_it_names_and_nothing_else(options: str, changed: dict[str, object]) -> None:
    assert schedule(options) == msgspec.structs.replace(HOSTS, **changed)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ("deadline=soon", "48h"),
        ("deadline=0", "48h"),
        ("deadline=91d", "48h"),
        ("deadline.act=-3", "48h"),
        ("off=weekend", "sat,sun"),
        ("off=s", "sat,sun"),
        ("off=mon,tue,wed,thu,fri,sat,sun", "sat,sun"),
        ("quiet=22", "22-8"),
        ("quiet=8-8", "22-8"),
        ("quiet=25-8", "22-8"),
        ("at=noon", "18:00"),
        ("at=18:60", "18:00"),
        ("at=23:00 quiet=22-8", "8:00"),
        ("grace=8d", "2h"),
        ("remind=6h,5h,4h,3h,2h,1h", "24h,6h"),
        ("bank=1y", "24h"),
        ("missed=punish", "moderator"),
        ("skip-after=0", "never"),
        ("moderator-silent=99", "7"),
    ],
)
def test_a_value_that_cannot_be_opens_nothing_and_shows_some_that_can(options: str, allowed: str) -> None:
    decided = opened(options)
    assert decided.tables == ()
    assert (line(decided).said, line(decided).reason) == (Said.REFUSED, Reason.BAD_OPTION)
    assert allowed in line(decided).facts["allowed"]


@pytest.mark.parametrize(
    ("option", "meant"),
    [("deadlin", "deadline"), ("deadline.lodg", "deadline.lodge"), ("reminder", "remind"), ("lenght", "length")],
)
def test_a_misspelt_option_is_answered_with_the_one_that_was_meant(option: str, meant: str) -> None:
    told = line(opened(f"{option}=24h"))
    assert told.reason == Reason.BAD_OPTION
    assert meant in told.near


def test_an_option_like_none_is_answered_with_all_that_there_are() -> None:
    near = line(opened("colour=red")).near
    assert {*SETTINGS, "deadline.lodge", "length", "seats"} <= set(near)


def test_an_unknown_zone_is_answered_with_near_ones() -> None:
    told = line(opened("zone=Europe/Brussel"))
    assert told.reason == Reason.BAD_ZONE
    assert "Europe/Brussels" in told.near


@pytest.mark.parametrize("zone", ["UTC+1", "gmt-5", "UTC+01:00", "+2"])
def test_a_distance_from_greenwich_is_answered_without_zones_that_mean_its_opposite(zone: str) -> None:
    told = line(opened(f"zone={zone}"))
    assert (told.reason, told.near) == (Reason.BAD_ZONE, ())


def test_where_a_game_has_no_bot_none_can_be_asked_for() -> None:
    told = line(opened("missed=bot", "bare"))
    assert told.reason == Reason.BAD_OPTION
    assert told.facts["allowed"] == ["fallback", "moderator"]


def test_only_kinds_that_a_game_names_have_a_time_of_their_own() -> None:
    assert kinds(GAME) == ("lodge", "act", "pay", "dismiss")
    assert line(opened("deadline.pick=24h", "choices")).said is Said.DONE
    told = line(opened("deadline.lodge=24h", "bare"))
    assert (told.reason, told.near) == (Reason.BAD_OPTION, ("deadline",))


def test_addresses_and_options_may_stand_in_any_order() -> None:
    decided = opened("bob@example.org off=sat,sun,chen@example.org remind=24h,6h length=long NOT PLAYING")
    table = decided.tables[0].after
    assert table.schedule == msgspec.structs.replace(HOSTS, off=(5, 6), remind=(24 * HOUR, 6 * HOUR))
    assert {invitation.address for invitation in decided.invitations} == {"bob@example.org", "chen@example.org"}
    assert (table.options["length"], table.chairs) == ("long", ())


def test_every_example_of_an_option_can_be_used() -> None:
    for name, setting in SETTINGS.items():
        for example in setting.examples:
            assert line(opened(f"{name}={example}")).said is Said.DONE, (name, example)


def test_a_table_tells_its_clock_in_words() -> None:
    told = facts_of(schedule("deadline=3d deadline.lodge=90h off=sat,sun quiet=22-8 at=18:00 remind=24h,6h bank=1d"))
    assert told == {
        "time": "3 days",
        "by_kind": [["lodge", "3 days 18 hours"]],
        "off": ["Saturday", "Sunday"],
        "quiet": ["22:00", "8:00"],
        "at": "18:00",
        "grace": "",
        "remind": ["1 day", "6 hours"],
        "bank": "1 day",
        "hold": "",
        "zone": "Europe/Brussels",
        "missed": "fallback",
        "press": "open",
        "skip_after": 3,
        "moderator_silent": 3,
        "vote_after": 3,
        "votes": "majority",
        "blind": "yes",
        "watchers": "off",
    }


def test_an_opener_who_says_nothing_gets_what_the_host_gives() -> None:
    assert schedule("") == HOSTS


def test_a_schedule_comes_back_from_its_json_as_it_was() -> None:
    chosen = schedule("deadline=3d deadline.lodge=none off=sun quiet=22-8 grace=30m remind=24h,6h bank=1d missed=bot")
    assert msgspec.json.decode(msgspec.json.encode(chosen), type=Schedule) == chosen


def test_every_option_stands_in_help_and_in_the_moderators_page() -> None:
    help_text = (resource("templates") / "info" / "help_time.txt.j2").read_text("utf-8")
    page = (resource("templates").parent / "docs" / "moderating.md").read_text("utf-8")
    for name in SETTINGS:
        assert re.search(rf"(?<![\w-]){name}=", help_text), name
        assert f"| `{name}=" in page, name
