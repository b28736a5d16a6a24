"""Who is not heard at all: whoever the keeper of the host has locked, and, for a while, who writes too many mails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.desk import misdirected
from pbem.draft import Known, Mail
from pbem.parties import Decided, Notice, Party, Role
from pbem.store import Store
from pbem.verdicts import Reason

LOCKED = "locked"
"""The notice that tells somebody that his mails are not read."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Gate:
    """`contact` is the address of the keeper, for objections; `mails_a_day` are heard of one sender, 0: all."""

    store: Store
    contact: str
    mails_a_day: int

    def shut(self, party: Party, sender: str) -> Decided | None:
        """What follows from a mail of somebody who is locked: one answer, and later nothing. ``None``: he is not."""
        addresses = (sender, party.address)
        lock = self.store.locked(addresses)
        if lock is None:
            return None
        if lock.told:
            return Decided()
        role = Role.PERSON if party.person else Role.STRANGER
        to = Party(role, party.address, party.person)
        notice = Notice(to, LOCKED, {"contact": self.contact, "why": lock.why})
        return Decided(notices=(notice,), told_locked=addresses)

    def within_a_day(self, decided: Decided, known: Known, mail: Mail, to: Party) -> Decided:
        """`decided`, or nothing of it where its sender has written too much in a day: he is told once, with the time
        from which he is heard again. A wish for silence is always heard; what bears no proof is counted apart."""
        if not self.mails_a_day or decided.silenced or decided.verdict is None:
            return decided
        count, first = self.store.day_before(mail.inbox, mail.received_at, proved=decided.proved)
        if count < self.mails_a_day or first is None:
            return decided
        if count > self.mails_a_day or not decided.proved:
            return Decided(proved=decided.proved)
        again = (first + DAY).isoformat()
        told = misdirected(known, mail, to, Reason.TOO_MANY_MAILS, limit=str(self.mails_a_day), again=again)
        return replace(told, proved=decided.proved)
