"""The desk: from a mail and what is known to a decision, as values. No I/O.

A mail is a fold over its own lines that stops at the first one that looks like an order or a command and
cannot be read or is refused; prose never stops it. Lines behind the stop are reported as not tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from pbem import clock, moderation, repeating, talk, trying, undo
from pbem.commands import (
    absence,
    addresses,
    costly,
    grammar,
    lobby,
    practice,
    privacy,
    questions,
    rematch,
    settings,
    silence,
    strangers,
    watching,
)
from pbem.commands.grammar import Command, Need
from pbem.commands.opening import is_loud
from pbem.commands.overriding import Announce, Note, Rule
from pbem.draft import Draft, Known, Mail, Refused
from pbem.lines import Kind, Looks, Piece, agrees, commands, looks, pieces, tails, told
from pbem.orders import has_passed, ordered
from pbem.parties import Decided, Party, Role, seat_party
from pbem.plans import kept, standing
from pbem.table import Status, Table
from pbem.unreachable import reached
from pbem.verdicts import Line, Reason, Said, Verdict

Handler = Callable[[Draft, int, str, Any], Draft]

HANDLERS: Final[Mapping[type[Command], Handler]] = {
    grammar.Register: lobby.register,
    grammar.Confirm: lobby.confirm,
    grammar.New: lobby.open_table,
    grammar.Practice: practice.practice,
    grammar.Leave: lobby.leave,
    grammar.Resign: costly.resign,
    grammar.ResetToken: addresses.reset_token,
    grammar.AddAddress: addresses.add,
    grammar.ConfirmAddress: addresses.confirm,
    grammar.RemoveAddress: addresses.remove,
    grammar.MainAddress: addresses.make_main,
    grammar.Start: lobby.start,
    grammar.Invite: lobby.invite,
    grammar.Rematch: rematch.rematch,
    grammar.Games: questions.ask_games,
    grammar.State: questions.ask_state,
    grammar.History: questions.ask_history,
    grammar.Who: questions.ask_who,
    grammar.Help: questions.ask_help,
    grammar.Examples: questions.ask_examples,
    grammar.Rules: questions.ask_rules,
    grammar.LookUpCard: questions.ask_card,
    grammar.ShowPlan: kept.ask_plan,
    grammar.SetZone: settings.set_zone,
    grammar.SetLanguage: settings.set_language,
    grammar.SetMails: settings.set_mails,
    grammar.SetForm: settings.set_form,
    grammar.SetPictures: settings.set_pictures,
    grammar.SetGuide: settings.set_guide,
    grammar.SetPress: talk.set_press,
    grammar.Say: talk.say,
    grammar.Tell: talk.tell,
    grammar.SetMachine: settings.set_machine,
    grammar.SetCalendar: absence.set_calendar,
    grammar.GoAway: absence.away,
    grammar.ComeBack: absence.back,
    grammar.AddPhrase: settings.add_phrase,
    grammar.CancelPlan: kept.cancel,
    grammar.Always: standing.settle_choice,
    grammar.Try: trying.try_line,
    grammar.Undo: undo.undo,
    grammar.SetDigest: settings.set_digest,
    grammar.AboutGame: settings.about_game,
    grammar.Watch: watching.watch,
    grammar.Unwatch: watching.unwatch,
    grammar.Stop: silence.stop,
    grammar.StartAgain: silence.start_again,
    grammar.Export: privacy.export,
    grammar.Forget: privacy.forget,
    **moderation.HANDLERS,
}

PROVED: Final[Mapping[Role, Need]] = {
    Role.STRANGER: Need.NOTHING,
    Role.KNOWN: Need.KNOWN,
    Role.INVITED: Need.TOKEN,
    Role.PERSON: Need.TOKEN,
    Role.SEAT: Need.TOKEN,
    Role.MODERATOR: Need.MODERATOR,
}
"""How much a role has proved."""

MOST_COMMANDS: Final = 40
"""Orders, commands and questions of one mail that are looked at, so that a small mail cannot ask for a huge answer."""
MOST_JOINED: Final = 3
"""Further pieces that a line may have been broken into: one of a thousand would be read a thousand times."""
PROSE_SHOWN: Final = 3
SPOKEN: Final = (Announce, Rule, Note)
"""What takes any words to its end."""
STOPPING: Final = frozenset({Said.UNREAD, Said.REFUSED})
MEANT: Final = frozenset({Kind.COMMAND, Kind.ORDER})
"""Lines that would have been carried out or refused, had the mail not stopped before."""
LOST: Final = frozenset({Reason.INCOMPLETE, Reason.TOO_LARGE})
"""Mails of which a part is missing: nothing of them counts, not even that they were sent."""


def decide(known: Known, mail: Mail) -> Decided:
    """All that follows from one mail. Of an outsider's mails only a few are answered, and only some commands."""
    said = _said(mail, known.language)
    if known.outsider and not strangers.is_answered(known, said, mail):
        return strangers.unanswered(known, said, mail)
    draft = _heard(_opened(known, mail))
    if mail.problem in LOST:
        return _decided(draft, mail.problem)
    draft = _confirming(draft)
    if mail.problem is not None:
        return _decided(draft, mail.problem)
    table = _order_table(draft)
    verbs = _verbs(draft)
    own = pieces(mail.lines, verbs, mail.open_ends, mail.adjoining, known.language)
    orders = repeating.digest(own, verbs) if table is not None else ""
    if table is not None and orders:
        draft = absence.at_the_table(draft.changing(clock.returned(table, known.party.seat)))
        if not _takes_back(draft, table) and (late := _too_late(draft, table, orders)) is not None:
            return late
    draft = _run(draft, own)
    if table is not None:
        draft = repeating.remembered(draft, table, known.party.seat, orders)
    return _decided(draft, _reason(draft))


