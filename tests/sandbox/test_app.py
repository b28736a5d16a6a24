"""The pages of the sandbox, asked for as a browser without scripts asks: all they do goes by mail."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from pbem.sandbox.app import LONGEST_FORM, app
from pbem.sandbox.client import Client
from pbem.sandbox.guard import Refusal
from pbem.sandbox.hitch import Hitch, Why
from pbem.sandbox.pages import Pages
from pbem.sandbox.playroom import Playroom
from pbem.table import Status
from pbem.tongues import LANGUAGES
from tests.sandbox.conftest import DOOR, GAME, HERE


@pytest.fixture(scope="module")
def table(room: Playroom) -> str:
    """The name of a table, all of whose seats are ours, where nobody orders anything."""
    room.begin(GAME, 2, 2)
    return room.standings()[0].name


@pytest.fixture
def anna(room: Playroom, table: str) -> Client:
    """Somebody there."""
    assert table
    return room.clients["anna"]


@pytest.fixture
def awaited(room: Playroom, pages: TestClient) -> Client:
    """The player who is to act at a new table, all of whose seats are ours; his mailbox is open."""
    shown = begin(pages, players=2, mine=2)
    client = room.clients[room.standings()[0].awaited[0].lower()]
    assert shown.url.path == f"/box/{client.key}"
    return client


def begin(pages: TestClient, players: int, mine: int) -> httpx2.Response:
    found: httpx2.Response = pages.post("/begin", data={"game": GAME, "players": players, "mine": mine})
    return found


def send(pages: TestClient, client: Client, **fields: str) -> httpx2.Response:
    """Answer the newest mail."""
    newest = client.newest()
    assert newest is not None
    found: httpx2.Response = pages.post(f"/box/{client.key}/{newest.number}", data=fields)
    return found


def heading(page: httpx2.Response) -> str:
    """The subject of the mail that a page shows."""
    found = re.search(r"<article.*?<h2>(.*?)</h2>", page.text, re.DOTALL)
    assert found is not None, page.text
    return unescape(found[1])


def test_the_first_page_says_what_this_is_in_four_sentences_and_offers_a_game(pages: TestClient) -> None:
    page = pages.get("/").text
    told = re.search(r"</h1>\s*<p>(.*?)</p>", page, re.DOTALL)
    assert told is not None
    assert len(re.findall(r"\.(?:\s|$)", told[1])) == 4
    assert "Begin a game of three against bots" in page
    assert "Begin a game of three with all seats mine" in page


@pytest.mark.slow
def test_against_bots_there_is_one_player_and_a_moderator_and_the_game_has_begun(
    room: Playroom, pages: TestClient
) -> None:
    begin(pages, players=3, mine=1)
    standing = room.standings()[0]
    assert standing.status is Status.RUNNING
    assert standing.bots == {"Bot 1", "Bot 2"}
    assert standing.names.count("Anna") == 1


def test_an_order_is_answered_by_the_host_and_the_page_shows_its_answer(pages: TestClient, awaited: Client) -> None:
    page = send(pages, awaited, text="LODGE ANY", quoting="below")
    assert heading(page).startswith("Re: [inn-")
    assert awaited.mails[-1].sent is False
    sent = [mail for mail in awaited.mails if mail.sent][-1]
    assert sent.text.startswith("LODGE ANY\n\nOn ")


def test_without_scripts_a_button_puts_its_line_below_what_is_written(pages: TestClient, anna: Client) -> None:
    before = len(anna.mails)
    page = send(pages, anna, text="LODGE 1", add="LODGE 2", quoting="nothing")
    assert re.search(r"<textarea[^>]*>LODGE 1\nLODGE 2\n</textarea>", page.text)
    assert '<option value="nothing" selected>' in page.text
    assert len(anna.mails) == before


def test_a_mail_is_shown_in_a_frame_without_rights_as_text_and_as_it_was_sent(pages: TestClient, anna: Client) -> None:
    newest = anna.newest()
    assert newest is not None
    page = pages.get(f"/box/{anna.key}")
    frame = re.search(r'<iframe sandbox srcdoc="([^"]*)"', page.text)
    assert frame is not None
    assert unescape(frame[1]).strip() == newest.html.strip()
    assert "<script" not in frame[1]
    assert "SINCE YOUR LAST MAIL" in pages.get(f"/box/{anna.key}/{newest.number}?as=text").text
    assert "Reply-To: games+" in pages.get(f"/box/{anna.key}/{newest.number}?as=source").text


@pytest.mark.slow
def test_a_day_brings_the_reminder_and_the_deadline_what_is_done_without_an_answer(
    room: Playroom, pages: TestClient, awaited: Client
) -> None:
    before = room.now
    pages.post("/clock", data={"by": "day"})
    pages.post("/clock", data={"by": "day"})
    subjects = [mail.subject for mail in awaited.mails]
    assert room.now == before + timedelta(days=2)
    assert any("] Reminder: " in subject for subject in subjects)
    page = pages.post("/clock", data={"by": "deadline", "back": awaited.key})
    assert page.url.path == f"/box/{awaited.key}"
    assert any("missed" in mail.text for mail in awaited.mails)


@pytest.mark.usefixtures("table")
def test_an_hour_is_an_hour(room: Playroom, pages: TestClient) -> None:
    before = room.now
    assert pages.post("/clock", data={"by": "hour"}).url.path == "/"
    assert room.now == before + timedelta(hours=1)


def test_the_moderator_has_his_words_at_hand_and_a_pause_is_told_to_all(
    room: Playroom, pages: TestClient, awaited: Client
) -> None:
    moderator = room.clients["modi"]
    page = pages.get("/box/modi").text
    assert [f'value="{line}"' in page for line in ("PAUSE", f"SKIP {awaited.name}", "ROLLBACK 1")] == [True] * 3
    send(pages, moderator, text="PAUSE")
    assert room.standings()[0].paused
    assert "is paused" in room.clients["bob"].mails[-1].text
    assert 'value="RESUME"' in pages.get("/box/modi").text


@pytest.mark.slow
def test_a_bot_plays_a_seat_and_gives_it_back(room: Playroom, pages: TestClient, awaited: Client) -> None:
    table = room.standings()[0].name
    say = {"line": f"BOT {awaited.name}", "table": table, "back": awaited.key}
    page = pages.post("/box/modi/say", data=say)
    assert page.url.path == f"/box/{awaited.key}"
    assert room.standings()[0].bots == {awaited.name}
    assert f'value="BOT {awaited.name} OFF"' in page.text
    pages.post("/box/modi/say", data={**say, "line": f"BOT {awaited.name} OFF"})
    assert room.standings()[0].bots == frozenset()


def test_a_player_chooses_the_language_of_his_mails(pages: TestClient, anna: Client) -> None:
    page = pages.post("/box/anna/say", data={"line": "LANGUAGE nl", "back": "anna"})
    assert '<option value="LANGUAGE nl" lang="nl" selected>Nederlands</option>' in page.text
    assert "LANGUAGE nl" in anna.mails[-1].text
    pages.post("/box/anna/say", data={"line": "LANGUAGE en", "back": "anna"})


def test_a_new_mail_is_answered(pages: TestClient, anna: Client) -> None:
    assert "Anna writes to games@example.org" in pages.get("/box/anna/new").text
    page = pages.post("/box/anna/new", data={"subject": "", "text": "HELP"})
    assert "HELP" in anna.mails[-1].text
    assert page.url.path == "/box/anna"


class TestLanguages:
    """The pages speak the visitor's language, whatever the seats get their mails in."""

    @pytest.mark.parametrize(
        ("asked", "language", "words"),
        [
            ("nl-BE,nl;q=0.9,en;q=0.8", "nl", "Probeer een spel per mail"),
            ("en;q=0.3, fr-CH", "fr", "Essaie une partie par mail"),
            ("pl, de;q=0.1", "de", "Probiere ein Spiel per Mail"),
            ("zh-TW", "zh-Hant", "試玩一局郵件遊戲"),
            ("pl", "en", "Try a game by mail"),
        ],
    )
    def test_a_page_speaks_what_the_browser_likes_best(
        self, pages: TestClient, asked: str, language: str, words: str
    ) -> None:
        page = pages.get("/", headers={"Accept-Language": asked}).text
        assert f'<html lang="{language}">' in page
        assert f"<h1>{words}</h1>" in page

    def test_a_choice_counts_before_the_browser_and_shows_the_same_page(self, pages: TestClient, anna: Client) -> None:
        newest = anna.newest()
        assert newest is not None
        before = newest.text
        here = f"/box/anna/{newest.number}?as=text"
        assert f'name="back" value="{here}"' in pages.get(here).text
        page = pages.post("/language", data={"language": "de", "back": here}, headers={"Accept-Language": "fr"})
        assert (page.url.path, page.url.query) == (here.partition("?")[0], b"as=text")
        assert "Ein Befehl je Zeile" in page.text
        assert '<option value="LANGUAGE en" lang="en" selected>' in page.text
        assert before.splitlines()[0] in unescape(page.text)

    @pytest.mark.parametrize(
        ("language", "back"), [("de", "//example.org/"), ("de", "https://example.org"), ("tlh", "/begin"), ("", "")]
    )
    def test_a_choice_leads_nowhere_else_and_is_one_of_those_there_are(
        self, pages: TestClient, language: str, back: str
    ) -> None:
        page = pages.post("/language", data={"language": language, "back": back})
        assert str(page.url) == f"{HERE}/"
        assert f'<html lang="{language if language == "de" else "en"}">' in page.text

    @pytest.mark.parametrize("why", Why)
    def test_each_hitch_is_told_in_every_language(self, room: Playroom, why: Why) -> None:
        hitch = Hitch(why, name="Anna", said="The disk is full.")
        told = {alert(Pages(room).trouble(language, hitch)) for language in LANGUAGES}
        assert "" not in told
        assert len(told) == len(LANGUAGES)

    @pytest.mark.parametrize("why", Refusal)
    def test_each_refusal_is_told_in_every_language(self, room: Playroom, why: Refusal) -> None:
        told = {Pages(room).refused(language, why).strip() for language in LANGUAGES}
        assert "" not in told
        assert len(told) == len(LANGUAGES)

    def test_who_may_not_come_in_reads_it_in_his_language(self, room: Playroom) -> None:
        stranger = TestClient(app(room, DOOR), base_url=HERE, headers={"Accept-Language": "de"})
        page = stranger.get("/")
        assert (page.status_code, page.text.startswith("Öffne die Adresse")) == (403, True)


