"""What a stranger gets: the wheel in a bare environment of its own, far from the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).resolve().parent.parent
LAUNCHER: Final = "import sys; from pbem.cli import main; sys.argv[0] = 'pbem'; main()"
LISTING: Final = """
import atexit, sys
atexit.register(lambda: print(*{name.split(".")[0] for name in sys.modules}, file=sys.stderr))
"""
"""Makes a process end by telling on standard error which packages it has imported."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The wheel as it is installed, and a folder to be in that is no checkout."""

    python: Path
    folder: Path

    def runs(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A Python program with that installation and nothing of the checkout."""
        command = [str(self.python), "-c", script, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)

    def pbem(self, *arguments: str) -> str:
        """What the command says."""
        return self.runs(LAUNCHER, *arguments).stdout

    def imported(self, script: str, *arguments: str) -> set[str]:
        """The packages that a program has imported when it ends."""
        return set(self.runs(LISTING + script, *arguments).stderr.split())


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The dependencies are those of the tests: a path in a .pth file shows them, but no checkout that they link to."""
    folder = tmp_path_factory.mktemp("elsewhere")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "env", symlinks=True)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(site)
    (site / "dependencies.pth").write_text("\n".join(path for path in sys.path if path.endswith("-packages")))
    return Installed(folder / "env" / "bin" / "python", folder)


@pytest.fixture(scope="module")
def played(installed: Installed) -> Mapping[str, Any]:
    """What a demo from the wheel says of its game."""
    told: Mapping[str, Any] = json.loads(installed.pbem("demo", "--players", "1", "--seed", "3", "--json"))
    return told


def test_nothing_comes_from_the_checkout(installed: Installed) -> None:
    script = "import engine, pbem; print(engine.__file__); print(pbem.__file__)"
    assert all(line.startswith(str(installed.folder)) for line in installed.runs(script).stdout.splitlines())


def test_the_demo_plays_and_its_game_can_be_verified(installed: Installed, played: Mapping[str, Any]) -> None:
    said = installed.pbem("verify", played["record"], "--head", played["head"])
    assert "nothing was changed" in said


@pytest.mark.usefixtures("played")
def test_a_mail_of_the_demo_is_explained(installed: Installed) -> None:
    mail = next(installed.folder.rglob("*-from-*.eml"))
    explained = json.loads(installed.pbem("explain", str(mail), "--json"))
    assert (explained["automatic"], explained["problem"]) == (False, None)
    assert explained["own_text"]


def test_to_verify_loads_neither_database_nor_templates(installed: Installed, played: Mapping[str, Any]) -> None:
    loaded = installed.imported(LAUNCHER, "verify", played["record"])
    assert "engine" in loaded
    assert not {"alembic", "imapclient", "jinja2", "smtplib", "sqlalchemy", "sqlite3", "sqlmodel"} & loaded


def test_help_loads_hardly_more_than_the_library_of_the_command_line(installed: Installed) -> None:
    more = installed.imported(LAUNCHER, "--help") - installed.imported("import typer")
    assert {name for name in more if name not in sys.stdlib_module_names} == {"pbem"}


def test_help_cuts_no_command_short(installed: Installed) -> None:
    assert "..." not in installed.pbem("--help").replace("COMMAND [ARGS]...", "")
