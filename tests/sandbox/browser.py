"""A sandbox as people run it, and a browser that looks at it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or ""
needs_chromium = pytest.mark.skipif(
    not CHROMIUM and not os.environ.get("CI"), reason="Chromium is not installed (apt-get install chromium)"
)
_ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking")
AXE: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
_GRAVE: Final = ("serious", "critical")
PATIENCE: Final = 60_000
"""Milliseconds that a page may take: a machine may be busy."""


@contextmanager
def sandbox(*words: str) -> Iterator[str]:
    """`pbem sandbox` in a process of its own; the address that it prints."""
    command = [sys.executable, "-m", "pbem", "sandbox", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            printed = process.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+", printed)
            assert address is not None, printed
            yield address[0]
        finally:
            process.terminate()
            said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (0, "")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def page(
    browser: Browser, address: str, width: int = 1200, height: int = 900, scripts: bool = True, **more: Any
) -> Iterator[Page]:
    """A page that came in by the key, with `more` for a browser; whatever that complains of fails."""
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=scripts, **more)
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    shown = context.new_page()
    complaints: list[str] = []
    shown.on("console", lambda said: complaints.append(said.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.goto(address)
    try:
        yield shown
    finally:
        context.close()
    assert complaints == []


def grave(shown: Page) -> list[tuple[str, str]]:
    """What axe finds on a page that shuts people out: the rule, and the element."""
    shown.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    shown.evaluate(AXE)
    found: list[dict[str, Any]] = shown.evaluate("axe.run().then(found => found.violations)")
    return [(each["id"], node["html"][:120]) for each in found if each["impact"] in _GRAVE for node in each["nodes"]]


def pictures(folder: Path) -> None:
    """Photographs of each kind of page, on a phone and on a desk: ``python -m tests.sandbox.browser FOLDER``."""
    folder.mkdir(parents=True, exist_ok=True)
    with sandbox() as address, chromium() as browser:
        for width, height in ((360, 740), (1200, 900)):
            with page(browser, address, width, height) as shown:
                _photographed(shown, folder, width)


def _photographed(shown: Page, folder: Path, width: int) -> None:
    shown.screenshot(path=folder / f"start-{width}.png")
    shown.get_by_role("button", name="against bots").click()
    for name in ("Anna", "Modi"):
        shown.get_by_role("navigation").get_by_role("link", name=name).click()
        shown.frame_locator("iframe").locator("body").wait_for()
        shown.screenshot(path=folder / f"{name.lower()}-{width}.png", full_page=True)
    for shape in ("Text", "Source"):
        shown.get_by_role("link", name=shape, exact=True).click()
        shown.screenshot(path=folder / f"{shape.lower()}-{width}.png", full_page=True)
    shown.get_by_role("link", name="Write a new mail").click()
    shown.screenshot(path=folder / f"new-{width}.png", full_page=True)


if __name__ == "__main__":
    pictures(Path(sys.argv[1]))
