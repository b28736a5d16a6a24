"""Mail that goes out in a thread of its own: told in order, as a sender tells it, and ended where it would end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import pytest

from pbem.errors import Unreachable
from pbem.mailbox import Outcome, Parcel, Receipt
from pbem.mailbox.porter import Porter

A, B, C, D = (Parcel("inn@example.org", f"{name}@example.org", b"") for name in "abcd")
NEVER: Final = lambda: False  # noqa: E731


@dataclass
class Server:
    """A `Sender` that says to each parcel what stands here, and is away where nothing does."""

    says: dict[Parcel, Outcome | None] = field(default_factory=dict)
    taken: list[Parcel] = field(default_factory=list)
    connections: int = 0

    def send(self, parcels: Iterable[Parcel]) -> Iterator[Receipt]:
        self.connections += 1
        for parcel in parcels:
            outcome = self.says.get(parcel, Outcome.ACCEPTED)
            if outcome is None:
                raise Unreachable("the server is away", "Wait")
            self.taken.append(parcel)
            yield Receipt(parcel, outcome, 0, "")


def test_parcels_go_over_one_connection_until_the_porter_rests() -> None:
    server = Server()
    porter = Porter(server)
    for batch in ([A, B], [C]):
        porter.carry(batch, NEVER)
        assert [receipt.parcel for receipt in porter.receipts()] == batch
        assert porter.is_back
    assert server.connections == 1
    porter.rest()
    porter.carry([D], NEVER)
    assert [receipt.parcel for receipt in porter.receipts()] == [D]
    porter.rest()
    assert server.connections == 2


@pytest.mark.parametrize("outcome", [Outcome.RETRY, Outcome.BAD_ADDRESS, Outcome.TOO_LARGE])
def test_what_is_wrong_with_one_parcel_holds_up_no_other(outcome: Outcome) -> None:
    porter = Porter(Server({A: outcome}))
    porter.carry([A, B], NEVER)
    assert [receipt.outcome for receipt in porter.receipts()] == [outcome, Outcome.ACCEPTED]
    porter.rest()


def test_behind_what_is_wrong_with_the_host_nothing_is_sent_until_it_has_rested() -> None:
    server = Server({B: Outcome.HOST_TROUBLE})
    porter = Porter(server)
    porter.carry([A, B, C], NEVER)
    assert [receipt.parcel for receipt in porter.receipts()] == [A, B]
    porter.carry([D], NEVER)
    assert (list(porter.receipts()), porter.is_back, server.taken) == ([], True, [A, B])
    porter.rest()


def test_a_server_that_goes_away_is_told_behind_the_receipts_before_it() -> None:
    porter = Porter(Server({B: None}))
    porter.carry([A, B, C], NEVER)
    receipts = porter.receipts()
    assert next(receipts).parcel == A
    with pytest.raises(Unreachable):
        next(receipts)
    assert list(porter.receipts()) == []
    porter.rest()


def test_it_goes_no_further_when_that_is_enough() -> None:
    server = Server()
    porter = Porter(server)
    porter.carry([A, B, C], lambda: len(server.taken) == 2)
    assert [receipt.parcel for receipt in porter.receipts()] == [A, B]
    porter.rest()
    assert server.taken == [A, B]
