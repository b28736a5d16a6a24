"""Reply tokens and the forms in which names and addresses are compared."""

from __future__ import annotations

import re

import pytest

from pbem.names import TOKEN_LENGTH, canonical, folded
from pbem.parties import Party, Role
from pbem.table import Person
from pbem.tokens import Tokens, token, token_hash
from tests.store.scene import new_table

TOKENS = Tokens(b"key")
ANNA = Person(1, "Anna", "Anna@Example.org")
TABLE = new_table([ANNA])


def test_a_token_survives_every_mail_program() -> None:
    assert re.fullmatch(rf"[a-z2-7]{{{TOKEN_LENGTH}}}", TOKENS.seat("inn-7", 2, 1, 0))


def test_a_token_holds_a_hundred_bits() -> None:
    assert TOKEN_LENGTH * 5 >= 100


def test_a_token_is_made_again_from_the_same_key() -> None:
    assert TOKENS.seat("inn-7", 2, 1, 0) == Tokens(b"key").seat("inn-7", 2, 1, 0)


@pytest.mark.parametrize(
    "other",
    [
        Tokens(b"other").seat("inn-7", 2, 1, 0),
        TOKENS.seat("inn-8", 2, 1, 0),
        TOKENS.seat("inn-7", 3, 1, 0),
        TOKENS.seat("inn-7", 2, 9, 0),
        TOKENS.seat("inn-7", 2, 1, 1),
        TOKENS.moderator("inn-7", 2, 1),
        TOKENS.person(2, 1),
        TOKENS.invited("inn-7", "2"),
    ],
    ids=["key", "table", "seat", "person", "epoch", "moderator", "nobody's seat", "invitation"],
)
def test_a_token_differs_with_everything_it_stands_for(other: str) -> None:
    assert other != TOKENS.seat("inn-7", 2, 1, 0)


def test_the_parts_of_a_token_cannot_flow_into_each_other() -> None:
    assert token(b"key", Role.SEAT, "inn-1", 11) != token(b"key", Role.SEAT, "inn-11", 1)


def test_a_token_counts_in_any_case() -> None:
    mine = TOKENS.person(1, 0)
    assert token_hash(mine.upper()) == token_hash(mine)


def test_an_invitation_is_for_an_address_however_it_is_written() -> None:
    assert TOKENS.invited("inn-7", "Dora@Example.org") == TOKENS.invited("inn-7", "dora@example.ORG")


def test_a_key_is_not_shown() -> None:
    assert "key'" not in repr(TOKENS)


@pytest.mark.parametrize(
    ("party", "token"),
    [
        (Party(Role.SEAT, ANNA.address, ANNA, "choices-1", 1), TOKENS.seat("choices-1", 1, 1, 0)),
        (Party(Role.MODERATOR, ANNA.address, ANNA, "choices-1"), TOKENS.moderator("choices-1", 1, 0)),
        (Party(Role.INVITED, "dora@example.org", table="choices-1"), TOKENS.invited("choices-1", "dora@example.org")),
        (Party(Role.PERSON, ANNA.address, ANNA), TOKENS.person(1, 0)),
        (Party(Role.KNOWN, ANNA.address, ANNA, "choices-1"), TOKENS.person(1, 0)),
        (Party(Role.STRANGER, "eve@example.org"), ""),
    ],
    ids=lambda value: value.role.value if isinstance(value, Party) else "",
)
def test_every_party_has_the_token_of_its_role(party: Party, token: str) -> None:
    assert TOKENS.of(party, TABLE) == token


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "anna"), ("José", "JOSE"), ("Groß", "gross"), ("Anna  Maria", " anna maria ")]
)
def test_names_that_look_alike_fold_alike(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_names_that_differ_fold_apart() -> None:
    assert folded("Anna") != folded("Hanna")


def test_an_address_is_compared_without_its_case() -> None:
    assert canonical(" Anna@Example.ORG ") == "anna@example.org"


def test_an_extension_of_an_address_counts() -> None:
    assert canonical("anna+inn@example.org") != canonical("anna@example.org")
