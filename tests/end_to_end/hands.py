"""Which cards a mail shows as its reader's own, against those that the record gives him at that moment."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from engine.bloody_inn import GAME
from engine.bloody_inn.cards import FACES
from engine.record import entry_of, load, positions
from examples.player import attached
from tests.end_to_end.client import text_of

HAND: Final = "YOUR HAND, which only you see"
_SHOWN: Final = re.compile(rf"{HAND}\n +card .*\n((?: +.*\n)+)")
_CARD: Final = re.compile(r"^ +(?:(\d+) )?(\S+(?: \S+)*)", re.MULTILINE)
_AFTER: Final = re.compile(r"\bhead [0-9a-f]{12} after entry (\d+)")


class Hands:
    """All hands of a game, after each entry of its record, once it is over."""

    def __init__(self, record: Path) -> None:
        self._record = load(record.read_bytes())
        self._line = positions(GAME, self._record.header, (entry.what for entry in self._record.entries))

    def check(self, mails: Iterable[EmailMessage], seat: int) -> int:
        """Each mail shows the hand of `seat` and no other, in its text and to programs; none at all to seat 0.

        How many mails have shown one.
        """
        shown = 0
        for mail in mails:
            text = text_of(mail).replace("\r\n", "\n")
            assert "THE HAND OF" not in text
            if hand := _SHOWN.search(text):
                assert _counted(hand[1]) == self._held(int(_AFTER.findall(text)[0]), seat), text
                shown += 1
            else:
                assert HAND not in text
            if data := attached(mail):
                told = json.loads(data)
                entry = entry_of(self._record, told["head"])
                assert entry is not None
                view = GAME.view(self._line[entry].state, seat, tuple(told["names"]))
                assert told["view"] == json.loads(GAME.encode(view))
        return shown

    def _held(self, entry: int, seat: int) -> Counter[str]:
        assert seat, "a hand was shown to somebody who does not play"
        state = self._line[entry].state
        return Counter(FACES[card].name.casefold() for card in state.players[seat - 1].hand)


def _counted(rows: str) -> Counter[str]:
    """The cards of a table in a mail: ``2 Peasants``, ``Newsboy``."""
    found: Counter[str] = Counter()
    for number, name in _CARD.findall(rows):
        found[(name.removesuffix("s") if number else name).casefold()] += int(number or 1)
    return found
