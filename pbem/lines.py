"""What the own lines of a mail look like, before anybody asks what they do: commands, orders, misspellings, prose.

Forgiving in form: numbering, bullets and the stars that mail programs set for bold letters fall away, and one line may
hold several orders with semicolons between them. Never forgiving in meaning: a near word is a guess to be offered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rapidfuzz import fuzz, process

from pbem.commands import grammar
from pbem.commands.grammar import Command, Misused, Need
from pbem.commands.overriding import Preview
from pbem.names import folded
from pbem.plans.syntax import goes_on, is_plan, is_unfinished
from pbem.tongues import ENGLISH
from pbem.wording import all_sentence_words, all_spellings, is_han, level, sentence_words

LONGEST_ORDER_IN_WORDS: Final = 12
"""A misspelt line of more words is prose."""
LONGEST_MISUSE_IN_WORDS: Final = 6
NEAR_ENOUGH: Final = 80
VERY_NEAR: Final = 88
"""What a word of another language than English has to be: *Envoyé*, below many a mail, is no misspelt *renvoyer*."""
MOST_ON_A_LINE: Final = 10
"""Orders; a line that seems to hold more is left whole, and no order is."""

YES: Final = all_spellings("yes") | frozenset(
    {"jep", "si", "sim", "tak", "ano", "evet", "kylla", "joo", "co", "vang", "\u0434\u0430", "\u306f\u3044"}
)
"""How people agree, in our languages and others of their mail programs; folded."""

FEWEST_WORDS_OF_PROSE: Final = 4
"""Of a line that a sentence may begin on; fewer are a greeting."""
_ENDS: Final = (".", "!", "?", ":", ";")

_BULLETS: Final = (
    "-*+\u00b7\u2022\u2023\u2043\u2192\u25a0\u25a1\u25aa\u25ab\u25cb\u25cf\u25e6\u2610\u2611\u2612\u2713\u2714\u2794"
)
_NUMBER: Final = r"\(?\d{1,2}\s?[.):]|\[(?:\d{1,2}|[ xX]?)\]|\(?[a-hA-H]\)"
_NUMBERING: Final = re.compile(rf"(?:(?:[{_BULLETS}]|{_NUMBER})\s*)+(?=\S)")
# Gmail and others write *bold* and _italic_ where they make plain text of letters.
_EMPHASIS: Final = re.compile(r"(?<![^\s(])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}(?![^\s.,;:!)])")
_SENTENCE: Final = re.compile(
    r"(?:i|we)(?:['\u2019]ll|\s+will|\s+(?:want|would\s+like)\s+to)?\s+(\S.*?)[.!]*", re.IGNORECASE
)
"""What somebody writes who tells what he does."""
_QUOTED: Final = re.compile(r"([\"'`])([^\"'`]*)\1")


class Kind(StrEnum):
    """What a line looks like."""

    COMMAND = "command"
    ORDER = "order"
    MISSPELT = "misspelt"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Looks:
    """One line as it looks. Of a command that is written wrongly only its usage is known."""

    kind: Kind
    command: Command | None = None
    need: Need = Need.NOTHING
    usage: str = ""
    near: tuple[str, ...] = ()
    """Lines that a misspelt one may have meant."""


@dataclass(frozen=True, slots=True)
class Piece:
    """An own line, or one of several orders on it, without numbering and emphasis."""

    n: int
    """The number of the line among the sender's own."""
    text: str
    open: bool = False
    """The sender's program may have broken it in two: if it cannot be read, its rest may be the next piece."""
    tail: bool = False
    """It ends a sentence of the line above, and means nothing by itself."""


