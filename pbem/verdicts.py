"""What is answered to a mail, as data: a line each. Sentences are made by templates."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec


class Said(StrEnum):
    """What became of a line."""

    DONE = "done"
    PLANNED = "planned"
    REFUSED = "refused"
    """Understood, and not allowed."""
    UNREAD = "unread"
    """Looks like an order or a command, and could not be read."""
    UNTRIED = "untried"
    """Stands behind a line that stopped the mail."""
    ANSWERED = "answered"
    """A question; the answer is in `Line.info`."""
    LAPSED = "lapsed"
    """A plan whose decision has passed or which was withdrawn."""


class Source(StrEnum):
    """Whose word a reason is: it tells which template has the sentence."""

    HOST = "host"
    GAME = "game"


class Forecast(msgspec.Struct, frozen=True):
    """What a line would bring if it ran now, as far as its writer may know: events, or the game's reason against it."""

    reason: str = ""
    facts: dict[str, Any] = {}
    order: str = ""
    """The alternative that would be taken."""
    events: tuple[Any, ...] = ()
    """As JSON values."""


class Line(msgspec.Struct, frozen=True):
    """One own line of a mail and what became of it."""

    n: int
    text: str
    said: Said
    reading: str = ""
    """The line as it was understood, in canonical form."""
    source: Source = Source.HOST
    reason: str = ""
    facts: dict[str, Any] = {}
    """The facts of the reason, as JSON values."""
    near: tuple[str, ...] = ()
    """Lines or words that may have been meant, or would work."""
    info: str = ""
    """The name of the template that answers, with its data in `facts`."""
    decision: str = ""
    """The key of the decision that it answered, or is planned for."""
    entry: int = 0
    """The entry of the record that a line which was done has become."""
    tried: tuple[Line, ...] = ()
    """Of a line with alternatives: those before the one that was taken, and why not they."""
    forecast: Forecast | None = None


class Verdict(msgspec.Struct, frozen=True):
    """The answer to one mail, or news of a plan (then without a time)."""

    lines: tuple[Line, ...] = ()
    subject: str = ""
    received_at: datetime | None = None
    reason: str = ""
    """A reason that concerns the mail as a whole, as ``passed`` or ``empty``."""
    facts: dict[str, Any] = {}
    caps: tuple[str, ...] = ()
    """Limits that the mail went over, so that something of it was not read (`letters.Cap`)."""
    ignored: int = 0
    """Quoted lines and the like that were not read."""
    prose: tuple[str, ...] = ()
    """Own lines that were no orders (a few of them)."""
    state: bool = False
    """The newest state belongs into the answer."""
    message_id: str = ""
    """Of the mail that is answered, if it has one."""
    inbox: int = 0
    """The mail that is answered; news of a plan name the mail that it came in."""


