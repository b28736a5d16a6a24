"""Offering places: to whom, how many, and to whom never. An invitation's mail holds none of the inviter's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.commands.options import is_address
from pbem.draft import Draft, Refused
from pbem.names import canonical
from pbem.parties import Invitation, Notice, Party, Role
from pbem.table import Table
from pbem.verdicts import Reason


def offered(
    draft: Draft, table: Table, addresses: Sequence[str], kind: str, facts: dict[str, Any], seat: int = 0
) -> Draft:
    """Places at `table` (`seat` 0: any) offered by the sender, each told by a notice of `kind`.

    `Refused` as a whole, if only one of the addresses may not be invited or they are too many.
    """
    check(draft, addresses)
    by = draft.sender.id
    invitations = tuple(Invitation(table.name, address, seat, by) for address in addresses)
    notices = tuple(Notice(_invited(draft, table, address, seat), kind, facts) for address in addresses)
    return replace(draft, invitations=(*draft.invitations, *invitations), notices=(*draft.notices, *notices))


def _invited(draft: Draft, table: Table, address: str, seat: int) -> Party:
    person = draft.known.others.get(canonical(address))
    return Party(Role.INVITED, address, person, table.name, seat)


def check(draft: Draft, addresses: Sequence[str]) -> None:
    """`Refused` for what is no address, one that wants no mail or has an invitation, and for more than is allowed."""
    for address in addresses:
        if not is_address(address):
            raise Refused(Reason.BAD_ADDRESS, address=address)
        if canonical(address) in draft.known.silent:
            raise Refused(Reason.WANTS_NO_MAIL, address=address)
        if canonical(address) in draft.known.invitees:
            raise Refused(Reason.ALREADY_INVITED, address=address)
    house, made = draft.known.house, draft.known.inviting
    count = len(draft.invitations) + len(addresses)
    if made.today + count > house.invitations_a_day:
        raise Refused(Reason.TOO_MANY_TODAY, limit=house.invitations_a_day, there=made.today)
    if made.open + count > house.open_invitations:
        raise Refused(Reason.TOO_MANY_OPEN, limit=house.open_invitations, there=made.open)
