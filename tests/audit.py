"""What can be said of the packages that pbem is built on: ``make audit``.

Without a network: that they fit each other, that each is the version that constraints.txt names, and that its licence
goes with this project's. With one, in an environment of its own: whether a flaw of any of them is publicly known.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
CONSTRAINTS: Final = ROOT / "constraints.txt"
_FLAWED: Final = "jinja2==2.4.1\n"
"""A version that has known flaws: where the list does not tell of them, its silence about others means nothing."""
_FREE: Final = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla Public|LGPL|HPND|CMU|Zlib|0BSD|Unlicense|"
    r"CNRI|Lesser General Public)\b|Dual License",
    re.IGNORECASE,
)
"""Licences under which a package may be used by a program under the MIT licence, and shipped beside it."""
_LOOKED_AT: Final = {
    "axe-playwright-python": "MIT, by its file",
    "chess": "GPL: make bench measures against it, and it is shipped with nothing",
    "IMAPClient": "BSD, by its file",
    "resvg_py": "MIT, by its file",
}
"""Packages whose metadata name none of these, and why they may be used."""


def pinned() -> dict[str, str]:
    """The version that constraints.txt names for each package."""
    pairs = (line.split("==") for line in CONSTRAINTS.read_text("utf-8").split())
    return dict(pairs)


def flaws() -> Iterator[str]:
    """What is wrong with the packages that are installed, one line each, as far as can be told without a network."""
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    if done.returncode:
        yield from done.stdout.splitlines()
    yield from unfit()


def unfit() -> Iterator[str]:
    """Each package of another version than constraints.txt names, or under a licence that may not be used."""
    for name, version in pinned().items():
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another system or another Python
        if found.version != version:
            yield f"{name} {found.version} is installed, and constraints.txt names {version}"
        if name not in _LOOKED_AT and not _FREE.search(licence(found)):
            yield f"{name} has a licence that nobody has looked at: {licence(found)[:60] or 'none is named'}"


def licence(package: metadata.Distribution) -> str:
    """What a package says of its licence: by expression, by classifiers, or in its own words."""
    fields = ("License-Expression", "Classifier", "License")
    said = [line for field in fields for line in package.metadata.get_all(field) or ()]
    return " ".join(line for line in said if " :: " not in line or line.startswith("License ::"))


def known_flaws() -> int | None:
    """Ask the public list of flaws about each version of constraints.txt, with pip-audit in an environment of its own.

    Its status; ``None`` where the list does not answer from here.
    """
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        installed = subprocess.run([python, "-m", "pip", "install", "--quiet", "pip-audit"], check=False)
        probe = Path(folder) / "flawed.txt"
        probe.write_text(_FLAWED)
        if installed.returncode or not tells(_asked(python, probe, "--format=json", capture=True).stdout):
            return None
        return _asked(python, CONSTRAINTS).returncode


def _asked(python: str, versions: Path, *how: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    command = [
        python,
        "-m",
        "pip_audit",
        "--strict",
        "--no-deps",
        "--disable-pip",
        *how,
        "--requirement",
        str(versions),
    ]
    return subprocess.run(command, check=False, capture_output=capture, text=True)


def tells(answer: str) -> bool:
    """Whether what pip-audit found of `_FLAWED`, as JSON, names a flaw."""
    try:
        return any(package.get("vulns") for package in json.loads(answer)["dependencies"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def main(words: list[str]) -> int:
    """Say what was found; ``--offline`` asks no network. The status is 0 if nothing was."""
    found = list(flaws())
    print("\n".join(found) or f"{len(pinned())} packages fit each other, constraints.txt and this licence")
    if "--offline" in words:
        return bool(found)
    status = known_flaws()
    if status is None:
        print("The public list of known flaws cannot be reached from here: nothing is said of those.")
    return bool(status or found)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
