"""Forms of names and addresses in which they are compared; they are kept and shown as their owners write them."""

from __future__ import annotations

import hashlib
import unicodedata


def canonical(address: str) -> str:
    """`address` in the form in which addresses are compared. Nothing cleverer than case: it is no alias table."""
    return address.strip().lower()


def mailbox(address: str) -> str:
    """Where mail to `address` ends up, in canonical form: what stands behind a plus is its owner's own to choose."""
    local, _, domain = canonical(address).rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def address_hash(address: str) -> str:
    """What is kept of an address that must be known again and may not be shown: SHA-256 in hex."""
    return hashlib.sha256(f"pbem address\n{canonical(address)}".encode()).hexdigest()


def folded(name: str) -> str:
    """`name` without case, accents and doubled spaces: two players may not have names that fold alike."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(kept.split())
