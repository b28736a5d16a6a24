"""The archive as somebody reads it from his disk, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from engine import bloody_inn, record, shuffle
from engine.record import Record
from pbem.archive import record_of
from pbem.files import resource
from pbem.publish import Site, publish, write_lists
from pbem.render import Renderer
from tests.archive.finished import GAMES, Finished, plain, rolled_back, second_game
from tests.sandbox.browser import PATIENCE, chromium, grave, needs_chromium

pytestmark = [pytest.mark.slow, needs_chromium]

PHONE: Final = 360
GAME: Final = "inn-7/index.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive: two games that are over, one in which moves were taken back, and one that runs."""
    site = Site(folder=tmp_path_factory.mktemp("archive"), renderer=Renderer(GAMES, resource("templates")))
    taken_back = rolled_back()
    taken_back.table = replace(taken_back.table, name="inn-8")
    for game in (plain(), taken_back, second_game(), Finished(bloody_inn.GAME, 4, "inn-20").play(40)):
        publish(site, game.table, game.log)
    write_lists(site)
    return site.folder


@contextmanager
def reading(browser: Browser, path: Path, where: str = "", **context: Any) -> Iterator[Page]:
    """A page from the disk. It asks for no other file, and whatever a browser complains of fails."""
    opened = browser.new_context(**context)
    opened.set_default_timeout(PATIENCE)
    shown = opened.new_page()
    complaints: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith(path.as_uri()):
            complaints.append(request.url)

    shown.on("console", lambda said: complaints.append(said.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("request", asked)
    shown.goto(path.as_uri() + where)
    try:
        yield shown
    finally:
        opened.close()
    assert complaints == []


@pytest.fixture
def game(browser: Browser, folder: Path) -> Iterator[Page]:
    with reading(browser, folder / GAME) as shown:
        yield shown


def text(shown: Page, selector: str) -> str:
    return " ".join((shown.locator(selector).first.text_content() or "").split())


def step(shown: Page) -> int:
    return int(text(shown, "#number").split("/")[0])


# The replay


def test_the_arrow_keys_step_through_the_game_and_what_happened_stands_beside(game: Page) -> None:
    for n in (1, 2, 3):
        game.keyboard.press("ArrowRight")
        assert step(game) == n
    assert "LODGE" in text(game, "#caption")
    assert text(game, "#caption p:nth-of-type(2)") == text(game, "#entry-3 p:nth-of-type(2)")
    game.keyboard.press("ArrowLeft")
    assert step(game) == 2
    assert game.url.endswith("#step-2")


def test_home_end_and_the_page_keys_go_further_from_within_the_replay(game: Page) -> None:
    begins = [int(n) for n in re.findall(r"#step-(\d+)", " ".join(first_steps(game)))]
    game.locator("[data-go=forward]").focus()
    game.keyboard.press("PageDown")
    game.keyboard.press("PageDown")
    assert step(game) == begins[1]
    game.keyboard.press("PageUp")
    assert step(game) == begins[0]
    game.keyboard.press("End")
    assert step(game) == int(game.locator("#slider").get_attribute("max") or 0)
    game.keyboard.press("ArrowRight")
    game.keyboard.press("Home")
    assert step(game) == 0


def first_steps(game: Page) -> list[str]:
    """Links to the first step of each round."""
    found: list[str] = game.eval_on_selector_all(
        "#story > section", "all => all.map(each => each.querySelector('.see').getAttribute('href'))"
    )
    return found


def test_the_replay_shows_after_each_round_what_the_story_shows(game: Page) -> None:
    sections = game.locator("#story > section")
    for at in range(sections.count()):
        section = sections.nth(at)
        link = section.locator(".see").last.get_attribute("href")
        game.evaluate("where => { location.hash = where }", link)
        expect(game.locator("#here")).to_have_attribute("href", link or "")
        board = " ".join((section.locator(".board").text_content() or "").split())
        assert text(game, "#board") == board


def test_a_link_leads_to_its_step(browser: Browser, folder: Path) -> None:
    with reading(browser, folder / GAME, "#step-40") as shown:
        assert step(shown) == 40
        expect(shown.locator("#controls")).to_be_in_viewport()
        shown.locator("#entry-12 .see").click()
        assert step(shown) == 12
        expect(shown.locator("#controls")).to_be_in_viewport()


def test_buttons_and_the_slider_step_and_say_where_there_is_nothing_further(game: Page) -> None:
    go = game.get_by_role("button", name="A step forward")
    expect(game.get_by_role("button", name="A step back")).to_have_attribute("aria-disabled", "true")
    go.click()
    expect(game.get_by_role("button", name="A step back")).to_have_attribute("aria-disabled", "false")
    game.locator("#slider").focus()
    game.keyboard.press("ArrowRight")
    assert step(game) == 2
    game.get_by_role("button", name="Last step").click()
    expect(go).to_have_attribute("aria-disabled", "true")


def test_it_plays_by_itself_until_somebody_steps(game: Page) -> None:
    play = game.get_by_role("button", name="Play")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(game.locator("#number")).to_have_text(re.compile("^2 /"), timeout=PATIENCE)
    game.keyboard.press("ArrowLeft")
    expect(play).to_have_attribute("aria-pressed", "false")


# The proof


def test_the_deals_are_checked_in_the_page_with_what_a_mail_said(game: Page) -> None:
    whole = record_of(plain().table, plain().log)
    game.fill("#check-head", f" {whole.entries[9].hash[:12].upper()} ")
    game.fill("#check-commitment", whole.header.commitment[:8])
    game.fill("#check-seat", "2")
    game.fill("#check-phrase", "phrase 2")
    game.click("#check-now")
    assert text(game, "#found .well") == "The deals hold."
    for words in ("that of entry 10", "All 167 entries", "the commitment of your mail", "Your phrase is in it"):
        assert words in text(game, "#found")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("head", "0123456789ab", "No entry has your head"),
        ("head", "01", "No entry has your head"),
        ("commitment", "0123456789ab", "It is not the commitment of your mail"),
        ("phrase", "another", "Your phrase is not in it"),
    ],
)
def test_what_a_mail_said_and_the_record_does_not_is_told(game: Page, field: str, value: str, words: str) -> None:
    game.fill("#check-seat", "1")
    game.fill(f"#check-{field}", value)
    game.click("#check-now")
    assert text(game, "#found .bad") == "This does not hold."
    assert words in text(game, "#found")


