"""What a line of a plan says, before any game reads its orders and conditions.

KILL baron WITH peasant ELSE BRIBE newsboy ELSE PASS      the first that can be done
IF baron IN INN AND NOT POLICE KILL baron ELSE WAIT       only if; WAIT: ask me
ROUND 7: ..., EVERY ROUND: ..., or a heading of its own   for later
PASS UNTIL CASH >= 10                                     again and again, until it is so
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from pbem.plans.moments import EVERY
from pbem.tongues import ENGLISH, LANGUAGES
from pbem.verdicts import Reason
from pbem.wording import (
    GAP,
    HAN,
    NUMBER,
    all_sentence_words,
    all_spellings,
    any_of,
    expression,
    is_han,
    level,
    sentence_words,
    spellings,
    word,
)

WAIT: Final = "WAIT"
"""The line that lets its writer be asked."""
_NOW: Final = "0"
"""The heading that ends another."""
RESERVED: Final = all_spellings("if", "then", "else", "repeat_until", "wait", "not", "every_round")
"""Words of plans in every language, folded: no player may be called so."""
MOST_WAYS: Final = 12
MOST_TERMS: Final = 8
HAN_PER_WORD: Final = 2
"""Chinese signs that make a word, on the whole."""
LONGEST_SMALL_IF: Final = 8
"""Words of a condition behind an "if" in small letters; a longer one is prose."""

_EDGE: Final = r"(?<![\w'-])"
_IN_ROUND: Final = re.compile(expression(r"(?:%this_round|(?P<every>%every_round)|(?P<round>%in_round))"))
_COLON: Final = re.compile(r"^\s*[:\uff1a]\s*")
_ELSE: Final = re.compile(expression(rf"[\s,;]*(?:{_EDGE}|(?<=[{HAN}]))(?P<word>%else)(?!-)\s*[,:]?\s*"))
_DANGLING: Final = re.compile(expression(rf"{_EDGE}%else[\s,:]*$"))
_IF: Final = re.compile(expression(rf"(?P<word>%if){GAP}?"))
_THEN: Final = re.compile(expression(r"(?:\s*[,:]\s*|\s+)(?:%then\s*[,:]?)?\s*$"))
_UNTIL: Final = re.compile(expression(r"\s+(?P<word>%repeat_until)\s+"))
_WAIT: Final = re.compile(expression(r"%wait\s*[.!]?"))
_NOT: Final = re.compile(expression(r"%not\s+"))
_PRONOUNS: Final = all_sentence_words("people")
"""Words of letters that no condition has."""


class Unclear(Exception):
    """A line that looks like a plan and is none, with the reason."""

    def __init__(self, reason: Reason, **facts: str) -> None:
        super().__init__(reason.value, facts)
        self.reason, self.facts = reason, facts


@dataclass(frozen=True, slots=True)
class Term:
    """One question, as it is written, and the answer that is wanted."""

    text: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Test:
    """Questions of which all, or any one, must be answered as wanted; without any it is passed."""

    terms: tuple[Term, ...] = ()
    all: bool = True


@dataclass(frozen=True, slots=True)
class Way:
    """One alternative: the order as it is written, or `WAIT`, and what must be so."""

    order: str
    test: Test = Test()

    @property
    def waits(self) -> bool:
        return self.order == WAIT


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A line: its alternatives in order, none for a heading."""

    ways: tuple[Way, ...]
    round: str = ""
    """The number of a round, `EVERY`, or nothing: the round that is going on."""
    until: Test | None = None
    body: str = ""
    """The line without its heading."""

    @property
    def plain(self) -> bool:
        """Whether it is a single order and nothing else."""
        return len(self.ways) == 1 and self.ways[0].test == Test() and not (self.ways[0].waits or self.until)


@lru_cache(maxsize=1024)
def parse(text: str, verbs: tuple[str, ...]) -> PlanLine:
    """What `text` says, where orders begin with `verbs`; `Unclear` if it is put together wrongly."""
    round, body = _headed(text)
    if not body:
        return PlanLine((), round or _NOW)
    if _UNTIL.search(_plain(body)):
        return replace(_repeated(body), round=round or EVERY, body=body)
    ways = tuple(_way(part, verbs) for part in _parted(body, _ELSE))
    if len(ways) > MOST_WAYS:
        raise Unclear(Reason.PLAN_TOO_LONG)
    return PlanLine(ways, round, body=body)


