"""What deadlines and the moderator do to the second game, where several are awaited at once and picks are sealed."""

from __future__ import annotations

from engine.record import By, Override, Verb
from pbem.table import Status
from tests.conversations.transcript import play
from tests.conversations.world import World
from tests.games.picking import TABLE, ended, picks


def verbs(world: World) -> list[Verb]:
    """What the moderator did, as the record says."""
    whats = [entry.what for entry in world.entries(TABLE)]
    return [what.verb for what in whats if isinstance(what, Override)]


# Time


def test_two_who_are_idle_get_one_reminder_each_and_are_then_moved_for_at_once(begun: World) -> None:
    play(
        begun,
        """
        anna >> PICK 3
        ... <
        wait 35h
        nobody <
        wait 2h
        bob < [choices-1] Reminder: Round 1: your pick - by Thu 12:00
            Chen is awaited as well
        chen < [choices-1] Reminder: Round 1: your pick - by Thu 12:00
        wait 10h
        nobody <
        wait 2h
        anna < [choices-1] Round 2: your pick - by Sat 13:00
            Bob let the deadline pass, so the host moved: Bob has picked a number.
            Chen let the deadline pass, so the host moved: Chen has picked a number.
            The picks were 3, 1 and 1: Anna scored 3.
            not: Your deadline has passed
        bob < [choices-1] Round 2: your pick - by Sat 13:00
            Your deadline has passed, so the host moved for you (PICK 1).
            Bob picked 1. Chen let the deadline pass, so the host moved: Chen has picked a number.
        chen < [choices-1] Round 2: your pick - by Sat 13:00
            Your deadline has passed, so the host moved for you (PICK 1).
        """,
    )
    assert picks(begun) == [(1, 3, By.SEAT), (2, 1, By.FALLBACK), (3, 1, By.FALLBACK)]


def test_a_pick_that_arrived_in_time_counts_though_the_host_reads_it_after_the_deadline(begun: World) -> None:
    begun.wait(hours=47)
    begun.answer("bob", "PICK 5")
    begun.wait(hours=3)
    begun.tick()
    assert sorted(picks(begun)) == [(1, 1, By.FALLBACK), (2, 5, By.SEAT), (3, 1, By.FALLBACK)]


# The moderator


def test_a_moderator_answers_for_a_seat_and_learns_nothing_of_its_pick(begun: World) -> None:
    play(
        begun,
        """
        modi >> ACT AS Anna: PICK 9
        modi < Re: [choices-1] Round 1: moderator - not done
            Anna cannot do this now. Why is only for Anna to see
        anna < [choices-1] Round 1: your pick - by Thu 12:00
            tried to move for you (PICK 9)
        modi >> ACT AS Anna: PICK 2
        modi < Re: [choices-1] Round 1: moderator - done
        anna < [choices-1] Round 1: news
            The moderator Modi moved for Anna: Anna picked 2.
        bob < [choices-1] Round 1: your pick - by Thu 12:00
            The moderator Modi moved for Anna: Anna has picked a number.
            not: Anna picked
        chen < [choices-1] Round 1: your pick - by Thu 12:00
            not: Anna picked
        bob >> PICK 5
        bob < Re: [choices-1] Round 1: done - you are not awaited
        modi >> ACT AS Bob: PICK 3 / STATUS
        modi < Re: [choices-1] Round 1: moderator - not done
            Bob is not awaited for this now.
            not: PICK 5
        """,
    )
    assert picks(begun) == [(1, 2, By.MODERATOR), (2, 5, By.SEAT)]


def test_a_rollback_takes_a_whole_round_back_and_all_are_asked_anew(begun: World) -> None:
    for name, number in (("anna", 3), ("bob", 4), ("chen", 5)):
        begun.answer(name, f"PICK {number}")
    begun.tick()
    play(
        begun,
        """
        modi >> ROLLBACK 3
        modi < Re: [choices-1] Round 1: moderator - done
        anna < [choices-1] Round 1: your pick - by Thu 12:00
            The moderator Modi took moves back (by Anna, Bob and Chen)
            You have not picked yet.
        bob < [choices-1] Round 1: your pick - by Thu 12:00
        chen < [choices-1] Round 1: your pick - by Thu 12:00
        anna >> PICK 5
        anna < Re: [choices-1] Round 1: done - you are not awaited
        """,
    )
    assert verbs(begun) == [Verb.ROLLBACK]
    assert begun.table(TABLE).running.state.picks == (5, 0, 0)


def test_a_rollback_within_a_round_leaves_the_picks_of_others_sealed(begun: World) -> None:
    play(
        begun,
        """
        anna >> PICK 3
        ... <
        bob >> PICK 4
        ... <
        modi >> ROLLBACK
        modi < Re: [choices-1] Round 1: moderator - done
            not: PICK 4
        anna < [choices-1] Round 1: news
            The moderator Modi took a move back (by Bob)
            not: Bob picked
        bob < [choices-1] Round 1: your pick - by Thu 12:00
            not: Anna picked
        chen < [choices-1] Round 1: your pick - by Thu 12:00
        """,
    )
    assert begun.table(TABLE).running.state.picks == (3, 0, 0)


def test_a_seat_is_given_to_somebody_new_who_sees_what_it_has_picked_and_the_old_player_nothing_any_more(
    begun: World,
) -> None:
    old = begun.last("anna")
    play(
        begun,
        """
        anna >> PICK 3
        ... <
        modi >> REPLACE Anna dora@example.org
        ... <
        dora >> JOIN AS Dora
        dora < Re: [choices-1] Round 1: done - you are not awaited
            The seat at choices-1 is yours, Dora.
            You have picked 3.
            not: START
        ... <
        """,
    )
    begun.answer("anna", "PICK 4 / STATUS", to=old)
    begun.answer("bob", "PICK 5")
    begun.answer("chen", "PICK 5")
    sent = begun.tick()
    assert "Dora scored 3" in next(mail.text for mail in sent if mail.to == "dora")
    assert not any("picks were" in mail.text for mail in sent if mail.to == "anna")
    assert picks(begun) == [(1, 3, By.SEAT), (2, 5, By.SEAT), (3, 5, By.SEAT)]


def test_a_moderator_may_end_the_game_before_its_end(begun: World) -> None:
    begun.answer("anna", "PICK 3")
    begun.tick()
    told = ended(begun)
    assert set(told) == {"anna", "bob", "chen", "modi"}
    for name in ("anna", "bob", "chen"):
        assert told[name].subject == "[choices-1] The game was ended"
        assert "There is no result." in told[name].text
    play(
        begun,
        """
        anna >> PICK 4
        anna < Re: [choices-1] not done
            was ended by its moderator
        """,
    )
    assert begun.table(TABLE).status is Status.ENDED
