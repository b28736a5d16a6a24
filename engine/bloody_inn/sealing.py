"""Answers that several seats give at once: they stay sealed until all are in (D10)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.bloody_inn.events import Answered, AnswerSealed
from engine.bloody_inn.state import Kind, Sealed, State
from engine.game import Secret, Step


def sealed(state: State, kind: Kind, answer: Sealed) -> Step:
    """Put the answer away; only its seat may know what it says."""
    after = replace(
        state,
        sealed=(*state.sealed, answer),
        awaited=tuple([seat for seat in state.awaited if seat != answer.seat]),
    )
    secret = AnswerSealed(answer.seat, kind, answer.checks, answer.cards)
    return Step(after, (Secret(answer.seat, secret, Answered(answer.seat, kind)),))


def answer_of(state: State, seat: int) -> Sealed:
    """What `seat` has answered; nothing at all if it was not asked."""
    for answer in state.sealed:
        if answer.seat == seat:
            return answer
    return Sealed(seat)
