"""Who sits on a seat, and who answers for it."""

from __future__ import annotations

from dataclasses import replace

from engine.record import Override, Verb
from pbem.commands.bots import with_bots
from pbem.commands.inviting import check, offered
from pbem.commands.lobby import without_seat
from pbem.commands.overriding import Eject, LetBotPlay, OpenSeat, ReplaceSeat, ResetToken, Swap
from pbem.commands.questions import table_facts
from pbem.draft import Draft, Refused
from pbem.levels import levels
from pbem.moderation.signing import in_play, named, overruled, seat_called
from pbem.names import canonical, folded
from pbem.parties import Notice, Party, Role, seat_party
from pbem.table import Person, Status, Table
from pbem.verdicts import Reason

TOKEN = "token"
SWAPPED = "swapped"


def replace_seat(draft: Draft, n: int, text: str, command: ReplaceSeat) -> Draft:
    """Give a seat to somebody else: it is free at once, and his when he answers the invitation.

    Who gives it to himself sits down at once; so does whom the keeper names, if he is registered. The old player's
    token is void and his plans are gone from now on.
    """
    table = in_play(draft)
    seat = seat_called(table, command.name)
    old = table.chair(seat).person
    known = draft.known.others.get(canonical(command.address))
    if known is not None and table.seat_of(known):
        raise Refused(Reason.ALREADY_SEATED, game=table.name)
    if known is not None and known.id in table.witnesses:
        raise Refused(Reason.HAS_SEEN, name=known.name, game=table.name)
    new = known if known is not None and _has_consented(draft, known) else None
    left = table.with_chair(table.chair(seat).for_another(new))
    left = left.without_watcher(new) if new else left
    facts = {"before": old.name if old else "", "after": new.name if new else ""}
    drafted = overruled(draft, left, Override(Verb.REPLACE, seat=seat), command, facts)
    drafted = told_about_seat(drafted, table, seat, old)
    drafted = _offered_to(drafted, table, seat, new, command.address)
    name = new.name if new else table.names[seat - 1]
    return drafted.doing(n, text, "replaced", name=name, address=command.address, waits=new is None)


def _has_consented(draft: Draft, person: Person) -> bool:
    """Whether `person` need not be asked: he says it himself, or the keeper of the host answers for it."""
    himself = draft.person is not None and draft.person.id == person.id
    return person.confirmed and (himself or draft.known.keeper)


def eject(draft: Draft, n: int, text: str, command: Eject) -> Draft:
    """Take a seat from its player, if somebody sits there; the host answers for it from now on, as a missed deadline
    does."""
    table = in_play(draft)
    seat = seat_called(table, command.name)
    chair = table.chair(seat)
    if chair.given_up or (chair.bot and not chair.person):
        raise Refused(Reason.NO_PLAYER, name=chair.name)
    left = table.with_chair(replace(chair.for_another(None), given_up=True))
    facts = {"before": chair.person.name if chair.person else ""}
    drafted = overruled(draft, left, Override(Verb.EJECT, seat=seat), command, facts)
    drafted = told_about_seat(drafted, table, seat, chair.person)
    return drafted.doing(n, text, "ejected", name=chair.name, empty=chair.vacant)


def let_bot_play(draft: Draft, n: int, text: str, command: LetBotPlay) -> Draft:
    """A bot answers for a seat, until the moderator or any order of its player ends that.

    Before the start the name of a level alone sits a bot down at a place of its own.
    """
    table = draft.moderated()
    if not levels(table.game):
        raise Refused(Reason.NO_BOTS, title=table.game.title)
    if table.status is Status.OPEN:
        return _before_start(draft, n, text, command, table)
    seat, level = _bot_meant(in_play(draft), command)
    chair = table.chair(seat)
    changed = table.with_chair(replace(chair, bot=level))
    what = Override(Verb.BOT if level else Verb.PERSON, seat=seat)
    drafted = overruled(draft, changed, what, command, {"level": level} if level else {})
    return drafted.doing(n, text, "bot", name=chair.name, on=command.on, level=level)


def _before_start(draft: Draft, n: int, text: str, command: LetBotPlay, table: Table) -> Draft:
    """A bot sits down or gets up; nobody has to be told before he gets the first mail."""
    if command.on and folded(command.name) in levels(table.game):
        seated = with_bots(table, (folded(command.name),))
        return draft.changing(seated).doing(n, text, "bot_seated", name=seated.names[-1], **table_facts(seated))
    seat, level = _bot_meant(table, command)
    chair = table.chair(seat)
    if chair.person is not None:
        draft.running(table)
    changed = table.with_chair(replace(chair, bot=level)) if level else without_seat(table, seat)
    return draft.changing(changed).doing(n, text, "bot", name=chair.name, on=command.on, level=level)


