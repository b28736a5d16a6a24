"""The translations hold what the templates ask for, and say it with the same values. Orders: test_example_lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from babel.messages import Catalog, Message

from pbem.filters import width
from tests.catalogues import HOMES, LANGUAGES, Home, as_written, template, translated, words

COMPLETE: Final = LANGUAGES
"""Languages in which nothing is missing; one that is being worked on may be left out for so long."""
ABOVE: Final = "answer above this line, one order per line"
COLUMNS: Final = 72
_PLACE: Final = re.compile(r"%(?:\((\w+)\)s|%)?")

each_home = pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def texts(catalog: Catalog) -> Iterator[Message]:
    """The messages without the head of the file, which has no text of its own."""
    return (message for message in catalog if message.id)


def done(home: Home, language: str) -> Iterator[Message]:
    """What has been translated; what only resembles another text (fuzzy) has not, and no reader sees it."""
    there = texts(translated(home, language))
    return (message for message in there if any(words(message.string)) and not message.fuzzy)


def places(text: str) -> frozenset[str]:
    """The placeholders in a text; a lone ``%``, which would fail when the text is filled in, as itself."""
    return frozenset(found[1] or found[0] for found in _PLACE.finditer(text)) - {"%%"}


@each_home
@each_language
def test_a_translation_asks_for_the_values_that_its_text_has(home: Home, language: str) -> None:
    """Where a number decides, for one it may leave the number out."""
    wrong = [
        (message.id, text)
        for message in done(home, language)
        for text in words(message.string)
        if places(text) not in map(places, words(message.id))
    ]
    assert not wrong


@each_home
@each_language
def test_a_translation_is_whole(home: Home, language: str) -> None:
    """All of its forms are there."""
    rough = [message.id for message in done(home, language) if not all(words(message.string))]
    assert language not in COMPLETE or not rough


@each_home
@pytest.mark.parametrize("language", COMPLETE)
def test_a_language_that_is_complete_has_all_texts_and_no_others(home: Home, language: str) -> None:
    wanted = {(message.context, message.id) for message in texts(template(home))}
    there = {(message.context, message.id) for message in done(home, language)}
    assert (wanted - there, there - wanted) == (set(), set())


@each_home
def test_the_list_of_texts_is_up_to_date(home: Home) -> None:
    assert home.list.read_bytes() == as_written(template(home))


@each_home
def test_a_file_says_nothing_of_when_and_by_whom_it_was_written(home: Home) -> None:
    for path in home.folder.glob("*.po*"):
        head = path.read_text("utf-8").partition("\n\n")[0]
        assert not re.search(r"Date|Translator|Team|Generated|@", head), path


@pytest.mark.parametrize("language", COMPLETE)
def test_the_line_to_answer_above_fits_into_a_mail(language: str) -> None:
    """It is never wrapped: whoever quotes it has to leave it whole."""
    [said] = [message.string for message in texts(translated(HOMES[0], language)) if message.id == ABOVE]
    assert width(f"===== {said} ===== pbem-k7q2m9x4") <= COLUMNS


@each_home
def test_dutch_has_one_word_for_what_a_player_writes(home: Home) -> None:
    """*Opdracht*, as HELP calls it; *order* is what a shop gets."""
    said = [text for message in done(home, "nl") for text in words(message.string)]
    assert not [text for text in said if re.search(r"(?<!\()\border(s|regels?)?\b", text, re.IGNORECASE)]
