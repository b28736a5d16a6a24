"""``python -m tests.schemas [REVISION ...]``: keep a database of each earlier form that has none, or of those named.

Each is written by the last commit whose newest revision it was, with the packages of today: it takes the history of
the sources, some seconds a revision, and gives the same bytes each time.
"""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.schemas import FOLDER, earlier, file_of

VERSIONS: Final = "migrations/versions/"
LIFE: Final = FOLDER / "life.py"


def git(*command: str) -> bytes:
    return subprocess.run(["git", *command], cwd=FOLDER, capture_output=True, check=True).stdout


def commits() -> Iterator[tuple[str, str]]:
    """Each revision that was once the only newest one, with the last commit where it was so."""
    seen = set()
    for commit in git("rev-list", "HEAD").decode().split():
        paths = git("ls-tree", "--full-tree", "--name-only", commit, VERSIONS).decode().splitlines()
        numbers = sorted(path.removeprefix(VERSIONS)[:4] for path in paths if path.endswith(".py"))
        if numbers and len(numbers) == len(set(numbers)) and numbers[-1] not in seen:
            seen.add(numbers[-1])
            yield numbers[-1], commit


def lived(commit: str) -> bytes:
    """What the code of `commit` leaves after the story of `tests.schemas.life`, compressed."""
    with TemporaryDirectory() as folder:
        sources, home = Path(folder, "sources"), Path(folder, "home")
        home.mkdir()
        root = git("rev-parse", "--show-toplevel").decode().strip()
        with tarfile.open(fileobj=BytesIO(git("-C", root, "archive", commit))) as archive:
            archive.extractall(sources, filter="data")
        subprocess.run(
            [sys.executable, "-P", LIFE, home],
            cwd=sources,
            env=os.environ | {"PYTHONPATH": str(sources)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return lzma.compress((home / "kept.json").read_bytes(), preset=9 | lzma.PRESET_EXTREME)


def main(named: list[str]) -> None:
    wanted = named or [revision for revision in earlier() if not file_of(revision).exists()]
    for revision, commit in commits():
        if revision in wanted:
            file_of(revision).write_bytes(lived(commit))
            print(revision, commit, f"{file_of(revision).stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