class Reason(StrEnum):
    """Why the host itself does not do what a line or a mail says; the game has reasons of its own."""

    # of a mail as a whole
    EMPTY = "empty"
    PROSE = "prose"
    INCOMPLETE = "incomplete"
    TOO_LARGE = "too-large"
    NO_TEXT = "no-text"
    REPEATED = "repeated"  # at: when the same mail was handled
    PASSED = "passed"
    CARRIERS = "carriers"
    NO_TOKEN = "no-token"
    NOT_THE_SEATS = "not-the-seats"  # the address proves who it is, but gives no orders
    OTHER_ADDRESS = "other-address"
    UNSIGNED = "unsigned"
    FORGED = "forged"  # our own server says that the sender's address is not the writer's
    FAILED = "failed"
    # of a line
    MIXED_KINDS = "mixed-kinds"
    PLAN_TOO_LONG = "plan-too-long"
    UNTIL_UNCLEAR = "until-unclear"
    IF_WITHOUT_ORDER = "if-without-order"
    ELSE_WITHOUT_ORDER = "else-without-order"
    AND_WITH_OR = "and-with-or"
    CONDITION_AMBIGUOUS = "condition-ambiguous"  # condition, readings
    NO_CONDITIONS = "no-conditions"  # this game answers none
    NOT_SO = "not-so"  # condition: it does not hold, so this way was not gone
    NO_WAY = "no-way"  # no alternative of a plan can be gone
    WAITS = "waits"  # the plan says to ask
    CAME_ABOUT = "came-about"  # condition: what a plan waited for
    ROUND_PAST = "round-past"  # round
    NO_LATER = "no-later"  # this game takes no plans for later rounds
    NO_STANDING = "no-standing"  # this game has nothing to settle beforehand
    NO_PLAN = "no-plan"  # number, there
    TOO_MANY_PLANS = "too-many-plans"  # most
    NOT_FORESEEN = "not-foreseen"  # nobody can tell yet what a line would bring
    UNKNOWN = "unknown"  # near
    LINE_TOO_LONG = "line-too-long"
    USAGE = "usage"  # usage
    AMBIGUOUS = "ambiguous"  # near: the readings
    NOT_PLAYING = "not-playing"
    NOT_MODERATOR = "not-moderator"  # game, own: whether the sender moderates it, moderator: for who is at the table
    NOT_RUNNING = "not-running"  # game, status
    PAUSED = "paused"
    NOT_AHEAD = "not-ahead"  # kind: no such decision in the rest of this round
    NO_GAME = "no-game"  # game
    WHICH_GAME = "which-game"  # games
    NO_KIND = "no-kind"  # kind, kinds
    BAD_OPTION = "bad-option"  # option, value, allowed
    BAD_ADDRESS = "bad-address"  # address
    NAME_BAD = "name-bad"  # name
    NAME_MISSING = "name-missing"  # usage: the line, with somebody's name; the sender has copied "your name"
    NAME_TAKEN = "name-taken"  # name
    NAME_RESERVED = "name-reserved"  # name
    LABEL_BAD = "label-bad"  # name: what a table cannot be called
    NAME_UNCLEAR = "name-unclear"  # name: it may not be what it looks like
    NOT_REGISTERED = "not-registered"
    ALREADY_REGISTERED = "already-registered"  # name
    WRONG_CODE = "wrong-code"
    NEXT_MAIL = "next-mail"  # it hangs on what the lines above it have done
    TABLE_FULL = "table-full"  # game
    SEAT_GONE = "seat-gone"  # game: the seat that the sender was offered is somebody else's by now
    ALREADY_SEATED = "already-seated"  # game
    NOT_SEATED = "not-seated"  # game
    NOT_INVITED = "not-invited"  # game
    STARTED = "started"  # game
    NOT_OVER = "not-over"  # game: a rematch is for those who have played to the end
    SEATS = "seats"  # seated, allowed
    BAD_ZONE = "bad-zone"  # zone, near
    BAD_LANGUAGE = "bad-language"  # language; near: those that there are, each in its own words
    NO_SEAT = "no-seat"  # name, names
    NOTHING_TO_ROLL_BACK = "nothing-to-roll-back"  # asked, there
    OTHER_GAME = "other-game"  # game: lines for a table that the mail cannot speak for; near: those that it can
    WHICH_PART = "which-part"  # near: the tables of the digest that is answered; the order names none
    NOTHING_TO_UNDO = "nothing-to-undo"  # moderator, own, hold: whether orders can be taken back at this table
    NOT_AWAITED = "not-awaited"  # name, kind: what the order would answer
    ACT_REFUSED = "act-refused"  # name, why: the game's reason where nobody could read it, else nothing
    NOT_PAUSED = "not-paused"
    NOTHING_TO_ROLL_FORWARD = "nothing-to-roll-forward"  # game
    NO_SUCH_PHASE = "no-such-phase"  # round, phase
    OTHER_PHASE = "other-phase"  # round, phase: where the game stands
    NO_DEADLINE = "no-deadline"  # game
    NOT_ASKED = "not-asked"  # game: the mail that asks has not gone out
    NO_MISS = "no-miss"  # name
    BAD_TIME = "bad-time"  # time
    NO_PRESS = "no-press"  # game: its players do not talk through the host
    NOBODY_LISTENS = "nobody-listens"  # game
    CANNOT_BE_TOLD = "cannot-be-told"  # name: he gets no mail
    NO_WORDS = "no-words"  # nothing that can be shown is left of them
    TOO_MUCH_PRESS = "too-much-press"  # characters, lines: how many there are; most_characters, most_lines
    PRESS_SPENT = "press-spent"  # limit
    NO_PLAYER = "no-player"  # name: nobody sits there
    NO_BOTS = "no-bots"  # title
    PLAYED_ALREADY = "played-already"  # name, bot
    FREE_ALREADY = "free-already"  # name
    NO_CORRECTIONS = "no-corrections"  # title
    CORRECTION = "correction"  # usage: how each change is written
    NOT_SEALED = "not-sealed"  # game, over: whether it is laid open already, or has not ended
    NO_RESULT = "no-result"  # title: the game has none before its end
    MODERATES_ALREADY = "moderates-already"  # name
    NO_TRIALS = "no-trials"  # title: the game cannot draw what is unseen
    NOT_PROMOTED = "not-promoted"  # name: of nobody who moderates beside the moderator
    PLAYS_BLIND = "plays-blind"  # who moderates plays, and so never sees other hands
    HAS_SEEN = "has-seen"  # name, game: has moderated there, seeing every hand
    MODERATOR_THERE = "moderator-there"  # name, days
    NO_WATCHERS = "no-watchers"  # game: it lets nobody watch
    NOT_WATCHING = "not-watching"  # game
    ONLY_WATCHING = "only-watching"  # game: an order of somebody who watches it
    NO_VOTE = "no-vote"  # motion: the sender has no say in it
    TOO_FEW_VOTERS = "too-few-voters"
    PHRASE_LATE = "phrase-late"
    BY_INVITATION = "by-invitation"  # the host takes new players by invitation, and the sender has none
    WANTS_NO_MAIL = "wants-no-mail"  # address
    ALREADY_INVITED = "already-invited"  # address
    TOO_MANY_TODAY = "too-many-today"  # limit, there: invitations of one player
    TOO_MANY_MAILS = "too-many-mails"  # limit, again: from when on he is heard again
    TOO_MANY_GAMES = "too-many-games"  # limit, games: those that he moderates
    TOO_MANY_OPEN = "too-many-open"  # limit, there
    ABSENCE_OVER = "absence-over"
    ABSENCE_TOO_LONG = "absence-too-long"  # days: the most that the host allows
    ABSENCE_TOO_FAR = "absence-too-far"
    STILL_PLAYING = "still-playing"  # games
    ADDRESS_TAKEN = "address-taken"  # address
    ADDRESS_ASKED = "address-asked"  # address: it was sent a code less than a day ago
    ADDRESS_UNKNOWN = "address-unknown"  # address, addresses: his
    TOO_MANY_ADDRESSES = "too-many-addresses"  # limit
