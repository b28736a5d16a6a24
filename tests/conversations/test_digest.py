"""One mail for a player in several games, and his one answer to all of them, through the whole host."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from engine.record import By, Move
from pbem import dispatch
from tests.conversations.test_time import SIGN_UP
from tests.conversations.transcript import play
from tests.conversations.world import Mail, World

SECOND: Final = """
anna > NEW bloody-inn bob@example.org first=1 remind=none
... <
bob >> JOIN inn-2
... <
anna >> START inn-2
... <
anna >> LODGE 1 2 3 4
... <
"""


@pytest.fixture(scope="module")
def _two_games(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("two-games"))
    play(world, SIGN_UP.format(options="remind=none", zone="UTC"))
    anna = next(mail for mail in world.mails if mail.to == "anna" and mail.subject.endswith("welcome"))
    world.answer("anna", "NEW bloody-inn bob@example.org first=1 remind=none", to=anna)
    world.tick()
    play(world, SECOND.partition("... <\n")[2])
    return world


@pytest.fixture
def games(_two_games: World, tmp_path: Path) -> World:
    """Anna and Bob in the first nights of inn-1 and inn-2, both waiting for Anna."""
    return _two_games.copied(tmp_path)


def asked(world: World, name: str, table: str) -> Mail:
    """The last mail to somebody that is about a table."""
    return next(mail for mail in reversed(world.mails) if mail.to == name and f"[{table}]" in mail.subject)


def both_pass(world: World) -> list[Mail]:
    """Anna passes in both games at once; what the host sends."""
    for table in ("inn-1", "inn-2"):
        world.answer("anna", "PASS", to=asked(world, "anna", table))
    return world.tick()


def of_bob(world: World, table: str) -> list[tuple[str, By]]:
    whats = (entry.what for entry in world.entries(table))
    return [(what.action["type"], what.by) for what in whats if isinstance(what, Move) and what.seat == 2]


def wants(world: World, line: str) -> None:
    world.answer("bob", line)
    assert [mail.to for mail in world.tick()] == ["bob"]


@pytest.fixture
def digest(games: World) -> World:
    """The same with one mail to Bob, who is awaited in both games."""
    wants(games, "DIGEST ON")
    both_pass(games)
    return games


def test_a_digest_waits_for_all_its_parts_though_other_mail_sets_out_behind_each_table(
    games: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "TABLES", 1)
    wants(games, "DIGEST ON")
    assert [mail.to for mail in both_pass(games)].count("bob") == 1


def test_what_several_games_have_for_one_player_in_one_pass_is_one_mail(games: World) -> None:
    wants(games, "DIGEST ON")
    sent = both_pass(games)
    (mail,) = [mail for mail in sent if mail.to == "bob"]
    assert mail.subject == "[pbem] inn-1 and inn-2"
    assert mail.text.count("it is your turn: your 1st action") == 2
    assert mail.text.count("answer above this line") == 1
    assert mail.text.count("YOUR HAND") == 2
    assert max(map(len, mail.lines.splitlines())) <= 78
    assert len([mail for mail in sent if mail.to == "anna"]) == 2


def test_the_clocks_of_both_games_begin_when_it_is_sent(games: World) -> None:
    wants(games, "DIGEST ON")
    games.courier.down = True
    both_pass(games)
    assert [games.table(name).chair(2).due_at for name in ("inn-1", "inn-2")] == [None, None]
    games.courier.down = False
    games.wait(hours=1)
    assert "bob" in [mail.to for mail in games.tick()]
    due = {games.table(name).chair(2).due_at for name in ("inn-1", "inn-2")}
    assert len(due) == 1
    assert None not in due


def test_one_answer_plays_in_both_games_and_is_answered_once(digest: World) -> None:
    digest.answer("bob", "GAME inn-1", "PASS", "", "GAME inn-2:", "BRIBE peacekeeper ELSE PASS", "PASS")
    sent = [mail for mail in digest.tick() if mail.to == "bob"]
    assert [mail.subject for mail in sent] == ["[pbem] inn-1 and inn-2"]
    assert sent[0].message["In-Reply-To"] == digest_answered(digest)
    assert sent[0].text.count("DONE PASS") == 1
    assert "PLANNED PASS" in sent[0].text
    assert [each[0] for each in of_bob(digest, "inn-1")] == ["pass"]
    assert len(of_bob(digest, "inn-2")) == 1


def digest_answered(world: World) -> str:
    """The Message-ID of the last mail that came in."""
    return f"<{world._count}@client.example.org>"


@pytest.mark.parametrize("lines", [("PASS",), ("PASS", "GAME inn-2", "PASS")], ids=["alone", "above a heading"])
def test_an_order_that_names_no_game_is_asked_and_done_in_none(digest: World, lines: tuple[str, ...]) -> None:
    digest.answer("bob", *lines)
    told = [mail for mail in digest.tick() if mail.to == "bob"]
    assert any("Write GAME inn-1, GAME inn-2 on a line of its own above it" in mail.text for mail in told)
    assert of_bob(digest, "inn-1") == []
    assert len(of_bob(digest, "inn-2")) == len(lines) - 1 - (len(lines) > 2)


def test_what_cannot_be_read_in_one_game_stops_nothing_in_the_other(digest: World) -> None:
    digest.answer("bob", "GAME inn-1", "KILL everybody", "PASS", "GAME inn-2", "PASS")
    told = [mail.text for mail in digest.tick() if mail.to == "bob"]
    assert len(told) == 1
    assert "NOT TRIED PASS" in told[0]
    assert of_bob(digest, "inn-1") == []
    assert of_bob(digest, "inn-2") == [("pass", By.SEAT)]


def test_a_game_that_the_digest_was_not_about_is_refused_with_all_below_it(digest: World) -> None:
    digest.answer("bob", "GAME inn-3", "PASS")
    (told,) = [mail.text for mail in digest.tick() if mail.to == "bob"]
    assert "was about inn-1 and inn-2, not about inn-3" in told
    assert of_bob(digest, "inn-1") == of_bob(digest, "inn-2") == []


def test_a_decision_that_has_passed_in_one_game_is_told_there_alone(digest: World) -> None:
    first = digest.last("bob")
    digest.answer("bob", "GAME inn-1", "PASS", to=first)
    digest.tick()
    digest.answer("bob", "GAME inn-1", "BRIBE cultivator", "GAME inn-2", "PASS", to=first)
    (told,) = [mail.text for mail in digest.tick() if mail.to == "bob"]
    assert "about a decision that has been made since" in told
    assert of_bob(digest, "inn-1") == [("pass", By.SEAT)]
    assert of_bob(digest, "inn-2") == [("pass", By.SEAT)]


def test_nobody_else_plays_with_the_key_of_a_digest(digest: World) -> None:
    digest.answer("bob", "GAME inn-1", "PASS", sender="anna")
    digest.answer("bob", "GAME inn-1", "PASS", sender="mallory@elsewhere.org")
    digest.tick()
    assert of_bob(digest, "inn-1") == []


def test_the_key_of_a_digest_plays_only_in_answer_to_one(digest: World) -> None:
    welcome = next(mail for mail in digest.mails if mail.to == "bob" and mail.subject.endswith("welcome"))
    digest.answer("bob", "GAME inn-1", "PASS", to=welcome)
    digest.tick()
    digest.write("bob", "GAME inn-1", "PASS")
    digest.tick()
    assert of_bob(digest, "inn-1") == []


def test_who_has_lost_the_seat_does_not_play_there_by_an_old_digest(digest: World) -> None:
    old = digest.last("bob")
    moderators = next(
        m
        for m in digest.mails
        if m.subject == "[inn-1] Round 1, evening: moderator - done"
        or m.subject == "Re: [inn-1] Round 1, evening: moderator - done"
    )
    digest.answer("anna", "EJECT Bob", to=moderators)
    digest.tick()
    before = of_bob(digest, "inn-1")
    digest.answer("bob", "GAME inn-1", "PASS", "GAME inn-2", "PASS", to=old)
    digest.tick()
    assert [each for each in of_bob(digest, "inn-1") if each[1] is By.SEAT] == [e for e in before if e[1] is By.SEAT]
    assert of_bob(digest, "inn-2") == [("pass", By.SEAT)]


def test_a_digest_that_cannot_be_delivered_is_told_to_the_moderators_of_its_games(games: World) -> None:
    from pbem.mailbox import Outcome

    wants(games, "DIGEST ON")
    games.courier.refusals["bob@example.org"] = (Outcome.BAD_ADDRESS, 550, "5.1.1 nobody here")
    both_pass(games)
    assert [games.table(name).chair(2).unreachable for name in ("inn-1", "inn-2")] == [True, True]


def test_digest_off_parts_them_again(games: World) -> None:
    wants(games, "DIGEST ON")
    wants(games, "DIGEST OFF")
    assert len([mail for mail in both_pass(games) if mail.to == "bob"]) == 2


# Daily


def test_once_a_day_brings_what_has_come_in_between_at_the_hour_of_the_player(games: World) -> None:
    games.answer("bob", "TIMEZONE Europe/Brussels", "DIGEST DAILY 18:00")
    (told,) = games.tick()
    assert "Once a day, at 18:00" in told.text
    assert "the next time Tuesday 1 December, 18:00 in Brussels" in told.text
    assert [mail.to for mail in both_pass(games)] == ["anna", "anna"]
    games.wait(hours=4, minutes=59)
    assert games.tick() == []
    games.wait(minutes=1)
    (mail,) = games.tick()
    assert mail.text.count("until Thursday 3 December, 18:00 in Brussels") == 2
    due = games.table("inn-1").chair(2).due_at
    assert due is not None
    assert (due - games.now).total_seconds() == 48 * 3600
    games.wait(minutes=1)
    assert games.tick() == []


def test_an_answer_and_what_is_due_before_the_next_digest_come_at_once(games: World) -> None:
    wants(games, "DIGEST DAILY 18:00")
    games.answer("bob", "STATUS", to=asked(games, "bob", "inn-1"))
    assert [mail.to for mail in games.tick()] == ["bob"]
    moderators = asked(games, "anna", "inn-1")
    assert moderators is not None
    games.answer(
        "anna",
        "OPTIONS deadline=2h",
        to=next(m for m in games.mails if m.subject.endswith("[inn-1] Round 1, evening: moderator - done")),
    )
    games.tick()
    told = [mail for mail in both_pass(games) if mail.to == "bob"]
    assert ["inn-1" in mail.subject for mail in told] == [True]


@pytest.mark.parametrize("line", ["DIGEST DAILY 25:00", "DIGEST DAILY 9:75"])
def test_a_time_that_no_clock_shows_is_refused(games: World, line: str) -> None:
    games.answer("bob", line)
    (told,) = games.tick()
    assert "NOT DONE" in told.text


def test_a_digest_says_all_that_its_mails_say_but_brings_no_pictures(games: World) -> None:
    games.answer("anna", "DIGEST ON")
    games.tick()
    for table in ("inn-1", "inn-2"):
        games.answer("anna", "STATUS", to=asked(games, "anna", table))
    games.tick()
    digest = games.last("anna").message
    assert [part.get_content_type() for part in digest.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    html = digest.get_body(("html",))
    assert html is not None
    assert (html.get_content().count("The inn") >= 2, "<img" in html.get_content()) == (True, False)
