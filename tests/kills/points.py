"""Where a host may be ended: before, at the commit of, and behind each effect of the way of a mail.

The program knows nothing of it. `arm` wraps its effects in the process that is to die, before it begins.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from pbem import store
from pbem.labor import Labor
from pbem.mailbox import smtp
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.smtp_session import SmtpSession
from pbem.publish import games, lists
from pbem.store import Store

BEFORE: Final = "before"
COMMIT: Final = "at the commit of"
BEHIND: Final = "behind"
HALF: Final = "half a mail sent"
MIGRATION: Final = "within a migration"
"""Of its statements, counted from the first."""
_CLOCK: Final = "a step of the clock"
_MIGRATING: Final = "migrating"


def _always(_done: object) -> bool:
    return True


_EFFECTS: Final[tuple[tuple[str, Any, str, Callable[[Any], bool]], ...]] = (
    ("fetching", ImapInbox, "fetch", bool),
    ("the intake", Store, "intake", _always),
    ("another attempt", Store, "try_again", _always),
    ("marking", ImapInbox, "done", _always),
    ("settling", Store, "post", _always),
    ("sending", smtp, "_hand_over", _always),
    ("noting what was sent", Store, "accepted", _always),
    ("a file of the archive", games, "put", _always),
    ("a file of the archive", lists, "put", _always),
    ("putting a file in its place", Path, "replace", _always),
    ("waiting for mail", ImapInbox, "wait", _always),
)
"""By name: what is wrapped, and whether what it gave counts as an effect."""

COMMON: Final = (
    f"{BEHIND} fetching",
    *(f"{when} the intake" for when in (BEFORE, COMMIT, BEHIND)),
    *(f"{when} handling" for when in (BEFORE, COMMIT, BEHIND)),
    *(f"{when} marking" for when in (BEFORE, BEHIND)),
    *(f"{when} settling" for when in (BEFORE, COMMIT, BEHIND)),
    *(f"{when} sending" for when in (BEFORE, BEHIND)),
    HALF,
    *(f"{when} noting what was sent" for when in (BEFORE, COMMIT, BEHIND)),
)
"""What every mail comes by."""
RARE: Final[Mapping[str, float]] = {
    **{f"{when} another attempt": 0.1 for when in (BEFORE, COMMIT, BEHIND)},
    **{f"{when} {_CLOCK}": 0.2 for when in (BEFORE, COMMIT, BEHIND)},
    **{f"{when} a file of the archive": 0.3 for when in (BEFORE, BEHIND)},
    f"{BEFORE} putting a file in its place": 0.3,
}
"""What only a mail that was begun before, a deadline or the end of a game comes by, and in which share of the processes
it is armed."""
AT_REST: Final = f"{BEFORE} waiting for mail"
"""Where a process comes by at the end of each pass, whatever it finds to do."""
EVERY: Final = frozenset({*COMMON, *RARE, MIGRATION, AT_REST})


class Fate:
    """Ends this process at the first of some points that is reached for so many times as `armed` says."""

    def __init__(self, armed: Mapping[str, int], told: Path) -> None:
        self._left = dict(armed)
        self._told = told
        self._here = threading.local()

    @property
    def _inside(self) -> list[str]:
        """What this thread is at: mail is carried away by one of its own."""
        inside: list[str] = self._here.__dict__.setdefault("inside", [])
        return inside

    def reach(self, point: str) -> None:
        """The process is at `point`; it may end there, which a file tells."""
        if point not in self._left:
            return
        self._left[point] -= 1
        if self._left[point] <= 0:
            self._told.write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)

    def committing(self, *_: object) -> None:
        """A transaction is complete, and about to be committed."""
        if self._inside:
            self.reach(f"{COMMIT} {self._inside[-1]}")

    def migrating(self, *_: object) -> None:
        """A statement is about to run."""
        if _MIGRATING in self._inside:
            self.reach(MIGRATION)

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        self._inside.append(name)
        try:
            yield
        finally:
            self._inside.pop()

    def surrounds(
        self, name: str, effect: Callable[..., Any], counts: Callable[[Any], bool] = _always
    ) -> Callable[..., Any]:
        """`effect` with a point before it and one behind it."""

        def lived(*args: Any, **named: Any) -> Any:
            self.reach(f"{BEFORE} {name}")
            with self.inside(name):
                done = effect(*args, **named)
            if counts(done):
                self.reach(f"{BEHIND} {name}")
            return done

        return lived

    def writes(self, write: Callable[..., Any]) -> Callable[..., Any]:
        """`Store.write`, which is the handling of a mail, a step of the clock, or one of a table's own."""

        def written(store: Store, decided: Any, *, inbox: int | None, **named: Any) -> Any:
            name = "handling" if inbox is not None else self._inside[-1] if self._inside else "a step"
            return self.surrounds(name, write)(store, decided, inbox=inbox, **named)

        return written

    def within(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """`work`, in which what is written is called `name`."""

        def done(*args: Any, **named: Any) -> Any:
            with self.inside(name):
                return work(*args, **named)

        return done

    def halves(self, text: Callable[..., Any]) -> Callable[..., Any]:
        """`SmtpSession.text`, behind half of whose mail there is a point."""

        def sent(connection: SmtpSession, mail: bytes) -> Any:
            if self._left.get(HALF) == 1:
                connection.send(mail[: len(mail) // 2])
            self.reach(HALF)
            return text(connection, mail)

        return sent


def arm(armed: Mapping[str, int], told: Path) -> None:
    """Let this process end at the first of the points `armed` that it reaches for the so-manieth time."""
    fate = Fate(armed, told)
    for name, owner, attribute, counts in _EFFECTS:
        setattr(owner, attribute, fate.surrounds(name, getattr(owner, attribute), counts))
    _replace(Store, "write", fate.writes)
    _replace(SmtpSession, "text", fate.halves)
    _replace(Labor, "_on_table", lambda work: fate.within(_CLOCK, work))
    _replace(store, "upgrade", lambda work: fate.within(_MIGRATING, work))
    sa.event.listen(Engine, "commit", fate.committing)
    sa.event.listen(Engine, "before_cursor_execute", fate.migrating)


def _replace(owner: Any, attribute: str, wrapped: Callable[[Any], Any]) -> None:
    setattr(owner, attribute, wrapped(getattr(owner, attribute)))
