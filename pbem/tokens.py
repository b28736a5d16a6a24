"""Reply tokens: what stands in the address that a mail is answered to, and proves as whom somebody writes.

A token is an HMAC-SHA256 over who it is for, cut to 100 bits and written in lower-case base32, since mail
programs change case and damage other characters. The database keeps hashes of tokens alone: who reads it
cannot write as somebody else, and every token can be made again from the key.

What a token is made of holds whoever uses it, so that a seat which changes hands has another one, whatever
became of its epoch.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Final

from pbem.names import TOKEN_LENGTH, canonical
from pbem.parties import Party, Role
from pbem.table import Person, Table

_BYTES: Final = 15
"""Of the digest, that a token is cut from: three groups of base32."""
CODE_LENGTH: Final = 6
CONFIRMATION_LENGTH: Final = 5
ADDRESS_CODE_LENGTH: Final = 10
_TAG: Final = "pbem token 1"


def token(key: bytes, role: Role, *parts: str | int) -> str:
    """The token that `key` gives to `parts` in `role`."""
    text = "".join(f"{part}\n" for part in (_TAG, role.value, *parts))
    digest = hmac.digest(key, text.encode(), "sha256")
    return base64.b32encode(digest[:_BYTES]).decode().lower()[:TOKEN_LENGTH]


def token_hash(token: str) -> str:
    """What the database keeps of a token: SHA-256 in hex, whatever the case of its letters."""
    return hashlib.sha256(token.lower().encode()).hexdigest()


def same(given: str, expected: str) -> bool:
    """Whether a code that somebody wrote is the one expected, in a time that does not tell how much of it is right.

    Nothing is the same as an empty code. Tokens need no such care: they are looked up by their hash.
    """
    return bool(expected) and hmac.compare_digest(given.encode(), expected.encode())


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens that one key gives."""

    key: bytes = field(repr=False)

    def person(self, person: int, epoch: int) -> str:
        """For a registered player, about no table."""
        return token(self.key, Role.PERSON, person, epoch)

    def seat(self, table: str, seat: int, person: int, epoch: int) -> str:
        """For the player on a seat."""
        return token(self.key, Role.SEAT, table, seat, person, epoch)

    def moderator(self, table: str, person: int, epoch: int) -> str:
        """For whoever moderates a table."""
        return token(self.key, Role.MODERATOR, table, person, epoch)

    def invited(self, table: str, address: str) -> str:
        """For an address that is offered a place."""
        return token(self.key, Role.INVITED, table, canonical(address))

    def code_word(self, person: int, epoch: int) -> str:
        """What a player repeats to be forgotten: letters, so that it is no number that somebody means otherwise."""
        code = token(self.key, Role.PERSON, "code word", person, epoch)
        return "".join(filter(str.isalpha, code))[:CODE_LENGTH]

    def address_code(self, person: int, epoch: int, address: str) -> str:
        """What has to come back from `address` before it is another one of `person`."""
        code = token(self.key, Role.PERSON, "address", person, epoch, canonical(address))
        return code[:ADDRESS_CODE_LENGTH]

    def confirmation(self, word: str, table: Table, seat: int) -> str:
        """What `seat` (0: the moderator) repeats behind a costly `word`; valid for the decision it faces now alone."""
        epoch = table.chair(seat).epoch if seat else table.moderator_epoch
        role = Role.SEAT if seat else Role.MODERATOR
        parts = ("confirm", word, table.name, seat, epoch, _facing(table, seat))
        return token(self.key, role, *parts)[:CONFIRMATION_LENGTH]

    def of(self, party: Party, table: Table | None = None) -> str:
        """The token in the mails to `party`; empty for a stranger, who has none.

        `table` is the one that the party names, if it names one.
        """
        match party.role, party.person, table:
            case Role.SEAT, Person() as person, Table():
                return self.seat(table.name, party.seat, person.id, table.chair(party.seat).epoch)
            case Role.MODERATOR, Person() as person, Table():
                return self.moderator(table.name, person.id, table.moderator_epoch)
            case Role.INVITED, _, _:
                return self.invited(party.table, party.address)
            case _, Person() as person, _:
                return self.person(person.id, person.epoch)
        return ""


def _facing(table: Table, seat: int) -> str:
    """The decision that `seat` (0: anybody) has to make next; where there is none, the last entry of the record."""
    ahead = table.ahead(seat) if seat else table.waiting
    return ahead[0].key if ahead else f"entry {table.running.n}"
