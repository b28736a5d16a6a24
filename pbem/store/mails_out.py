"""What waits to be told, and mails on their way out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pbem.parties import Reference, Unsent
from pbem.store import (
    answers,
    outbox,
    people,
)
from pbem.store.connected import Connected
from pbem.store.database import writing
from pbem.store.saving import Writing, compare_and_set, save_chairs, save_watchers
from pbem.store.values import Bundle, Outgoing, Pending, Posting, Queue
from pbem.table import Table


class MailsOut(Connected):
    """The outbox, and the answers that go into it. Times are aware."""

    # Settling

    def unanswered(self, name: str) -> tuple[Pending, ...]:
        """What waits to be told about the table called `name`, by party."""
        with self._reading() as connection:
            return answers.unanswered(connection, name)

    def unanswered_people(self) -> tuple[Pending, ...]:
        """What waits to be told that is about no table, by party."""
        with self._reading() as connection:
            return answers.unanswered_people(connection)

    def post(
        self,
        postings: Sequence[Posting],
        *,
        now: datetime,
        before: Table | None = None,
        after: Table | None = None,
        restless: bool = False,
    ) -> None:
        """Queue mails, settle what they tell, and let the table rest with chairs and watchers as they are `after`.

        A table that is still `restless` has more to tell, and is settled again in the next pass.
        Without a table for what is about none. `Conflict` when something else was written in the meantime.
        """
        with writing(self.engine) as connection:
            if before is not None and after is not None:
                compare_and_set(connection, before, restless=restless)
                told = Writing(connection, now, self._tokens, {})
                save_chairs(told, before.id, before.chairs, after.chairs)
                save_watchers(told, before.id, before.watchers, after.watchers)
            answers.post(connection, postings, {before.name: before.id} if before else {}, now)

    # Mails out

    def to_bundle(self, now: datetime) -> tuple[Bundle, ...]:
        """Mails to be sent now that their readers want in one, by reader."""
        with self._reading() as connection:
            return outbox.to_bundle(connection, now)

    def bundle(self, mail: Unsent, ids: Sequence[int], now: datetime) -> None:
        """Queue a digest in the place of the queued mails `ids`. `Conflict` when one of them is queued no more."""
        with writing(self.engine) as connection:
            answers.bundle(connection, mail, ids, now)

    def parts(self, digest: int) -> tuple[Reference, ...]:
        """What the mails were about that a digest was made of; nothing of any other mail."""
        with self._reading() as connection:
            return outbox.parts(connection, digest)

    def digests_due(self, now: datetime) -> tuple[str, ...]:
        """Names of tables that may have something to tell to somebody whose daily mail is due."""
        with self._reading() as connection:
            return people.digests_due(connection, now)

    def digests_done(self, now: datetime) -> None:
        """Set the next time of every daily mail that was due."""
        with writing(self.engine) as connection:
            people.digests_done(connection, now)

    def sent_since(self, when: datetime) -> int:
        """How many mails were accepted for sending after `when`."""
        with self._reading() as connection:
            return outbox.sent_since(connection, when)

    def queue(self, now: datetime, limit: int, *, alone: bool = False) -> tuple[Outgoing, ...]:
        """Mails to be sent now, the one that waits longest first; or only those that go `alone`, whatever else their
        reader is told in this pass."""
        with self._reading() as connection:
            return outbox.queue(connection, now, limit, alone=alone)

    def is_mail_waiting(self) -> bool:
        """Whether there is any mail to be sent, now or later."""
        with self._reading() as connection:
            return outbox.is_waiting(connection)

    def late(self, before: datetime) -> Queue:
        """The mails written before `before` that still wait to be sent."""
        with self._reading() as connection:
            return outbox.late(connection, before)

    def accepted(self, ids: Sequence[int], now: datetime) -> None:
        """Mails were accepted for sending: the clocks of the decisions that they ask for begin."""
        with writing(self.engine) as connection:
            outbox.accepted(connection, ids, now)

    def retry_later(self, id: int, when: datetime, error: str) -> None:
        """A mail was not accepted for now; it is tried again at `when`."""
        with writing(self.engine) as connection:
            outbox.retry_later(connection, id, when, error)

    def shorten(self, id: int, raw: bytes, error: str) -> None:
        """A mail was too large; `raw` goes out in its place, at once."""
        with writing(self.engine) as connection:
            outbox.shorten(connection, id, raw, error)

    def failed(self, id: int, error: str) -> None:
        """A mail was refused for good."""
        with writing(self.engine) as connection:
            outbox.failed(connection, id, error)
