"""Every kind of mail has a test that is really there, and that pytest would run."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.mail_cases.kinds import CONTAINERS, DELIVERY, KINDS, READING, WHO, Tests

TESTS = Path(__file__).resolve().parents[1]
THROUGH_THE_HOST = "conversations."


@cache
def functions(module: str) -> frozenset[str]:
    """The tests of a module, whatever they are marked with."""
    source = TESTS.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8")
    return frozenset(node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("kind", "tests"), KINDS.items(), ids=list(KINDS))
def test_each_kind_of_mail_has_its_tests(kind: str, tests: Tests) -> None:
    assert tests, kind
    for module, name in tests:
        assert name.startswith("test_")
        assert name in functions(module)


def test_no_kind_stands_in_two_sections() -> None:
    assert len(KINDS) == len(READING) + len(CONTAINERS) + len(DELIVERY) + len(WHO)


@pytest.mark.parametrize("kind", [*READING, *WHO])
def test_what_is_read_and_who_writes_it_is_tested_through_the_whole_host(kind: str) -> None:
    assert any(module.startswith(THROUGH_THE_HOST) for module, _ in KINDS[kind])
