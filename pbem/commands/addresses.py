"""Where a player writes from, and where his mails are to be answered to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

from pbem.commands.grammar import AddAddress, ConfirmAddress, MainAddress, RemoveAddress, ResetToken
from pbem.commands.options import is_address
from pbem.commands.settings import profile
from pbem.commands.silence import to_himself
from pbem.draft import Draft, Refused
from pbem.names import canonical, folded, mailbox
from pbem.parties import Alias, Notice, Party, Role, moderator_party, seat_party
from pbem.table import Person, Status, Table
from pbem.tokens import same
from pbem.verdicts import Reason

MOST: Final = 5
"""Further addresses of one player, confirmed or not."""
AGAIN: Final = timedelta(days=1)
"""How long it takes until an address is sent another code: it may be somebody else's."""


def reset_token(draft: Draft, n: int, text: str, _: ResetToken) -> Draft:
    """New reply addresses for everything of the sender's; the old ones stop working. His plans stay as they are.

    Each of his seats, and each table that he moderates, gets a mail to be answered from now on.
    """
    person = replace(draft.sender, epoch=draft.sender.epoch + 1)
    own = [table for table in draft.tables.values() if _is_his(table, person)]
    for table in own:
        draft = draft.changing(_anew(table, person))
    notices = tuple(notice for table in own for notice in _carriers(table, person))
    drafted = replace(to_himself(profile(draft, person), person), notices=(*draft.notices, *notices))
    return drafted.doing(n, text, "reset", games=[table.name for table in own])


def _is_his(table: Table, person: Person) -> bool:
    living = table.status in (Status.OPEN, Status.RUNNING)
    return living and (table.seat_of(person) > 0 or table.moderates(person))


def _anew(table: Table, person: Person) -> Table:
    """`table` with other tokens for what is his."""
    if seat := table.seat_of(person):
        chair = table.chair(seat)
        table = table.with_chair(replace(chair, epoch=chair.epoch + 1))
    return replace(table, moderator_epoch=table.moderator_epoch + 1) if table.moderates(person) else table


def _carriers(table: Table, person: Person) -> Iterator[Notice]:
    """The mails that bring the new addresses; before the start a table has none of its own."""
    if table.status is not Status.RUNNING:
        return
    if seat := table.seat_of(person):
        yield Notice(seat_party(table, seat), "new_address", {"game": table.name})
    if table.moderates(person):
        yield from (
            Notice(moderator_party(table, each), "new_address", {"game": table.name}) for each in table.moderators
        )


# Further addresses


def add(draft: Draft, n: int, text: str, command: AddAddress) -> Draft:
    """Ask an address whether it is the sender's too: it gets a code, once a day at most, and has to send it back."""
    person, address = draft.sender, command.address
    _check_free(draft, address)
    code = draft.known.address_codes.get(canonical(address), "").upper()
    if not code or not person.id:
        raise Refused(Reason.NEXT_MAIL)
    told = to_himself(draft, person)
    if not _is_asked(draft, address):
        notice = Notice(Party(Role.STRANGER, address), "confirm_address", {"name": person.name, "code": code})
        told = replace(told, aliases=(*told.aliases, Alias(person, address)), notices=(*told.notices, notice))
    return told.answering(n, text, "address_asked", address=address)


def confirm(draft: Draft, n: int, text: str, command: ConfirmAddress) -> Draft:
    """The new address answers: from now on its owner may write from there. He is told so at his main address."""
    offer = draft.known.offer
    if offer is None or not same(folded(command.code), draft.known.address_codes[canonical(offer.address)]):
        raise Refused(Reason.WRONG_CODE)
    drafted = replace(to_himself(draft, offer.person), aliases=(replace(offer, confirmed=True),))
    return drafted.doing(n, text, "address_added", address=offer.address, main=offer.person.address)


def remove(draft: Draft, n: int, text: str, command: RemoveAddress) -> Draft:
    """Write no more from an address; what comes from there is a stranger's."""
    found = _known(draft, command.address, confirmed=False)
    if not found.confirmed and _is_asked(draft, found.address):
        # It counts for a day: else a place would be free at once for another mail to a stranger.
        raise Refused(Reason.ADDRESS_ASKED, address=found.address)
    drafted = replace(to_himself(draft, draft.sender), dropped=(*draft.dropped, found.address))
    return drafted.doing(n, text, "address_removed", address=found.address)


def make_main(draft: Draft, n: int, text: str, command: MainAddress) -> Draft:
    """Have all mail sent to a further address from now on; the main one becomes a further one."""
    found = _known(draft, command.address, confirmed=True)
    person = replace(draft.sender, address=found.address)
    kept = Alias(person, draft.sender.address, confirmed=True)
    drafted = replace(draft, aliases=(*draft.aliases, kept), dropped=(*draft.dropped, found.address))
    return to_himself(profile(drafted, person), person).doing(n, text, "address_main", address=found.address)


def _check_free(draft: Draft, address: str) -> None:
    """`Refused` for an address that is somebody's, wants no mail, or is one too many."""
    if not is_address(address):
        raise Refused(Reason.BAD_ADDRESS, address=address)
    if canonical(address) in draft.known.silent:
        raise Refused(Reason.WANTS_NO_MAIL, address=address)
    if canonical(address) in draft.known.others:
        raise Refused(Reason.ADDRESS_TAKEN, address=address)
    others = [alias for alias in draft.known.aliases if canonical(alias.address) != canonical(address)]
    if len(others) + len(draft.aliases) >= MOST:
        raise Refused(Reason.TOO_MANY_ADDRESSES, limit=MOST)


def _is_asked(draft: Draft, address: str) -> bool:
    """Whether the mailbox behind `address`, however it is spelt, was sent a code within a day, whoever wanted that."""
    since = draft.known.now - AGAIN
    earlier = (*draft.known.aliases, *draft.known.offers)
    asked = [alias for alias in earlier if alias.asked_at and alias.asked_at > since and not alias.confirmed]
    return mailbox(address) in {mailbox(alias.address) for alias in (*asked, *draft.aliases)}


def _alias(draft: Draft, address: str) -> Alias | None:
    own = (*draft.known.aliases, *draft.aliases)
    return next((alias for alias in own if canonical(alias.address) == canonical(address)), None)


def _known(draft: Draft, address: str, *, confirmed: bool) -> Alias:
    """The sender's further address, which has to be confirmed if so wanted."""
    found = _alias(draft, address)
    if found is None or (confirmed and not found.confirmed):
        listed = [alias.address for alias in draft.known.aliases if alias.confirmed or not confirmed]
        raise Refused(Reason.ADDRESS_UNKNOWN, near=tuple(listed), address=address, addresses=listed)
    return found
