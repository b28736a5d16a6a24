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
from functools import lru_cache
from typing import Final

from pbem.moments import EVERY
from pbem.names import folded
from pbem.verdicts import Reason

WAIT: Final = "WAIT"
"""The line that lets its writer be asked."""
_NOW: Final = "0"
"""The heading that ends another."""
RESERVED: Final = frozenset({"if", "else", "otherwise", "until", "wait", "ask", "not", "then", "every round"})
"""Words of plans, folded: no player may be called so."""
MOST_WAYS: Final = 12
MOST_TERMS: Final = 8
LONGEST_SMALL_IF: Final = 8
"""Words of a condition behind an "if" in small letters; a longer one is prose."""

_ROUND: Final = re.compile(
    r"(?:(?P<now>this\s+round)|(?P<every>(?:every|each)\s+round)|round\s+(?P<round>\d{1,3}))(?!\w)"
)
_COLON: Final = re.compile(r"\s*:\s*")
_ELSE: Final = re.compile(r"[\s,;]*(?<![\w'-])(?:or\s+)?(?:else|otherwise)(?![\w'-])\s*[,:]?\s*", re.IGNORECASE)
_DANGLING: Final = re.compile(r"(?<![\w'-])(?:else|otherwise)[\s,:]*$", re.IGNORECASE)
_IF: Final = re.compile(r"if(?!\w)\s*", re.IGNORECASE)
_THEN: Final = re.compile(r"(?:\s*[,:]\s*|\s+)(?:then\s*[,:]?)?\s*$", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\s+until\s+", re.IGNORECASE)
_WAIT: Final = re.compile(r"(?:wait|ask)(?:\s+(?:for\s+)?me)?\s*[.!]?", re.IGNORECASE)
_JOIN: Final = re.compile(r"\s+(and|or)\s+", re.IGNORECASE)
_NOT: Final = re.compile(r"not\s+", re.IGNORECASE)
_PRONOUNS: Final = frozenset({"i", "you", "we", "he", "she", "they", "it", "that", "this", "there", "me", "us", "your"})
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
    if _UNTIL.search(_masked(body)):
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
    if _WAIT.fullmatch(line):
        return True
    round, body = _headed(line)
    if round:
        return _is_heading(line, body) or _begins(body, verbs) or is_plan(body, verbs)
    begun = _IF.match(line)
    order = _order_in(line[begun.end() :], verbs) if begun else None
    if begun is None or order is None:
        return False
    words = folded(line[begun.end() : begun.end() + order.start()]).split()
    small = not line.startswith("IF")
    return bool(words) and not (small and (len(words) > LONGEST_SMALL_IF or not _PRONOUNS.isdisjoint(words)))


def goes_on(text: str) -> bool:
    """Whether a line goes on with the one above it: it begins with ELSE."""
    found = _ELSE.match(text)
    return found is not None and found.end() > 0


def is_unfinished(text: str, verbs: Collection[str]) -> bool:
    """Whether a line goes on in the next: it ends with ELSE, or it is an IF that has no order yet."""
    line = text.strip()
    return _DANGLING.search(line) is not None or (line.startswith("IF ") and _order_in(line[2:], verbs) is None)


def headed(round: str, body: str) -> str:
    """`body` below the heading of its round, on one line."""
    if not round or _UNTIL.search(_masked(body)):
        return body
    return f"EVERY ROUND: {body}" if round == EVERY else f"ROUND {round}: {body}"


# Parts of a line


def _headed(text: str) -> tuple[str, str]:
    """The round that a line is headed with, and the rest."""
    found = _ROUND.match(folded(text))
    if found is None:
        return "", text.strip()
    words = len(found.group().split())
    rest = text.strip().split(None, words - 1)[-1]
    rest = re.sub(r"^\w+", "", rest, count=1)
    round = EVERY if found["every"] else str(int(found["round"])) if found["round"] else _NOW
    return round, _COLON.sub("", rest, count=1).strip() if _COLON.match(rest) else rest.strip()


def _is_heading(line: str, body: str) -> bool:
    """A heading on a line of its own ends with a colon, or says EVERY ROUND and nothing more."""
    return not body and (line.endswith(":") or folded(line).split()[0] in ("every", "each"))


def _begins(text: str, verbs: Collection[str]) -> bool:
    found = _order_in(text, verbs)
    return found is not None and found.start() == 0


def _repeated(body: str) -> PlanLine:
    order, *tests = _parted(body, _UNTIL)
    if len(tests) != 1 or _ELSE.search(_masked(body)) or _IF.match(order):
        raise Unclear(Reason.UNTIL_UNCLEAR)
    return PlanLine((Way(order),), until=_test(tests[0]))


def _way(part: str, verbs: tuple[str, ...]) -> Way:
    begun = _IF.match(part)
    if begun is None:
        return Way(_order(part))
    found = _order_in(part[begun.end() :], verbs)
    if found is None:
        raise Unclear(Reason.IF_WITHOUT_ORDER)
    at = begun.end() + found.start()
    return Way(_order(part[at:]), _test(_THEN.sub("", part[begun.end() : at])))


def _order(text: str) -> str:
    if not text.strip(" ,.;:"):
        raise Unclear(Reason.ELSE_WITHOUT_ORDER)
    return WAIT if _WAIT.fullmatch(text.strip()) else text.strip()


def _test(text: str) -> Test:
    """The questions of a condition; AND and OR in one can be taken in two ways."""
    parts = _JOIN.split(text.strip())
    joins = {join.lower() for join in parts[1::2]}
    if len(joins) > 1:
        raise Unclear(Reason.AND_WITH_OR)
    if not text.strip() or len(parts) > 2 * MOST_TERMS:
        raise Unclear(Reason.IF_WITHOUT_ORDER)
    return Test(tuple(map(_term, parts[::2])), "or" not in joins)


def _term(text: str) -> Term:
    denied = _NOT.match(text)
    return Term(text[denied.end() :].strip(), wanted=False) if denied else Term(text.strip())


def _order_in(text: str, verbs: Collection[str]) -> re.Match[str] | None:
    """Where the first order in `text` begins."""
    return _verb_pattern(tuple(verbs)).search(_masked(text))


@lru_cache(maxsize=16)
def _verb_pattern(verbs: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(verb) for verb in sorted((*verbs, "wait", "ask"), key=len, reverse=True))
    return re.compile(rf"(?<![\w'-])(?:{known})(?![\w'-])", re.IGNORECASE)


def _parted(text: str, mark: re.Pattern[str]) -> Sequence[str]:
    """The parts of `text` between marks that stand in no remark."""
    parts, start = [], 0
    for found in mark.finditer(_masked(text)):
        parts.append(text[start : found.start()].strip())
        start = found.end()
    return [*parts, text[start:].strip()]


def _masked(text: str) -> str:
    """`text` with every remark (in parentheses, or behind ``#``) as so many signs that mean nothing."""
    depth = 0
    chars: list[str] = []
    for at, char in enumerate(text):
        if char == "#" and not depth and not text[at + 1 : at + 2].isdigit():
            return "".join(chars) + "#" * (len(text) - at)
        depth += char == "("
        chars.append("#" if depth else char)
        depth -= char == ")" and depth > 0
    return "".join(chars)