def is_now(round: str) -> bool:
    """Whether a heading sends what follows back into the round that is going on."""
    return round == _NOW


def is_plan(text: str, verbs: Collection[str]) -> bool:
    """Whether a line looks like one of a plan though it begins with none of `verbs`.

    Many a sentence begins with "if": one in small letters counts only when it has an order behind a short question
    without the words of letters.
    """
    line = text.strip()
    if _WAIT.fullmatch(level(line)):
        return True
    round, body = _headed(line)
    if round:
        return _is_heading(line, body, round) or _begins(body, verbs) or is_plan(body, verbs)
    begun = _IF.match(level(line))
    order = _order_in(line[begun.end() :], verbs) if begun else None
    if begun is None or order is None:
        return False
    question = level(line[begun.end() : begun.end() + order.start()])
    words, signs = re.sub(rf"[{HAN}]", " ", question).split(), list(filter(is_han, question))
    length = len(words) + (len(signs) + 1) // HAN_PER_WORD
    small = not _is_loud(line, begun)
    return length > 0 and not (small and (length > LONGEST_SMALL_IF or not _PRONOUNS.isdisjoint((*words, *signs))))


def goes_on(text: str, verbs: Collection[str]) -> bool:
    """Whether a line goes on with the one above it: it begins with ELSE.

    In some languages many a sentence begins so: in small letters an order has to follow.
    """
    found = _ELSE.match(level(text))
    if found is None or not found.end():
        return False
    rest = text[found.end() :]
    if _is_loud(text, found) or found["word"] in spellings("else", ENGLISH) or not rest:
        return True
    return _begins(rest, verbs) or is_plan(rest, verbs)


def _is_loud(line: str, found: re.Match[str]) -> bool:
    """Whether the word that was `found` in the levelled `line` stands there in capitals."""
    return line[found.start("word") : found.end("word")].isupper()


def is_unfinished(text: str, verbs: Collection[str]) -> bool:
    """Whether a line goes on in the next: it ends with ELSE, or it is an IF that has no order yet."""
    line = text.strip()
    begun = _IF.match(level(line))
    if _DANGLING.search(level(line)) is not None:
        return True
    return begun is not None and _is_loud(line, begun) and _order_in(line[begun.end() :], verbs) is None


def headed(round: str, body: str, language: str = ENGLISH) -> str:
    """`body` below the heading of its round in `language`, on one line."""
    if not round or _UNTIL.search(_plain(body)):
        return body
    heading = word("every_round", language) if round == EVERY else _in_round(round, language)
    return f"{heading}: {body}"


def _in_round(round: str, language: str) -> str:
    return word("in_round", language).replace(NUMBER.upper(), round)


# Parts of a line


def _headed(text: str) -> tuple[str, str]:
    """The round that a line is headed with, and the rest."""
    line = text.strip()
    found = _IN_ROUND.match(level(line))
    if found is None:
        return "", line
    number = re.search(r"\d+", found["round"] or "")
    round = EVERY if found["every"] else str(int(number[0])) if number else _NOW
    return round, _COLON.sub("", line[found.end() :]).strip()


def _is_heading(line: str, body: str, round: str) -> bool:
    """A heading on a line of its own ends with a colon, or says EVERY ROUND and nothing more."""
    return not body and (level(line).endswith(":") or round == EVERY)


def _begins(text: str, verbs: Collection[str]) -> bool:
    found = _order_in(text, verbs)
    return found is not None and found.start() == 0


def _repeated(body: str) -> PlanLine:
    order, *tests = _parted(body, _UNTIL)
    until = _UNTIL.search(_plain(body))
    if len(tests) != 1 or until is None or _ELSE.search(_plain(body)) or _IF.match(level(order)):
        raise Unclear(Reason.UNTIL_UNCLEAR)
    return PlanLine((Way(order),), until=_test(tests[0], _languages_of("repeat_until", until["word"])))


