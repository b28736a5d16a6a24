"""docs/orders-in-languages.md, made from the words themselves; ``python -m tests.order_words`` writes it anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from pbem.commands.grammar import SPECS
from pbem.commands.spec import Need
from pbem.tongues import ENGLISH, LANGUAGES, own_name
from pbem.wording import COMMANDS, PLANS, TIME, TOPICS, WORDS, listed

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "orders-in-languages.md"
HEAD: Final = """\
# Order words in five languages

What you write to the host may be in any of these languages, whatever language your mails are in, and in several on one
line: `AWAY van 24 december UNTIL 2 januari`. In each row the word in capitals is the one that the host writes itself;
those behind it are understood as well. Capitals, accents and full-width signs do not matter to it, and Chinese needs no
spaces.

A word that many a sentence begins with, as *Zeg* or *Retour*, needs capitals or a colon where any words may follow it:
`ZEG hallo` or `Zeg: hallo`. In English `SAY` does without.

The words of a game's own orders, as `LODGE` and `BURY`, belong to the game. This page is made from the files in
`pbem/lexicon/` by `python -m tests.order_words`.
"""
TITLES: Final = {
    WORDS: "Inside of commands",
    PLANS: "Plans",
    TIME: "Days and lengths of time",
    TOPICS: "Topics of HELP",
}


def document() -> str:
    """The page as it is committed."""
    everybody = {key for spec in SPECS if spec.need is not Need.MODERATOR for key in spec.opens}
    commands = list(listed(COMMANDS, ENGLISH))
    tables = [
        ("Everybody's commands", COMMANDS, [key for key in commands if key in everybody]),
        ("The moderator's commands", COMMANDS, [key for key in commands if key not in everybody]),
        *((title, name, list(listed(name, ENGLISH))) for name, title in TITLES.items()),
    ]
    return "\n".join([HEAD, *(line for title, name, keys in tables for line in _section(title, name, keys))])


def _section(title: str, name: str, keys: Iterable[str]) -> Iterator[str]:
    yield f"## {title}\n"
    yield _row([own_name(language) for language in LANGUAGES])
    yield _row(["---"] * len(LANGUAGES))
    yield from (_row([_cell(listed(name, language)[key]) for language in LANGUAGES]) for key in keys)
    yield ""


def _cell(spellings: Sequence[str]) -> str:
    first, *others = spellings
    return ", ".join([f"**{first.upper()}**", *others]).replace("**{N}**", "{n}").replace("{N}", "{n}")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
