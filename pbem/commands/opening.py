"""Which command a line begins with: the longest known phrase at its start, in the reader's language first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from pbem.tongues import ENGLISH, LANGUAGES
from pbem.wording import COMMANDS, any_of, is_han, level, listed, sentence_words

_TOKEN: Final = re.compile(r"[^\s:]+")
_LONGEST: Final = 6
"""Words of an opening at most."""
_LONG: Final = 5
"""Letters of a word that is hardly another one, misspelt."""
_MARKS: Final = ".!,?"


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a line that commands have."""

    keys: tuple[str, ...]
    """Of the commands that begin so."""
    end: int
    """Where their rest begins."""
    loud: bool = True
    """Whether nobody writes so who does not mean the command: it is no beginning of a sentence in its language, or
    stands in capitals or before a colon."""
    parted: bool = True
    """Whether something parts it from what follows, as is not needed in Chinese."""


@cache
def phrases(language: str) -> Mapping[str, tuple[str, ...]]:
    """The commands of one language by each phrase, levelled, that they begin with."""
    found: dict[str, tuple[str, ...]] = {}
    for key, texts in listed(COMMANDS, language).items():
        for text in texts:
            for form in {level(text), level(text.replace("\u00df", "ss"))}:
                found[form] = (*found.get(form, ()), key)
    return found


@cache
def _known(language: str) -> Mapping[str, tuple[tuple[str, ...], str]]:
    """All phrases that a reader of `language` may begin with, and the language of each: his own first, then English,
    then the others, where they agree and mean nothing else to him."""
    found = {phrase: (keys, own) for own in (ENGLISH, language) for phrase, keys in phrases(own).items()}
    foreign: dict[str, tuple[tuple[str, ...], str]] = {}
    unclear: set[str] = set()
    for other in LANGUAGES:
        for phrase, keys in phrases(other).items():
            if foreign.setdefault(phrase, (keys, other))[0] != keys:
                unclear.add(phrase)
    hidden = unclear | sentence_words("ordinary", language)
    return {phrase: each for phrase, each in foreign.items() if phrase not in hidden} | found


@cache
def _first_words(language: str) -> frozenset[str]:
    """With one of which a line has to begin that any command could be."""
    return frozenset(phrase.split()[0] for phrase in _known(language))


@cache
def _glued(language: str) -> re.Pattern[str]:
    """The phrases of a script without spaces, the longest first."""
    known = sorted((phrase for phrase in _known(language) if is_han(phrase[0])), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)))


@lru_cache(maxsize=256)
def opening(line: str, language: str = ENGLISH) -> Opening | None:
    """What `line` begins with; ``None`` where that is no command's word."""
    plain = level(line)
    start = len(plain) - len(plain.lstrip())
    if is_han(plain[start : start + 1] or " "):
        return _in_han(line, plain, start, language)
    first = _TOKEN.match(plain, start)
    if first is None or (first.group().rstrip(_MARKS) or first.group()) not in _first_words(language):
        return None
    tokens = [found for _, found in zip(range(_LONGEST), _TOKEN.finditer(plain), strict=False)]
    for count in range(len(tokens), 0, -1):
        text, end = _joined([token.group() for token in tokens[:count]], tokens[count - 1].end())
        if text in _known(language):
            return _opening(line, text, start, end, language)
    return None


def _joined(words: list[str], end: int) -> tuple[str, int]:
    """`words` without marks at their end, and where they end then; a question mark alone is a word."""
    last = words[-1].rstrip(_MARKS) or words[-1]
    return " ".join((*words[:-1], last)), end - len(words[-1]) + len(last)


def _in_han(line: str, plain: str, start: int, language: str) -> Opening | None:
    found = _glued(language).match(plain, start)
    return _opening(line, found.group(), start, found.end(), language) if found else None


def _opening(line: str, text: str, start: int, end: int, language: str) -> Opening:
    keys, own = _known(language)[text]
    written = line[start:end]
    behind = level(line[end : end + 1])
    plain = text not in sentence_words("begin", own)
    loud = plain or written.isupper() or behind == ":" or level(line[end:]).lstrip().startswith(":")
    return Opening(keys, end, loud, not behind.isalnum())


def tongue(line: str) -> str:
    """The language whose command `line` begins with; empty where it begins with none, or with one of several's."""
    begun = opening(line)
    said = level(line)[: begun.end].strip().rstrip(_MARKS) if begun else ""
    speak_so = [language for language in LANGUAGES if said in phrases(language)]
    return speak_so[0] if len(speak_so) == 1 else ""


def is_loud(line: str, language: str = ENGLISH) -> bool:
    """Whether nobody begins a line so who means no command by it."""
    begun = opening(line, language)
    return begun is None or begun.loud


def is_in_capitals(line: str) -> bool:
    """Whether the words that a command in `line` begins with stand in capitals: then it is meant as one."""
    begun = opening(line)
    return begun is not None and line[: begun.end].strip().isupper()


@cache
def beginnings(language: str) -> frozenset[str]:
    """Every phrase that a command begins with in English, and in `language` those that no sentence is likely to have at
    its beginning, misspelt or not."""
    own = frozenset(phrase for phrase in phrases(language) if len(phrase) >= _LONG)
    return frozenset(phrases(ENGLISH)) | (own - sentence_words("begin", language))


def keys_of(phrase: str, language: str) -> tuple[str, ...]:
    """The commands that begin with `phrase`."""
    return _known(language)[phrase][0]


@cache
def all_beginnings() -> frozenset[str]:
    """Every phrase of every language that a command begins with, levelled."""
    return frozenset(phrase for language in LANGUAGES for phrase in phrases(language))


def pattern_of_openings(*keys: str) -> str:
    """An expression for what the commands `keys` begin with, in levelled text."""
    return any_of(text for language in LANGUAGES for key in keys for text in listed(COMMANDS, language)[key])
