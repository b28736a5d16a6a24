"""The words of a language, read once from ``<language>.toml`` beside this file.

`words` gives them as they are written (templates use it too), `lexicon` as they are understood: folded,
with English behind every other language, since English always works.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from engine.bloody_inn.cards import Card
from engine.folding import fold

ENGLISH: Final = "en"
_VOWELS: Final = frozenset("aeiou")


class CardWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a card and the annex it becomes are called, and other spellings that are understood."""

    name: str = ""
    plural: str = ""
    annex: str = ""
    the: str = ""
    """With its article, as the object of a sentence; empty: as the language forms it."""
    also: tuple[str, ...] = ()
    plurals: tuple[str, ...] = ()
    """Further plurals, as a dative."""
    annex_also: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.name, self.plural, *self.also, *self.plurals)

    @property
    def annex_spellings(self) -> tuple[str, ...]:
        return (self.annex, *self.annex_also)


class Little(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Small words: without meaning, one's own, between items, no cards at all, the currency."""

    skip: tuple[str, ...]
    mine: tuple[str, ...]
    joins: tuple[str, ...]
    nothing: tuple[str, ...]
    francs: tuple[str, ...]


class Owner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an owner and an annex are joined, and what is understood before and after the annex."""

    write: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    write_vowel: str = ""
    """The same before a name that begins with a vowel, where that is different."""


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a language writes what it does not write as English does."""

    the: str = "the {name}"
    """A card as the object of a sentence."""
    counted: str = "{count} {name}"
    comma: str = ", "
    """Between the items of a list in an order."""
    capitals: bool = False
    """Nouns keep their capital within a line."""


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a script without spaces needs besides; see `engine.bloody_inn.unspaced`."""

    silent: tuple[str, ...] = ()
    """What may stand behind another word and says nothing."""
    numbered: tuple[str, ...] = ()
    """What makes a room of the number before it."""


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lines that a newcomer can copy."""

    orders: tuple[str, ...]
    """One of each kind, and whatever the position."""
    plans: tuple[str, ...]
    """With the host's own words for IF and its like."""
    conditions: tuple[str, ...]
    choices: tuple[str, ...]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; the first of a list is the one that is written."""

    verbs: dict[str, tuple[str, ...]]
    phrases: dict[str, tuple[str, ...]]
    little: Little
    owner: Owner
    numbers: dict[str, int]
    topics: dict[str, tuple[str, ...]]
    """What can be looked up of the rules, in reading order."""
    cards: dict[Card, CardWords]
    conditions: dict[str, tuple[str, ...]]
    """What plans ask about: places, amounts, the police, and what players did (verbs in the past)."""
    choices: dict[str, tuple[str, ...]]
    """Words of standing choices."""
    examples: Examples
    style: Style = Style()
    script: Script = Script()

    def card(self, card: Card, count: int = 1) -> str:
        """The name of `card`, in the plural unless `count` is 1."""
        return self.cards[card].name if count == 1 else self.cards[card].plural

    def the(self, card: Card) -> str:
        """The name of `card` as the object of a sentence: ``the Baron``, ``den Baron``."""
        return self.cards[card].the or self.style.the.format(name=self.cards[card].name)

    def copies(self, card: Card, count: int) -> str:
        """The name of `card`, with the number in front unless it is 1."""
        return self.times(self.card(card, count), count)

    def times(self, name: str, count: int) -> str:
        """`name` with the number in front unless it is 1."""
        return name if count == 1 else self.style.counted.format(count=count, name=name)

    def annex(self, card: Card) -> str:
        """The name of the annex that `card` is."""
        return self.cards[card].annex

    def owned(self, owner: str, annex: str) -> str:
        """How the `annex` of somebody else is called."""
        vowel = self.owner.write_vowel and fold(owner)[:1] in _VOWELS
        return (self.owner.write_vowel if vowel else self.owner.write).format(owner=owner, annex=annex)

    def verb(self, verb: str) -> str:
        """The word that an order begins with, as it is written: ``LODGE``."""
        return self.verbs[verb][0].upper()

    def inline(self, name: str) -> str:
        """The name of a card or annex as it stands within an order line."""
        return name if self.style.capitals else name.lower()


class Lexicon(msgspec.Struct, frozen=True):
    """What is understood, all of it folded: from a spelling to its meaning, or all spellings of a meaning."""

    verbs: dict[str, str]
    cards: dict[str, Card]
    annexes: dict[str, Card]
    """By the annex's own name and by that of its card."""
    topics: dict[str, str]
    numbers: dict[str, int]
    phrases: dict[str, tuple[str, ...]]
    little: Little
    owner: Owner
    conditions: dict[str, tuple[str, ...]]
    choices: dict[str, tuple[str, ...]]


@cache
def words(language: str = ENGLISH) -> Words:
    """The words of `language`; English where there are none of it."""
    source = files(__package__).joinpath(f"{language}.toml")
    if not source.is_file():
        return words(ENGLISH)
    return msgspec.toml.decode(source.read_bytes(), type=Words)


def plain(text: str) -> str:
    """`text` folded as names of cards and annexes are compared: a hyphen is a space."""
    return fold(fold(text).replace("-", " "))


@cache
def lexicon(language: str = ENGLISH) -> Lexicon:
    """What is understood in `language`: its own words, then the English ones."""
    tongues = (words(language), words(ENGLISH))
    annexes = _table((card, names.annex_spellings) for tongue in tongues for card, names in tongue.cards.items())
    built = _table((card, names.spellings) for tongue in tongues for card, names in tongue.cards.items() if names.annex)
    return Lexicon(
        verbs=_table(item for tongue in tongues for item in tongue.verbs.items()),
        cards=_table((card, names.spellings) for tongue in tongues for card, names in tongue.cards.items()),
        annexes=built | annexes,
        topics=_table(item for tongue in tongues for item in tongue.topics.items()),
        numbers={plain(word): number for tongue in reversed(tongues) for word, number in tongue.numbers.items()},
        phrases={name: _all(tongue.phrases[name] for tongue in tongues) for name in words(ENGLISH).phrases},
        little=Little(*(_all(getattr(tongue.little, kind) for tongue in tongues) for kind in Little.__struct_fields__)),
        owner=Owner(
            write=words(language).owner.write,
            before=_all(tongue.owner.before for tongue in tongues),
            after=_all(tongue.owner.after for tongue in tongues),
        ),
        conditions={name: _all(tongue.conditions[name] for tongue in tongues) for name in words(ENGLISH).conditions},
        choices={name: _all(tongue.choices[name] for tongue in tongues) for name in words(ENGLISH).choices},
    )


def _table(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """From each folded spelling to its meaning; what comes first wins."""
    table: dict[str, str] = {}
    for meaning, spellings in pairs:
        for spelling in filter(None, map(plain, spellings)):
            table.setdefault(spelling, meaning)
    return table


def _all(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The folded words of all `lists`, each once, in order."""
    return tuple(dict.fromkeys(fold(word) for words_of_one in lists for word in words_of_one))


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are words for."""
    found = (path.name for path in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def reserved() -> frozenset[str]:
    """Every word, folded, that an order may be made of in any language: no player may be called so."""
    return frozenset(
        word for language in languages() for text in texts(lexicon(language)) for word in (text, *text.split())
    )


def texts(lexicon: Lexicon) -> tuple[str, ...]:
    """Everything that is understood within orders, conditions and choices."""
    little = lexicon.little
    return (
        *lexicon.verbs,
        *lexicon.cards,
        *lexicon.annexes,
        *lexicon.numbers,
        *(text for texts in lexicon.phrases.values() for text in texts),
        *(text for texts in lexicon.conditions.values() for text in texts),
        *(text for texts in lexicon.choices.values() for text in texts),
        *little.skip, *little.mine, *little.joins, *little.nothing, *little.francs,
    )  # fmt: skip
