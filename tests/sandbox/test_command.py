"""`pbem sandbox` as it is called: what is missing, or wrong, is said in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.slow

WITHOUT: Final = """
import sys
sys.modules[{missing!r}] = None
from pbem.cli import main
sys.argv = ["pbem", "sandbox"]
main()
"""


@pytest.mark.parametrize(
    ("missing", "extra"), [("starlette", "sandbox"), ("uvicorn", "sandbox"), ("pymap.user", "embedded")]
)
def test_what_is_not_installed_is_named_with_what_to_install(missing: str, extra: str) -> None:
    command = [sys.executable, "-c", WITHOUT.format(missing=missing)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert f"({missing.split('.')[0]}" in done.stderr
    assert f"pip install 'pbem[{extra}]'" in done.stderr


@pytest.mark.parametrize(
    ("option", "said"), [("--templates", "nothing is no folder"), ("--keep", "file cannot be used: File exists")]
)
def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, option: str, said: str) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / said.split()[0]
    command = [sys.executable, "-m", "pbem", "sandbox", option, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert f"/{said}" in done.stderr
