"""Standing choices: what a player has settled beforehand, so that no mail need ask for it."""

from __future__ import annotations

from dataclasses import replace

from engine.game import AnyGame, Decision, Illegal, Standing, Unreadable
from engine.record import By
from pbem.commands.grammar import Always
from pbem.commands.opening import is_in_capitals
from pbem.draft import Draft, Refused
from pbem.parties import Changed, Decided
from pbem.plans import moments
from pbem.plans.later import replaced, with_plan_of_a_player
from pbem.plans.releasing import waits_for
from pbem.plans.ways import choices_of, unread
from pbem.table import Plan, Table, play
from pbem.undo import carried
from pbem.verdicts import Line, Reason, Said
from pbem.wording import word


def settle_choice(draft: Draft, n: int, text: str, command: Always) -> Draft:
    """ALWAYS: keep a choice, before the game begins as well; a newer one about the same takes its place."""
    table = draft.about("")
    standing: Standing | None = table.game.capabilities.get("standing")
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    if standing is None:
        raise Refused(Reason.NO_STANDING)
    try:
        choice = standing.read(command.choice, draft.language)
    except Unreadable as fault:
        if not is_in_capitals(text):  # many a sentence begins so
            return replace(draft, prose=(*draft.prose, text))
        view = table.known_view(seat) if table.position else None
        return draft.saying(unread(table, view, Line(n, text, Said.UNREAD), fault))
    plan = Plan(
        seat, moments.always(standing.topic(choice)), standing.write(choice, draft.language), draft.mail.inbox, n
    )
    facts = replaced(table, plan)
    return draft.changing(with_plan_of_a_player(table, plan)).doing(n, text, "always", choice=plan.text, **facts)


def offers(game: AnyGame, language: str) -> tuple[str, ...]:
    """Lines that a newcomer may copy."""
    standing: Standing | None = game.capabilities.get("standing")
    return tuple(f"{word('always', language)} {choice}" for choice in standing.offers(language)) if standing else ()


def answer(table: Table) -> Decided | None:
    """The move that settles an open decision as its player has said beforehand; ``None`` if there is none."""
    for decision in table.free:
        decided = _answered(table, decision)
        if decided is not None:
            return decided
    return None


def _answered(table: Table, decision: Decision) -> Decided | None:
    choices = choices_of(table, decision.seat)
    if not choices or any(waits_for(plan, decision) for plan in table.plans if plan.seat == decision.seat):
        return None
    action = table.game.capabilities["standing"].answer(choices, table.view(decision.seat))
    if action is None:
        return None
    try:
        after, written = play(table, decision.seat, action, By.PLAN)
    except Illegal:
        return None
    return Decided(tables=(Changed(table, carried(table, after, decision.seat, written), written),))


def renumbered(plans: tuple[Plan, ...], seats: dict[int, int]) -> tuple[Plan, ...]:
    """`plans` at the chairs that their seats have moved to; those of nobody are gone."""
    moved = ((plan, seats.get(plan.seat, 0)) for plan in plans)
    return tuple(plan if seat == plan.seat else replace(plan, seat=seat, id=0) for plan, seat in moved if seat)