def _too_late(draft: Draft, table: Table, orders: str) -> Decided | None:
    """The answer to orders of which nothing is done: they have been done before, or their decision has passed."""
    seat = draft.known.party.seat
    last = table.chair(seat).orders
    if last is not None and repeating.is_repeated(draft.known, draft.mail, table.chair(seat), orders):
        return _decided(replace(draft, state=True), Reason.REPEATED, at=last.at.isoformat())
    return _decided(replace(draft, state=True), Reason.PASSED) if has_passed(draft, table, seat) else None


def _run(draft: Draft, own: Sequence[Piece]) -> Draft:
    index = 0
    while index < len(own) and len(draft.lines) < MOST_COMMANDS:
        draft, index = _next(draft, own, index)
    return draft if index == len(own) else draft.saying(Line(own[index].n, own[index].text, Said.UNTRIED))


def _said(mail: Mail, language: str) -> list[Command]:
    """The host's own commands in a mail, whatever table it is about."""
    prose = tails(mail.lines, (), mail.open_ends, mail.adjoining, language)
    return commands((line for index, line in enumerate(mail.lines) if index not in prose), language)


def _next(draft: Draft, own: Sequence[Piece], index: int) -> tuple[Draft, int]:
    """The draft after the piece at `index`, and where to go on.

    A line that cannot be read, but can together with the next ones, was broken by the sender's program.
    """
    piece, text, last = own[index], own[index].text, index
    if piece.tail:
        return _prose(draft, text), index + 1
    alone = stepped = _stepped(draft, piece.n, text)
    while own[last].open and last + 1 < min(len(own), index + 1 + MOST_JOINED) and _stopped(stepped, Said.UNREAD):
        last += 1
        text = f"{text} {own[last].text}"
        stepped = _stepped(draft, piece.n, text)
    return (alone, index + 1) if _stopped(stepped, Said.UNREAD) else (stepped, last + 1)


def _takes_back(draft: Draft, table: Table) -> bool:
    """Whether the mail begins anew: what it answered has been decided by the order that it takes back."""
    held = table.hold is not None and table.hold.seat == draft.known.party.seat
    return held and any(isinstance(command, grammar.Undo) for command in commands(draft.mail.lines, draft.language))


def _stopped(draft: Draft, *by: Said) -> bool:
    return bool(draft.lines) and draft.lines[-1].said in by


def _opened(known: Known, mail: Mail) -> Draft:
    return Draft(known=known, mail=mail, to=known.party, person=known.party.person, tables=dict(known.tables))


