"""Pictures of positions: what they show, what they cannot give away, and how they travel."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from functools import cache

import pytest
from PIL import Image

from engine.bloody_inn import GAME
from engine.bloody_inn.picture import PALETTE, PICTURE
from engine.bloody_inn.words import words
from engine.game import Drawing, Piece, Placed
from engine.shuffle import Stream
from pbem.compose import Inline, OutgoingMail, compose
from pbem.files import resource
from pbem.parties import Party, Role
from pbem.render import Renderer, pictures
from pbem.render.pictures import Painter
from pbem.render.voice import Voice
from pbem.settle import Telling
from pbem.table import Person, Table, begin
from tests.desk.sitting import ANNA, Sitting, open_table
from tests.engine.unknown import PUBLIC, of_bloody_inn
from tests.games.choices import GAME as CHOICES
from tests.mails import SCENES, facts, played

PIECES = resource("templates").parent / "engine" / "bloody_inn" / "templates" / "pieces.svg.j2"
VOICE = Voice(resource("templates"), GAME)
PAINTER = Painter(PALETTE, lambda piece: VOICE.say("game/pieces.svg.j2", piece.name, *piece.facts))
LARGEST = 20_000
"""Bytes of a picture: a third more in a mail, which has a hundred thousand for everything."""


@cache
def positions(players: int) -> tuple[Table, ...]:
    """Some positions of a random game, the first and the last among them."""
    people = [Person(at, f"P{at}", f"p{at}@example.org") for at in range(1, players + 1)]
    table, _ = begin(open_table(*people))
    return tuple(_onward(table, players))


def _onward(table: Table, seed: int) -> Iterator[Table]:
    while table.waiting:
        yield table
        table, _ = played(table, 9, seed)
    yield table


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_position_is_a_small_picture_without_a_gap_between_its_pieces(players: int) -> None:
    for table in positions(players):
        drawing = PICTURE.draw(table.view(None))
        for placed in drawing.pieces:
            assert placed.x >= 0
            assert placed.y >= 0
            assert placed.x + placed.piece.width <= drawing.width
            assert placed.y + placed.piece.height <= drawing.height
        png = PAINTER.paint(drawing)
        image = Image.open(io.BytesIO(png))
        assert (image.size, image.mode) == ((drawing.width, drawing.height), "P")
        assert len(png) < LARGEST


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_picture_is_the_same_whatever_nobody_can_know(players: int) -> None:
    stream = Stream(bytes(32))
    changed = 0
    for table in positions(players):
        state = table.running.state
        other = of_bloody_inn(state, PUBLIC, stream)
        changed += other != state
        assert PICTURE.draw(GAME.view(state, None)) == PICTURE.draw(GAME.view(other, None))
    assert changed


def test_a_picture_holds_no_word_of_a_person() -> None:
    words = {fact for placed in PICTURE.draw(positions(3)[2].view(None)).pieces for fact in placed.piece.facts}
    assert not any(name in str(word) for word in words for name in ("P1", "P2", "P3"))


def test_pieces_are_drawn_in_the_colors_of_the_palette_alone() -> None:
    used = set(re.findall(r"#[0-9a-f]{6}", PIECES.read_text("utf-8")))
    assert used <= set(PALETTE)
    assert len(PALETTE) == len(set(PALETTE)) <= 64


def test_numbers_are_written_with_the_font_that_travels_with_the_package() -> None:
    """Without one nothing is drawn, and nobody is told."""

    def painted(text: str) -> bytes:
        piece = Piece("number", (text, "paper"), 42, 26)
        return PAINTER.paint(Drawing(42, 26, PALETTE[0], (Placed(0, 0, piece),)))

    assert len({painted(text) for text in (*map(str, range(10)), "0/1", "10/12")}) == 12
    assert (resource("fonts") / "LICENSE").read_text("utf-8").count("Permission is hereby granted") == 1


def test_the_words_for_a_picture_name_every_guest() -> None:
    table = positions(3)[2]
    view = table.view(None)
    alt = VOICE.say("game/picture.txt.j2", "alt", view)
    guests = [words("en").card(room.guest) for room in view.rooms if room.guest]
    assert guests
    assert all(guest in alt for guest in guests)


def telling(table: Table) -> Telling:
    return Telling(to=Party(Role.SEAT, ANNA.address, ANNA, table.name, 1), state=True)


def test_a_position_is_painted_once_for_all_seats_and_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    paint = Painter.paint

    def counted(self: Painter, drawing: Drawing) -> bytes:
        nonlocal count
        count += 1
        return paint(self, drawing)

    monkeypatch.setattr(Painter, "paint", counted)
    renderer = Renderer({}, resource("templates"))
    sitting = Sitting.at_night()
    for seat, language in ((1, "en"), (2, "en"), (3, "nl")):
        to = Party(Role.SEAT, ANNA.address, ANNA, "inn-7", seat)
        shown = renderer.mail(Telling(to=to, state=True), sitting.table, facts(language=language)).picture
        assert shown is not None
    assert count == 1


def test_who_wants_no_picture_and_a_host_that_cannot_paint_have_mails_without(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Sitting.at_night().table
    monkeypatch.setattr(pictures, "available", lambda: False)
    without = Renderer({}, resource("templates")).mail(telling(table), table, facts())
    monkeypatch.undo()
    renderer = Renderer({}, resource("templates"))
    unwanted = renderer.mail(telling(table), table, facts(pictures=False))
    assert without == unwanted
    assert (without.picture, "<img" in without.html) == (None, False)
    wanted = renderer.mail(telling(table), table, facts())
    assert wanted.picture is not None
    assert f'<img src="cid:{wanted.picture.id}"' in wanted.html
    assert wanted.text == without.text


def test_a_game_that_draws_nothing_has_mails_without_pictures() -> None:
    assert "picture" not in CHOICES.capabilities
    assert SCENES["a-second-game"]().rendered.picture is None


def test_a_picture_travels_beside_the_html_that_shows_it(plain: OutgoingMail) -> None:
    message = message_from_bytes(compose(plain), policy=policy.default)
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    image = list(message.walk())[-1]
    assert (image["Content-ID"], image.get_content_disposition()) == ("<abc@pbem>", "inline")
    assert image.get_content() == b"\x89PNG"
    found = message.get_body(("html",))
    assert found is not None
    assert "cid:abc@pbem" in found.get_content()
    alone = message_from_bytes(compose(replace(plain, html="")), policy=policy.default)
    assert alone.get_content_type() == "text/plain"


@pytest.fixture
def plain() -> OutgoingMail:
    return OutgoingMail(
        message_id="<a@example.org>",
        date=facts().now,
        sender="inn@example.org",
        to="anna@example.org",
        reply_to="inn@example.org",
        subject="x",
        text="x",
        html='<img src="cid:abc@pbem" alt="x">',
        picture=Inline("abc@pbem", b"\x89PNG"),
        host="example.org",
    )
