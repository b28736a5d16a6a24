"""Mails in a browser: nothing sticks out to the side, on a phone or on a desk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.catalogues import LANGUAGES
from tests.looks import DIGEST, Look, shoot
from tests.mails import SCENES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("chromium") or "CI" in os.environ), reason="there is no Chromium"),
]


LARGE = ("in-the-middle", "first-mail", "final", DIGEST)
"""Those with the widest tables and the longest lines."""


def test_no_mail_is_wider_than_its_window(tmp_path: Path) -> None:
    looks = [
        *(Look(name, "en", width, "light") for name in (*SCENES, DIGEST) for width in (320, 800)),
        *(Look(name, language, 360, "light") for name in LARGE for language in LANGUAGES),
    ]
    assert shoot(looks, tmp_path) == []
    assert len(list(tmp_path.iterdir())) == len(looks)