def _heard(draft: Draft) -> Draft:
    """Whoever writes can be reached again, and a moderator who does has not vanished."""
    table, party = draft.tables.get(draft.known.party.table), draft.known.party
    if table is None or not draft.known.by_token or party.person is None:
        return draft
    after = reached(table, party.seat) if party.role is Role.SEAT else table
    if party.person.id == table.moderator.id and not draft.known.keeper:
        after = moderation.unvoted(after)
    return draft if after == table else draft.changing(after)


def _confirming(draft: Draft) -> Draft:
    """An answer to the code that an address got confirms it, if it agrees and does not ask for silence.

    It has to say so in words: programs that answer by themselves answer the code as well.
    """
    person = draft.person
    if person is None or person.confirmed or not draft.known.by_token:
        return draft
    said = _said(draft.mail, draft.language)
    if any(isinstance(command, grammar.Stop) for command in said):
        return draft
    if not (said or any(agrees(line) for line in draft.mail.lines)):
        return draft.answering(0, "", "confirm", name=person.name)
    confirmed = replace(person, confirmed=True, stopped=False)
    to = replace(draft.to, person=confirmed)
    return lobby.welcomed(replace(draft, person=confirmed, people=(confirmed,), to=to), confirmed)


def _stepped(draft: Draft, n: int, text: str) -> Draft:
    seen = looks(text, _verbs(draft), draft.language)
    if draft.forgotten or _stopped(draft, *STOPPING, Said.UNTRIED):
        return draft.saying(Line(n, text, Said.UNTRIED)) if seen.kind in MEANT else _prose(draft, text)
    try:
        return _carried_out(draft, n, text, seen)
    except Refused as refusal:
        return draft.saying(Line(n, text, refusal.said, reason=refusal.reason, facts=refusal.facts, near=refusal.near))


def _carried_out(draft: Draft, n: int, text: str, seen: Looks) -> Draft:
    if _is_prose_after_all(draft, text, seen):
        return _prose(draft, text)
    if seen.command is not None:
        _check_need(draft, seen.need)
        return HANDLERS[type(seen.command)](draft, n, text, seen.command)
    if seen.usage:
        raise Refused(Reason.USAGE, said=Said.UNREAD, near=(seen.usage,), usage=seen.usage)
    if seen.near:
        raise Refused(Reason.UNKNOWN, said=Said.UNREAD, near=seen.near)
    table, reference = draft.subject, draft.known.reference
    if seen.kind is Kind.ORDER and reference is not None and reference.parts:
        raise Refused(Reason.WHICH_PART, near=[part.table for part in reference.parts])
    if seen.kind is Kind.ORDER and table is not None:
        return _ordered(draft, table, n, text)
    return _prose(draft, text)


def _is_prose_after_all(draft: Draft, text: str, seen: Looks) -> bool:
    """Many of the moderator's words are plain words: a player who begins a sentence with one, or ends his mail with
    *Fin*, means nothing by it."""
    loose = bool(seen.usage) or isinstance(seen.command, SPOKEN) or not is_loud(text, draft.language)
    return loose and seen.need is Need.MODERATOR and not _may_moderate(draft)


def _may_moderate(draft: Draft) -> bool:
    role, table = draft.known.party.role, draft.subject
    alone = role is Role.SEAT and table is not None and table.private
    return PROVED[role] is Need.MODERATOR or alone or _moderates_open_table(draft)


def _check_need(draft: Draft, need: Need) -> None:
    proved = PROVED[draft.known.party.role]
    if draft.person is None and draft.known.party.role is not Role.INVITED and need > Need.NOTHING:
        strangers.check_welcome(draft)
        raise Refused(Reason.NOT_REGISTERED)
    if need is Need.MODERATOR and not _may_moderate(draft):
        raise draft.not_moderator(draft.known.party.table)
    if proved < min(need, Need.TOKEN):
        raise Refused(Reason.NO_TOKEN)


def _moderates_open_table(draft: Draft) -> bool:
    """Before the start there is no moderator's address yet: his own is enough (INVITE, START)."""
    table = draft.subject
    return (
        table is not None
        and table.status is Status.OPEN
        and draft.person is not None
        and table.moderator.id == draft.person.id
        and PROVED[draft.known.party.role] >= Need.TOKEN
    )


