"""Lines in a language that is not the reader's: people quote, copy, and change the language of their mails.

The reader's own language and English always go first. What neither can read is asked of the others, whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.bloody_inn.reasons import Fault
from engine.bloody_inn.words import ENGLISH, languages
from engine.game import Unreadable

T = TypeVar("T")


def understood(read: Callable[[str], T], language: str) -> T:
    """What `read` gives in `language`, or else in the only other one, or in all that can read it and agree.

    `Unreadable` is what the reader's language has to say; where it does not even know the verb, what the first one
    says that does.
    """
    try:
        return read(language)
    except Unreadable as fault:
        return _elsewhere(read, language, fault)


def _elsewhere(read: Callable[[str], T], language: str, fault: Unreadable) -> T:
    found: list[T] = []
    closer = fault
    for other in languages():
        if other in (language, ENGLISH):
            continue
        try:
            found.append(read(other))
        except Unreadable as trouble:
            if closer.reason == Fault.VERB:
                closer = trouble
    if found and all(each == found[0] for each in found):
        return found[0]
    raise closer from None
