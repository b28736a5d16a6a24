"""`pbem invite`: how the first player comes to a host."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.bootstrap import invite
from pbem.config import load
from pbem.errors import Trouble
from pbem.parties import Decided, Invitation
from pbem.store import Store
from pbem.table import Person
from pbem.tokens import Tokens
from tests.store.scene import NOW

ANNA = "Anna@example.org"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A host whose mail comes and goes in folders."""
    path = tmp_path / "pbem.toml"
    path.write_text(
        '[host]\naddress = "inn@example.org"\nsecret = "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"\n'
        '[maildir]\npath = "in"\n[outbox]\nfolder = "out"\n'
    )
    return path


def store(config: Path) -> Store:
    return Store.open(load(config).database.url, Tokens(b"k" * 32))


def test_an_invited_address_may_register_and_is_told_so_by_the_next_pass(config: Path) -> None:
    assert invite(config, ANNA) is True
    with store(config) as opened:
        (pending,) = opened.unanswered_people()
        assert opened.invitations_to(ANNA) == (Invitation("", ANNA),)
    assert (pending.answers.to.address, [notice.kind for notice in pending.answers.notices]) == (ANNA, ["admitted"])


def test_who_is_invited_twice_before_the_next_pass_reads_it_once(config: Path) -> None:
    assert [invite(config, address) for address in (ANNA, ANNA.upper(), "bob@example.org")] == [True, True, True]
    with store(config) as opened:
        told = [(each.answers.to.address, len(each.answers.notices)) for each in opened.unanswered_people()]
    assert told == [(ANNA, 1), ("bob@example.org", 1)]


def test_whoever_wants_no_mail_may_register_and_is_told_nothing(config: Path) -> None:
    with store(config) as opened:
        opened.write(Decided(silenced=(ANNA,)), inbox=None, now=NOW)
    assert invite(config, ANNA) is False
    with store(config) as opened:
        assert opened.invitations_to(ANNA) == (Invitation("", ANNA),)
        assert opened.unanswered_people() == ()


@pytest.mark.parametrize(
    ("address", "trouble"),
    [
        ("anna", "is no address of a player"),
        ("inn+abc@example.org", "is no address of a player"),
        ("ANNA@example.org", "is registered already, as Anna"),
    ],
)
def test_an_invitation_that_makes_no_sense_is_refused_in_one_line(config: Path, address: str, trouble: str) -> None:
    with store(config) as opened:
        opened.write(Decided(people=(Person(0, "Anna", ANNA),)), inbox=None, now=NOW)
    with pytest.raises(Trouble, match=trouble):
        invite(config, address)