def alert(page: str) -> str:
    """What went wrong, as a page says it."""
    found = re.search(r'<p role="alert">(.*?)</p>', page, re.DOTALL)
    assert found is not None, page
    return found[1].strip()


def test_what_cannot_be_done_is_said(pages: TestClient) -> None:
    page = pages.post("/begin", data={"game": "chess", "players": 2, "mine": 2})
    assert page.status_code == 409
    assert "The table was not opened" in page.text


@pytest.mark.parametrize(("players", "mine"), [(2, 0), (2, 3), (5, 1), (0, 0)])
def test_a_table_that_cannot_be_is_refused(pages: TestClient, players: int, mine: int) -> None:
    assert begin(pages, players=players, mine=mine).status_code == 400


@pytest.mark.parametrize("path", ["/box/nobody", "/box/anna/9999", "/box/anna/0", "/nothing", "/static/../app.py"])
@pytest.mark.usefixtures("anna")
def test_what_is_not_there_is_not_found(pages: TestClient, path: str) -> None:
    assert pages.get(path).status_code == 404


def test_a_form_beyond_all_measure_is_refused(pages: TestClient) -> None:
    assert pages.post("/begin", data={"game": "x" * LONGEST_FORM}).status_code == 413
    assert pages.post("/begin", data={"players": "many"}).status_code == 400


