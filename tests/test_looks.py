"""Mails in a browser: nothing sticks out to the side, on a phone or on a desk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.looks import DIGEST, Look, shoot
from tests.mails import SCENES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("chromium") or "CI" in os.environ), reason="there is no Chromium"),
]


def test_no_mail_is_wider_than_its_window(tmp_path: Path) -> None:
    looks = [Look(name, "en", width, "light") for name in (*SCENES, DIGEST) for width in (320, 360, 800)]
    assert shoot(looks, tmp_path) == []
    assert len(list(tmp_path.iterdir())) == len(looks)
