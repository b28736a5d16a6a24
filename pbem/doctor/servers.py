"""What can be examined of the ways in and out: the mail servers, or the folders in their place, and the clock."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from pbem.bootstrap import inbox_of, sender_of
from pbem.config import Imap
from pbem.doctor.findings import Finding, fault, note, ok
from pbem.doctor.patient import APART, MANY, NEARLY_FULL, Patient
from pbem.letters import HOST_HEADER, HostAddress
from pbem.mailbox import Outcome, Parcel
from pbem.mailbox.checkup import LOST, Checkup, ImapCheckup, MaildirCheckup, imap_checkup

PATIENCE: Final = 120.0
"""Seconds that a mail to the host itself may take."""
_PAUSE: Final = 1.0
_SECOND: Final = timedelta(seconds=1)
"""Servers tell arrivals in whole seconds."""


def mail_in(patient: Patient) -> Iterator[Finding]:
    """The mailbox, what its server can do, and its clock."""
    imap = patient.settings.imap
    if imap is None:
        with inbox_of(patient.settings):
            yield ok("mail in", f"the folder {patient.settings.maildir.path} can be read and written")
        return
    with imap_checkup(imap) as mailbox:
        yield ok("mail in", f"the imap server {imap.host}:{imap.port} takes the login, and {imap.folder} is there")
        try:
            yield _idle(mailbox)
            yield _handled(patient, imap, mailbox)
            yield _clock(patient, mailbox)
            yield from _quota(mailbox)
        except LOST as error:
            trouble = mailbox.trouble(error)
            yield fault("mail in", trouble.what, trouble.mend)


def _idle(mailbox: ImapCheckup) -> Finding:
    if mailbox.idles:
        return ok("news of mail", "the server announces new mail at once (IDLE)")
    return note("news of mail", "the server announces none, so mail is seen at each interval", "Keep interval short.")


def _handled(patient: Patient, imap: Imap, mailbox: ImapCheckup) -> Finding:
    about = "handled mail"
    if not imap.handled_folder:
        return note(about, f"it stays in {imap.folder}, since handled_folder in [imap] is empty")
    if not mailbox.moves:
        return note(about, f"the server moves none, so it stays in {imap.folder} and is flagged")
    found = mailbox.handled_folder()
    if found:
        return _lying(patient, found, mailbox.lying(found))
    return note(about, f"there is no folder {imap.handled_folder} yet", "The host makes it with the first mail.")


def _quota(mailbox: ImapCheckup) -> Iterator[Finding]:
    """How full the mailbox is, where its server says so: a full one takes no orders."""
    used = mailbox.share_used()
    if used is None:
        return
    says = f"{used:.0%} of the room at the provider is used"
    if used < NEARLY_FULL:
        yield ok("mailbox", says)
    else:
        yield fault("mailbox", says, "A full one takes no mail: delete old mail there, or set keep_handled_days.")


def _lying(patient: Patient, folder: str, count: int) -> Finding:
    """A provider has room for so much: a mailbox that is full takes no more orders."""
    days = patient.settings.limits.keep_handled_days
    says = f"it is moved to {folder}, where {count:,} lie" + (f" for {days} days" if days else "")
    if count <= MANY or days:
        return ok("handled mail", says)
    return note("handled mail", says, "Set keep_handled_days in [limits], or delete what is old there, to save room.")


def _clock(patient: Patient, mailbox: ImapCheckup) -> Finding:
    before = patient.now()
    theirs = mailbox.clock(_letter(patient, patient.settings.host.address, before).as_bytes())
    if theirs is None:
        return note("clock", "the server does not tell its own", "pbem doctor --send compares it by a mail.")
    return _compared(before, theirs, patient.now())


def _compared(before: datetime, theirs: datetime, after: datetime) -> Finding:
    """What the arrival time `theirs` of a mail says, that came between `before` and `after` by our clock."""
    apart = max(before - _SECOND - theirs, theirs - after, timedelta())
    if apart <= APART:
        return ok("clock", "this machine and the mail server agree")
    way = "behind" if theirs > after else "ahead of"
    return fault(
        "clock",
        f"this machine is {round(apart.total_seconds())} s {way} the mail server",
        "Let this machine set its clock by the network (NTP): arrival times decide who was late.",
    )


def mail_out(patient: Patient) -> Iterator[Finding]:
    """Whether mail could be sent."""
    smtp = patient.settings.smtp
    sender_of(patient.settings).check()
    if smtp is None:
        yield ok("mail out", f"the folder {patient.settings.outbox.folder} can be written")
    else:
        login = "takes the login" if smtp.user else "answers"
        yield ok("mail out", f"the smtp server {smtp.host}:{smtp.port} {login}")


def round_trip(patient: Patient) -> Iterator[Finding]:
    """A mail to the host's own address, with a plus part where the settings count on that, until it comes in."""
    if not patient.send:
        return
    address, began = patient.settings.host.address, patient.now()
    letter = _letter(patient, _recipient(patient), began)
    (receipt,) = sender_of(patient.settings).send([Parcel(address, letter["To"], letter.as_bytes())])
    if receipt.outcome is not Outcome.ACCEPTED:
        yield fault("round trip", f"no mail to {letter['To']} is taken ({receipt.code} {receipt.text})", _MEND)
        return
    arrived = _awaited(patient, letter["Message-ID"])
    if arrived is None:
        yield fault("round trip", f"a mail to {letter['To']} did not come within {PATIENCE:.0f} s", _MEND)
        return
    yield ok("round trip", f"a mail to {letter['To']} came")
    yield _compared(began, arrived, patient.now())


_MEND: Final = (
    "Send one there by hand, and look for it in the folder for spam. If only the plus part keeps it from coming, set "
    "plus_addresses = false in [host]."
)


def _recipient(patient: Patient) -> str:
    host = patient.settings.host
    local, _, domain = host.address.rpartition("@")
    return f"{local}+doctor@{domain}" if host.plus_addresses else host.address


def _letter(patient: Patient, to: str, now: datetime) -> EmailMessage:
    """A mail that the host passes over as one of its own, should it see it."""
    host = patient.settings.host
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = host.address, to, "pbem doctor looks whether mail comes"
    letter["Date"], letter["Message-ID"] = (
        format_datetime(now),
        f"<doctor.{secrets.token_hex(16)}@{HostAddress.of(host.address).domain}>",
    )
    letter["References"] = letter["Message-ID"]
    letter["Auto-Submitted"], letter[HOST_HEADER] = "auto-generated", host.address
    letter.set_content("This mail tests the way to the host. Nothing has to be done about it.\n")
    return letter


def _awaited(patient: Patient, message_id: str) -> datetime | None:
    """When the mail came; ``None`` after `PATIENCE`. It is taken away again."""
    with ExitStack() as stack:
        imap = patient.settings.imap
        mailbox: Checkup = stack.enter_context(imap_checkup(imap)) if imap else MaildirCheckup(patient.settings.maildir)
        end = time.monotonic() + PATIENCE
        while (arrived := _taken(mailbox, message_id)) is None and time.monotonic() < end:
            time.sleep(_PAUSE)
        return arrived


def _taken(mailbox: Checkup, message_id: str) -> datetime | None:
    try:
        return mailbox.take(message_id)
    except LOST as error:
        if isinstance(mailbox, ImapCheckup):
            raise mailbox.trouble(error) from None
        raise
