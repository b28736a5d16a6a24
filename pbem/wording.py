"""The host's own words in each language, as `lexicon/` lists them: which are written, and which are understood.

Nothing here knows what a command does. An expression for a line names words by their keys, as ``%until``; it then fits
all their spellings in all languages, so that a line may be written in several.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from pbem.names import folded
from pbem.tongues import ENGLISH, LANGUAGES

COMMANDS, USAGE, WORDS, PLANS, TIME, TOPICS, SENTENCES = (
    "commands", "usage", "words", "plans", "time", "topics", "sentences",
)  # fmt: skip
"""The tables of a language."""
NUMBER: Final = "{n}"
"""In a word that goes around a number."""

_FOLDER: Final = Path(__file__).parent / "lexicon"
HAN: Final = "\u3400-\u9fff"
"""Letters of a script that sets no spaces between words."""
GAP: Final = rf"(?:\s+|(?<=[{HAN}'])\s*|(?=[{HAN}]))"
"""What parts words: spaces, or nothing beside Chinese ones and behind an apostrophe."""
_AFTER: Final = rf"(?:(?![\w'])|(?<=[{HAN}']))"
_KEY: Final = re.compile(r"%([a-z_]+)")


class _Levelled(dict[int, str]):
    """Each sign as it is compared, one for one."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = (char if char == "\n" else " ") if char.isspace() else folded(char)
        self[code] = plain if len(plain) == 1 else char
        return self[code]


_LEVELLED: Final = _Levelled()


def level(text: str) -> str:
    """`text` as words in it are compared, sign for sign: what is found in it stands at the same place in `text`.

    Small letters without accents, plain quote marks and hyphens, digits and marks of common width.
    """
    return text.lower().replace("`", "'") if text.isascii() else text.translate(_LEVELLED)


def number(digits: str) -> int:
    """What the digits that an expression found say, however wide or raised they are written."""
    return int(level(digits))


def is_han(char: str) -> bool:
    """Whether `char` is written without a space to the next word."""
    return "\u3400" <= char <= "\u9fff"


@cache
def _tables() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    texts = {language: (_FOLDER / f"{language}.toml").read_text("utf-8") for language in LANGUAGES}
    return {language: tomllib.loads(text) for language, text in texts.items()}


def listed(table: str, language: str) -> Mapping[str, list[str]]:
    """A table of a language as its file has it: by key, the spellings; first the one that is written."""
    return _tables()[language][table]


def word(key: str, language: str = ENGLISH) -> str:
    """The written form of a command's word, or of one inside of commands or plans, in capitals: ``WEG`` for away."""
    return spellings(key, language)[0].upper()


def usage(key: str, language: str = ENGLISH) -> str:
    """How the command `key` is written."""
    return str(_tables()[language][USAGE][key])


@cache
def spellings(key: str, language: str) -> tuple[str, ...]:
    """What is understood as `key` in one language, as its file has it."""
    tables = _tables()[language]
    return next(tuple(tables[name][key]) for name in (COMMANDS, WORDS, PLANS, TIME) if key in tables[name])


@cache
def alternatives(key: str, languages: tuple[str, ...] = LANGUAGES) -> str:
    """An expression for all spellings of `key`, the longest first."""
    return any_of(chain.from_iterable(spellings(key, language) for language in languages))


def any_of(texts: Iterable[str]) -> str:
    """An expression for any of `texts`, in levelled text, as whole words."""
    known = {level(form) for text in texts for form in (text, text.replace("\u00df", "ss"))}
    longest_first = sorted(known, key=lambda text: (-len(text), text))
    return rf"(?:{'|'.join(map(_pattern, longest_first))}){_AFTER}"


def _pattern(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split())).replace(re.escape(NUMBER), r"\s*\d{1,3}\s*")


def expression(template: str) -> str:
    r"""`template`, to be looked for in levelled text: ``%key`` fits any spelling of a word, ``\s+`` any gap."""
    return _KEY.sub(lambda found: alternatives(found[1]), template.replace(r"\s+", GAP))


@cache
def _meanings(keys: tuple[str, ...]) -> Mapping[str, str]:
    """Keys by what is understood as them; what the first language says counts most."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for key in keys:
            for text in spellings(key, language):
                found.setdefault(folded(text), key)
    return found


def meant(text: str, *keys: str) -> str:
    """Which of the words `keys` is written as `text`, in any language; nothing for none of them."""
    return _meanings(keys).get(folded(text), "")


@cache
def _topics(language: str) -> Mapping[str, str]:
    return {folded(text): key for key, texts in listed(TOPICS, language).items() for text in texts}


def topic(text: str, language: str = ENGLISH) -> str:
    """The topic of HELP that `text` means, in the reader's language first; `text`, folded, if it means none."""
    wanted = folded(text)
    for known in (language, *LANGUAGES):
        if wanted in _topics(known):
            return _topics(known)[wanted]
    return wanted


def topic_word(key: str, language: str = ENGLISH) -> str:
    """How a topic of HELP is written."""
    return listed(TOPICS, language)[key][0]


@cache
def sentence_words(kind: str, language: str) -> frozenset[str]:
    """A list of the table `SENTENCES`, folded."""
    return frozenset(map(folded, listed(SENTENCES, language)[kind]))


@cache
def all_sentence_words(kind: str) -> frozenset[str]:
    """Likewise, of all languages."""
    return frozenset().union(*(sentence_words(kind, language) for language in LANGUAGES))


@cache
def all_spellings(*keys: str) -> frozenset[str]:
    """What is understood as any of `keys` in any language, folded."""
    return frozenset(folded(text) for key in keys for language in LANGUAGES for text in spellings(key, language))
