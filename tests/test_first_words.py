"""What somebody reads who has never heard of the game: in the invitation, in the first mail, and to a bare RULES."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from engine.bloody_inn import GAME
from pbem.files import resource
from pbem.parties import Notice, Party, Role
from pbem.render import Renderer
from pbem.settle import Telling
from pbem.table import Status
from pbem.verdicts import Line, Said, Verdict
from tests.desk.sitting import ANNA, Sitting
from tests.engine.bloody_inn.positions import night, player
from tests.games.choices import GAME as CHOICES
from tests.mails import SCENES, TWO_DAYS, Written, at_night, facts, in_the_lobby, of_seat, written
from tests.test_render import PHRASES, TABLE_FACTS


def text(written: Written) -> str:
    return " ".join(written.rendered.text.split())


def test_an_invitation_tells_what_the_game_is_about() -> None:
    invitation = text(SCENES["invitation"]())
    assert "You keep an inn with your rivals" in invitation
    assert "NEW TO IT?" not in invitation


def test_the_first_mail_explains_the_first_night_and_where_there_is_more() -> None:
    first = text(of_seat(Sitting.started(TWO_DAYS), 1))
    assert "NEW TO IT? - BRIBE takes a guest into your hand." in first
    assert "RULES overview" in first
    assert "NEW TO IT?" not in text(SCENES["turn-at-night"]())


def test_a_game_without_such_words_is_invited_to_without_them() -> None:
    to = Party(Role.INVITED, "eve@example.org", table="choices-2")
    notices = tuple(Notice(to, kind, TABLE_FACTS | PHRASES) for kind in ("invitation", "started"))
    telling = Telling(to=to, notices=notices)
    mail = Renderer({CHOICES.name: CHOICES}, resource("templates")).mail(telling, None, facts())
    assert "invites you to a game" in " ".join(mail.text.split())


def test_bare_rules_tell_the_game_in_short_and_name_all_topics() -> None:
    sitting = at_night()
    sitting.seat(2, "RULES")
    told = text(of_seat(sitting, 2))
    assert "THE GAME IN SHORT" in told
    assert "The topics are overview, orders, setup," in told


def test_only_options_that_are_not_as_usual_are_listed() -> None:
    mine = Party(Role.PERSON, ANNA.address, ANNA)
    told = text(in_the_lobby(mine, "NEW bloody-inn length=long deadline=none"))
    assert "Length: long Other rules: as usual" in told
    assert "Welcome:" not in told
    assert "Rules: as usual" in text(in_the_lobby(mine, "NEW bloody-inn deadline=none"))


def test_who_tells_in_a_sentence_what_he_does_is_shown_the_order() -> None:
    sitting = at_night()
    sitting.seat(1, "Hello!", "I bribe the mechanic in 1 with a peasant.")
    told = text(of_seat(sitting, 1))
    assert "did you mean BRIBE the mechanic in 1 with a peasant?" in told
    assert "did you mean" not in text(_after("I was away and could not play."))


def test_a_command_that_only_asks_may_end_as_a_question() -> None:
    assert "ASKED Status?" in text(_after("Status?"))
    assert "NOT READ Mails turn?" in text(_after("Mails turn?"))


def test_a_free_guest_is_among_the_examples_of_the_first_round() -> None:
    state = night(player("mechanic peasant"), rooms="baron monk major novice -")
    view = GAME.view(structs.replace(state, round=1), 1, ("Anna", "Bob", "Chen"))
    lines = [GAME.write(action, view) for action in GAME.suggest(view, 6)]
    assert any(line.startswith("BRIBE novice") for line in lines)


def test_what_is_far_off_is_not_announced() -> None:
    sitting = Sitting.started(TWO_DAYS)
    evening = of_seat(sitting, 2)
    assert "Next you may be asked for" not in text(evening)
    assert "Next you may be asked for: your 1st action" in text(SCENES["early-at-night"]())


def test_a_game_that_was_broken_off_has_nothing_to_come() -> None:
    table = replace(at_night().table, status=Status.ENDED)
    board = written(Telling(to=Party(Role.SEAT, ANNA.address, ANNA, "inn-7", 1), final=True), table)
    for word in ("Anna acts", "next:", "There is police"):
        assert word not in text(board)
        assert word not in board.rendered.html
    assert "broken off in round 1" in text(board)


def test_plans_that_ran_one_after_the_other_have_one_heading() -> None:
    lines = (Line(1, "PASS", Said.DONE), Line(1, "BRIBE monk", Said.LAPSED))
    telling = Telling(
        to=Party(Role.SEAT, ANNA.address, ANNA, "inn-7", 1), verdicts=tuple(Verdict((line,)) for line in lines)
    )
    assert text(written(telling, at_night().table)).count("From what you had planned:") == 1


def _after(line: str) -> Written:
    sitting = at_night()
    sitting.seat(1, line)
    return of_seat(sitting, 1)


def test_a_farewell_offers_no_help() -> None:
    line = Line(1, "FORGET ME K7Q2M", Said.DONE, info="forgotten")
    told = text(written(Telling(to=Party(Role.STRANGER, ANNA.address), verdicts=(Verdict((line,)),)), None))
    assert "Farewell!" in told
    assert "HELP" not in told