def _ordered(draft: Draft, table: Table, n: int, text: str) -> Draft:
    """An order for the sender's own seat; what it did is told in a mail of that seat, which alone shows its hand."""
    role = draft.known.party.role
    seat = draft.known.party.seat if role is Role.SEAT else table.seat_of(draft.sender)
    if not seat:
        raise Refused(Reason.ONLY_WATCHING if table.watcher(draft.sender) else Reason.NOT_PLAYING, game=table.name)
    drafted = absence.at_the_table(replace(draft, to=seat_party(draft.running(table), seat)))
    if role not in (Role.SEAT, Role.MODERATOR):
        reason = Reason.NOT_THE_SEATS if role is Role.PERSON else Reason.NO_TOKEN
        return replace(drafted, state=True).saying(Line(n, text, Said.REFUSED, reason=reason))
    return ordered(drafted, clock.returned(table, seat), seat, n, text)


def _order_table(draft: Draft) -> Table | None:
    table = draft.subject
    return table if table and draft.known.party.role is Role.SEAT and table.status is Status.RUNNING else None


def _verbs(draft: Draft) -> tuple[str, ...]:
    """What orders begin with at the table that the mail is about."""
    table, reference = draft.subject, draft.known.reference
    if reference is not None and reference.parts:
        return tuple(verb for game in draft.known.games.values() for verb in game.verbs(draft.language))
    return table.game.verbs(draft.language) if table else ()


def _prose(draft: Draft, text: str) -> Draft:
    return replace(draft, prose=(*draft.prose, text)[:PROSE_SHOWN])


def _reason(draft: Draft) -> Reason | None:
    if draft.lines or _has_confirmed(draft):
        return None
    return Reason.PROSE if draft.prose else Reason.EMPTY


def _has_confirmed(draft: Draft) -> bool:
    """Whether the mail has shown an address to be its owner's, which is told in the welcome and is answer enough."""
    before = draft.known.party.person
    return before is not None and not before.confirmed and draft.person is not None and draft.person.confirmed


def _decided(draft: Draft, reason: Reason | None, **facts: str) -> Decided:
    outsider = draft.known.outsider
    lines = strangers.unquoted(draft.lines) if outsider else draft.lines
    lines = lines if draft.to.table else tuple(map(_without_forecast, lines))
    welcomed = not lines and reason is None and _has_confirmed(draft)
    reason = reason or (None if lines or welcomed else Reason.PROSE)
    verdict = Verdict(
        lines=lines,
        subject=draft.mail.subject,
        received_at=draft.mail.received_at,
        reason=reason or "",
        facts={"meant": told(draft.prose, _verbs(draft))} if reason is Reason.PROSE and not outsider else facts,
        caps=() if welcomed else draft.mail.caps,
        ignored=0 if welcomed else draft.mail.ignored,
        prose=() if outsider or welcomed else draft.prose,
        state=draft.state or reason is not None,
        message_id=draft.mail.message_id,
        inbox=draft.mail.inbox,
    )
    return Decided(
        verdict=_with_long_lines(verdict, draft.mail.too_long),
        to=draft.to,
        tables=draft.changed(),
        people=draft.people,
        invitations=draft.invitations,
        accepted=draft.accepted,
        notices=draft.notices,
        spoken=draft.spoken,
        silenced=draft.silenced,
        unsilenced=draft.unsilenced,
        aliases=draft.aliases,
        dropped=draft.dropped,
        proved=draft.known.by_token,
        stranger=draft.known.party.address if outsider else "",
        forgotten=draft.forgotten,
    )


def _without_forecast(line: Line) -> Line:
    """`line` in an answer that is about no table any more, where nothing can be said in the words of a game."""
    return msgspec.structs.replace(line, forecast=None, reason=Reason.NOT_FORESEEN) if line.forecast else line


def _with_long_lines(verdict: Verdict, count: int) -> Verdict:
    if not count:
        return verdict
    line = Line(0, "", Said.UNREAD, reason=Reason.LINE_TOO_LONG)
    return msgspec.structs.replace(verdict, lines=(*verdict.lines, *(line,) * count))


def misdirected(known: Known, mail: Mail, to: Party, reason: Reason, **facts: str) -> Decided:
    """A mail of which nothing is run, answered to `to`: a token used from another address, carriers that disagree, a
    copy of an earlier one."""
    draft = replace(_opened(known, mail), to=to, state=True)
    return _decided(draft, reason, **facts)
