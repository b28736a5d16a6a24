"""Who sits on a seat, who answers for it, and who moderates."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine import shuffle
from engine.record import By, Move, Override, Verb
from pbem import bots_at_table
from pbem.desk import decide
from pbem.draft import Mail
from pbem.parties import TO_ASSIST, TO_MODERATE, Invitation, Party, Role, moderator_party
from pbem.schedule import Absence
from pbem.settle import Announced, news
from pbem.table import Person
from pbem.tally import tallies
from pbem.verdicts import Reason, Said
from tests.desk.sitting import ANNA, BOB, CHEN, MODI, NOW, PLAYERS, Sitting, open_table

DORA = Person(7, "Dora", "dora@example.org")
OFFERED: dict[str, object] = {
    "others": {DORA.address: DORA},
    "invited": (Invitation("inn-7", DORA.address, TO_ASSIST, MODI.id),),
}


def asked() -> Sitting:
    sitting = Sitting.at_night(deadline=timedelta(days=2))
    sitting.settle()
    return sitting


def person(who: Person) -> Party:
    return Party(Role.PERSON, who.address, who, "inn-7")


def test_an_ejected_player_has_no_token_and_no_plans_and_his_seat_is_given_up() -> None:
    sitting = asked()
    sitting.seat(2, "PASS")
    epoch = sitting.table.chair(2).epoch
    sitting.moderator("EJECT Bob because he insulted everybody")
    chair = sitting.table.chair(2)
    assert (chair.person, chair.given_up, chair.epoch > epoch) == (None, True, True)
    assert sitting.table.plans == ()
    assert [(notice.kind, notice.to.address) for notice in sitting.notices] == [("unseated", BOB.address)]
    assert sitting.moderator("EJECT seat 2").lines[0].reason == Reason.NO_PLAYER


def test_an_open_seat_goes_to_the_first_who_joins() -> None:
    sitting = asked()
    sitting.moderator("OPEN Bob")
    assert sitting.table.chair(2).person is None
    assert sitting.moderator("OPEN seat 2").lines[0].reason == Reason.FREE_ALREADY
    verdict = sitting.send(person(DORA), ["JOIN inn-7"])
    assert [line.said for line in verdict.lines] == [Said.DONE]
    assert sitting.table.chair(2).person == DORA
    assert not sitting.table.chair(2).free
    late = sitting.send(person(replace(DORA, id=8, name="Eve", address="eve@example.org")), ["JOIN inn-7"])
    assert late.lines[0].reason == Reason.STARTED


def test_a_seat_that_is_not_open_is_not_for_anybody() -> None:
    sitting = asked()
    sitting.moderator("EJECT Bob")
    assert sitting.send(person(DORA), ["JOIN inn-7"]).lines[0].reason == Reason.STARTED


def test_a_bot_plays_by_the_rules_and_the_same_each_time() -> None:
    moves = []
    for _ in range(2):
        sitting = asked()
        sitting.moderator("BOT Anna")
        decision = bots_at_table.due(sitting.table)
        assert decision is not None
        assert decision.seat == 1
        sitting.write(bots_at_table.move(sitting.table, decision))
        moves.append(sitting.entries[-1].what)
    assert moves[0] == moves[1]
    assert isinstance(moves[0], Move)
    assert moves[0].by is By.BOT


def test_any_order_of_its_player_takes_the_seat_back_from_the_bot() -> None:
    sitting = asked()
    sitting.moderator("BOT Bob")
    assert sitting.table.chair(2).bot
    sitting.seat(2, "PASS")
    assert not sitting.table.chair(2).bot


def test_a_moderator_may_take_the_seat_back_from_the_bot() -> None:
    sitting = asked()
    lines = sitting.moderator("BOT Bob OFF").lines
    assert lines[0].reason == Reason.PLAYED_ALREADY
    lines = sitting.moderator("BOT Bob", "BOT Bob OFF", "BOT Anna").lines
    assert [line.said for line in lines] == [Said.DONE] * 3
    assert [chair.bot for chair in sitting.table.chairs] == ["steady", "", ""]
    verbs = [entry.what.verb for entry in sitting.entries if isinstance(entry.what, Override)]
    assert verbs == [Verb.BOT, Verb.PERSON, Verb.BOT]


def test_nobody_plays_for_a_bot_while_the_game_is_paused() -> None:
    sitting = asked()
    sitting.moderator("BOT Anna", "PAUSE")
    assert bots_at_table.due(sitting.table) is None


def test_players_change_seats_before_the_start_and_not_after() -> None:
    sitting = Sitting(open_table(ANNA, BOB, CHEN))
    sitting.moderator("SWAP Anna AND Chen because it was drawn so")
    assert sitting.table.names == ("Chen", "Bob", "Anna")
    assert {(notice.kind, notice.to.address) for notice in sitting.notices} == {
        ("swapped", who.address) for who in (ANNA, BOB, CHEN)
    }
    assert asked().moderator("SWAP Anna AND Chen").lines[0].reason == Reason.STARTED


def test_a_new_token_comes_with_the_newest_state_to_its_player_alone() -> None:
    sitting = asked()
    epoch = sitting.table.chair(2).epoch
    sitting.moderator("RESET TOKEN Bob")
    assert sitting.table.chair(2).epoch == epoch + 1
    states = [telling.to.seat for telling in sitting.settle() if telling.state]
    assert states == [2]


def test_the_newest_state_is_sent_once_more() -> None:
    sitting = asked()
    sitting.moderator("RESEND Bob")
    assert [telling.to.seat for telling in sitting.settle() if telling.state] == [2]


def test_a_table_is_handed_to_one_of_its_players() -> None:
    sitting = asked()
    sitting.moderator("TRANSFER Bob")
    assert sitting.table.moderator == BOB
    assert sitting.entries[-1].what == Override(Verb.MODERATOR, seat=2)
    assert [(notice.kind, notice.to.role, notice.to.address) for notice in sitting.notices] == [
        ("handed", Role.MODERATOR, BOB.address)
    ]
    assert sitting.moderator("PAUSE").lines[0].reason == Reason.NOT_MODERATOR


def test_a_table_is_handed_to_whoever_is_registered() -> None:
    sitting = asked()
    known = sitting.known
    sitting.known = lambda *a, **k: known(*a, **(k | {"others": {DORA.address: DORA}}))  # type: ignore[method-assign]
    n = len(sitting.entries)
    sitting.moderator("TRANSFER dora@example.org")
    assert (sitting.table.moderator, len(sitting.entries)) == (MODI, n), "not before she accepts"
    assert [(notice.kind, notice.to.address) for notice in sitting.notices] == [("moderation-offered", DORA.address)]
    by_modi, by_bob = (Invitation("inn-7", DORA.address, TO_MODERATE, by=who.id) for who in (MODI, BOB))
    for offer, reason, after in ((by_bob, Reason.NOT_INVITED, MODI), (by_modi, "", DORA)):
        sitting.known = lambda *a, o=offer, **k: known(*a, **(k | {"invited": (o,)}))  # type: ignore[method-assign]
        assert sitting.send(person(DORA), ["JOIN inn-7"]).lines[0].reason == reason
        assert sitting.table.moderator == after
    assert sitting.entries[-1].what == Override(Verb.MODERATOR)


def test_the_keeper_of_the_host_hands_a_table_over_at_once() -> None:
    sitting = asked()
    known = sitting.known(moderator_party(sitting.table), keeper=True, others={DORA.address: DORA})
    sitting.write(decide(known, Mail(lines=("TRANSFER dora@example.org",), received_at=sitting.now)))
    assert sitting.table.moderator == DORA


@pytest.mark.parametrize("name", ["Nobody", "nobody@example.org"])
def test_nobody_knows_whom_a_table_is_handed_to(name: str) -> None:
    sitting = asked()
    assert sitting.moderator(f"TRANSFER {name}").lines[0].reason in (Reason.NO_SEAT, Reason.BAD_ADDRESS)
    assert sitting.table.moderator == MODI


def test_a_moderator_who_has_vanished_is_voted_out_by_more_than_half() -> None:
    sitting = asked()
    first = sitting.seat(1, "VOTE MODERATOR Bob").lines[0]
    assert (first.said, first.facts["missing"]) == (Said.DONE, 1)
    assert sitting.table.moderator == MODI
    assert [(notice.kind, notice.to.seat) for notice in sitting.notices] == [("voted", 2), ("voted", 3), ("voted", 0)]
    sitting.seat(1, "VOTE MODERATOR Bob")
    assert sitting.table.moderator == MODI, "a second vote of the same player counts once"
    sitting.seat(3, "VOTE MODERATOR Bob")
    assert sitting.table.moderator == BOB
    assert tallies(sitting.table) == ()


VOTES = [
    (PLAYERS, MODI, 3, None, [1], MODI),
    (PLAYERS, MODI, 3, None, [1, 3], BOB),
    (PLAYERS, CHEN, 3, None, [1], CHEN),
    (PLAYERS, CHEN, 3, None, [1, 2], BOB),
    ((ANNA, BOB), ANNA, 3, None, [2], ANNA),
    ((ANNA, BOB), ANNA, 6, None, [2], BOB),
    (PLAYERS, MODI, 30, Absence(NOW - timedelta(days=20), NOW + timedelta(days=1)), [1, 2, 3], MODI),
    (PLAYERS, MODI, 30, Absence(NOW - timedelta(days=20), NOW - timedelta(days=2)), [1, 2, 3], MODI),
    (PLAYERS, MODI, 30, Absence(NOW - timedelta(days=20), NOW - timedelta(days=3)), [1, 2, 3], BOB),
]
"""Who plays, who moderates and has been silent for how many days, when he was away; who votes for Bob; who moderates
then."""


@pytest.mark.parametrize(("players", "moderator", "silent", "away", "voters", "after"), VOTES)
def test_a_vote_takes_two_or_all_others_and_a_silence_that_was_not_announced(
    players: tuple[Person, ...], moderator: Person, silent: int, away: Absence | None, voters: list[int], after: Person
) -> None:
    sitting = Sitting(replace(open_table(*players), moderator=replace(moderator, away=away)))
    sitting.send(moderator_party(sitting.table), ["START"])
    known, seen = sitting.known, sitting.now - timedelta(days=silent)
    sitting.known = lambda *a, **k: known(*a, **(k | {"moderator_seen": seen}))  # type: ignore[method-assign]
    for seat in voters:
        sitting.seat(seat, "VOTE MODERATOR Bob")
    assert sitting.table.moderator.id == after.id


def test_a_sign_of_life_voids_the_votes_against_a_moderator() -> None:
    sitting = asked()
    sitting.seat(1, "VOTE MODERATOR Bob")
    sitting.moderator("HELP")
    assert tallies(sitting.table) == ()


@pytest.mark.parametrize(("days", "silent", "reason"), [(3, 2, Reason.MODERATOR_THERE), (3, 3, ""), (1, 2, "")])
def test_nobody_is_voted_out_who_has_written_as_lately_as_the_table_wants(days: int, silent: int, reason: str) -> None:
    sitting = asked()
    sitting.moderator(f"OPTIONS vote-after={days}")
    known, seen = sitting.known, sitting.now - timedelta(days=silent)
    sitting.known = lambda *a, **k: known(*a, **(k | {"moderator_seen": seen}))  # type: ignore[method-assign]
    assert sitting.seat(1, "VOTE MODERATOR Bob").lines[0].reason == reason


def test_who_was_promoted_moderates_until_he_is_demoted_and_learns_what_the_other_does() -> None:
    sitting = asked()
    known = sitting.known
    sitting.known = lambda *a, **k: known(*a, **(k | {"others": {DORA.address: DORA}}))  # type: ignore[method-assign]
    sitting.moderator("PROMOTE dora@example.org")
    assert [(notice.kind, notice.to.address) for notice in sitting.notices] == [("promotion-offered", DORA.address)]
    assert not sitting.table.co_moderators
    assert sitting.send(person(DORA), ["JOIN inn-7"]).lines[0].reason == Reason.STARTED
    sitting.known = lambda *a, **k: known(*a, **(k | OFFERED))  # type: ignore[method-assign]
    sitting.send(person(DORA), ["JOIN inn-7"])
    assert sitting.table.moderators == (MODI, DORA)
    dora = Party(Role.MODERATOR, DORA.address, DORA, "inn-7")
    sitting.notices.clear()
    assert [line.said for line in sitting.send(dora, ["PAUSE"]).lines] == [Said.DONE]
    assert [(notice.kind, notice.to, notice.facts["by"]) for notice in sitting.notices] == [
        ("overruled", moderator_party(sitting.table), "Dora")
    ]
    assert sitting.send(dora, ["PROMOTE dora@example.org"]).lines[0].reason == Reason.MODERATES_ALREADY
    assert sitting.moderator("DEMOTE Modi").lines[0].reason == Reason.NOT_PROMOTED
    sitting.notices.clear()
    sitting.moderator("DEMOTE Dora")
    assert [(notice.kind, notice.to.role) for notice in sitting.notices] == [("overruled", Role.PERSON)]
    assert sitting.send(dora, ["RESUME"]).lines[0].reason == Reason.NOT_MODERATOR


def test_a_note_is_an_entry_whose_words_are_told_to_moderators_alone() -> None:
    sitting = asked()
    sitting.moderator("NOTE Bob asked for a swap")
    assert sitting.entries[-1].what == Override(Verb.NOTE)
    told = sitting.settle()
    assert [telling.to.role for telling in told] == [Role.MODERATOR]
    sitting.seat(1, "HISTORY")
    assert all(not isinstance(item, Announced) for telling in sitting.settle() for item in telling.news)
    assert news(sitting.log, 1) == news(sitting.log[:-1], 1)
    assert sitting.moderator("NOTES").lines[0].facts["notes"] == [
        [sitting.now.isoformat(), MODI.name, "Bob asked for a swap"]
    ]


def test_a_ruling_is_kept_with_the_game_and_an_announcement_is_not() -> None:
    sitting = asked()
    n = len(sitting.entries)
    sitting.moderator("ANNOUNCE we play on after Christmas", "RULING: the second order of Bob's mail counts; so be it")
    assert [entry.what for entry in sitting.entries[n:]] == [Override(Verb.RULING)]
    remark = sitting.log[-1].remark
    assert remark is not None
    assert remark.why == "the second order of Bob's mail counts; so be it"
    notices = [(notice.to.seat, notice.facts["words"]) for notice in sitting.notices]
    assert notices == [(seat, "we play on after Christmas") for seat in (1, 2, 3)]


def test_a_trial_copy_is_a_table_of_its_own_that_looks_the_same_and_holds_other_cards() -> None:
    sitting = asked()
    known, now = sitting.known, sitting.table
    sitting.known = lambda *a, **k: known(*a, **(k | {"entropy": "cd" * 32, "next_number": 9}))  # type: ignore[method-assign]
    mail = Mail(lines=("CLONE because I wonder", "CLONE"), received_at=sitting.now)
    decided = decide(sitting.known(moderator_party(now)), mail)
    assert decided.verdict is not None
    assert [line.said for line in decided.verdict.lines] == [Said.DONE, Said.UNREAD], "one in each mail"
    trial = next(change.after for change in decided.tables if change.after.name != now.name)
    assert (trial.name, trial.is_trial, trial.moderators) == ("inn-7-trial-9", True, (MODI,))
    assert [chair.person for chair in trial.chairs] == [None] * 3
    assert now.game.view(trial.running.state, None, now.names) == now.view(None)
    assert trial.running.state.entrance != now.running.state.entrance
    assert trial.running.state.removed != now.running.state.removed
    assert trial.secret != now.secret


def test_a_trial_gives_nothing_of_its_originals_secret_away_where_both_were_chosen_alike() -> None:
    sitting = Sitting.started()
    known = replace(
        sitting.known(moderator_party(sitting.table)), entropy=sitting.table.secret, chosen=True, next_number=9
    )
    found = decide(known, Mail(lines=("CLONE",), received_at=sitting.now))
    (trial,) = (change.after for change in found.tables if change.after.is_trial)
    assert trial.header is not None
    assert len(bytes.fromhex(trial.secret)) == 32
    assert trial.secret != sitting.table.secret
    assert trial.header.commitment == shuffle.commitment(trial.name, trial.secret)
