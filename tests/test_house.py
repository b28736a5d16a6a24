"""Rules of the house that neither ruff, mypy nor the import contracts can keep."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Trouble
from pbem.files import resource

ROOT = Path(__file__).resolve().parent.parent
HOST = sorted((ROOT / "pbem").rglob("*.py"))
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
LONGEST_FUNCTION = 50
LONGEST_FILE = 450
OF_THE_ENGINE = {"engine.game", "engine.record", "engine.shuffle"}
IMPURE = {"eval", "exec", "input", "print"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


every_source = pytest.mark.parametrize("path", HOST + ENGINE, ids=named)
every_host_source = pytest.mark.parametrize("path", HOST, ids=named)
every_engine_source = pytest.mark.parametrize("path", ENGINE, ids=named)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module that `tree` imports; ``from a import b`` gives both ``a`` and ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules_of_the_engine(tree: ast.Module) -> set[str]:
    """The modules of `engine` that `tree` imports, to two names: ``engine.game``."""
    names = {name for name in imported(tree) if name.split(".")[0] == "engine"}
    return {".".join(name.split(".")[:2]) for name in names if name != "engine"}


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@every_host_source
def test_the_host_imports_nothing_of_the_engine_but_the_contract(path: Path) -> None:
    assert modules_of_the_engine(parsed(path)) <= OF_THE_ENGINE


@every_host_source
def test_the_host_names_no_game(path: Path) -> None:
    games = pyproject()["project"]["entry-points"]["pbem.games"]
    words = {word for name in games for word in (name, name.replace("-", "_"), name.replace("-", " "))}
    found = re.findall("|".join(words), path.read_text("utf-8"), re.IGNORECASE)
    assert found == []


@every_engine_source
def test_the_engine_neither_prints_nor_asks(path: Path) -> None:
    calls = (node.func for node in ast.walk(parsed(path)) if isinstance(node, ast.Call))
    assert {called.id for called in calls if isinstance(called, ast.Name)} & IMPURE == set()


@every_source
def test_no_function_is_longer_than_fifty_lines(path: Path) -> None:
    functions = (n for n in ast.walk(parsed(path)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    long = {node.name: lines for node in functions if (lines := length(node)) > LONGEST_FUNCTION}
    assert long == {}


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


@every_source
def test_a_file_can_be_read_in_a_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_FILE


@every_source
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(parsed(path))


@pytest.mark.parametrize("name", ["templates", "migrations", "config.example.toml"])
def test_what_is_no_code_is_found(name: str) -> None:
    assert resource(name).name == name


def test_the_wheel_carries_everything_inside_its_two_packages(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"engine", "pbem"}
    travelling = {"pbem/config.example.toml", *travellers("templates"), *travellers("migrations")}
    assert travelling <= set(names)


def travellers(folder: str) -> set[str]:
    """Where the wheel has to carry the files of `folder` at the top of the checkout."""
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"pbem/{named(path)}" for path in files}


def test_a_missing_part_of_the_installation_is_named() -> None:
    with pytest.raises(Trouble, match=r"nowhere\.txt is missing\. Install pbem again"):
        resource("nowhere.txt")


def test_every_dependency_is_pinned_without_an_address() -> None:
    project = pyproject()["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.!+]+", pin)] == []
    assert {folded(line) for line in wanted} - {"pbem"} <= {folded(pin) for pin in pins}


def folded(requirement: str) -> str:
    """The name of a requirement, as it is compared: lower-case, one kind of dash."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~ ]", requirement)[0]).lower()
