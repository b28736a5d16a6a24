"""Somebody tries a game in his browser, in front of `pbem sandbox` as it is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.sandbox.browser import chromium, grave, needs_chromium, page, sandbox

pytestmark = [pytest.mark.slow, needs_chromium]

MOST_TURNS: Final = 60
_ROUND: Final = re.compile(r"Round (\d+)")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of templates of one's own."""
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def address(own: Path) -> Iterator[str]:
    with sandbox("--templates", str(own)) as address:
        yield address


@pytest.fixture
def shown(browser: Browser, address: str) -> Iterator[Page]:
    with page(browser, address) as shown:
        yield shown


def go(shown: Page, where: Locator) -> None:
    """Press what leads to another page, and wait for that."""
    with shown.expect_navigation():
        where.click()


def begin(shown: Page, against: str = "against bots") -> None:
    shown.goto("/".join(shown.url.split("/")[:3]))
    go(shown, shown.get_by_role("button", name=against))


def open_box(shown: Page, name: str) -> None:
    go(shown, shown.get_by_role("navigation").get_by_role("link", name=name))


def subject(shown: Page) -> str:
    """Of the mail that is open."""
    return shown.locator("article h2").inner_text()


def open_awaited(shown: Page) -> str:
    """Open the mailbox of the player who is to act at a table that has just begun; his name."""
    for name in ("Anna", "Bob", "Chen"):
        open_box(shown, name)
        if "lodging travelers" in subject(shown):
            return name
    raise AssertionError("nobody is to act")


def test_a_first_game_against_bots_gets_to_its_second_round_by_buttons_alone(shown: Page) -> None:
    begin(shown)
    for _ in range(MOST_TURNS):
        found = _ROUND.search(subject(shown))
        if found and int(found[1]) >= 2:
            break
        lines = shown.locator("fieldset", has_text="Lines of this mail").locator("button")
        offered = lines.all_inner_texts()
        lines.nth(offered.index("PASS") if "PASS" in offered else 0).click()
        assert shown.get_by_label("One order per line").input_value() != ""
        go(shown, shown.get_by_role("button", name="Send"))
    assert int(_ROUND.findall(subject(shown))[0]) == 2
    expect(shown.frame_locator("article iframe").locator("body")).to_contain_text("round 2")


def test_two_days_bring_a_reminder_and_then_what_is_done_without_an_answer(shown: Page) -> None:
    begin(shown, "all seats mine")
    name = open_awaited(shown)
    go(shown, shown.get_by_role("button", name="+1 day"))
    go(shown, shown.get_by_role("button", name="+1 day"))
    expect(shown.get_by_role("region", name="Mails")).to_contain_text("] Reminder: ")
    go(shown, shown.get_by_role("button", name="To the next deadline"))
    open_box(shown, name)
    go(shown, shown.get_by_role("link", name="Text", exact=True))
    expect(shown.locator("article pre")).to_contain_text("Your deadline has passed")


def test_a_moderator_pauses_and_everybody_hears_of_it(shown: Page) -> None:
    begin(shown, "all seats mine")
    open_box(shown, "Modi")
    shown.locator("fieldset", has_text="The moderator's desk").get_by_role("button", name="PAUSE", exact=True).click()
    go(shown, shown.get_by_role("button", name="Send"))
    assert "done" in subject(shown)
    for name in ("Anna", "Bob", "Chen"):
        open_box(shown, name)
        expect(shown.frame_locator("article iframe").locator("body")).to_contain_text("paused")


def test_a_reload_shows_a_template_that_was_edited(shown: Page, own: Path) -> None:
    begin(shown)
    go(shown, shown.get_by_role("link", name="Text", exact=True))
    footer = own / "footer.txt.j2"
    footer.write_text("Greetings from the cellar.")
    try:
        shown.reload()
        expect(shown.locator("article pre")).to_contain_text("Greetings from the cellar.")
    finally:
        footer.unlink()
    shown.reload()
    expect(shown.locator("article pre")).not_to_contain_text("Greetings from the cellar.")


