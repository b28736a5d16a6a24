"""Passwords that stand elsewhere than in the configuration: in a file, behind a command, in the keyring."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import NoKeyringError

from pbem.config import load
from pbem.errors import ConfigurationTrouble, TokenTrouble
from pbem.passwords import from_command, token_from_command
from tests.test_config import imap, written

HUSH: Final = "se same ö"


class Kept(KeyringBackend):
    """A keyring in memory, which may be closed."""

    priority = 1.0

    def __init__(self, kept: Mapping[tuple[str, str], str], closed: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._kept, self._closed = kept, closed

    def get_password(self, service: str, username: str) -> str | None:
        if self._closed:
            raise NoKeyringError(HUSH)
        return self._kept.get((service, username))

    def set_password(self, *_: str) -> None:
        raise AssertionError("nothing is kept here by the host")


def printing(text: str, then: str = "") -> str:
    """A command that prints `text` on both ways out, and then does something else."""
    code = (
        f"import sys; sys.stdout.buffer.write({text.encode()!r}); sys.stderr.write('hush'); sys.stdout.flush(); {then}"
    )
    return shlex.join([sys.executable, "-c", code])


@pytest.mark.parametrize(
    "printed", [HUSH, f"{HUSH}\n", f"{HUSH}\r\n", f"{HUSH}\nuser: inn\nurl: https://example.org\n"]
)
def test_the_first_line_that_a_command_prints_is_the_password(tmp_path: Path, printed: str) -> None:
    (tmp_path / "pw").write_bytes(printed.encode())
    settings = load(written(tmp_path, imap={"password": "", "password_command": "cat pw"}))
    assert imap(settings).password.get_secret_value() == HUSH
    assert HUSH not in repr(settings)


def test_a_command_runs_in_the_folder_of_the_configuration_and_without_a_shell(tmp_path: Path) -> None:
    (tmp_path / "pw").write_text(HUSH)
    path = written(tmp_path, imap={"password": "", "password_command": "cat pw"})
    assert imap(load(path)).password.get_secret_value() == HUSH
    with pytest.raises(ConfigurationTrouble, match="ends with 1"):
        from_command("it", "cat $HOME;echo", tmp_path)


def test_a_password_that_is_given_wins_and_no_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "given")
    settings = load(written(tmp_path, imap={"password": "", "password_command": "touch ran"}))
    assert imap(settings).password.get_secret_value() == "given"
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (printing(HUSH, "sys.exit(3)"), r"the command ends with 3\. Run it by hand"),
        (printing(HUSH, "import time; time.sleep(60)"), r"takes more than 0\.5 seconds"),
        (printing("\n" + HUSH), "its first line is empty"),
        (printing(""), "its first line is empty"),
        ("/no/such/program", r"cannot be started \(No such file"),
        ("'open", "it is no command"),
        (shlex.join([sys.executable, "-c", r"import sys; sys.stdout.buffer.write(b'\xff')"]), "is not text"),
    ],
)
def test_a_command_that_gives_no_password_is_said_in_one_line_without_what_it_printed(
    tmp_path: Path, command: str, why: str
) -> None:
    with pytest.raises(ConfigurationTrouble, match=why) as caught:
        from_command(
            "pbem.toml: [imap] password_command", command, tmp_path, patience=0.5 if "sleep" in command else 20
        )
    said = str(caught.value)
    assert said.startswith("pbem.toml: [imap] password_command gives nothing")
    assert "\n" not in said
    assert HUSH not in said
    assert "hush" not in said
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def failing(says: str, then: str = "sys.exit(1)") -> str:
    """A command that says why it gives nothing, after a token that it had."""
    return shlex.join(
        [sys.executable, "-c", f"import sys, subprocess; print('ya29.old'); sys.stderr.write({says!r}); {then}"]
    )


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (failing("trying\ninvalid_grant: it is over\n"), r"ends with 1\. It says: invalid_grant: it is over"),
        (failing("refused 1//0gabcDEF-xyz_12345678"), r"ends with 1\. It says: refused \(hidden\)"),
        (failing(""), r"ends with 1\. Run it by hand"),
        ("/no/such/program", r"cannot be started \(No such file or directory\)\. Run it by hand"),
        ("printf 'Error: no token'", "its first line is none"),
        ("printf tökén", "its first line is none"),
        ("printf ''", "its first line is none"),
        ("''", "cannot be started"),
    ],
)
def test_why_a_command_gives_no_token_is_told_by_the_last_line_that_it_says(
    tmp_path: Path, command: str, why: str
) -> None:
    with pytest.raises(TokenTrouble, match=why) as caught:
        token_from_command("[imap] token_command", command, tmp_path)
    assert "ya29.old" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_command_that_hangs_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    command = "sh -c 'sleep 60 & echo $! > child; wait'"
    with pytest.raises(TokenTrouble, match=r"takes more than 0\.3 seconds"):
        token_from_command("[imap] token_command", command, tmp_path, patience=0.3)
    child = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/stat")
    assert not child.exists() or child.read_text().split()[2] == "Z"


def test_a_command_is_found_beside_the_python_that_runs(tmp_path: Path) -> None:
    assert token_from_command("it", f"{Path(sys.executable).name} -c 'print(1)'", tmp_path) == "1"


def test_the_keyring_gives_the_password_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = Kept({("pbem", "inn"): HUSH})
    monkeypatch.setattr(keyring.core, "_keyring_backend", backend)
    settings = load(written(tmp_path, imap={"password": "", "password_keyring": "pbem"}))
    assert imap(settings).password.get_secret_value() == HUSH


@pytest.mark.parametrize(
    ("backend", "why"),
    [
        (Kept({}), r"has no password of inn\. Put it there with: keyring set pbem inn"),
        (Kept({}, closed=True), r"no keyring can be opened \(NoKeyringError\)"),
    ],
)
def test_a_keyring_that_gives_nothing_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: Kept, why: str
) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", backend)
    with pytest.raises(ConfigurationTrouble, match=why) as caught:
        load(written(tmp_path, imap={"password": "", "password_keyring": "pbem"}))
    assert HUSH not in str(caught.value)


def test_a_missing_keyring_package_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ConfigurationTrouble, match=r"needs the keyring package\. Install it with pip install"):
        load(written(tmp_path, imap={"password": "", "password_keyring": "pbem"}))


PLACES: Final[tuple[dict[str, Any], ...]] = (
    {"password_file": "pw", "password_command": "cat pw"},
    {"password_command": "cat pw", "password_keyring": "pbem"},
)


@pytest.mark.parametrize("places", PLACES)
def test_a_password_stands_in_one_place(tmp_path: Path, places: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationTrouble, match=f"{' and '.join(places)} are set at once"):
        load(written(tmp_path, imap={"password": "", **places}))
