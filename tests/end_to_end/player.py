"""A person at a table who knows of the game only what his own mails say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import EmailMessage
from typing import Final

from tests.end_to_end.client import MailClient, Reply, text_of

_ORDERS: Final = re.compile(r"^YOU MAY.*?\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
_ORDER: Final = re.compile(r"  ([A-Z]{3,}\b.*[^.])")
"""A line to copy; a sentence about such lines ends in a full stop."""
_HEAD: Final = re.compile(r"\bhead ([0-9a-f]{12}) after entry")
_ROUND: Final = re.compile(r"\bround (\d+)\b")


class Player:
    """Reads one mailbox and answers, always with `reply`, when a mail says that it is his turn.

    He copies what his mail shows as the best. In the rounds of `plans` he sends his second action along.
    """

    def __init__(self, name: str, client: MailClient, reply: Reply, plans: Sequence[int] = ()) -> None:
        self.name = name
        self.client = client
        self.last_mail: EmailMessage | None = None
        self.final_mail: EmailMessage | None = None
        self.heads: list[str] = []
        """Of the record, as each of his mails printed it."""
        self.orders = 0
        """Given when his turn had come."""
        self.planned = 0
        """Sent along for later."""
        self._reply = reply
        self._plans = plans

    def look(self) -> bool:
        """Read what is new; True if there was something."""
        mails = self.client.look()
        for mail in mails:
            self.last_mail = mail
            self.heads += _HEAD.findall(text_of(mail))
            if "The game is over" in mail["Subject"]:
                self.final_mail = mail
        return bool(mails)

    def answer(self, *lines: str) -> None:
        """Answer the last mail."""
        assert self.last_mail is not None
        self.client.answer(self.last_mail, lines, self._reply)

    def act(self) -> bool:
        """Look, and if somebody asks for an order, give one; True if he did."""
        before = len(self.client.received)
        self.look()
        told = [mail for mail in self.client.received[before:] if _says_whose_turn(self.name, text_of(mail))]
        return bool(told) and self._give_order(told[-1])

    def _give_order(self, mail: EmailMessage) -> bool:
        text = text_of(mail)
        said = " ".join(text.split())
        if f"{self.name}, it is your turn" not in said:
            return False
        plan = ["PASS"] if self._plans_now(said) else []
        self.client.answer(mail, (best_order(text), *plan), self._reply)
        self.orders += 1
        self.planned += len(plan)
        return True

    def _plans_now(self, said: str) -> bool:
        found = _ROUND.search(said)
        return found is not None and int(found[1]) in self._plans and "your turn: your 1st action" in said


def _says_whose_turn(name: str, text: str) -> bool:
    """A mail to whoever moderates too does not, and may come behind the one that does."""
    said = " ".join(text.split())
    return f"{name}, it is your turn" in said or f"{name}, you are not awaited" in said


def orders(text: str) -> list[str]:
    """The lines that a state mail shows to be copied, remarks and all."""
    found = _ORDERS.search(text)
    lines = found[1].splitlines() if found else []
    return [match[1] for line in lines if (match := _ORDER.fullmatch(line))]


def best_order(text: str) -> str:
    """The first that is shown; of travelers, all at once."""
    shown = orders(text)
    assert shown, f"nothing to copy in:\n{text}"
    if shown[0].startswith("LODGE"):
        return max(shown, key=lambda line: len(re.findall(r"\b\d\b", line.partition("(")[0])))
    return shown[0]
