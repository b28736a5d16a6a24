"""Plans as players mail them: alternatives, conditions, what is settled beforehand, and what the answers say."""

from __future__ import annotations

from tests.conversations.transcript import play
from tests.conversations.world import World


def test_a_plan_with_alternatives_costs_one_mail(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> BRIBE 2 PEASANTS ELSE BRIBE newsboy / IF ANNA PASSED PASS CASH 10 ELSE WAIT
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
            PLANNED BRIBE 2 PEASANTS ELSE BRIBE newsboy
            If it ran now
            PLANNED IF ANNA PASSED PASS CASH 10 ELSE WAIT
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: done - you are not awaited
            DONE BRIBE 2 PEASANTS ELSE BRIBE newsboy
            Read as BRIBE newsboy
        chen < [inn-1] Round 1, night: your 1st action - by Thu 12:00
        chen >> PASS / PASS
        chen < Re: [inn-1] Round 1, night: done - you are not awaited
        anna < [inn-1] Round 1, night: your 2nd action - by Thu 12:00
        """,
    )


def test_where_nothing_is_possible_the_player_is_asked_and_told_why(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> BRIBE 2 PEASANTS ELSE PASS LAUNDER 90 / PASS
        bob < Re: [inn-1] Round 1, night: planned - you are not awaited
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
        bob < [inn-1] Round 1, night: not done - your 1st action - by Thu 12:00
            BRIBE 2 PEASANTS:
            PASS LAUNDER 90:
            No alternative of this line is possible
            NOT TRIED PASS
        """,
    )


def test_plans_are_listed_tried_and_withdrawn(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> ALWAYS PAY CHECKS / PASS / EVERY ROUND: / PASS CASH 10 / PLAN / CANCEL 1 / TRY PASS CASH 10
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            Settled: PAY CHECKS
            Kept for every round
            1. PASS 2. EVERY ROUND: PASS CASH 10 3. ALWAYS PAY CHECKS
            Put away: PASS.
            If it ran now
        """,
    )


def test_what_was_settled_before_the_start_is_not_asked(signed_up: World) -> None:
    play(
        signed_up,
        """
        anna >> ALWAYS LODGE ANY
        anna < Re: [inn-1] done
            Settled: LODGE ANY
        modi >> START
        ... <
        """,
    )
    assert signed_up.table().running.state.phase == "night"
    assert signed_up.last("anna").subject.startswith("[inn-1] Round 1, night: your 1st action")
