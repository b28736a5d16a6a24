"""Why a line cannot be read (`Fault`) and why a move is refused (`Refusal`).

Beside each reason stand its facts. Sentences for them live in ``templates/``, and a test holds that
every reason has one in every language and form.
"""

from __future__ import annotations

from enum import StrEnum


class Fault(StrEnum):
    """An order line that was not understood; the fact ``near`` lists what may have been meant."""

    VERB = "verb"  # word, near
    CARD = "card"  # word, near
    ANNEX = "annex"  # word, near
    PLAYER = "player"  # word, near
    NUMBER = "number"  # word
    TARGET_MISSING = "target-missing"  # verb
    PLACE_MISSING = "place-missing"  # corpse: UNDER which annex?
    ROOM_MISSING = "room-missing"  # verb
    NOT_IN_INN = "not-in-inn"  # card: nobody of that name is lodged (in that room)
    NOT_HERE = "not-here"  # verb, words: a phrase that this verb does not take
    PAYMENT_UNCLEAR = "payment-unclear"  # least, most, near: WITH was left out and there is a choice
    REPEATED = "repeated"  # word: a phrase that stands twice
    REST = "rest"  # words: what could not be read at the end
    CONDITION = "condition"  # word, near: what behind IF or UNTIL is no question that can be answered
    CHOICE = "choice"  # word, near: what behind ALWAYS is nothing that can be settled beforehand


class Refusal(StrEnum):
    """A move that the rules do not allow."""

    OVER = "over"
    NOT_AWAITED = "not-awaited"  # seat
    WRONG_KIND = "wrong-kind"  # kind: what is awaited instead
    NO_ROOM_NAMED = "no-room-named"
    ROOM_CLOSED = "room-closed"  # room
    ROOM_TAKEN = "room-taken"  # room
    ROOM_EMPTY = "room-empty"  # room
    TARGET_TWICE = "target-twice"  # room
    NO_TARGET = "no-target"
    MIXED_TARGETS = "mixed-targets"
    ONE_TARGET = "one-target"  # action, annex: the annex that would allow more
    PEASANT_LIMIT = "peasant-limit"  # asked, most
    BISTRO_SHORT = "bistro-short"  # asked, there
    NOT_IN_HAND = "not-in-hand"  # cards
    HAND_TOO_SMALL = "hand-too-small"  # least, there
    CARD_COUNT = "card-count"  # given, least, most
    NOT_BUILDABLE = "not-buildable"  # card
    ROOM_NEEDED = "room-needed"  # card, rooms
    ROOM_NOT_POSSIBLE = "room-not-possible"  # card, room, rooms
    ROOM_NOT_USED = "room-not-used"  # card
    NO_CORPSE = "no-corpse"  # corpse
    NO_ANNEX = "no-annex"  # owner, annex
    NO_PLACE = "no-place"  # owner, annex, places: (owner, annex) with a free place
    TENS = "tens"  # amount
    BOTH_WAYS = "both-ways"
    CASH_SHORT = "cash-short"  # amount, there
    CHECKS_SHORT = "checks-short"  # amount, there
    CASH_LIMIT = "cash-limit"  # amount, there
    CHECKS_RANGE = "checks-range"  # checks, least, most
    DISMISS_COUNT = "dismiss-count"  # given, due
    NOT_NOW = "not-now"  # a correction takes a night
    NO_AMOUNT = "no-amount"  # amount, most
    NOT_THERE = "not-there"  # card: it does not lie where it is said to, or cannot lie there
    NO_PERMUTATION = "no-permutation"  # size: what the dealer gave does not hold each number once
