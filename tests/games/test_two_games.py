"""Two games on one host and in one mailbox: every mail is about one of them, and none is taken for the other."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

import pytest

from engine.record import Move
from pbem import bootstrap
from pbem.games import games
from pbem.verifying import verify_file
from tests.conversations.transcript import play
from tests.conversations.world import Mail, World

INN_GAME: Final = "bloody-inn"
INN: Final = "inn-2"
CHOICES: Final = "choices-1"


@pytest.fixture
def both(begun: World) -> World:
    """Anna, Bob and Chen pick in choices-1, and Anna lodges in inn-2."""
    begun.write("modi", "GAMES")
    begun.tick()
    begun.answer(
        "modi", "NEW bloody-inn anna@example.org bob@example.org first=1 NOT PLAYING", to=about(begun, "modi", "pbem")
    )
    begun.tick()
    for name in ("anna", "bob"):
        begun.answer(name, f"JOIN {INN}", to=about(begun, name, INN))
    begun.tick()
    begun.answer("modi", f"START {INN}", to=about(begun, "modi", INN))
    begun.tick()
    return begun


def about(world: World, name: str, table: str) -> Mail:
    """The newest mail about a table that somebody has."""
    return next(mail for mail in reversed(world.mails) if mail.to == name and f"[{table}]" in mail.subject)


def moves(world: World, table: str) -> list[str]:
    whats = [entry.what for entry in world.entries(table)]
    return [what.action["type"] for what in whats if isinstance(what, Move)]


def test_two_games_in_one_poll_get_two_answers(both: World) -> None:
    both.answer("anna", "PICK 3", to=about(both, "anna", CHOICES))
    both.answer("anna", "LODGE 1", to=about(both, "anna", INN))
    sent = [(mail.to, mail.subject.partition("]")[0]) for mail in both.tick()]
    assert sent.count(("anna", f"Re: [{CHOICES}")) == 1
    assert sent.count(("anna", f"Re: [{INN}")) == 1
    assert (moves(both, CHOICES), moves(both, INN)) == (["pick"], ["lodge"])


def test_an_order_of_the_one_game_is_nothing_in_the_other(both: World) -> None:
    both.answer("anna", "LODGE 1", to=about(both, "anna", CHOICES))
    both.answer("anna", "PICK 3", to=about(both, "anna", INN))
    sent = both.tick()
    assert all("I found no order in this mail" in mail.text for mail in sent)
    assert [mail.to for mail in sent] == ["anna", "anna"]
    assert (moves(both, CHOICES), moves(both, INN)) == ([], [])


def test_each_game_answers_for_itself_what_can_be_looked_up(both: World) -> None:
    both.answer("anna", "CARD monk", to=about(both, "anna", INN))
    both.answer("bob", "CARD monk", to=about(both, "bob", CHOICES))
    sent = {mail.to: mail.text for mail in both.tick()}
    assert "MONK Religious" in sent["anna"]
    assert "Choices has no rules or cards to look up here" in sent["bob"]


def test_a_mail_that_does_not_say_which_game_it_means_is_asked(both: World) -> None:
    play(
        both,
        """
        anna > STATUS
        anna < Re: [pbem] not done
            Which table do you mean? Add its name to the line: choices-1 or inn-2.
        anna > STATUS inn-2
        anna < Re: [inn-2] Round 1, evening: lodging travelers - by Thu 12:00
            YOUR HAND
        """,
    )


def test_an_order_whose_carriers_speak_of_two_games_is_not_run(both: World) -> None:
    mixed = deepcopy(about(both, "anna", CHOICES).message)
    del mixed["Subject"]
    mixed["Subject"] = f"[{INN}] Round 1"
    both.answer("anna", "PICK 3", to=Mail("anna", mixed))
    sent = both.tick()
    assert "speak of different seats, so nothing was done" in sent[0].text
    assert moves(both, CHOICES) == []


def test_who_sits_at_one_table_alone_is_answered_about_its_game_and_who_sits_at_none_about_one_that_has_rules(
    both: World,
) -> None:
    both.write("chen", "RULES scoring")
    both.write("eve", "REGISTER Eve")
    both.tick()
    both.answer("eve", "RULES")
    both.tick()
    assert "Choices has no rules or cards to look up here" in both.last("chen").text
    assert "RULES Send RULES and a topic" in both.last("eve").text


def test_the_end_of_one_game_leaves_the_other_as_it_is(both: World) -> None:
    for number in (1, 2, 3):
        for name in ("anna", "bob", "chen"):
            both.answer(name, f"PICK {number}", to=about(both, name, CHOICES))
        both.tick()
    assert verify_file(both.settings.archive.folder / CHOICES / "record.json").title == "Choices"
    assert not (both.settings.archive.folder / INN).exists()
    both.answer("anna", "LODGE 1", to=about(both, "anna", INN))
    assert ("anna", INN) in [(mail.to, mail.subject.partition("[")[2].partition("]")[0]) for mail in both.tick()]
    assert moves(both, INN) == ["lodge"]


def test_a_game_whose_package_is_gone_holds_up_no_other_and_goes_on_when_it_is_back(
    both: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(bootstrap, "games", lambda: {INN_GAME: games()[INN_GAME]})
        both.restart()
        both.answer("anna", "PICK 3", to=about(both, "anna", CHOICES))
        both.answer("anna", "LODGE 1", to=about(both, "anna", INN))
        assert f"Re: [{INN}]" in {mail.subject.partition(" Round")[0] for mail in both.tick()}
        assert moves(both, INN) == ["lodge"]
    both.restart()
    assert [mail.to for mail in both.tick()] == ["anna"]
    assert moves(both, CHOICES) == ["pick"]
