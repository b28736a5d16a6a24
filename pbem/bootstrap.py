"""Wires the parts of a host from its settings."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import structlog

from engine.game import AnyGame
from pbem import config, lines
from pbem.archiving import Archiving, AskedFor
from pbem.commands import grammar
from pbem.commands.naming import forms_of, names_given
from pbem.commands.options import is_address
from pbem.config import Registration, Settings
from pbem.crew import Worker, foreman
from pbem.desk import decide
from pbem.dispatch import Dispatch
from pbem.draft import HouseRules, Known, Mail
from pbem.errors import ConfigurationTrouble, DatabaseTrouble, Trouble
from pbem.files import resource
from pbem.games import games
from pbem.host import Host, real_time
from pbem.labor import TRIES
from pbem.letters import HostAddress
from pbem.logs import set_up_logs
from pbem.loops import Allowance
from pbem.mailbox import Inbox, Mark, Sender
from pbem.mailbox.handled import take_away
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.maildir import MaildirInbox
from pbem.mailbox.outfolder import FolderSender
from pbem.mailbox.smtp import SmtpSender
from pbem.metrics import shown
from pbem.names import canonical
from pbem.parties import Decided, Invitation, Notice, Party, Role, moderator_party
from pbem.postroom import Postroom
from pbem.publish import Site, check_folder, publish, shows, write_lists
from pbem.reception import Reception
from pbem.render import Renderer
from pbem.render.pictures import available
from pbem.renewing import renew
from pbem.schedule import Schedule, Span
from pbem.settle import Logged
from pbem.stopping import Stop
from pbem.store import Conflict, Store
from pbem.store.database import conninfo
from pbem.table import Table
from pbem.tidying import Tidying
from pbem.tokens import Tokens
from pbem.verdicts import Said, Verdict

log = structlog.get_logger()

_ADMITTED = "admitted"
"""The notice that tells an address that it may register."""
MARK = "inbox"
"""Under which the store keeps how far the mailbox was read."""


@contextmanager
def host_from(path: Path, stop: Stop | None = None, *, stays: bool = False) -> Iterator[Host]:
    """The host of a configuration file, connected, while the context lasts. `Trouble` says what does not work.

    From when on it is ready, a signal that is heard by `stop` lets it finish what it is at. One that `stays` for more
    than a pass shows its numbers at a port, where that is wanted.
    """
    settings = config.load(path)
    _set_up_logs(settings)
    check_folder(settings.archive.folder)
    with store_of(settings) as store:
        sender = sender_of(settings)
        with inbox_of(settings, _mark(store)) as inbox:
            sender.check()
            alone = assemble(settings, store, inbox, sender)
            alone.stop = stop or alone.stop
            alone.stop.wake, alone.stop.starting = inbox.wake, False
            try:
                with (
                    _with_workers(settings, alone) as host,
                    shown(settings, store, host.counts, real_time, at_port=stays) as report,
                ):
                    host.report = report
                    yield host
            finally:
                if inbox.mark is not None:
                    with suppress(DatabaseTrouble):  # the mark only spares a look at the whole folder
                        store.set_mark(MARK, f"{inbox.mark.uidvalidity} {inbox.mark.uid}")


def _set_up_logs(settings: Settings) -> None:
    set_up_logs(getattr(logging, settings.logs.level.name), settings.logs.format)


@contextmanager
def _with_workers(settings: Settings, host: Host) -> Iterator[Host]:
    """`host`; where the settings have workers, one that leaves mails and tables to them."""
    if not settings.database.workers:
        yield host
        return
    jobs, url = _jobs(), conninfo(settings.database.url)
    jobs.prepare(url)
    with jobs.Lanes(url) as lanes, jobs.listening(url, host.inbox.wake):
        yield foreman(host, lanes)


def _jobs() -> ModuleType:
    """The queue of the workers, which needs packages that not everybody has."""
    try:
        return import_module("pbem.jobs")
    except ModuleNotFoundError as error:
        raise ConfigurationTrouble(
            f"Workers need the package {error.name}", "Install it: pip install 'pbem[workers]'"
        ) from error


def work(path: Path, stop: Stop) -> None:
    """Be a worker of the host of a configuration file until `stop` is asked. `Trouble` says what does not work."""
    settings = config.load(path)
    _set_up_logs(settings)
    if not settings.database.workers:
        raise ConfigurationTrouble("This host works alone", "Set workers = true in [database] to have workers")
    jobs, url = _jobs(), conninfo(settings.database.url)
    with store_of(settings) as store:
        jobs.prepare(url)
        host = assemble(settings, store, inbox_of(settings), sender_of(settings))
        worker = Worker(
            store=store,
            games=host.games,
            reception=host.reception,
            postroom=host.postroom,
            archiving=AskedFor(store, host.games, host.archiving.publish, host.archiving.shows),
            stop=stop,
        )

        def stopping(end: Callable[[], None]) -> None:
            stop.wake, stop.starting = end, False

        jobs.work(url, worker.look_after, stopping)
    log.info("stopped", by=stop.asked)


def store_of(settings: Settings) -> Store:
    """The database, brought to the newest form, and what it keeps beside the records too."""
    store = Store.open(settings.database.url, _tokens(settings), settings.limits.attempts)
    renew(store, games(), real_time())
    return store


def inbox_of(settings: Settings, after: Mark | None = None) -> Inbox:
    """Where mail comes in: the server of [imap], read on from the mark `after`, or the folder of [maildir]."""
    largest = settings.limits.largest_mail
    if settings.imap is not None:
        return ImapInbox(settings.imap, largest, after)
    assert settings.maildir.path is not None
    return MaildirInbox(settings.maildir.path, settings.maildir.handled_folder, largest)


def sender_of(settings: Settings) -> SmtpSender | FolderSender:
    """Where mail goes out: the server of [smtp], or the folder of [outbox]."""
    if settings.smtp is not None:
        return SmtpSender(settings.smtp)
    assert settings.outbox.folder is not None
    return FolderSender(settings.outbox.folder)


def assemble(
    settings: Settings, store: Store, inbox: Inbox, sender: Sender, seed: str = "", renderer: Renderer | None = None
) -> Host:
    """A host from its parts. `seed`, for demonstrations, settles all its games' secrets; they are marked as chosen.

    `renderer` is another one than that of our own templates, or one that has read them already.
    """
    found = games()
    address = HostAddress.of(settings.host.address)
    renderer = renderer or Renderer(found, resource("templates"))
    postroom, dispatch = _post(settings, store, sender, renderer, found)
    if not available():
        log.info("mails come without pictures", to_have_them="pip install 'pbem[pictures]'")
    return Host(
        store=store,
        games=found,
        inbox=inbox,
        reception=Reception(
            store=store,
            games=found,
            host=address,
            subject_tokens=not settings.host.plus_addresses,
            schedule=default_schedule(settings),
            entropy=(lambda: hashlib.sha256(seed.encode()).hexdigest()) if seed else (lambda: secrets.token_hex(32)),
            chosen=bool(seed),
            house=house_rules(settings),
            authserv_id=settings.host.authserv_id,
            proof=settings.host.identity,
            contact=settings.host.contact,
            mails_a_day=settings.limits.mails_a_day,
            allowance=Allowance(settings.limits.idle_mails_an_hour, settings.limits.talk_an_hour),
        ),
        postroom=postroom,
        dispatch=dispatch,
        counts=dispatch.counts,
        address=address,
        interval=settings.clock.interval,
        outage=settings.clock.outage,
        keep_mails=timedelta(days=settings.limits.keep_mails_days),
        tidying=Tidying(store, timedelta(days=settings.limits.keep_handled_days), partial(take_away, settings)),
        archiving=Archiving(
            store,
            found,
            publish=_publishing(site_of(settings, renderer), store),
            shows=lambda table: shows(table, settings.archive.running),
        ),
    )


def _post(
    settings: Settings, store: Store, sender: Sender, renderer: Renderer, found: Mapping[str, AnyGame]
) -> tuple[Postroom, Dispatch]:
    """Where mails are written, and where they go out."""
    postroom = _postroom(settings, store, renderer, found)
    dispatch = Dispatch(
        store=store,
        games=found,
        sender=sender,
        address=settings.host.address,
        shortened=postroom.shortened,
        most=_most(settings.limits),
    )
    return postroom, dispatch


def _postroom(settings: Settings, store: Store, renderer: Renderer, found: Mapping[str, AnyGame]) -> Postroom:
    return Postroom(
        store=store,
        games=found,
        renderer=renderer,
        tokens=_tokens(settings),
        address=settings.host.address,
        name=settings.host.name,
        plus_addresses=settings.host.plus_addresses,
        archive_url=settings.archive.url.rstrip("/"),
        language=settings.host.language,
    )


def site_of(settings: Settings, renderer: Renderer) -> Site:
    """The archive, as the settings have it."""
    return Site(
        folder=settings.archive.folder,
        renderer=renderer,
        language=settings.host.language,
        host=settings.host.name,
        url=settings.archive.url.rstrip("/"),
    )


def _publishing(site: Site, store: Store) -> Callable[[Table, Sequence[Logged]], None]:
    """Writes what the archive shows of a table, and the lists where they may say something else of it now.

    The first time they do in any case: the process before may have died between a game and the lists.
    """
    listed = False

    def published(table: Table, log: Sequence[Logged]) -> None:
        nonlocal listed
        changed = publish(site, table, log, store.said_to_all(table.name)).listed
        listed = listed and not changed
        if not listed:
            write_lists(site)
            listed = True

    return published


def _most(limits: config.Limits) -> tuple[tuple[timedelta, int], ...]:
    """How many mails may go out in a span of time; 0 in the settings is no limit."""
    spans = ((timedelta(hours=1), limits.max_per_hour), (timedelta(days=1), limits.max_per_day))
    return tuple((span, most) for span, most in spans if most)


def house_rules(settings: Settings) -> HouseRules:
    """Who may use the host, and how much, as the settings have it."""
    limits = settings.limits
    return HouseRules(
        by_invitation=settings.host.registration is Registration.INVITED,
        invitations_a_day=limits.invitations_a_day,
        open_invitations=limits.open_invitations,
        stranger_answers=limits.stranger_answers,
        all_stranger_answers=limits.all_stranger_answers,
        games_of_a_moderator=limits.games_of_a_moderator,
        press_a_day=limits.press_a_day,
        press_characters=limits.press_characters,
        press_lines=limits.press_lines,
        longest_absence_days=limits.longest_absence_days,
        zone=settings.host.time_zone.key,
        language=settings.host.language,
    )


def invite(path: Path, address: str) -> bool:
    """Let an address register; whether it is told so by mail, with the next pass of the host.

    It is not if it wants no mail: then its owner has to register by himself. `Trouble` if it is registered already.
    """
    settings = config.load(path)
    if not is_address(address) or HostAddress.of(settings.host.address).owns(address):
        raise Trouble(f"{address!r} is no address of a player", "Write it as anna@example.org")
    with store_of(settings) as store:
        if (person := store.person_by_address(address)) is not None and person.confirmed:
            raise Trouble(f"{address} is registered already, as {person.name}", "Nothing is left to do")
        told = not store.silent([address])
        notice = Notice(Party(Role.INVITED, address), _ADMITTED, {"host": settings.host.name})
        notices = (notice,) if told and not _is_being_told(store, address) else ()
        store.write(Decided(invitations=(Invitation("", address),), notices=notices), inbox=None, now=real_time())
        return told


def _is_being_told(store: Store, address: str) -> bool:
    """Whether the next pass invites the address to the host anyway."""
    return any(
        notice.kind == _ADMITTED and canonical(notice.to.address) == canonical(address)
        for pending in store.unanswered_people()
        for notice in pending.answers.notices
    )


def default_schedule(settings: Settings) -> Schedule:
    """How long decisions may take at a table that says nothing."""
    deadline, reminder = settings.clock.deadline, settings.clock.reminder
    return Schedule(
        time=Span(seconds=int(deadline.total_seconds())) if deadline else None,
        remind=(reminder,) if reminder else (),
        zone=settings.host.time_zone.key,
    )


def moderate(path: Path, name: str, words: str) -> tuple[str, bool]:
    """Do what a moderator's mail with the line `words` would do; the answer, and whether it was done.

    The mails that follow are written by the next pass of the host, which may be running meanwhile.
    """
    settings = config.load(path)
    if not _is_for_moderators(words, settings.host.language):
        raise Trouble(f"{words[:80]!r} is nothing that a moderator says", "pbem mod --help lists what there is")
    with store_of(settings) as store:
        for _ in range(TRIES):
            with suppress(Conflict):
                return _moderated(store, name.lower(), words, real_time())
    raise Trouble(f"The table {name} is being written to all the time", "Try again")


def _is_for_moderators(words: str, language: str) -> bool:
    """Whether it is one of their words, also one that does not fit, which is answered with how it is written.

    What needs an address to answer to, as a new table, has no place at a terminal.
    """
    parsed = grammar.parse(words, language)
    if isinstance(parsed, grammar.Misused):
        return True
    return parsed is not None and (parsed[1] is grammar.Need.MODERATOR or isinstance(parsed[0], grammar.Start))


def _moderated(store: Store, name: str, words: str, now: datetime) -> tuple[str, bool]:
    found = games()
    table = store.table(name, found)
    if table is None:
        raise Trouble(f"There is no table {name}", "Its name, as inn-7, stands in the subject of each of its mails")
    named = forms_of(names_given(lines.commands((words,), table.moderator.language)))
    addresses = [word for word in words.split() if "@" in word]
    known = Known(
        now=now,
        party=moderator_party(table),
        games=found,
        tables={name: table},
        mine=(name,),
        logs={name: store.log(table)},
        keeper=True,
        next_number=store.next_number(),
        entropy=secrets.token_hex(32),
        others=store.people(addresses),
        taken=store.names_taken(named) if named else frozenset(),
        silent=store.silent(addresses),
    )
    decided = decide(known, Mail(lines=(words,), received_at=now))
    assert decided.verdict is not None
    store.write(replace(decided, verdict=None), inbox=None, now=now)
    after = store.table(name, found) or table
    answer = Renderer(found, resource("templates")).answer(decided.verdict, after, now)
    return answer, _succeeded(decided.verdict)


def _succeeded(verdict: Verdict) -> bool:
    return all(line.said in (Said.DONE, Said.ANSWERED) for line in verdict.lines) and bool(verdict.lines)


def _tokens(settings: Settings) -> Tokens:
    return Tokens(settings.host.secret.get_secret_value().encode())


def _mark(store: Store) -> Mark | None:
    kept = store.mark(MARK)
    if kept is None:
        return None
    uidvalidity, uid = kept.split()
    return Mark(int(uidvalidity), int(uid))
