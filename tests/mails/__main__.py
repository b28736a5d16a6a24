"""Write the mails anew, the one in the README too: ``python -m tests.mails``."""

from __future__ import annotations

from tests.mails import FOLDER, SCENES, as_text
from tests.mails.readme import README, SCENE, with_mail

for name, scene in SCENES.items():
    (FOLDER / f"{name}.txt").write_text(as_text(scene().rendered), "utf-8")
README.write_text(with_mail(README.read_text("utf-8"), (FOLDER / f"{SCENE}.txt").read_text("utf-8")), "utf-8")