def _with(whole: Record, n: int, **what: Any) -> Record:
    """A record in which entry `n` says something else, with the hashes as they were."""
    changed = msgspec.structs.replace(whole.entries[n - 1].what, **what)
    entry = msgspec.structs.replace(whole.entries[n - 1], what=changed)
    return msgspec.structs.replace(whole, entries=(*whole.entries[: n - 1], entry, *whole.entries[n:]))


def _rechained(whole: Record) -> Record:
    """The same with hashes that fit: as a keeper would forge it."""
    entries: list[record.Entry] = []
    before = record.header_hash(whole.header, whole.secret)
    for each in whole.entries:
        entries.append(record.link(before, each.n, each.what))
        before = entries[-1].hash
    return msgspec.structs.replace(whole, entries=tuple(entries), head=before)


def _other_order(whole: Record) -> Record:
    deal = whole.entries[1].what
    assert isinstance(deal, record.Dealt)
    return _with(whole, 2, order=deal.order[::-1])


FORGED: Final[dict[str, tuple[Callable[[Record], Record], str]]] = {
    "another move": (lambda whole: _with(whole, 12, seat=3), "Entry 12 or one before it was changed"),
    "an order of cards": (lambda whole: _rechained(_other_order(whole)), "The shuffle in entry 2 does not follow"),
    "another secret": (
        lambda whole: _rechained(msgspec.structs.replace(whole, secret="ab" * 32)),
        "The secret is not the one that was committed to",
    ),
    "another head": (lambda whole: msgspec.structs.replace(whole, head="0" * 64), "does not end in the head"),
    "a hole": (
        lambda whole: msgspec.structs.replace(whole, entries=(*whole.entries[:5], *whole.entries[6:])),
        "Entry 6 or one before it was changed",
    ),
    "another header": (
        lambda whole: msgspec.structs.replace(
            whole, header=msgspec.structs.replace(whole.header, phrases=whole.header.phrases[:1])
        ),
        "Entry 1 or one before it was changed",
    ),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_record_that_was_changed_is_refused_as_the_program_refuses_it(game: Page, tmp_path: Path, how: str) -> None:
    change, words = FORGED[how]
    forged = change(record_of(plain().table, plain().log))
    with pytest.raises(record.Flawed):
        record.verify(bloody_inn.GAME, forged)
    (tmp_path / "record.json").write_bytes(record.dump(forged))
    game.set_input_files("#check-file", tmp_path / "record.json")
    game.click("#check-now")
    expect(game.locator("#found .bad")).to_be_visible()
    assert words in text(game, "#found")


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"header": {}, "entries": [], "secret": 1}', b"\xff\xfe"], ids=str
)
def test_what_is_no_record_is_called_so(game: Page, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "record.json").write_bytes(data)
    game.set_input_files("#check-file", tmp_path / "record.json")
    game.click("#check-now")
    expect(game.locator("#found .bad")).to_be_visible()
    assert "This is no record" in text(game, "#found")


