"""Mail sets out while the mails of other tables are still being written."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pbem import dispatch
from pbem.errors import DatabaseTrouble
from pbem.mailbox import Parcel, Receipt
from tests.conversations.world import World


@pytest.fixture
def two(at_night: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """An action of inn-1 and the opening of inn-2 are to be told; mail sets out behind each table."""
    monkeypatch.setattr(dispatch, "TABLES", 1)
    at_night.answer("anna", "PASS")
    at_night.answer("modi", "NEW bloody-inn dora@example.org")
    return at_night


def before_the_second_table(world: World, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Do `act` when the mails of a second table of the pass are about to be kept."""
    healthy, tables = world.store.post, Counter[str]()

    def post(*args: Any, **named: Any) -> None:
        tables["seen"] += named.get("before") is not None
        if tables["seen"] == 2:
            act()
        healthy(*args, **named)

    monkeypatch.setattr(world.store, "post", post)


def test_the_first_tables_mail_is_sent_while_the_second_ones_is_written(
    two: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, answer = threading.Event(), two.courier._answer

    def answers(parcel: Parcel) -> Receipt:
        receipt = answer(parcel)
        taken.set()
        return receipt

    def sees_it_taken() -> None:
        assert taken.wait(30)

    monkeypatch.setattr(two.courier, "_answer", answers)
    before_the_second_table(two, monkeypatch, sees_it_taken)
    done, sent = two.passed()
    assert sorted(mail.to for mail in sent) == ["anna", "bob", "dora", "modi"]
    assert (done.sent, done.trouble, done.failures) == (4, None, 0)
    assert two.tick() == []


def test_a_server_that_is_away_is_asked_once_a_pass_and_gets_everything_when_it_is_back(
    two: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, send = Counter[bool](), two.courier.send

    def counted(parcels: Any) -> Any:
        asked[two.courier.down] += 1
        return send(parcels)

    monkeypatch.setattr(two.courier, "send", counted)
    two.courier.down = True
    done, sent = two.passed()
    assert (sent, str(done.trouble)) == ([], "the smtp server is away. Wait")
    two.courier.down = False
    assert sorted(mail.to for mail in two.tick()) == ["anna", "bob", "dora", "modi"]
    assert asked == {True: 1, False: 1}


def test_what_was_taken_and_could_not_be_noted_goes_out_again_under_the_same_id(
    two: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise DatabaseTrouble("The database cannot be used: disk full", "Make room")

    with monkeypatch.context() as patch:
        before_the_second_table(two, patch, fail)
        done, early = two.passed()
    assert isinstance(done.trouble, DatabaseTrouble)
    late = two.tick()
    assert {mail.id for mail in early} < {mail.id for mail in late}
    assert sorted(mail.to for mail in late) == ["anna", "bob", "dora", "modi"]
    assert two.tick() == []