def test_everything_can_be_done_with_the_keyboard_alone(shown: Page) -> None:
    begin(shown, "all seats mine")
    name = open_awaited(shown)
    open_box(shown, "Modi")
    press(shown, name, "Enter")
    expect(shown.locator("nav a[aria-current]")).to_contain_text(name)
    press(shown, "LODGE 1", "Space")
    assert shown.get_by_label("One order per line").input_value() == "LODGE 1\n"
    expect(shown.get_by_label("One order per line")).to_be_focused()
    shown.keyboard.press("Control+Enter")
    expect(shown.locator("article h2")).to_contain_text("Re: [inn-")


def press(shown: Page, name: str, key: str) -> None:
    """Go from the top to the link or button called `name` by Tab, and press a key there."""
    shown.locator("body").press("Control+Home")
    for _ in range(80):
        shown.keyboard.press("Tab")
        if shown.evaluate("document.activeElement.innerText || ''").split("\n")[0].startswith(name):
            shown.keyboard.press(key)
            return
    raise AssertionError(f"Tab never came to {name}")


def test_without_scripts_a_line_is_put_into_the_answer_and_sent(browser: Browser, address: str) -> None:
    with page(browser, address, scripts=False) as shown:
        begin(shown, "all seats mine")
        open_awaited(shown)
        go(shown, shown.get_by_role("button", name="LODGE 1", exact=True))
        assert shown.get_by_label("One order per line").input_value() == "LODGE 1\n"
        go(shown, shown.get_by_role("button", name="Send"))
        assert subject(shown).startswith("Re: [inn-")


def test_no_page_is_wider_than_a_phone(browser: Browser, address: str) -> None:
    with page(browser, address, width=360, height=740) as shown:
        for step in ("start", "Anna", "Modi", "Write a new mail"):
            begin(shown) if step == "Anna" else None
            shown.get_by_role("link", name=step).first.click() if step != "start" else None
            assert shown.evaluate("document.documentElement.scrollWidth") == 360, step


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, address: str, scheme: str) -> None:
    with page(browser, address, color_scheme=scheme) as shown:
        assert grave(shown) == []
        begin(shown, "all seats mine")
        for step in ("Anna", "Text", "Modi", "Write a new mail"):
            go(shown, shown.get_by_role("link", name=step).first)
            assert grave(shown) == [], step


def test_an_order_in_each_language_is_copied_sent_and_done(shown: Page) -> None:
    """The pages and the mails speak it alike; the line is the first that a mail in it offers."""
    for language, done in {"nl": "GEDAAN", "fr": "FAIT", "de": "GETAN", "zh_Hant": "完成"}.items():
        shown.goto("/".join(shown.url.split("/")[:3]))
        go(shown, shown.locator(".begin button").last)
        go(shown, shown.locator(f".languages button[value={language}]"))
        expect(shown.locator("html")).to_have_attribute("lang", language.replace("_", "-"))
        ask_for_mails_in(shown, language)
        line = shown.locator("fieldset button").first
        order = line.inner_text()
        assert not order.startswith("LODGE")
        line.click()
        go(shown, shown.locator("button[name=send]"))
        go(shown, shown.locator(".shapes li:nth-child(2) a"))
        assert re.search(rf"^  {done} +{order}$", shown.locator("article pre").inner_text(), re.MULTILINE)
        ask_for_mails_in(shown, "en")


def ask_for_mails_in(shown: Page, language: str) -> None:
    """By the choice above the mails of whoever has them."""
    shown.locator("select[name=line]").select_option(f"LANGUAGE {language}")
    go(shown, shown.locator(".who form", has=shown.locator("select")).locator("button"))


@pytest.mark.parametrize(
    ("path", "host"), [("/?key=wrong", ""), ("/", ""), ("/box/anna", ""), ("{key}", "inn.example.org")]
)
def test_who_has_no_key_or_comes_by_another_name_gets_nothing(address: str, path: str, host: str) -> None:
    here = urlsplit(address)
    connection = HTTPConnection(here.netloc, timeout=60)
    try:
        connection.request("GET", path.format(key=f"/?{here.query}"), headers={"Host": host or here.netloc})
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Set-Cookie")) == (403, None)
    finally:
        connection.close()