class TestTemplates:
    """Whoever works on one sees it at each reload."""

    @pytest.fixture
    def footer(self, templates: Path) -> Path:
        return templates / "footer.txt.j2"

    def test_a_reload_shows_one_that_was_edited_until_that_is_taken_away(
        self, pages: TestClient, anna: Client, footer: Path
    ) -> None:
        newest = anna.newest()
        assert newest is not None
        path = f"/box/{anna.key}/{newest.number}?as=text"
        footer.write_text("Greetings from the cellar.")
        page = pages.get(path).text
        assert "Greetings from the cellar." in page
        assert "With the templates as they are now" in page
        footer.unlink()
        assert "Greetings from the cellar." not in pages.get(path).text
        assert "With the templates as they are now" not in pages.get(path).text

    def test_the_host_writes_with_it_too(self, pages: TestClient, anna: Client, footer: Path) -> None:
        footer.write_text("Greetings from the attic.")
        try:
            send(pages, anna, text="STATUS")
        finally:
            footer.unlink()
        assert "Greetings from the attic." in anna.mails[-1].text

    def test_one_that_is_broken_is_named_and_the_mail_shown_as_it_was_sent(
        self, pages: TestClient, anna: Client, footer: Path
    ) -> None:
        footer.write_text("One line\n{% if %}")
        try:
            page = pages.get(f"/box/{anna.key}")
        finally:
            footer.unlink()
        assert page.status_code == 200
        assert "A template that was edited cannot be used" in page.text
        assert "footer.txt.j2:2: TemplateSyntaxError" in page.text
        assert "<iframe sandbox srcdoc=" in page.text