def pieces(
    lines: Sequence[str],
    verbs: Collection[str],
    open_ends: Collection[int] = (),
    adjoining: Collection[int] = (),
    language: str = ENGLISH,
) -> tuple[Piece, ...]:
    """Everything that the own `lines` of a mail say, in order. `open_ends` are indices of lines that may go on,
    `adjoining` of those that the next one follows at once; `language` is their writer's."""
    ends = tails(lines, verbs, open_ends, adjoining, language)
    found = [
        Piece(index + 1, text, index in open_ends and last, index in ends)
        for index, line in enumerate(lines)
        for text, last in ([(line, True)] if index in ends else _with_last(parts(line, verbs, language)))
    ]
    return tuple(_joined(found, verbs)) if verbs else tuple(found)


def tails(
    lines: Sequence[str],
    verbs: Collection[str],
    open_ends: Collection[int],
    adjoining: Collection[int],
    language: str = ENGLISH,
) -> frozenset[int]:
    """Indices of `lines` that end a sentence of the line above, where a program or its writer broke it: a word alone
    on the last line of a paragraph is no order."""
    found: set[int] = set()
    for index in sorted(adjoining):
        above, below = lines[index], lines[index + 1]
        if goes_on_below(above, below, index in open_ends) and (
            index in found or looks(bare(above), verbs, language).kind is Kind.PROSE
        ):
            found.add(index + 1)
    return frozenset(found)


def goes_on_below(above: str, below: str, broken: bool) -> bool:
    """Whether a sentence of `above` may end in `below`: in small letters, and behind a line that was too long, or
    else in a full stop."""
    first = next((char for char in below if char.isalpha()), "")
    if not first.islower() or below[:1] in _BULLETS or above.endswith(_ENDS):
        return False
    return broken or (below.endswith(".") and not above.endswith(",") and len(above.split()) >= FEWEST_WORDS_OF_PROSE)


def _joined(found: Iterable[Piece], verbs: Collection[str]) -> Iterator[Piece]:
    """`found` with the alternatives of a plan on one line, also where each was written on a line of its own."""
    above: Piece | None = None
    for piece in found:
        if above is not None and _belong_together(above.text, piece.text, verbs):
            above = Piece(above.n, f"{above.text} {piece.text}", piece.open)
            continue
        if above is not None:
            yield above
        above = piece
    if above is not None:
        yield above


def _belong_together(above: str, below: str, verbs: Collection[str]) -> bool:
    """An IF waits for its order; whoever writes an empty line or something else behind it gets to know that."""
    if is_unfinished(above, verbs):
        return goes_on(below, verbs) or is_order(below, verbs)
    return goes_on(below, verbs) and is_order(above, verbs)


def parts(line: str, verbs: Collection[str], language: str = ENGLISH) -> tuple[str, ...]:
    """The orders on one line: parted at semicolons, but only where what follows looks like an order of its own.

    Prose is never parted, nor is a command that takes any words to its end.
    """
    whole = bare(line)
    texts = [bare(text) for text in _between_semicolons(whole)]
    if not 1 < len(texts) <= MOST_ON_A_LINE or grammar.takes_any_words(whole, language):
        return (whole,)
    if looks(texts[0], verbs, language).kind is Kind.PROSE:
        return (whole,)
    joined = [texts[0]]
    for text in filter(None, texts[1:]):
        if looks(text, verbs, language).kind is Kind.PROSE:
            joined[-1] += f"; {text}"
        else:
            joined.append(text)
    return tuple(joined)


def bare(line: str) -> str:
    """`line` without numbering, bullets, emphasis, quote marks around all of it and a semicolon at its end."""
    text = line.strip()
    numbering = _NUMBERING.match(text)
    text = _EMPHASIS.sub("", text[numbering.end() :] if numbering else text).strip()
    quoted = _QUOTED.fullmatch(text)
    return (quoted[2] if quoted else text).rstrip("; ").strip()


def looks(text: str, verbs: Collection[str], language: str = ENGLISH) -> Looks:
    """What a bare line of a writer of `language` looks like where orders begin with `verbs` (folded)."""
    parsed = grammar.parse(text, language)
    if isinstance(parsed, Misused):
        is_prose = len(text.split()) > LONGEST_MISUSE_IN_WORDS
        return Looks(Kind.PROSE) if is_prose else Looks(Kind.COMMAND, need=parsed.need, usage=parsed.usage)
    if parsed is not None:
        return Looks(Kind.COMMAND, *parsed)
    if is_order(text, verbs):
        return Looks(Kind.ORDER)
    near = _meant(text, verbs, language)
    return Looks(Kind.MISSPELT, near=near) if near else Looks(Kind.PROSE)