def test_a_record_from_the_archive_s_own_file_holds(browser: Browser, folder: Path) -> None:
    for name in ("inn-8", "choices-2"):
        with reading(browser, folder / name / "index.html") as shown:
            shown.set_input_files("#check-file", folder / name / "record.json")
            shown.click("#check-now")
            expect(shown.locator("#found .well")).to_be_visible()
            head = record.load((folder / name / "record.json").read_bytes()).head
            assert head[:12] in text(shown, "#proof ~ pre")


def test_the_phrase_of_a_player_is_hashed_as_it_was_written(game: Page) -> None:
    phrase = "Zoë: 小明 & “…”"
    hashed = shuffle.phrase_hash("inn-7", 1, phrase)
    whole = record_of(plain().table, plain().log)
    phrases = (hashed, *whole.header.phrases[1:])
    changed = msgspec.structs.replace(whole, header=msgspec.structs.replace(whole.header, phrases=phrases))
    game.evaluate("text => { document.getElementById('record').textContent = text }", record.dump(changed).decode())
    game.fill("#check-seat", "1")
    game.fill("#check-phrase", phrase)
    game.click("#check-now")
    assert "Your phrase is in it" in text(game, "#found")


# The lists


def listed(shown: Page) -> list[str]:
    found: list[str] = shown.eval_on_selector_all(
        ".games > li", "all => all.filter(each => each.offsetParent).map(each => each.dataset.table)"
    )
    return found


@pytest.mark.parametrize(
    ("fields", "tables"),
    [
        ({}, {"inn-7", "inn-8", "inn-20", "choices-2"}),
        ({"words": "ZOE jan"}, {"inn-7", "inn-8", "inn-20", "choices-2"}),
        ({"words": "小明"}, {"inn-20"}),
        ({"words": "inn-8"}, {"inn-8"}),
        ({"words": "nobody"}, set()),
        ({"game": "Choices"}, {"choices-2"}),
        ({"from": "2026-12-10"}, {"inn-7", "inn-8", "inn-20"}),
        ({"until": "2026-11-29"}, set()),
    ],
    ids=lambda value: " ".join(sorted(value)),
)
def test_a_search_shows_the_games_that_fit(
    browser: Browser, folder: Path, fields: dict[str, str], tables: set[str]
) -> None:
    with reading(browser, folder / "index.html") as shown:
        for name, value in fields.items():
            field = shown.locator(f"#search-{name}")
            field.select_option(value) if name == "game" else field.fill(value)
        assert set(listed(shown)) == tables
        found = {0: "No game is like that.", 1: "1 game"}.get(len(tables), f"{len(tables)} games")
        assert text(shown, "#search-found") == found


