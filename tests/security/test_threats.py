"""The threat model: every promise names the tests that hold it, and every one of them exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.test_house import ROOT

PAGE: Final = ROOT / "docs" / "threats.md"
ATTACKERS: Final = ("A player", "A stranger", "Mail in transit", "A provider", "A moderator", "The keeper")
_TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
_ROW: Final = re.compile(r"^\| (?!what is promised|---)(.+?) \| (.+?) \|$", re.MULTILINE)


def promises() -> list[tuple[str, str]]:
    """Each promise of the page, and what it names as its proof."""
    return _ROW.findall(PAGE.read_text("utf-8"))


@cache
def names_in(path: Path) -> frozenset[str]:
    functions = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef))
    return frozenset(node.name for node in functions)


@pytest.mark.parametrize(("promise", "proof"), promises(), ids=[promise for promise, _ in promises()])
def test_every_promise_names_a_test_that_exists(promise: str, proof: str) -> None:
    named = _TEST.findall(proof)
    assert named, promise
    missing = [f"{file}::{test}" for file, test in named if test not in names_in(ROOT / file)]
    assert missing == []


def test_whoever_might_attack_has_a_part_of_the_page_with_what_is_promised_and_what_is_not() -> None:
    parts = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    for attacker in ATTACKERS:
        part = next(part for part in parts if part.startswith(f"{attacker}\n"))
        assert "| what is promised | proof |" in part
        assert "Not promised:" in part


def test_every_test_of_this_folder_is_named_by_a_promise() -> None:
    here = {path: names_in(path) for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)}
    text = PAGE.read_text("utf-8")
    unnamed = [
        f"{path.name}::{test}"
        for path, tests in here.items()
        for test in sorted(tests)
        if test.startswith("test_") and f"{path.name}::{test}`" not in text
    ]
    assert unnamed == []
