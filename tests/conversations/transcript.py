"""Conversations as they are read: who writes what, and every mail that the host sends upon it.

    anna > REGISTER Anna                     Anna writes a mail; / stands for a line end
    anna >> PASS                             Anna answers the last mail that she got, with all of it quoted
    wait 3h                                  the clock moves; h or m
    anna < Re: [inn-1] ...                   then the host makes a pass; Anna gets a mail with this subject
        you have no Cellar                   and these words in it
        not: Count                           and not these
    nobody < anything                        the host sends no mail at all
    ... <                                    others get mails that do not matter here

Whatever is sent has to be listed, in any order.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Final

from tests.conversations.world import Mail, World

_STEP: Final = re.compile(r"(?P<who>\S+) (?P<way>>>|>|<) ?(?P<what>.*)")
_WAIT: Final = re.compile(r"wait (\d+)([hm])")
_UNITS: Final = {"h": "hours", "m": "minutes"}


def play(world: World, script: str) -> None:
    """Let the conversation of `script` happen. `AssertionError` where it goes another way."""
    conversation = _Conversation(world)
    for line in dedent(script).strip().splitlines():
        conversation.step(line.rstrip())
    conversation.end()


def code_for(world: World, name: str, word: str) -> str:
    """The line that the last mail to somebody asks to be repeated."""
    found = re.search(rf"^ *({word} [A-Z2-7]{{5}})\s*$", world.last(name).lines, re.MULTILINE)
    assert found, world.last(name).lines
    return found[1]


class _Conversation:
    """What was said so far, and which mails of the last pass the script has not yet listed."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sent: list[Mail] | None = None
        """Of the last pass; None when something happened since."""
        self._shown: Mail | None = None

    def step(self, line: str) -> None:
        if line.startswith(" "):
            self._words(line.strip())
        elif wait := _WAIT.fullmatch(line):
            self.end()
            self._world.wait(**{_UNITS[wait[2]]: int(wait[1])})
        elif step := _STEP.fullmatch(line):
            self._WAYS[step["way"]](self, step["who"], step["what"])
        elif line:
            raise ValueError(f"this is no line of a conversation: {line}")

    def end(self) -> None:
        """Every mail of the last pass has to have been listed by now."""
        unlisted = [f"{mail.to} < {mail.subject}\n{mail.lines}" for mail in self._sent or ()]
        assert not unlisted, "\n".join(("sent as well:", *unlisted))
        self._sent = None

    def _writes(self, who: str, what: str) -> None:
        self.end()
        self._world.write(who, *what.split(" / "))

    def _answers(self, who: str, what: str) -> None:
        self.end()
        self._world.answer(who, *what.split(" / "))

    def _gets(self, who: str, what: str) -> None:
        if self._sent is None:
            self._sent = self._world.tick()
        if who == "...":
            self._sent.clear()
        elif who != "nobody":
            self._shown = self._listed(who, what)

    def _listed(self, who: str, what: str) -> Mail:
        assert self._sent is not None
        found = [mail for mail in self._sent if (mail.to, mail.subject) == (who, what)]
        assert found, "\n".join((f"{who} < {what}", "is not among:", *(f"{m.to} < {m.subject}" for m in self._sent)))
        self._sent.remove(found[0])
        return found[0]

    def _words(self, words: str) -> None:
        assert self._shown is not None
        unwanted = words.removeprefix("not: ")
        if unwanted != words:
            assert unwanted not in self._shown.text, self._shown.lines
        else:
            assert " ".join(words.split()) in self._shown.text, self._shown.lines

    _WAYS: Final = {">": _writes, ">>": _answers, "<": _gets}
