"""The committed playthroughs are what the engine answers today; ``python -m tests.engine.playthrough --write``."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.bloody_inn.events import AnyEvent
from tests.engine.playthrough import FOLDER, PLAYTHROUGHS, moves_in, path, told_again


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_is_told_again_word_for_word(name: str) -> None:
    text = path(name).read_text("utf-8")
    assert told_again(*PLAYTHROUGHS[name], moves_in(text)).splitlines() == text.splitlines()


def test_there_is_a_file_for_each_playthrough_and_no_other() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {f"{name}.txt" for name in PLAYTHROUGHS}


def test_all_playthroughs_end_and_one_game_is_lost() -> None:
    outcomes = {name: path(name).read_text("utf-8").splitlines()[-2] for name in PLAYTHROUGHS}
    assert all(outcome.startswith('outcome {"places":[') for outcome in outcomes.values())
    assert [name for name, outcome in outcomes.items() if "null" in outcome] == ["bloody-inn-1-lost"]


def test_together_they_show_everything_that_can_happen() -> None:
    text = "\n".join(path(name).read_text("utf-8") for name in PLAYTHROUGHS)
    told = {line.split()[0] for line in text.splitlines() if line.startswith("  ") and line.endswith("}")}
    assert {event.__name__ for event in get_args(AnyEvent)} - told - {
        "AnswerSealed",
        "PurseCorrected",
        "CardMoved",
    } == set()
