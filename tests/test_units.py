"""`pbem units`: files that systemd takes without a word, and that keep the host in its own folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import Trouble
from pbem.units import write_units

ANALYZE = shutil.which("systemd-analyze")
SERVICES = ("pbem.service", "pbem-poll.service")
WORST = 20
"""Tenths: systemd calls a service with an exposure up to 2.0 OK."""


def test_the_files_name_the_program_that_wrote_them_and_nothing_is_left_open(tmp_path: Path) -> None:
    written = {path.name: path.read_text() for path in write_units(tmp_path / "deploy")}
    assert {*SERVICES, "pbem-poll.timer", "Containerfile"} == written.keys()
    for name in SERVICES:
        assert f"ExecStart={Path(sys.executable).with_name('pbem')} " in written[name]
    assert not any("@PBEM@" in text for text in written.values())


def test_what_a_keeper_has_changed_is_kept(tmp_path: Path) -> None:
    (tmp_path / "pbem.service").write_text("mine")
    with pytest.raises(Trouble, match="is there already"):
        write_units(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["pbem.service"]


def test_both_services_are_kept_in_the_same_bounds(tmp_path: Path) -> None:
    write_units(tmp_path)
    bounds = [(tmp_path / name).read_text().partition("NoNewPrivileges")[2].partition("\n\n")[0] for name in SERVICES]
    assert bounds[0].strip() == bounds[1].strip()


@pytest.mark.slow
@pytest.mark.skipif(ANALYZE is None, reason="there is no systemd-analyze on this machine")
def test_systemd_finds_no_fault_and_little_exposure(tmp_path: Path) -> None:
    written = [str(path) for path in write_units(tmp_path) if path.suffix in (".service", ".timer")]
    assert ANALYZE is not None
    verified = subprocess.run([ANALYZE, "verify", *written], capture_output=True, text=True, timeout=60, check=False)
    assert not [line for line in verified.stderr.splitlines() if str(tmp_path) in line or "pbem" in line]
    for name in SERVICES:
        command = [ANALYZE, "security", "--offline=yes", f"--threshold={WORST}", str(tmp_path / name)]
        judged = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert judged.returncode == 0, re.findall(r"→.*", judged.stdout)
