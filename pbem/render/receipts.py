"""What became of the lines of a mail, in sentences: from verdicts to values that text and HTML both lay out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from pbem.names import folded
from pbem.render.blocks import Block, Form, blocks
from pbem.render.scene import MailFacts
from pbem.render.voice import Voice, printable
from pbem.verdicts import Line, Reason, Said, Source, Verdict

LONGEST_ECHO = 160
"""Characters of a line that are shown to its writer again."""
_COPIED: Final = (Reason.AMBIGUOUS, Reason.NOT_AHEAD)
"""Reasons of the host that come with whole lines to copy."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a mail and what became of it."""

    said: Said
    word: str
    """``DONE``, ``NOT`` and the like."""
    text: str
    notes: tuple[str, ...] = ()
    """Sentences."""
    near: tuple[str, ...] = ()
    """Lines to copy, below the last sentence, behind `lead`."""
    lead: str = ""
    info: tuple[Block, ...] = ()
    """A longer answer."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to one mail."""

    title: str
    """What is answered; nothing where the mail as a whole needs no heading."""
    reason: str
    """What concerns the mail as a whole."""
    rows: tuple[Row, ...]
    closing: str
    """What was not read."""


@dataclass(frozen=True, slots=True)
class Teller:
    """What it takes to put a verdict into sentences, for one reader."""

    voice: Voice
    facts: MailFacts
    view: Any
    """His view; ``None`` where no game has begun."""
    done: Mapping[int, tuple[Any, ...]]
    """Events by entry, as he may know them."""
    kinds: Mapping[str, str]
    """What the decisions of this round are called, by key."""
    info: Callable[[str, Mapping[str, Any]], str]
    """From the name of an answer and its facts to its text."""
    orders: bool
    """The mail lists orders to copy, so that no line needs to suggest any."""
    event: Callable[[bytes], Any]
    """From an event as JSON to the event."""

    def receipts(self, verdicts: Iterable[Verdict]) -> tuple[Receipt, ...]:
        """Those of `verdicts` that say something, in sentences."""
        return tuple(_under_one_title(map(self.receipt, filter(_says_something, verdicts))))

    def receipt(self, verdict: Verdict) -> Receipt:
        """`verdict` in sentences."""
        say, when = self.voice.say, self.facts.when
        return Receipt(
            title=say("receipt.txt.j2", "title", verdict.received_at and when(verdict.received_at), verdict.subject),
            reason=self._host_reason(verdict.reason, {**verdict.facts, "near": []}) if verdict.reason else "",
            rows=tuple(map(self._row, verdict.lines)),
            closing=say("receipt.txt.j2", "closing", verdict.ignored, _echoes(verdict.prose), verdict.caps),
        )

    def _row(self, line: Line) -> Row:
        info = blocks(self.info(line.info, line.facts)) if line.info else ()
        short = len(info) == 1 and info[0].form is Form.PARAGRAPH
        notes = (*self._notes(line), *((info[0].text,) if short else ()))
        word = self.voice.say("receipt.txt.j2", "word", line.said)
        near = self._near(line)
        lead = self.voice.say("receipt.txt.j2", "lead", line.said) if near else ""
        return Row(line.said, word, _echo(line.text), notes, near, lead, () if short else info)

    def _notes(self, line: Line) -> tuple[str, ...]:
        """Everything that is said about a line, in sentences."""
        return (
            *self._reading(line),
            *self._tried(line),
            *self._happened(line),
            *self._why(line),
            *self._forecast(line),
        )

    def _tried(self, line: Line) -> tuple[str, ...]:
        """The alternatives that were passed by, each with its reason."""
        return tuple(
            self.voice.say("receipt.txt.j2", "tried", _echo(each.text), " ".join(self._why(each)))
            for each in line.tried
        )

    def _forecast(self, line: Line) -> tuple[str, ...]:
        """What the line would bring if it ran now."""
        told = line.forecast
        if told is None:
            return ()
        if told.reason:
            why = self.voice.say("game/reasons.txt.j2", "why", told.reason, told.facts, self.view)
            return (self.voice.say("receipt.txt.j2", "would_not", why),)
        events = tuple(self.event(msgspec.json.encode(event)) for event in told.events)
        story = " ".join(self.voice.lines("game/news.txt.j2", "story", events, self.view))
        shown = line.reading or line.text
        return (self.voice.say("receipt.txt.j2", "would", told.order, shown, story),) if story else ()

    def _reading(self, line: Line) -> tuple[str, ...]:
        """The order as it was understood, where that says more than the line itself."""
        if not line.reading or folded(line.reading) == folded(line.text):
            return ()
        return (self.voice.say("receipt.txt.j2", "reading", line.reading),)

    def _happened(self, line: Line) -> tuple[str, ...]:
        if line.said is Said.DONE and self.done.get(line.entry):
            return self.voice.lines("game/news.txt.j2", "story", self.done[line.entry], self.view)
        if line.said is Said.PLANNED:
            replaces = _echo(str(line.facts.get("replaces", "")))
            kind = self.kinds.get(line.decision, "")
            return (self.voice.say("receipt.txt.j2", "planned", kind, line.facts, replaces),)
        if line.said is Said.LAPSED and not line.reason:
            return (self.voice.say("receipt.txt.j2", "lapsed"),)
        return ()

    def _why(self, line: Line) -> tuple[str, ...]:
        if not line.reason:
            return ()
        if line.source is Source.HOST:
            return (self._host_reason(line.reason, {**line.facts, "near": [*map(printable, line.near)]}),)
        return (self.voice.say("game/reasons.txt.j2", "why", line.reason, line.facts, self.view),)

    def _near(self, line: Line) -> tuple[str, ...]:
        """The lines to copy: of a host's reason the words stand in the sentence, of a game's in its own."""
        if line.source is Source.HOST and line.reason not in _COPIED:
            return ()
        if line.facts.get("near") or (self.orders and line.reason != Reason.AMBIGUOUS):
            return ()
        return tuple(map(printable, line.near))

    def _host_reason(self, reason: str, facts: Mapping[str, Any]) -> str:
        return self.voice.say("reasons.txt.j2", "why", reason, facts, self.facts.when)


def _echo(text: str) -> str:
    plain = " ".join(printable(text).split())
    return plain if len(plain) <= LONGEST_ECHO else plain[: LONGEST_ECHO - 1] + "…"


def _echoes(lines: Iterable[str]) -> list[str]:
    return [_echo(line) for line in lines]


def _says_something(verdict: Verdict) -> bool:
    return bool(verdict.lines or verdict.reason or verdict.prose or verdict.ignored or verdict.caps)


def _under_one_title(receipts: Iterable[Receipt]) -> Iterator[Receipt]:
    """`receipts`, each title only once: lines of a plan that ran one after the other came from nowhere else."""
    title = ""
    for receipt in receipts:
        yield replace(receipt, title="") if receipt.title == title else receipt
        title = receipt.title