def test_the_lists_lead_to_each_other_and_to_the_games(browser: Browser, folder: Path) -> None:
    with reading(browser, folder / "player.html") as shown:
        assert "小明" in [heading.strip() for heading in shown.locator("h2").all_text_contents()]
    for file in ("index.html", "player.html", "game.html"):
        html = (folder / file).read_text("utf-8")
        links = set(re.findall(r'href="([^"#]+)"', html))
        assert links >= {"index.html", "player.html", "game.html", "feed.xml", GAME}
        assert all((folder / link).is_file() for link in links)


# Without scripts, on paper, for everybody


def test_without_scripts_the_last_position_and_the_whole_story_are_there(browser: Browser, folder: Path) -> None:
    with reading(browser, folder / GAME, "#step-40", java_script_enabled=False) as shown:
        assert not shown.locator("#controls").is_visible()
        assert not shown.locator("#check").is_visible()
        assert shown.locator("#board .room").count() == 6
        assert shown.locator(".steps > li").count() == 167
        expect(shown.locator("#entry-40")).to_be_in_viewport()
    with reading(browser, folder / "index.html", java_script_enabled=False) as shown:
        assert not shown.locator("#search").is_visible()
        assert shown.locator(".games > li").count() == 4


def test_on_paper_every_table_is_laid_open_and_nothing_is_left_to_press(game: Page) -> None:
    assert not game.locator("#story details .board").first.is_visible()
    game.emulate_media(media="print")
    assert game.locator("#story details .board").first.is_visible()
    assert not game.locator("#controls, #check, nav, footer").first.is_visible()
    assert not game.locator(".see").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [GAME, "inn-8/index.html", "inn-20/index.html", "choices-2/index.html", "index.html"])
def test_axe_finds_nothing_serious(browser: Browser, folder: Path, path: str, scheme: str) -> None:
    with reading(browser, folder / path, color_scheme=scheme) as shown:
        assert grave(shown) == []


@pytest.mark.parametrize("path", [GAME, "inn-20/index.html", "choices-2/index.html", "index.html", "player.html"])
def test_nothing_sticks_out_to_the_side_on_a_phone(browser: Browser, folder: Path, path: str) -> None:
    with reading(browser, folder / path, viewport={"width": PHONE, "height": 740}) as shown:
        shown.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE


@pytest.mark.parametrize("name", ["words", "game", "from", "until"])
def test_a_field_of_the_search_stands_beside_its_label_on_a_phone(browser: Browser, folder: Path, name: str) -> None:
    """A long label may stand above its field, but none at the end of another field's line."""
    with reading(browser, folder / "index.html", viewport={"width": PHONE, "height": 740}) as shown:
        label, field = shown.locator(f"label[for=search-{name}]"), shown.locator(f"#search-{name}")
        at, beside = label.bounding_box(), field.bounding_box()
        assert at is not None
        assert beside is not None
        same_line = beside["y"] < at["y"] + at["height"] / 2 < beside["y"] + beside["height"]
        assert same_line or at["x"] == beside["x"]


@pytest.mark.parametrize("columns", [PHONE, 1000])
def test_what_is_said_of_a_player_in_the_replay_neither_breaks_nor_runs_together(
    browser: Browser, folder: Path, columns: int
) -> None:
    """Whoever is first player and awaited too has two marks."""
    with reading(browser, folder / GAME, "#step-3", viewport={"width": columns, "height": 740}) as shown:
        marks = shown.locator("#board .who:has(.mark + .mark) .mark")
        expect(marks).to_have_count(2)
        one, other = marks.evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())")
        assert max(one["height"], other["height"]) < 30
        assert other["left"] > one["right"] + 2 or other["top"] >= one["bottom"]
