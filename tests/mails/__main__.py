"""Write the mails anew, the one in the README too: ``python -m tests.mails``.

``python -m tests.mails nl`` writes them as a reader of that language gets them, to looks/nl, to be read through.
"""

from __future__ import annotations

import sys

from tests.catalogues import ROOT
from tests.mails import FOLDER, SCENES, as_text
from tests.mails.readme import README, SCENE, with_mail


def write_all() -> None:
    for name, scene in SCENES.items():
        (FOLDER / f"{name}.txt").write_text(as_text(scene().rendered), "utf-8")
    README.write_text(with_mail(README.read_text("utf-8"), (FOLDER / f"{SCENE}.txt").read_text("utf-8")), "utf-8")


def write_in(language: str) -> None:
    folder = ROOT / "looks" / language
    folder.mkdir(parents=True, exist_ok=True)
    for name, scene in SCENES.items():
        (folder / f"{name}.txt").write_text(as_text(scene().in_language(language).rendered), "utf-8")
    print(f"Read them in {folder}")


if sys.argv[1:]:
    write_in(sys.argv[1])
else:
    write_all()
