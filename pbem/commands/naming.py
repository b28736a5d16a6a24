"""Which names players may take: what stands in an order line, and in other people's mails, must be what it seems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from pbem.commands.grammar import WORDS, Command, Join, Register
from pbem.commands.overriding import Rename
from pbem.draft import Draft, Refused
from pbem.names import folded, like_latin
from pbem.plans.syntax import RESERVED
from pbem.verdicts import Reason
from pbem.wording import all_sentence_words, any_of

SHORTEST_NAME, LONGEST_NAME = 2, 20
LONGEST_LABEL = 40
PSEUDONYM = "somebody"
"""What the names of those who were forgotten begin with; nobody can take such a name."""
PLACEHOLDERS: Final = all_sentence_words("placeholders") | {""}
"""What stands for a name in our mails and manuals, by its letters: whoever copies it has forgotten to put his own."""

_COURTESY: Final = re.compile(r"[\s,]+(?:please|pls|thanks|thank you)[.!]*$", re.IGNORECASE)
"""What is said to the host behind a name; nobody means it as a part of it."""
_A_SEAT: Final = re.compile(rf"(?:{any_of(all_sentence_words('nobody'))})?\s*\d*")
"""What the host calls seats, and those whom it speaks of together, in every language; folded."""
_A_TABLE = re.compile(r"[a-z]-\d")
"""In the name of every table."""
_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f")
"""Letters, by their category, of which nothing is to be seen."""
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_TOGETHER: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "KATAKANA-HIRAGANA"})
"""Scripts that one word is written in."""


def good_name(draft: Draft, name: str, usage: str) -> str:
    """A name that can stand in an order line without being mistaken for anything else; `usage` shows where."""
    plain = unicodedata.normalize("NFC", " ".join(_COURTESY.sub("", name).split()))
    if _letters(plain) in PLACEHOLDERS:
        raise Refused(Reason.NAME_MISSING, usage=usage)
    if not SHORTEST_NAME <= len(plain) <= LONGEST_NAME or not _printable(plain):
        raise Refused(Reason.NAME_BAD, name=plain[:LONGEST_NAME])
    if not _is_plain(plain):
        raise Refused(Reason.NAME_UNCLEAR, name=plain)
    if any(_is_reserved(draft, form) for form in (folded(plain), like_latin(plain))):
        raise Refused(Reason.NAME_RESERVED, name=plain)
    if not draft.known.taken.isdisjoint({folded(plain), like_latin(plain)}):
        raise Refused(Reason.NAME_TAKEN, name=plain)
    return plain


def good_label(text: str) -> str:
    """What a table may be called beside its name: plain words, and no table's name."""
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    if not SHORTEST_NAME <= len(plain) <= LONGEST_LABEL or not _printable(plain) or not _is_plain(plain):
        raise Refused(Reason.LABEL_BAD, name=plain[:LONGEST_LABEL])
    if _A_TABLE.search(folded(plain)):
        raise Refused(Reason.LABEL_BAD, name=plain)
    return plain


def names_given(commands: Iterable[Command]) -> list[str]:
    """The names that somebody is to have by `commands`: whether they are free has to be looked up."""
    wanted = (c.new if isinstance(c, Rename) else c.name for c in commands if isinstance(c, Register | Join | Rename))
    return [name for name in wanted if name]


def forms_of(names: Iterable[str]) -> set[str]:
    """`names` as they are compared, and as they look."""
    return {form for name in names for form in (folded(name), like_latin(name))}


def _is_reserved(draft: Draft, form: str) -> bool:
    games = draft.known.games.values()
    reserved = WORDS.union(RESERVED, *((*game.verbs(), *game.capabilities.get("reserved", ())) for game in games))
    words = (form, *form.split())
    is_seat = _A_SEAT.fullmatch(form) is not None
    return form.startswith(PSEUDONYM) or is_seat or form in draft.known.misread or not reserved.isdisjoint(words)


def _letters(name: str) -> str:
    """`name` without signs around it, as <your name> or ..., folded."""
    return folded("".join(char if char.isalnum() else " " for char in name))


def _printable(name: str) -> bool:
    """Nor anything that a mail program would make a link of: a name stands in mails to people who know nobody here."""
    no_link = not any(dot == "." and after.isalnum() for dot, after in pairwise(name))
    return no_link and name.isprintable() and name[0].isalpha() and not set(name) & set(',;:#()<>"@=/\\[]{}|')


def _is_plain(name: str) -> bool:
    """Whether each word is written in one script, and nothing in it is unseen: no two names may look alike."""
    if not _FILLERS.isdisjoint(name) or _SELECTORS.search(name):
        return False
    return all(len(_scripts(word)) <= 1 for word in re.split(r"[\s'-]+", name))


def _scripts(word: str) -> frozenset[str]:
    """The scripts of the letters in `word`; those of East Asia count as one."""
    found = {unicodedata.name(char, "?").split()[0] for char in word if char.isalpha()}
    return frozenset("CJK" if script in _TOGETHER else script for script in found)
