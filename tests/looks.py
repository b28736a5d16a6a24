"""How mails look: ``python -m tests.looks [FOLDER] [NAME ...]`` writes pictures of them to a folder, to be looked at.

Each of some mails on a phone and on a desk, in the light and in the dark, in every language; and a page with all of
them side by side. Needs Chromium. A mail that is wider than its window is named, and makes the command fail.
"""

from __future__ import annotations

import base64
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

from tests.catalogues import LANGUAGES
from tests.mails import SCENES, digest

DIGEST: Final = "digest"
NAMES: Final = (
    "turn-at-night",
    "in-the-middle",
    "first-mail",
    "refused",
    "done-and-planned",
    "invitation",
    "final",
    "a-vote",
    DIGEST,
)
"""Those that are looked at where none is named; any of `SCENES` can be."""
WIDTHS: Final = (360, 800)
"""Pixels: a small phone, and a window on a desk."""
SCHEMES: Final = ("light", "dark")
FOLDER: Final = Path("looks")


@dataclass(frozen=True, slots=True)
class Look:
    """One of the pictures."""

    name: str
    language: str
    width: int
    scheme: str

    @property
    def file(self) -> str:
        """What it is called."""
        return f"{self.name}-{self.language}-{self.width}-{self.scheme}.png"


def looks(names: Sequence[str]) -> Iterator[Look]:
    """All that there is to look at."""
    return (Look(*each) for each in product(names, ("en", *LANGUAGES), WIDTHS, SCHEMES))


def page(name: str, language: str) -> str:
    """A mail as a page that stands for itself."""
    if name == DIGEST:
        return digest(language)
    rendered = SCENES[name]().in_language(language).rendered
    if rendered.picture is None:
        return rendered.html
    data = base64.b64encode(rendered.picture.png).decode()
    return rendered.html.replace(f"cid:{rendered.picture.id}", f"data:image/png;base64,{data}")


def shoot(found: Sequence[Look], folder: Path) -> list[Look]:
    """Write the pictures; those whose mail is wider than its window."""
    wide = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for width, scheme in dict.fromkeys((look.width, look.scheme) for look in found):
            window = browser.new_page(viewport={"width": width, "height": 600}, color_scheme=scheme)  # type: ignore[arg-type]
            mine = [look for look in found if (look.width, look.scheme) == (width, scheme)]
            wide += [look for look in mine if _shot(window, look, folder) > width]
    return wide


def _shot(window: Page, look: Look, folder: Path) -> int:
    """The picture written; how wide the mail is."""
    window.set_content(page(look.name, look.language))
    window.screenshot(path=folder / look.file, full_page=True)
    return int(window.evaluate("document.documentElement.scrollWidth"))


def sheet(found: Sequence[Look]) -> str:
    """A page that shows all pictures."""
    shown = (f'<figure><img src="{each.file}"><figcaption>{escape(each.file)}</figcaption></figure>' for each in found)
    style = "body{display:flex;flex-wrap:wrap;align-items:start;gap:12px}figure{margin:0}img{border:1px solid gray}"
    return f"<!DOCTYPE html><title>Looks</title><style>{style}</style>{''.join(shown)}"


def main(arguments: Sequence[str]) -> None:
    """Write the pictures and the page that shows them all."""
    folder = Path(arguments[0]) if arguments else FOLDER
    found = tuple(looks(arguments[1:] or NAMES))
    folder.mkdir(parents=True, exist_ok=True)
    wide = shoot(found, folder)
    (folder / "index.html").write_text(sheet(found), "utf-8")
    print(f"{len(found)} pictures: look at {folder / 'index.html'}")
    if wide:
        sys.exit("Wider than their windows: " + ", ".join(look.file for look in wide))


if __name__ == "__main__":
    main(sys.argv[1:])
