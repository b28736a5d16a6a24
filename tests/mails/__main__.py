"""Write the mails anew: ``python -m tests.mails``."""

from __future__ import annotations

from tests.mails import FOLDER, SCENES, as_text

for name, scene in SCENES.items():
    (FOLDER / f"{name}.txt").write_text(as_text(scene().rendered), "utf-8")
