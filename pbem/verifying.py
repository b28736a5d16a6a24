"""`pbem verify`: a finished game checked from its file alone, and what was found in plain words.

Needs no settings, no database and no templates, so that a player can run it as well as the keeper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine import record
from engine.game import AnyGame
from engine.record import Dealt, Flaw, Flawed, Record
from pbem.errors import Trouble
from pbem.games import game_called

SHORTEST_HEAD: Final = 8
"""Hex digits: 32 bits, below which a head could be met by trying."""
LARGEST: Final = 64 * 2**20
"""Bytes of a record; a long game of four takes about 100 kB."""
_HASH: Final = re.compile(rf"[0-9a-f]{{{SHORTEST_HEAD},64}}")

WRONG: Final[Mapping[Flaw, str]] = {
    Flaw.FORMAT: "it is no record, or one of a format that this version cannot read",
    Flaw.GAME: "it was played by other rules than the installed ones",
    Flaw.CHAIN: "the entry or one before it was changed: its hash is another one",
    Flaw.HEAD: "it does not end in the hash that it should: something was changed, added or left out",
    Flaw.COMMITMENT: "the secret is not the one that was committed to",
    Flaw.DEAL: "the deal does not follow from the secret and the phrases",
    Flaw.MOVE: "the rules do not allow the move",
    Flaw.OVERRIDE: "no moderator could do that there",
    Flaw.RESULT: "the result is not the one that the moves lead to",
    Flaw.UNFINISHED: "the game is not over",
}


_CHANGED: Final = "Ask for the record again; if it stays so, the game was not played as it says"
MEND: Final[Mapping[Flaw, str]] = {
    Flaw.FORMAT: "Name the file record.json of a game that is over",
    Flaw.GAME: "Install the pbem that played it, and check it with that",
}
"""What to do about flaws for which nobody need be to blame."""
_UNKNOWN_HEAD: Final = "none of its entries has the head {}"
_UNKNOWN_COMMITMENT: Final = "its commitment does not begin with {}"
_COPIED: Final = "Look whether you copied it whole, from a mail of this very game; if so, the record was changed"


class NotProved(Trouble):
    """A record that does not hold: the flaw, and the entry where it was found (0: as a whole).

    `what` and `mend` say it in other words than those of the flaw.
    """

    def __init__(self, file: Path, flaw: Flaw, n: int = 0, *, what: str = "", mend: str = "") -> None:
        self.flaw, self.n = flaw, n
        found = "cannot be checked" if flaw in MEND else f"does not hold{f' at entry {n}' if n else ''}"
        super().__init__(f"{file} {found}: {what or WRONG[flaw]}", mend or MEND.get(flaw, _CHANGED))


@dataclass(frozen=True, slots=True)
class Report:
    """A record that holds."""

    record: Record
    title: str
    """Of the game."""
    head_of: int | None = None
    """The entry that a head which somebody had kept is of; nothing where it was compared with none."""
    committed: bool = False
    """Whether its commitment was compared with the one that somebody had kept."""

    @property
    def deals(self) -> int:
        return sum(isinstance(entry.what, Dealt) for entry in self.record.entries)

    @property
    def text(self) -> str:
        """What was found, a few lines, without a line end behind the last."""
        return "\n".join((_summary(self), _result(self.record), *_compared(self), *_cautions(self)))


def verify_file(
    path: Path, head: str = "", games: Mapping[str, AnyGame] | None = None, *, commitment: str = ""
) -> Report:
    """Check the record in the file `path`; `head` is what a mail printed of its head, 8 hex digits or more.

    `commitment` is what the first mail of the table printed, as many digits of it as one likes.
    The head may be that of any entry: it proves what stands up to there. `games` are those to look in instead of
    the installed ones. Raises `NotProved` for a record that does not hold, and another `Trouble` for a file, a head
    or a game that cannot be used.
    """
    kept, committed = _hash(head, "head"), _hash(commitment, "commitment")
    data = _read(path)
    try:
        loaded = record.load(data)
        game = game_called(loaded.header.kind, games)
        _check_version(path, loaded, game)
        record.verify(game, loaded)
    except Flawed as flawed:
        raise NotProved(path, flawed.flaw, flawed.n) from None
    if not loaded.header.commitment.startswith(committed):
        raise NotProved(path, Flaw.COMMITMENT, what=_UNKNOWN_COMMITMENT.format(committed), mend=_COPIED)
    return Report(loaded, game.title, _head_of(path, loaded, kept) if kept else None, bool(committed))


def _check_version(path: Path, loaded: Record, game: AnyGame) -> None:
    played, installed = loaded.header.version, game.version
    if played != installed:
        what = f"it was played by version {played} of the rules, and version {installed} is installed"
        raise NotProved(path, Flaw.GAME, what=what)


def _head_of(path: Path, loaded: Record, head: str) -> int:
    found = record.entry_of(loaded, head)
    if found is None:
        raise NotProved(path, Flaw.HEAD, what=_UNKNOWN_HEAD.format(head), mend=_COPIED)
    return found


def _hash(text: str, name: str) -> str:
    copied = text.strip().lower()
    if copied and not _HASH.fullmatch(copied):
        raise Trouble(
            f"{text.strip()[:80]!r} is no {name}",
            f"Copy it from a mail: {SHORTEST_HEAD} to 64 digits and letters a to f",
        )
    return copied


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}", "Name the file record.json of a game.") from None
    if len(data) > LARGEST:
        raise NotProved(path, Flaw.FORMAT)
    return data


def _summary(report: Report) -> str:
    header, entries = report.record.header, len(report.record.entries)
    counted = ((header.seats, "seat", "seats"), (entries, "entry", "entries"), (report.deals, "deal", "deals"))
    numbers = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counted)
    head = report.record.head[: record.SHORT_HEAD]
    return f"The record of {report.title}, table {header.game}, holds: {numbers}, head {head}."


def _result(whole: Record) -> str:
    if whole.result is None:
        return "The game was ended before its end."
    scores = zip(whole.result.places, whole.result.scores, strict=True)
    seats = (f"seat {seat} place {place or '-'}{_points(score)}" for seat, (place, score) in enumerate(scores, 1))
    return f"Result: {', '.join(seats)}."


def _points(score: int | None) -> str:
    return "" if score is None else f" with {score}"


def _compared(report: Report) -> Iterator[str]:
    """What was held against what somebody had kept."""
    n, last = report.head_of, len(report.record.entries)
    if n == last:
        yield "The head is that of the last entry: nothing was changed."
    elif n is not None:
        yield f"The head is that of entry {n} of {last}: nothing up to there was changed. A later head proves more."
    if report.committed:
        yield "The commitment is the one that you kept: its secret was settled before that mail was sent."


def _cautions(report: Report) -> tuple[str, ...]:
    """What this check does not show."""
    said = (
        (report.head_of is None, "It was not compared with a head: add --head with the digits from one of your mails."),
        (
            isinstance(report.record.header.trial, record.Trial),
            "It is a trial copy of another game, with its unseen cards drawn anew: nobody played it for real.",
        ),
        (report.record.header.chosen, "Its secret was chosen, not drawn: the deals prove nothing."),
        (
            not report.committed,
            f"Compare the commitment with the first mail of the table: {report.record.header.commitment}",
        ),
    )
    return tuple(text for applies, text in said if applies)
