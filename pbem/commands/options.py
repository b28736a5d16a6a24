"""What may stand behind NEW and a game's name: options, addresses, NOT PLAYING, in any order."""

from __future__ import annotations

import re
from typing import Final

from pbem.names import ascii_address, folded
from pbem.wording import expression, level

# Both look for their beginning only where one can be, else a long word that holds none is searched from each letter on.
ADDRESS: Final = re.compile(r"(?<![^\s@<>,;\"'])[^\s@<>,;\"']+@[^\s@<>,;\"']+\.[^\s@<>,;\"'.]+")
_VALUE: Final = r'"[^"]*"|[^\s,"]+(?:,(?![\w.-]+\s*=)[^\s,@="]+(?=[\s,]|$))*'
_OPTION: Final = re.compile(rf"(?<![a-z.-])([a-z.-]+)\s*=\s*({_VALUE})", re.IGNORECASE)
"""A name and a value: a word, words with commas and no spaces between them, or anything in quotation marks."""
_NOT_PLAYING: Final = re.compile(rf"(?<!\w){expression('%not_playing')}")
_BETWEEN: Final = str.maketrans(",<>", "   ")


def is_address(text: str) -> bool:
    """Whether `text` is one whole address that mail can be sent to."""
    return ADDRESS.fullmatch(text) is not None and ascii_address(text) != ""


def addresses(text: str) -> tuple[str, ...]:
    """Every address in `text`, once."""
    return tuple(dict.fromkeys(ADDRESS.findall(text)))


def options(text: str) -> tuple[tuple[str, str], ...]:
    """Every ``name=value`` in `text`, folded; the value without its quotation marks."""
    return tuple((folded(name), folded(value.strip('"'))) for name, value in _OPTION.findall(text))


def is_playing(text: str) -> bool:
    return not _NOT_PLAYING.search(level(text))


def is_clear(text: str) -> bool:
    """Whether `text` holds nothing else."""
    left = _NOT_PLAYING.sub(" ", level(_OPTION.sub(" ", ADDRESS.sub(" ", text))))
    return not left.translate(_BETWEEN).strip()
