"""Forms of names and addresses in which they are compared, and of reply tokens; the first two are kept and shown as
their owners write them."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from engine.game import fold

TOKEN_LENGTH: Final = 20
"""Characters of a reply token, 5 bits each."""
TOKEN: Final = rf"[a-z2-7]{{{TOKEN_LENGTH}}}"
"""A reply token as an expression: lower-case base32."""


def canonical(address: str) -> str:
    """`address` in the form in which addresses are compared. Nothing cleverer than case: it is no alias table."""
    return address.strip().lower()


_ADDRESS: Final = re.compile(r"[^\s\x00-\x20\x7f<>,;:\"()\[\]\\@]+@[^\s\x00-\x20\x7f<>,;:\"()\\@]+")


def ascii_address(address: str) -> str:
    """`address` as it can stand in a header, an international domain in its ASCII form; nothing where it cannot.

    What this refuses no mail can be sent to, so nobody is to be known, invited or answered by it.
    """
    if not _ADDRESS.fullmatch(address):
        return ""
    local, _, domain = address.rpartition("@")
    try:
        ascii_domain = domain if domain.isascii() else domain.encode("idna").decode("ascii")
        local.encode("ascii")
    except UnicodeError:
        return ""
    return f"{local}@{ascii_domain}"


def mailbox(address: str) -> str:
    """Where mail to `address` ends up, in canonical form: what stands behind a plus is its owner's own to choose."""
    local, _, domain = canonical(address).rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def address_hash(address: str) -> str:
    """What is kept of an address that must be known again and may not be shown: SHA-256 in hex."""
    return hashlib.sha256(f"pbem address\n{canonical(address)}".encode()).hexdigest()


_LATIN: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b"
    "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6"
    "\u0237\u0251\u0261\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f\u1d00\u1d04\u1d05\u1d07\u1d0a\u1d0b\u1d0d"
    "\u1d0f\u1d18\u1d1b\u1d1c\u1d20\u1d21\u1d22\ua730\ua731\ua7af\uab4b",
    "abekmhopctyxijshdqabehikmnoptyxzjagginrybhlacdejkmoptuvwzfsqr",
)
"""Small letters of the Cyrillic and the Greek alphabet that look, small or as capitals, as one of the Latin; and those
of phonetic writing, which counts as Latin."""


def like_latin(name: str) -> str:
    """`name`, folded, as who knows only Latin letters takes it to be."""
    return folded(name).translate(_LATIN)


def folded(name: str) -> str:
    """`name` as games compare words: two players may not have names that fold alike."""
    return fold(name)
