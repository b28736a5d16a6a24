"""Questions: they change nothing, and a registered address is enough to ask them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine import shuffle
from engine.game import AnyGame, LookUp, Unreadable
from pbem.commands.grammar import Examples, Games, Help, History, LookUpCard, Rules, State, Who
from pbem.commands.timing import facts_of
from pbem.draft import Draft, Refused
from pbem.levels import can_be_practised
from pbem.parties import Role, seat_party
from pbem.settle import watcher_party
from pbem.table import Status, Table
from pbem.verdicts import Reason, Said
from pbem.wording import topic as topic_meant

HELP_TOPICS: Final = ("orders", "plans", "lobby", "moderator", "votes", "watching", "time", "mails", "press", "privacy")
"""What HELP tells more about, each in ``info/help_<topic>.txt.j2``."""


def ask_help(draft: Draft, n: int, text: str, command: Help) -> Draft:
    """An outsider's topic is told only if it is one: anything else would send his words to somebody else, perhaps."""
    topic = topic_meant(command.topic, draft.language)
    known = not draft.known.outsider or topic in HELP_TOPICS
    facts = {
        "topic": topic if known else "",
        "examples": _examples(draft),
        "practice": not draft.known.mine and is_practised(draft),
    }
    return draft.answering(n, text, "help", newcomer=is_newcomer(draft), closed=is_closed(draft), **facts)


def ask_examples(draft: Draft, n: int, text: str, _: Examples) -> Draft:
    """Lines to copy, of the game that the sender plays, else of one that the host has."""
    return draft.answering(n, text, "examples", examples=_examples(draft), title=_game(draft).title)


def _examples(draft: Draft) -> dict[str, list[str]]:
    """A game's lines to copy in the sender's language; none where it has none."""
    of_game = _game(draft).capabilities.get("examples")
    return {name: list(lines) for name, lines in of_game(draft.language).items()} if of_game else {}


def is_practised(draft: Draft) -> bool:
    """Whether somebody can play here at once, without others."""
    return any(map(can_be_practised, draft.known.games.values()))


def is_newcomer(draft: Draft) -> bool:
    """Whether the sender has no name here yet, or has not confirmed it."""
    return draft.person is None or not draft.person.confirmed


def is_closed(draft: Draft) -> bool:
    """Whether the sender needs an invitation that he does not have."""
    return draft.known.house.by_invitation and not draft.known.invited and draft.person is None


def ask_games(draft: Draft, n: int, text: str, _: Games) -> Draft:
    games = [
        {
            "name": listed.name,
            "title": listed.title,
            "status": listed.status.value,
            "seated": list(listed.seated),
            "places": listed.places,
            "moderator": listed.moderator,
            "mine": listed.mine,
            "watched": listed.watched,
            "watchable": listed.watchable,
            "round": listed.round,
            "free": listed.free,
            "pace": facts_of(listed.schedule)["time"],
            "label": listed.label,
        }
        for listed in draft.known.open_tables
    ]
    kinds = [{"name": game.name, "title": game.title, "seats": list(game.seats)} for game in draft.known.games.values()]
    return draft.answering(n, text, "games", games=games, kinds=kinds)


def ask_state(draft: Draft, n: int, text: str, command: State) -> Draft:
    """STATUS and RESEND: a seat gets its whole state mail; before the start, who is there."""
    table = draft.about(command.table)
    if table.status is Status.OPEN:
        return draft.answering(n, text, "table", **table_facts(table))
    return replace(_to_own_seat(draft, table), state=True).answering(n, text, "state", game=table.name)


def ask_who(draft: Draft, n: int, text: str, command: Who) -> Draft:
    """Who is awaited and until when, as it stands when the mail is written; before the start, who is there."""
    table = draft.about(command.table)
    if table.status is Status.OPEN:
        return draft.answering(n, text, "table", **table_facts(table))
    return _to_own_seat(draft, table).answering(n, text, "who", game=table.name)


def ask_history(draft: Draft, n: int, text: str, command: History) -> Draft:
    """The whole log as the sender may know it; the events are added when the mail is written."""
    table = draft.about(command.table)
    if table.status is Status.OPEN:
        return draft.answering(n, text, "table", **table_facts(table))
    return _to_own_seat(draft, table).answering(n, text, "history", game=table.name)


def ask_rules(draft: Draft, n: int, text: str, command: Rules) -> Draft:
    return _looked_up(draft, n, text, "rules", command.topic)


def ask_card(draft: Draft, n: int, text: str, command: LookUpCard) -> Draft:
    return _looked_up(draft, n, text, "card", command.name)


def table_facts(table: Table) -> dict[str, object]:
    """A table before the start, for a template; of its options those that are not as usual."""
    usual = {option.name: option.default for option in table.game.options}
    chosen = {name: value for name, value in table.options.items() if value != usual.get(name)}
    return {
        "game": table.name,
        "title": table.game.title,
        "options": chosen,
        "usual": len(chosen) < len(usual),
        "seated": [table.names[chair.seat - 1] for chair in table.chairs if chair.person or chair.bot],
        "places": table.places,
        "allowed": [seats for seats in table.game.seats if seats <= table.places],
        "moderator": table.moderator.name,
        "commitment": shuffle.commitment(table.name, table.secret),
        "chosen": table.chosen,
        "clock": facts_of(table.schedule),
    }


def _to_own_seat(draft: Draft, table: Table) -> Draft:
    """The answer goes to the sender's seat, whose mails alone may show its hand; to a moderator without one as such,
    and to who watches as himself."""
    seat = table.seat_of(draft.sender)
    if not seat and draft.known.party.role is Role.MODERATOR:
        return draft
    if not seat and table.watcher(draft.sender):
        return replace(draft, to=watcher_party(table, draft.sender))
    if not seat:
        raise Refused(Reason.NOT_PLAYING, game=table.name)
    return replace(draft, to=seat_party(table, seat))


def _looked_up(draft: Draft, n: int, text: str, kind: str, wanted: str) -> Draft:
    game = _game(draft)
    look_up: LookUp | None = game.capabilities.get("lookup")
    if look_up is None:
        return draft.answering(n, text, "without_look_up", title=game.title)
    if not wanted:
        return draft.answering(n, text, f"{kind}_list", kind=game.name, keys=list(look_up.keys(kind)))
    try:
        key = look_up.find(kind, wanted, draft.language)
    except Unreadable as fault:
        near = tuple(fault.facts.get("near", ())) or look_up.keys(kind)
        raise Refused(Reason.UNKNOWN, near=near, said=Said.UNREAD) from None
    return draft.answering(n, text, "lookup", kind=game.name, what=kind, key=key)


def _game(draft: Draft) -> AnyGame:
    """The game that the mail is about; if that is not clear, the first of the host's that has something to look up."""
    if draft.subject is not None:
        return draft.subject.game
    games = tuple(draft.known.games.values())
    return next((game for game in games if "lookup" in game.capabilities), games[0])
