"""The same orders once more: whether somebody means them again, or his program sent them again.

A mail that answers one of ours says by that which decision it is for (law 6). One that answers none, as a mail written
anew does, is taken for a copy of the last orders of its seat when it came before its writer can have read what these
brought: else five equal mails would act for two decisions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from pbem.draft import Draft, Known, Mail
from pbem.lines import Piece, is_order
from pbem.names import folded
from pbem.table import Chair, Orders, Table
from pbem.verdicts import Said

TIME_TO_READ: Final = timedelta(minutes=2)
"""So long nobody has read a mail, and written the next order, after it was accepted for sending."""


def digest(own: Sequence[Piece], verbs: Sequence[str]) -> str:
    """What tells the orders in a mail, which begin with `verbs`, from others; nothing without any."""
    texts = [folded(piece.text).rstrip(".!") for piece in own if not piece.tail and is_order(piece.text, verbs)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest() if texts else ""


def is_repeated(known: Known, mail: Mail, chair: Chair, orders: str) -> bool:
    """Whether a mail with these `orders` brings the last ones of its seat once more and means nothing by it."""
    last, reference = chair.orders, known.reference
    if last is None or last.digest != orders:
        return False
    if reference is not None and reference.decision:
        return reference.decision in last.decisions
    return known.read_from is not None and mail.received_at <= known.read_from + TIME_TO_READ


def remembered(draft: Draft, table: Table, seat: int, orders: str) -> Draft:
    """`draft` with the orders of this mail as the last ones of the seat, if they did or planned something.

    Whoever then changes something else, as with CANCEL, may well give the same orders again.
    """
    now = draft.tables[table.name]
    chair = now.chair(seat)
    last = chair.orders
    if draft.bound:
        last = Orders(orders, draft.bound, draft.mail.received_at)
    elif any(line.said is Said.DONE for line in draft.lines):
        last = None
    return draft if last == chair.orders else draft.changing(now.with_chair(replace(chair, orders=last)))