def _bot_meant(table: Table, command: LetBotPlay) -> tuple[int, str]:
    """The seat, and the level of its bot from now on; nothing for none. `Refused` where that is so already."""
    name, level = _name_and_level(table, command.name)
    seat = seat_called(table, name)
    chair = table.chair(seat)
    wanted = (level or chair.bot or levels(table.game)[0]) if command.on else ""
    if chair.bot == wanted:
        raise Refused(Reason.PLAYED_ALREADY, name=chair.name, bot=bool(wanted))
    return seat, wanted


def _name_and_level(table: Table, text: str) -> tuple[str, str]:
    """ "Bob random" is Bob and a level, unless somebody is called so."""
    name, _, last = text.rpartition(" ")
    if folded(last) in levels(table.game) and folded(text) not in map(folded, table.names):
        return name.strip(), folded(last)
    return text, ""


def open_seat(draft: Draft, n: int, text: str, command: OpenSeat) -> Draft:
    """Offer a seat to anybody: GAMES lists it, and the first JOIN takes it. Who sits there leaves it now."""
    table = in_play(draft)
    seat = seat_called(table, command.name)
    chair = table.chair(seat)
    if chair.free:
        raise Refused(Reason.FREE_ALREADY, name=table.names[seat - 1])
    facts = {"before": chair.person.name if chair.person else ""}
    drafted = overruled(draft, opened(table, seat), Override(Verb.OPEN, seat=seat), command, facts)
    drafted = told_about_seat(drafted, table, seat, chair.person)
    return drafted.doing(n, text, "opened", name=table.names[seat - 1], game=table.name)


def opened(table: Table, seat: int) -> Table:
    """`table` with `seat` free for anybody; who has given it up, or let a bot play, leaves it so."""
    chair = table.chair(seat)
    return table.with_chair(replace(chair.for_another(None), free=True, given_up=chair.given_up, bot=chair.bot))


def swap(draft: Draft, n: int, text: str, command: Swap) -> Draft:
    """Let two players change seats, before the game begins."""
    table = draft.moderated()
    if table.status is not Status.OPEN:
        raise Refused(Reason.STARTED, game=table.name)
    one, other = (table.chair(seat_called(table, name)) for name in (command.one, command.other))
    moved = table.with_chair(replace(other, seat=one.seat)).with_chair(replace(one, seat=other.seat))
    facts = {"game": table.name, "moderator": named(draft), "why": command.why, "seated": list(moved.names)}
    notices = tuple(Notice(_person(chair.person), SWAPPED, facts) for chair in table.chairs if chair.person)
    drafted = replace(draft.changing(moved), notices=(*draft.notices, *notices))
    return drafted.doing(n, text, "swapped", seated=list(moved.names))


def reset_token(draft: Draft, n: int, text: str, command: ResetToken) -> Draft:
    """Another key for a seat, sent to its player with the newest state; the old one is void."""
    table = in_play(draft)
    seat, _ = _occupied(table, command.name)
    chair = table.chair(seat)
    changed = table.with_chair(replace(chair, epoch=chair.epoch + 1))
    drafted = overruled(draft, changed, Override(Verb.TOKEN, seat=seat), command)
    notice = Notice(seat_party(changed, seat), TOKEN, {"game": table.name})
    return replace(drafted, notices=(*drafted.notices, notice)).doing(
        n, text, "token_reset", name=table.names[seat - 1]
    )


def _occupied(table: Table, name: str) -> tuple[int, Person]:
    seat = seat_called(table, name)
    person = table.chair(seat).person
    if person is None:
        raise Refused(Reason.NO_PLAYER, name=table.names[seat - 1])
    return seat, person


def told_about_seat(draft: Draft, table: Table, seat: int, old: Person | None, *, voted: bool = False) -> Draft:
    """`draft` with a word to who has lost `seat`, if somebody has, by a vote or by the moderator."""
    if old is None:
        return draft
    facts = seat_facts(draft, table, seat) | {"voted": voted}
    return replace(draft, notices=(*draft.notices, Notice(_person(old), "unseated", facts)))


def _offered_to(draft: Draft, table: Table, seat: int, new: Person | None, address: str) -> Draft:
    if new is None:
        return offered(draft, table, [address], "seat-offered", seat_facts(draft, table, seat), seat)
    check(draft, [address])
    to = Party(Role.SEAT, new.address, new, table.name, seat)
    return replace(draft, notices=(*draft.notices, Notice(to, "seated", seat_facts(draft, table, seat))))


def _person(person: Person | None) -> Party:
    assert person is not None
    return Party(Role.PERSON, person.address, person)


def seat_facts(draft: Draft, table: Table, seat: int) -> dict[str, object]:
    """A seat of a running game, for a template, and who gives it."""
    return {"game": table.name, "title": table.game.title, "moderator": named(draft), "seat": seat}
