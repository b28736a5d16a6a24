"""From what is to be told to mails in the queue."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import msgspec
import structlog

from engine import record
from engine.game import AnyGame
from pbem import compose
from pbem.archive import record_of
from pbem.bundling import Part, parts
from pbem.compose import Automatic, Inline, OutgoingMail
from pbem.diary import ALARM, Deadline, calendar_file
from pbem.errors import DatabaseTrouble
from pbem.letters import HostAddress
from pbem.parties import Party, Role, Unsent
from pbem.render import MailFacts, Rendered, Renderer, machine
from pbem.schedule import Clock, started
from pbem.settle import Logged, Telling, addressee, plain, tellings
from pbem.store import Conflict, Pending, Posting, Store
from pbem.table import Person, Table
from pbem.tokens import Tokens
from pbem.tongues import ENGLISH

LARGEST: Final = 1_000_000
"""Bytes of a mail: there is hardly a server that takes less, and none of ours comes near it but by its history."""
UNWRITTEN: Final = "unwritten"
"""Under which the store keeps how often answers could not be written."""
PATIENCE: Final = 20
"""Passes in which an answer is tried that cannot be written."""

EXPORT: Final = "export"
EXPORT_NAME: Final = "about-you.json"
LAST_WORDS: Final = frozenset({"stopped", "again_asked", "confirm", EXPORT, "forget", "forgotten"})
"""Answers that go even to an address that wants no mail: the last one, those that ask whether it does, and those
that only its owner can ask for."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Postroom:
    """Writes the mails of a host."""

    store: Store
    games: Mapping[str, AnyGame]
    renderer: Renderer
    tokens: Tokens
    address: str
    name: str
    plus_addresses: bool
    archive_url: str = ""
    """Where the archive can be read by everybody, without a slash at its end; or nowhere."""
    language: str = ENGLISH
    """Of mails to people who are not known yet."""
    entropy: Callable[[], bytes] = lambda: secrets.token_bytes(16)

    # Writing

    def settle(self, table: Table, now: datetime) -> int:
        """Queue what `table`, at rest, has to tell: one mail a party, all in one commit.

        A mail that cannot be written does not hold up the others: what it would tell stays untold, and is tried in
        every pass. How many there were.
        """
        with self.store.looking() as seen:
            pending = seen.unanswered(table.name)
            log = seen.log(table, _since(table, pending)) if table.position else ()
        told = tellings(table, [each.answers for each in pending], log, now)
        after, postings, failed = table, [], []
        for telling in told:
            mine = tuple(each for each in pending if addressee(table, each.answers.to) == telling.to)
            posting = self._posting(telling, table, mine, now)
            postings += [posting] if posting else []
            failed += [mine] if posting is None else []
            after = _told(after, telling) if posting else after
        given_up = self._given_up(failed)
        postings += given_up
        if postings or not failed:
            self.store.post(postings, now=now, before=table, after=after, restless=bool(failed))
        return len(failed) - len(given_up)

    def settle_people(self, now: datetime) -> int:
        """Queue the answers that are about no table; how many could not be written, which hold up no other."""
        pending = self.store.unanswered_people()
        tried = [(each, self._answering(each, now)) for each in pending]
        failed = [(each,) for each, posting in tried if posting is None]
        given_up = self._given_up(failed)
        if postings := [*(posting for _, posting in tried if posting), *given_up]:
            self.store.post(postings, now=now)
        return len(failed) - len(given_up)

    def _given_up(self, failed: Sequence[tuple[Pending, ...]]) -> list[Posting]:
        """Those of the answers that could not be written which were tried often enough: they are put aside, so that
        one of them is no failure of every pass for ever. The log tells the keeper."""
        if not any(failed):
            return []
        before = msgspec.json.decode(self.store.mark(UNWRITTEN) or "{}", type=dict[str, int])
        counts = {key: before.get(key, 0) + 1 for each in failed if (key := _key(each))}
        worn_out = [each for each in failed if counts.get(_key(each), 0) >= PATIENCE]
        for each in worn_out:
            log.error("an answer that cannot be written is put aside", mails=_key(each), tries=PATIENCE)
        kept = (before | counts).items()
        left = {key: count for key, count in kept if count < PATIENCE}
        self.store.set_mark(UNWRITTEN, msgspec.json.encode(left).decode())
        return [Posting(None, each) for each in worn_out]

    def _answering(self, pending: Pending, now: datetime) -> Posting | None:
        try:
            return Posting(self._unsent(plain(pending.answers), None, now), (pending,))
        except DatabaseTrouble:
            raise
        except Exception:
            log.exception("an answer cannot be written")
            return None

    def _posting(self, telling: Telling, table: Table, mine: tuple[Pending, ...], now: datetime) -> Posting | None:
        try:
            return Posting(self._unsent(telling, table, now), mine)
        except DatabaseTrouble:
            raise
        except Exception:
            log.exception("a mail cannot be written", table=table.name, seat=telling.to.seat)
            return None

    def _unsent(self, telling: Telling, table: Table | None, now: datetime) -> Unsent:
        id = compose.message_id(HostAddress.of(self.address).domain, self.entropy())
        facts = self._facts(telling, table, id, now)
        rendered = self.renderer.mail(telling, table, facts, self._history(telling, table))
        return Unsent(
            to=telling.to,
            message_id=id,
            subject=rendered.subject,
            raw=self._composed(self._outgoing(telling, table, id, facts, rendered), facts.language),
            decision=telling.decision,
            n=table.running.n if table and table.position else 0,
            asks=telling.asks,
            created_at=now,
            last_word=not LAST_WORDS.isdisjoint(_infos(telling)),
        )

    def _facts(self, telling: Telling, table: Table | None, id: str, now: datetime) -> MailFacts:
        """What a mail says beside what it tells, and how its reader wants it."""
        person = telling.to.person
        return MailFacts(
            now=now,
            host=self.name,
            address=self.address,
            mark=compose.mark(id),
            zone=person.zone if person else "UTC",
            clock=_clock(telling, table, now),
            language=person.language if person else self.language,
            page=f"{self.archive_url}/{table.name}/" if self.archive_url and table else "",
            html=person is None or not person.plain,
            pictures=person is None or person.pictures,
            brief=person is not None and person.brief,
        )

    def _outgoing(
        self, telling: Telling, table: Table | None, id: str, facts: MailFacts, rendered: Rendered
    ) -> OutgoingMail:
        to = telling.to
        token = self.tokens.of(to, table)
        data_name, data = self._data(telling, table, facts.clock)
        return OutgoingMail(
            message_id=id,
            date=facts.now,
            sender=self.address,
            sender_name=self.renderer.sender(table, self.name, facts.language) if table else self.name,
            to=to.address,
            to_name=to.person.name if to.person else "",
            reply_to=self._reply_to(token),
            subject=self._subject(rendered.subject, token),
            text=rendered.text,
            html=rendered.html,
            picture=Inline(rendered.picture.id, rendered.picture.png) if rendered.picture else None,
            data=data,
            data_name=data_name,
            record=self._record(table) if telling.final and table and not table.sealed else "",
            calendar=self._calendar(telling, table, facts.clock, facts.now),
            answers=tuple(verdict.message_id for verdict in telling.verdicts if verdict.message_id),
            automatic=Automatic.REPLIED if telling.verdicts else Automatic.GENERATED,
            host=self.name,
        )

    def _composed(self, mail: OutgoingMail, language: str) -> bytes:
        """The bytes of `mail`; one that is too large to be sent goes without HTML and files, or says only that."""
        raw = compose.compose(mail)
        if len(raw) > LARGEST:
            raw = compose.compose(replace(mail, html="", picture=None, data="", record=""))
        return raw if len(raw) <= LARGEST else self.shortened(raw, language)

    def shortened(self, raw: bytes, language: str = "") -> bytes:
        """What goes out in the place of a mail that is too large, and says so."""
        facts = {"size": len(raw) // 1000}
        return compose.shortened(raw, self.renderer.page("shortened.txt.j2", facts, language=language or self.language))

    def _data(self, telling: Telling, table: Table | None, clock: Clock | None) -> tuple[str, str]:
        """What is attached as JSON, with its name: all about a person who asks for it, or the view of a program."""
        person = telling.to.person
        if person is not None and EXPORT in _infos(telling):
            return EXPORT_NAME, msgspec.json.encode(self.store.export(person)).decode()
        wanted = telling.chair is not None and telling.chair.machine and table is not None
        return compose.DATA_NAME, machine(telling, table, clock.due_at if clock else None) if wanted and table else ""

    def _record(self, table: Table) -> str:
        """The file that proves a game to its players: it is over, so nothing in it is a secret any more."""
        return record.dump(record_of(table, self.store.log(table))).decode()

    def _calendar(self, telling: Telling, table: Table | None, clock: Clock | None, now: datetime) -> str:
        """The calendar file of the reader's deadline, if he wants one."""
        person, decision = telling.to.person, table.open_decision(telling.to.seat) if table else None
        if person is None or not person.calendar or clock is None or table is None or decision is None:
            return ""
        return calendar_file(
            Deadline(
                table=table.name,
                decision=decision.key,
                host=HostAddress.of(self.address).domain,
                title=self.renderer.deadline(table, person.language),
                due_at=clock.due_at,
                written_at=now,
                alarm=min(table.schedule.remind, default=ALARM),
            )
        )

    def _reply_to(self, token: str) -> str:
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{token}@{domain}" if token and self.plus_addresses else self.address

    def _subject(self, subject: str, token: str) -> str:
        """Where the provider has no plus addresses the subject carries the token."""
        if not token or self.plus_addresses:
            return subject
        head, bracket, rest = subject.partition("]")
        return f"{head} {token}]{rest}" if bracket else f"[pbem {token}] {subject}"

    def _history(self, telling: Telling, table: Table | None) -> Sequence[Logged]:
        return self.store.log(table) if "history" in _infos(telling) and table is not None else ()

    # One mail of several

    def bundle(self, now: datetime) -> None:
        """Make one mail of those that a person wants in one; what fails, or brings a file, goes by itself."""
        for bundle in self.store.to_bundle(now):
            found = parts((name, subject, raw) for _, name, subject, raw in bundle.mails)
            told = {(part.table, part.subject) for part in found}
            if len({part.table for part in found}) < 2:
                continue
            ids = [id for id, name, subject, _ in bundle.mails if (name, subject) in told]
            try:
                self.store.bundle(self._digest(bundle.person, found, now), ids, now)
            except Conflict:
                log.info("mails of a digest were sent meanwhile")
            except DatabaseTrouble:
                raise
            except Exception:
                log.exception("a digest cannot be written")

    def _digest(self, person: Person, found: Sequence[Part], now: datetime) -> Unsent:
        to = Party(Role.PERSON, person.address, person)
        id = compose.message_id(HostAddress.of(self.address).domain, self.entropy())
        rendered = self.renderer.digest(found, self.name, compose.mark(id), person.language)
        token = self.tokens.of(to)
        answers = tuple(each for part in found for each in part.answers)
        raw = compose.compose(
            OutgoingMail(
                message_id=id,
                date=now,
                sender=self.address,
                sender_name=self.name,
                to=to.address,
                to_name=person.name,
                reply_to=self._reply_to(token),
                subject=self._subject(rendered.subject, token),
                text=rendered.text,
                html="" if person.plain else rendered.html,
                answers=answers,
                automatic=Automatic.REPLIED if answers else Automatic.GENERATED,
                host=self.name,
            )
        )
        return Unsent(to=to, message_id=id, subject=rendered.subject, raw=raw, created_at=now)


def _told(table: Table, telling: Telling) -> Table:
    """`table` once `telling` is queued."""
    if telling.chair:
        return table.with_chair(telling.chair)
    return table.with_watcher(telling.watcher) if telling.watcher else table


def _infos(telling: Telling) -> set[str]:
    """The templates that answer the lines of a mail."""
    return {line.info for verdict in telling.verdicts for line in verdict.lines}


def _key(pending: Sequence[Pending]) -> str:
    """Which answers and news wait together; nothing where none does."""
    rows = [f"answer {id}" for each in pending for id in each.verdicts]
    return ", ".join([*rows, *(f"news {id}" for each in pending for id in each.notices)])


def _since(table: Table, pending: Sequence[Pending]) -> int:
    """The entry behind which there is something to tell: that somebody was not told of, or that a line became."""
    seats = (chair.told for chair in table.chairs if chair.person)
    told = min((*seats, *(watcher.told for watcher in table.watchers)), default=0)
    lines = (line for each in pending for verdict in each.answers.verdicts for line in verdict.lines)
    return min([told, *(line.entry - 1 for line in lines if line.entry)])


def _clock(telling: Telling, table: Table | None, now: datetime) -> Clock | None:
    """The clock of the reader's open decision, as far as this mail can know it: in one that asks, as if sent now."""
    chair = telling.chair
    if table is None or chair is None:
        return None
    if not telling.asks:
        return chair.clock
    return started(table.schedule, chair.kind, now, chair.bank, chair.person.away if chair.person else None)
