"""Signing up: names, tables, places, and the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.game import AnyGame, BadOption
from pbem.commands.bots import bad_bots, bots_called, with_bots
from pbem.commands.costly import resign
from pbem.commands.grammar import Confirm, Invite, Join, Leave, New, Register, Resign, Start
from pbem.commands.inviting import offered
from pbem.commands.naming import good_name
from pbem.commands.questions import is_practised, table_facts
from pbem.commands.silence import start_again
from pbem.commands.strangers import check_welcome
from pbem.commands.timing import nearest, option_names, scheduled
from pbem.draft import Draft, Refused
from pbem.guide import led
from pbem.names import canonical
from pbem.parties import Invitation, Notice, Party, Role, moderator_party, seat_party
from pbem.plans.standing import renumbered
from pbem.table import Chair, Person, Status, Table, Written, begin, table_name
from pbem.verdicts import Reason

ONE_TABLE: Final = "NEW game, one table in each mail"
WELCOME: Final = "welcome"


def register(draft: Draft, n: int, text: str, command: Register) -> Draft:
    """A name for the address that writes; it counts once the address has answered, be it an invitation or the code.

    Who had asked for silence and registers, asks for mail again.
    """
    person = draft.person
    if person is not None and person.confirmed:
        if person.stopped:
            return start_again(draft, n, text, command)
        raise Refused(Reason.ALREADY_REGISTERED, name=person.name)
    check_welcome(draft)
    name = good_name(draft, command.name, "REGISTER Anna")
    proved = draft.known.by_token
    person = (
        replace(person, name=name) if person else replace(_newcomer(draft, name, draft.to.address), confirmed=proved)
    )
    to = replace(draft.to, role=Role.PERSON, person=person)
    drafted = replace(draft, person=person, people=(person,), to=to)
    if not proved:
        return drafted.answering(n, text, "confirm", name=name, practice=is_practised(draft))
    return welcomed(drafted, person).doing(n, text, "confirmed", name=name)


def welcomed(draft: Draft, person: Person) -> Draft:
    """`person`, whose address has just been confirmed, learns what there is to do, and gets mail from now on."""
    kinds = [game.name for game in draft.known.games.values()]
    welcome = Notice(draft.to, WELCOME, {"name": person.name, "kinds": kinds, "practice": is_practised(draft)})
    wanted = (*draft.unsilenced, person.address)
    return replace(draft, notices=(*draft.notices, welcome), unsilenced=wanted)


def confirm(draft: Draft, n: int, text: str, _: Confirm) -> Draft:
    """Any answer to the code confirms, before its lines are read; so nothing is left to do."""
    return draft.doing(n, text, "confirmed", name=draft.sender.name)


def open_table(draft: Draft, n: int, text: str, command: New) -> Draft:
    """A new table, moderated by the sender, who plays unless he says otherwise."""
    table, invited = new_table(draft, command)
    drafted = offered(draft.changing(table), table, invited, "invitation", table_facts(table))
    return drafted.doing(n, text, "new", invited=list(invited), **table_facts(table))


def new_table(draft: Draft, command: New) -> tuple[Table, tuple[str, ...]]:
    """The table, and the addresses of those who are to be invited; nothing is done yet."""
    moderator = draft.sender
    check_secret_left(draft)
    game = game_called(draft.known.games, command.kind)
    _check_room(draft, moderator)
    schedule, settings = scheduled(dict(command.options), draft.known.schedule, game)
    if not schedule.blind and command.playing:
        raise Refused(Reason.PLAYS_BLIND)
    invited = tuple(a for a in command.addresses if canonical(a) != canonical(moderator.address))
    bots = bots_called(game, asked := settings.pop("bots", ""))
    places = _places(game, settings.pop("seats", ""), len(invited) + command.playing + len(bots))
    if command.playing + len(bots) > places:
        raise bad_bots(game, asked, places - command.playing)
    table = Table(
        id=0,
        name=table_name(game.name, draft.known.next_number),
        game=game,
        options=_options(game, settings),
        places=places,
        status=Status.OPEN,
        moderator=moderator,
        secret=draft.known.entropy,
        chosen=draft.known.chosen,
        schedule=schedule,
        chairs=(Chair(1, moderator),) if command.playing else (),
    )
    return with_bots(table, bots), invited


def check_secret_left(draft: Draft) -> None:
    """`Refused` where the secret drawn for this mail is used: two tables with one would lay each other open."""
    if not draft.tables.keys() <= draft.known.tables.keys():
        raise Refused(Reason.USAGE, near=(ONE_TABLE,), usage=ONE_TABLE)


def _check_room(draft: Draft, moderator: Person) -> None:
    """`Refused` for whoever moderates as many tables as the host allows."""
    limit = draft.known.house.games_of_a_moderator
    his = [listed.name for listed in draft.known.open_tables if listed.mine and listed.moderator == moderator.name]
    if limit and len(his) >= limit:
        raise Refused(Reason.TOO_MANY_GAMES, limit=limit, games=his)


def invite(draft: Draft, n: int, text: str, command: Invite) -> Draft:
    table = _before_start(draft.moderated())
    drafted = offered(draft, table, command.addresses, "invitation", table_facts(table))
    return drafted.doing(n, text, "invited", addresses=list(command.addresses), **table_facts(table))


def join(draft: Draft, n: int, text: str, command: Join) -> Draft:
    """Take a place: an invited one, also in a running game, or a free one before the start."""
    table = draft.about(command.table)
    invitation = next((i for i in draft.known.invited if i.table == table.name), None)
    person, drafted = _joiner(draft, table, command.name)
    if table.seat_of(person) and person.id:
        raise Refused(Reason.ALREADY_SEATED, game=table.name)
    seated = _seated(table, person, invitation, _lost_seat(draft.known.party, table, invitation))
    seated = seated.without_watcher(person)
    if invitation:
        drafted = replace(drafted, accepted=(*drafted.accepted, invitation))
    facts = table_facts(seated) | {"name": person.name}
    notice = Notice(moderator_party(table), "joined", facts)
    drafted = replace(drafted.changing(seated), notices=(*drafted.notices, notice))
    if seated.status is Status.OPEN:
        return drafted.doing(n, text, "joined", **facts)
    seat = seated.seat_of(person)
    chair = led(seated, draft.known.newcomers).chair(seat)
    drafted, to = drafted.changing(seated.with_chair(chair)), seat_party(seated, seat)
    return replace(drafted, to=to, state=True).doing(n, text, "taken_over", **facts)


def leave(draft: Draft, n: int, text: str, command: Leave) -> Draft:
    """Give up a place before the start, and the chairs behind it move up; afterwards, resign."""
    table = draft.about(command.table)
    if table.status is Status.RUNNING:
        return resign(draft, n, text, Resign(command.table, command.code))
    seat = table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.NOT_SEATED, game=table.name)
    _before_start(table)
    after = without(table, draft.sender)
    facts = table_facts(after) | {"name": draft.sender.name}
    notice = Notice(moderator_party(table), "left", facts)
    return replace(draft.changing(after), notices=(*draft.notices, notice)).doing(n, text, "left", **facts)


def without(table: Table, person: Person) -> Table:
    """`table`, which has not begun, without `person`; the chairs behind his move up."""
    return without_seat(table, table.seat_of(person))


def without_seat(table: Table, seat: int) -> Table:
    """The same by seat; 0 for none."""
    left = [chair for chair in table.chairs if chair.seat != seat]
    plans = renumbered(table.plans, {chair.seat: place for place, chair in enumerate(left, 1)})
    chairs = tuple(replace(chair, seat=place) for place, chair in enumerate(left, 1))
    return replace(table, chairs=chairs, plans=plans)


def start(draft: Draft, n: int, text: str, command: Start) -> Draft:
    """Close the sign-up and deal."""
    table = _before_start(draft.moderated(command.table))
    if len(table.chairs) not in table.game.seats:
        raise Refused(Reason.SEATS, seated=len(table.chairs), allowed=list(table.game.seats))
    begun = begun_at(draft, table)
    moderator = moderator_party(begun.tables[table.name])
    return replace(begun, to=moderator).doing(n, text, "started", **started_facts(begun.tables[table.name]))


def begun_at(draft: Draft, table: Table) -> Draft:
    """`table` begun: the cards are dealt, and everybody is told."""
    begun, written = dealt(led(table, draft.known.newcomers))
    facts = started_facts(begun)
    notices = [Notice(moderator_party(begun), "moderating", facts)]
    notices += [Notice(seat_party(begun, chair.seat), "started", facts) for chair in begun.chairs if chair.person]
    return replace(draft.changing(begun, written), notices=(*draft.notices, *notices))


def started_facts(begun: Table) -> dict[str, object]:
    """What its people are told of a table that has just begun."""
    phrases = [[chair.person.name, chair.phrase] for chair in begun.chairs if chair.phrase and chair.person]
    return table_facts(begun) | {"phrases": phrases}


def dealt(table: Table) -> tuple[Table, tuple[Written, ...]]:
    """`table` begun, and what is to be written; `Refused` for options that the game does not have together."""
    try:
        return begin(table)
    except BadOption as bad:
        raise _bad_option(bad) from None


def _before_start(table: Table) -> Table:
    if table.status is not Status.OPEN:
        raise Refused(Reason.STARTED, game=table.name)
    return table


def _newcomer(draft: Draft, name: str, address: str) -> Person:
    """Somebody new, as the host sets up those who have chosen nothing yet."""
    house = draft.known.house
    return Person(0, name, address, zone=house.zone, language=house.language)


def game_called(games: Mapping[str, AnyGame], kind: str) -> AnyGame:
    """`Refused` where the host has no such game."""
    if kind not in games:
        raise Refused(Reason.NO_KIND, near=tuple(games), kind=kind)
    return games[kind]


def _options(game: AnyGame, chosen: dict[str, str]) -> dict[str, str]:
    """All options of the game, the chosen ones checked."""
    offered = {option.name: option for option in game.options}
    for name, value in chosen.items():
        if name not in offered:
            near = nearest(name, (*offered, "seats", "bots", *option_names(game)))
            raise Refused(Reason.BAD_OPTION, near=near, option=name, value=value, allowed=[])
        if value not in offered[name].values:
            allowed = list(offered[name].values)
            raise Refused(Reason.BAD_OPTION, near=offered[name].values, option=name, value=value, allowed=allowed)
    return {name: chosen.get(name, option.default) for name, option in offered.items()}


def _bad_option(bad: BadOption) -> Refused:
    return Refused(Reason.BAD_OPTION, near=bad.allowed, option=bad.option, value=bad.value, allowed=list(bad.allowed))


def _places(game: AnyGame, text: str, expected: int) -> int:
    """How many may sit down: as said, else as many as are invited, else as many as the game takes."""
    allowed = [str(seats) for seats in game.seats]
    if text and text not in allowed:
        raise Refused(Reason.BAD_OPTION, near=allowed, option="seats", value=text, allowed=allowed)
    if text:
        return int(text)
    return expected if expected > 1 and expected in game.seats else max(game.seats)


def _joiner(draft: Draft, table: Table, name: str) -> tuple[Person, Draft]:
    """Who joins: the sender, or, for an address that was invited, somebody new with the name he gives."""
    if draft.person is not None:
        return draft.person, draft
    if draft.known.party.role is not Role.INVITED:
        raise Refused(Reason.NOT_REGISTERED)
    if not name:
        raise Refused(Reason.NAME_MISSING, usage=f"JOIN {table.name} AS Anna")
    plain = good_name(draft, name, f"JOIN {table.name} AS Anna")
    person = _newcomer(draft, plain, draft.known.party.address)
    to = replace(draft.to, role=Role.PERSON, person=person)
    wanted = (*draft.unsilenced, person.address)
    return person, replace(draft, person=person, people=(*draft.people, person), to=to, unsilenced=wanted)


def _lost_seat(party: Party, table: Table, invitation: Invitation | None) -> bool:
    """Whether `party` was offered a certain seat, which has gone to somebody else, or is offered to another by now."""
    if party.role is not Role.INVITED or party.seat < 1 or table.status is not Status.RUNNING:
        return False
    return invitation is None or table.chair(party.seat).person is not None


def _seated(table: Table, person: Person, invitation: Invitation | None, lost_seat: bool) -> Table:
    if table.status is Status.OPEN:
        if len(table.chairs) >= table.places:
            raise Refused(Reason.TABLE_FULL, game=table.name)
        return replace(table, chairs=(*table.chairs, Chair(len(table.chairs) + 1, person)))
    if person.id in table.witnesses:
        raise Refused(Reason.HAS_SEEN, name=person.name, game=table.name)
    if table.status is Status.RUNNING and (chair := _vacant(table, invitation)) is not None:
        taken = chair.for_another(person)
        return table.with_chair(taken)
    if lost_seat:
        raise Refused(Reason.SEAT_GONE, game=table.name)
    raise Refused(Reason.STARTED, game=table.name)


def _vacant(table: Table, invitation: Invitation | None) -> Chair | None:
    """The seat of a running game that somebody may take: the one he is invited to, or one that is free for anybody."""
    if invitation and invitation.seat and not table.chair(invitation.seat).person:
        return table.chair(invitation.seat)
    return next((chair for chair in table.chairs if chair.free), None)
