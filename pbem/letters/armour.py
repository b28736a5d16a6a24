"""PGP signatures inside the text (RFC 4880, section 7): the signed text is read, its wrapping is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pbem.letters.body import Line, Reason

_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END: Final = "-----END PGP SIGNATURE-----"


def without_armour(lines: Iterable[Line]) -> list[Line]:
    """The same lines with those of the wrapping told so, and dash escapes undone."""
    return list(_told(lines))


def _told(lines: Iterable[Line]) -> Iterator[Line]:
    state = "outside"
    for line in lines:
        text = line.text.strip()
        before, state = state, _next_state(state, text)
        if state == "signed" == before:
            yield Line(line.text[2:] if line.text.startswith("- ") else line.text, line.told)
        elif state == before == "outside":
            yield line
        else:
            yield Line(line.text, Reason.ARMOUR)


def _next_state(state: str, text: str) -> str:
    """`outside`, `hash` (headers of the armour), `signed` (the text) or `signature`."""
    if text == _SIGNED:
        return "hash"
    if text == _SIGNATURE and state != "outside":
        return "signature"
    if text == _END and state == "signature":
        return "outside"
    return "signed" if state == "hash" and not text else state
