"""What somebody reads who has never heard of the game: in the invitation, in the first mail, and to a bare RULES."""

from __future__ import annotations

from pbem.files import resource
from pbem.parties import Notice, Party, Role
from pbem.render import Renderer
from pbem.settle import Telling
from tests.desk.sitting import ANNA, Sitting
from tests.games.choices import GAME as CHOICES
from tests.mails import SCENES, TWO_DAYS, Written, at_night, facts, in_the_lobby, of_seat
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