def _way(part: str, verbs: tuple[str, ...]) -> Way:
    begun = _IF.match(level(part))
    if begun is None:
        return Way(_order(part))
    found = _order_in(part[begun.end() :], verbs)
    if found is None:
        raise Unclear(Reason.IF_WITHOUT_ORDER)
    at = begun.end() + found.start()
    question = part[begun.end() : at]
    then = _THEN.search(level(question))
    return Way(
        _order(part[at:]), _test(question[: then.start()] if then else question, _languages_of("if", begun["word"]))
    )


def _order(text: str) -> str:
    if not text.strip(" ,.;:"):
        raise Unclear(Reason.ELSE_WITHOUT_ORDER)
    return WAIT if _WAIT.fullmatch(level(text.strip())) else text.strip()


def _test(text: str, languages: tuple[str, ...]) -> Test:
    """The questions of a condition; AND and OR in one can be taken in two ways."""
    joins = list(_joins(languages).finditer(level(text)))
    if not text.strip() or len(joins) >= MOST_TERMS:
        raise Unclear(Reason.IF_WITHOUT_ORDER)
    if len({join["all"] is None for join in joins}) > 1:
        raise Unclear(Reason.AND_WITH_OR)
    starts, ends = [0, *(join.end() for join in joins)], [*(join.start() for join in joins), len(text)]
    terms = tuple(_term(text[start:end].strip()) for start, end in zip(starts, ends, strict=True))
    return Test(terms, not joins or joins[0]["all"] is not None)


def _term(text: str) -> Term:
    denied = _NOT.match(level(text))
    return Term(text[denied.end() :].strip(), wanted=False) if denied else Term(text.strip())


def _languages_of(key: str, word: str) -> tuple[str, ...]:
    """The languages that a condition behind `word` is written in: what it says tells its own, and English is always."""
    own = (each for each in LANGUAGES if level(word) in map(level, spellings(key, each)))
    return tuple(dict.fromkeys((*own, ENGLISH)))


@cache
def _joins(languages: tuple[str, ...]) -> re.Pattern[str]:
    """AND and OR in `languages`, and in the others where they are no words of these: French *en* is no Dutch and."""
    further = tuple(each for each in LANGUAGES if each not in languages)
    forms = {key: [text for each in languages for text in spellings(key, each)] for key in ("all_of", "any_of")}
    for key, known in forms.items():
        known += [
            t
            for each in further
            for t in spellings(key, each)
            if all(t not in sentence_words("ordinary", one) for one in languages)
        ]
    return re.compile(rf"{GAP}(?:(?P<all>{any_of(forms['all_of'])})|{any_of(forms['any_of'])}){GAP}")


def _order_in(text: str, verbs: Collection[str]) -> re.Match[str] | None:
    """Where the first order in `text` begins."""
    return _verb_pattern(tuple(verbs)).search(_plain(text))


@lru_cache(maxsize=16)
def _verb_pattern(verbs: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(verb) for verb in sorted(set(map(level, verbs)), key=len, reverse=True))
    latin = rf"{_EDGE}(?:{known})(?![\w'-])"
    han = "|".join(re.escape(verb) for verb in sorted(map(level, verbs), key=len, reverse=True) if is_han(verb[-1]))
    return re.compile(expression(rf"{latin}|{_EDGE}%wait(?!-)") + (f"|{han}" if han else ""))


def _parted(text: str, mark: re.Pattern[str]) -> Sequence[str]:
    """The parts of `text` between marks that stand in no remark."""
    parts, start = [], 0
    for found in mark.finditer(_plain(text)):
        parts.append(text[start : found.start()].strip())
        start = found.end()
    return [*parts, text[start:].strip()]


def _plain(text: str) -> str:
    """`text` without its remarks, levelled, sign for sign."""
    return level(_masked(text))


def _masked(text: str) -> str:
    """`text` with every remark (in parentheses, or behind ``#``) as so many signs that mean nothing."""
    depth = 0
    chars: list[str] = []
    for at, char in enumerate(text):
        if char == "#" and not depth and not text[at + 1 : at + 2].isdigit():
            return "".join(chars) + "#" * (len(text) - at)
        depth += char in "(\uff08"
        chars.append("#" if depth else char)
        depth -= char in ")\uff09" and depth > 0
    return "".join(chars)
