"""Who watches a game: what he is told and when, and what he may not do."""

from __future__ import annotations

import json

import pytest

from tests.conversations.transcript import play
from tests.conversations.world import Mail, World

SEEN = "YOUR HAND"
REGISTER = """
zoe > REGISTER Zoe
zoe < Re: [pbem] please confirm your name
zoe >> CONFIRM
... <
"""
WATCH = """
modi >> OPTIONS watchers=on
... <
zoe >> WATCH inn-1
zoe < Re: [inn-1] Round 1, night: done
    You watch inn-1 now: you see what is public, no player's hand. I write to you when a round begins
    THE INN
    not: YOUR HAND
    not: YOU MAY
"""


@pytest.fixture
def watched(at_night: World) -> World:
    """Zoe watches inn-1, in its first night."""
    play(at_night, REGISTER + WATCH)
    return at_night


def night(world: World) -> list[Mail]:
    """Everybody passes twice, and a new round begins; what Zoe got meanwhile."""
    before = len(world.mails)
    for name in ("anna", "bob", "chen", "anna", "bob", "chen"):
        world.answer(name, "PASS")
        world.tick()
    return [mail for mail in world.mails[before:] if mail.to == "zoe"]


def test_a_watcher_is_told_the_public_news_of_each_round(watched: World) -> None:
    (told,) = night(watched)
    assert told.subject == "[inn-1] Round 2, evening: news"
    assert "Round 2 of season 1 began" in told.text
    assert SEEN not in told.text
    assert "Watched by Zoe, who sees what is public." in watched.last("anna").text


@pytest.mark.parametrize(("choice", "mails"), [("ALL", 1), ("TURN", 0), ("DAILY", 0)])
def test_a_watcher_gets_as_many_mails_as_he_has_chosen(watched: World, choice: str, mails: int) -> None:
    play(watched, f"zoe >> MAILS {choice}\n... <")
    assert len(night(watched)) == mails


def test_a_daily_watcher_is_told_of_a_round_once_a_day_is_over(watched: World) -> None:
    play(watched, "zoe >> MAILS DAILY\n... <")
    watched.wait(hours=25)
    assert len(night(watched)) == 1


def test_the_end_comes_with_the_record_whatever_a_watcher_has_chosen(watched: World) -> None:
    play(watched, "zoe >> MAILS TURN\n... <\nanna >> VOTE ABORT\n... <\nbob >> VOTE ABORT\n... <")
    last = watched.last("zoe")
    assert last.subject == "[inn-1] The game was ended"
    assert [part.get_filename() for part in last.message.iter_attachments()] == ["record.json"]
    assert sum(mail.subject == last.subject for mail in watched.mails if mail.to == "zoe") == 1


def test_a_watcher_gives_no_orders_and_no_votes_and_asks_what_is_public(watched: World) -> None:
    play(
        watched,
        """
        zoe >> PASS
        zoe < Re: [inn-1] Round 1, night: not done
            You watch inn-1, so you cannot move there.
        zoe >> VOTE ABORT
        zoe < Re: [inn-1] Round 1, night: not done
            You do not play at inn-1
        zoe >> STATUS
        zoe < Re: [inn-1] Round 1, night: your answer
            THE TABLE
            not: YOUR HAND
        zoe >> HISTORY
        zoe < Re: [inn-1] Round 1, night: your answer
            Anna lodged 6 travelers.
        zoe >> UNWATCH
        zoe < Re: [pbem] done
            You do not watch inn-1 any more.
        zoe > STATUS inn-1
        zoe < Re: [pbem] not done
        """,
    )
    assert not watched.table().watchers


REFUSED = [
    ("zoe", "WATCH inn-1", "inn-1 lets nobody watch."),
    ("zoe", "WATCH inn-9", "inn-9"),
    ("zoe", "UNWATCH inn-1", "You do not watch inn-1."),
    ("anna", "WATCH inn-1", "There is a seat at inn-1 for this player already"),
]


@pytest.mark.parametrize(("who", "line", "said"), REFUSED)
def test_what_cannot_be_watched_is_refused(at_night: World, who: str, line: str, said: str) -> None:
    play(at_night, REGISTER)
    at_night.answer(who, line)
    at_night.tick()
    assert said in at_night.last(who).text
    assert not at_night.table().watchers


def test_who_takes_a_free_seat_watches_no_more(watched: World) -> None:
    play(watched, "modi >> OPEN Bob\n... <\nzoe >> JOIN inn-1\n... <")
    assert watched.table().chair(2).name == "Zoe"
    assert not watched.table().watchers
    assert SEEN in watched.last("zoe").text


def test_a_table_that_lets_nobody_watch_any_more_says_so(watched: World) -> None:
    play(
        watched,
        """
        modi >> OPTIONS watchers=off
        zoe < [inn-1] Round 1, night: you watch no more
            inn-1 cannot be watched any more
        ... <
        """,
    )
    assert night(watched) == []


def test_games_tells_what_is_needed_and_what_can_be_watched(at_night: World) -> None:
    play(at_night, REGISTER)
    play(
        at_night,
        """
        modi >> OPTIONS watchers=on
        ... <
        anna >> NEW bloody-inn deadline=3d seats=4
        ... <
        zoe >> GAMES
        zoe < Re: [pbem] your answer
            round 1; 2 days for a decision can be watched: WATCH inn-1
            Anna (1 of 4); moderator Anna 3 days for a decision 3 more can play: JOIN inn-2
        """,
    )


def test_who_watches_may_be_silent_forgotten_and_told_what_is_kept(watched: World) -> None:
    play(watched, "zoe >> EXPORT ME\n... <")
    kept = next(part for part in watched.last("zoe").message.iter_attachments())
    assert json.loads(kept.get_content())["watches"] == ["inn-1"]
    play(watched, "zoe >> STOP\n... <")
    assert night(watched) == []