def is_order(text: str, verbs: Iterable[str]) -> bool:
    """Whether a bare line begins with one of the verbs, or as a plan does."""
    line, known = folded(text), tuple(verbs)
    begun = any(line.startswith(verb) and _ends_with(verb, line[len(verb) :]) for verb in known)
    return begun or (bool(known) and is_plan(text, known))


def told(texts: Iterable[str], verbs: Collection[str]) -> str:
    """The first of `texts` that tells of an order in a sentence, as an order; nothing if none does."""
    sentences = (_SENTENCE.fullmatch(text) for text in texts if len(text.split()) <= LONGEST_ORDER_IN_WORDS)
    orders = (found[1] for found in sentences if found and is_order(found[1], verbs))
    return next((f"{verb.upper()} {rest}".strip() for verb, _, rest in (order.partition(" ") for order in orders)), "")


def agrees(line: str) -> bool:
    """Whether a line begins with a word for yes."""
    words = folded(bare(line)).split()
    return bool(words) and words[0].strip(".,!") in YES


def commands(lines: Iterable[str], language: str = ENGLISH) -> list[Command]:
    """Every command that stands in the `lines` or between semicolons in them: what may have to be loaded."""
    texts = (text for line in lines for text in (line, *_further(line, language)))
    found = [parsed[0] for text in texts if isinstance(parsed := grammar.parse(bare(text), language), tuple)]
    previewed = (grammar.parse(command.line, language) for command in found if isinstance(command, Preview))
    return [*found, *(parsed[0] for parsed in previewed if isinstance(parsed, tuple))]


def _further(line: str, language: str) -> list[str]:
    return [] if grammar.says(line, language) else _between_semicolons(line)[1:]


def _ends_with(verb: str, rest: str) -> bool:
    """Whether a line that begins with `verb` does so as a word of its own; Chinese needs no space behind it, but
    where it goes on as people talk it is no order."""
    if not is_han(verb[-1]):
        return _is_word_end(rest)
    return not rest[:1].isalnum() or all_sentence_words("people").isdisjoint(rest)


def _is_word_end(rest: str) -> bool:
    return not rest or not (rest[0].isalpha() or rest[0] == "_" or (rest[0] in "-'" and rest[1:2].isalpha()))


def _between_semicolons(text: str) -> list[str]:
    """The parts of `text` between semicolons that stand outside of parentheses and before a remark."""
    depth, start, found = 0, 0, []
    for at, char in enumerate(level(text)):
        if char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif char == "#" and not depth:
            break
        elif char == ";" and not depth:
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]


def _with_last(texts: Sequence[str]) -> Iterator[tuple[str, bool]]:
    return ((text, number == len(texts)) for number, text in enumerate(texts, 1))


def _meant(text: str, verbs: Collection[str], language: str) -> tuple[str, ...]:
    """The lines that one with a misspelt first word may have meant; none for prose."""
    words = folded(text).split()
    if not words or len(words) > LONGEST_ORDER_IN_WORDS or len(words[0]) < 3:
        return ()
    if words[0].strip(".,:;!") in sentence_words("begin", language):
        return ()
    english, first = {*grammar.offered(ENGLISH), *verbs}, words[0].strip(".,:;!")
    known = sorted(english | grammar.offered(language))
    found = process.extract(first, known, scorer=fuzz.ratio, score_cutoff=NEAR_ENOUGH, limit=2)
    near = [word for word, score, _ in found if word in english or score >= VERY_NEAR]
    rest = " ".join(text.split()[1:])
    return tuple(f"{word.upper()} {rest}".strip() for word in near)
