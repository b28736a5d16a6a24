"""S/MIME mail signed in the opaque form (RFC 8551): the mail inside the signature.

Only the wrapping is opened; nothing is verified. Both definite (DER) and indefinite lengths (BER, as openssl streams
them) occur.
"""

from __future__ import annotations

from typing import Final

_SIGNED_DATA: Final = bytes.fromhex("06092a864886f70d010702")
_DATA: Final = bytes.fromhex("06092a864886f70d010701")
_OCTETS: Final = 0x04
_CONSTRUCTED_OCTETS: Final = 0x24
_CONTENT: Final = 0xA0
_MAX_CHUNKS: Final = 100_000


def signed_content(data: bytes) -> bytes | None:
    """The content that a PKCS #7 signedData wraps; None when `data` is something else."""
    start = data.find(_DATA, max(0, data.find(_SIGNED_DATA)), 200)
    if _SIGNED_DATA not in data[:60] or start < 0:
        return None
    try:
        return _octets(data, start + len(_DATA))
    except IndexError:
        return None


def _octets(data: bytes, at: int) -> bytes | None:
    tag, at, _ = _header(data, at)
    if tag != _CONTENT:
        return None
    tag, at, size = _header(data, at)
    if tag == _OCTETS and size is not None:
        return data[at : at + size]
    return _chunks(data, at, size) if tag == _CONSTRUCTED_OCTETS else None


def _chunks(data: bytes, at: int, size: int | None) -> bytes:
    """The pieces of a constructed octet string, up to its size or its end-of-contents mark."""
    end = len(data) if size is None else at + size
    pieces: list[bytes] = []
    while at < end and len(pieces) < _MAX_CHUNKS:
        tag, at, length = _header(data, at)
        if tag != _OCTETS or length is None:
            break
        pieces.append(data[at : at + length])
        at += length
    return b"".join(pieces)


def _header(data: bytes, at: int) -> tuple[int, int, int | None]:
    """Tag, where the contents begin, and their length (None: indefinite)."""
    tag, first = data[at], data[at + 1]
    if first < 0x80:
        return tag, at + 2, first
    if first == 0x80:
        return tag, at + 2, None
    count = first & 0x7F
    return tag, at + 2 + count, int.from_bytes(data[at + 2 : at + 2 + count], "big")
