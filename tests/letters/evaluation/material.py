"""What replies are made of: real mails of the host that they answer, and what their senders type."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final

from pbem.compose import OutgoingMail, compose
from pbem.letters import shown_text
from tests.letters.evaluation.wording import Heading, Wording
from tests.mails import SCENES

TOKEN: Final = "r4tj2wq7n3xkz5pd6ymc"
HOST: Final = "Play by email"
ADDRESS: Final = f"inn+{TOKEN}@play.example.org"
ME: Final = "anna@example.net"

ANSWERED: Final = (
    "turn-at-night",
    "first-mail",
    "misspelt",
    "early-at-night",
    "refused",
    "rolled-back",
    "reminder",
    "done-and-planned",
    "looked-up",
    "new-table",
    "a-second-game",
)
"""The scenes whose mails are answered, in turn."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A mail of the host, and what it shows."""

    subject: str
    text: str
    html: str
    shown: str


@cache
def answered(scene: str) -> Answered:
    """The mail of a scene as it went out."""
    rendered = SCENES[scene]().rendered
    raw = compose(
        OutgoingMail(
            message_id="<state@play.example.org>",
            date=datetime(2026, 12, 3, 8, 7, tzinfo=UTC),
            sender="inn@play.example.org",
            sender_name=HOST,
            to=ME,
            reply_to=ADDRESS,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            host="play.example.org",
        )
    )
    return Answered(rendered.subject, rendered.text, rendered.html, shown_text(raw))


SCRIPTS: Final[tuple[tuple[str, ...], ...]] = (
    ("Kill the Mechanic in room 1 with a peasant",),
    ("{hello}", "", "BRIBE distiller WITH 2 peasants", "pass", "", "{bye}"),
    ("{prose}", "bury the novice under my barn; PASS LAUNDER 10"),
    ("1. LODGE 3 1 5", "2. Lodge the baron in 2"),
    ("{hello}", "{prose}", "", "- build monk room 4 (my last key)", "- PASS", ""),
    ("{example}", "PASS"),
    ("PASS", "", "{prose}"),
    ("BURY baron UNDER barn, count UNDER Bob's cellar WITH novice, abbot, mechanic", "PASS"),
    ("{prose}",),
    ("pay 1 check", "dismiss novice, peasant", "{bye}"),
    ("{hello}", "HELP orders", "STATUS inn-7"),
    ("PASS",),
    ("My orders:", "- PASS", "- PASS CASH 10"),
    ("As Bob said on 2 December 2026: never trust a monk.", "", "KILL monk"),
    ("KILL baron IN 2 (see your mail of 3/12/2026 9:07)", "", "Anna"),
    ("Note: I am away until 10:00 on 5.12.2026.", "pass"),
    ("-----", "LODGE 2", "-----", "PASS"),
    ("PASS", "", "PS: https://example.org/rules is down, anna@example.net is my new address"),
)
"""What is typed; an empty line is one. ``{example}`` is copied out of the mail that is answered."""


def typed(script: int, words: Wording, mail: Answered) -> tuple[str, ...]:
    """The lines of a script in a language."""
    examples = [line.strip() for line in mail.text.splitlines() if line.startswith("  ") and "   (" in line]
    example = examples[script % len(examples)] if examples else "PASS CASH 10"
    return tuple(
        line.format(hello=words.hello, prose=words.prose, bye=words.bye, example=example)
        for line in SCRIPTS[script % len(SCRIPTS)]
    )


@dataclass(frozen=True, slots=True)
class Case:
    """A reply before any program has shaped it."""

    words: Wording
    mail: Answered
    typed: tuple[str, ...]
    place: str
    """Where it stands: ``top``, ``bottom`` or ``inline``."""

    @property
    def text(self) -> str:
        return "\n".join(self.typed)

    def attribution(self, line: str) -> str:
        """The line above the quotation, filled in."""
        return line.format(name=HOST, address=ADDRESS)

    def heading(self, line: str) -> Heading:
        """Headers filled in, from a line of labels."""
        *title, sender, date, to, subject = line.split("|")
        return Heading(
            sender=f"{sender} {HOST} <{ADDRESS}>",
            date=date,
            to=f"{to} Anna <{ME}>",
            subject=f"{subject} {self.mail.subject}",
            title=title[0] if title else "",
        )
