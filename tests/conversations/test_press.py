"""What players say to each other, through the whole host: who gets it, when, and what does not come with it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.conversations.test_policy import code_word
from tests.conversations.transcript import play
from tests.conversations.world import Mail, World

BLOCK: Final = ("SAY", "Dear all,", "", "PASS", "BRIBE novice", "RESIGN", "END", "PASS")


def says(world: World, name: str, *lines: str) -> list[Mail]:
    """Somebody answers his last mail; what the host sends upon it."""
    world.answer(name, *lines)
    return world.tick()


def to(name: str, sent: list[Mail]) -> list[Mail]:
    return [mail for mail in sent if mail.to == name]


def moves(world: World) -> int:
    return len(world.entries())


def test_words_come_with_the_next_mail_or_at_once_and_their_writer_is_told_who_gets_them(at_night: World) -> None:
    play(
        at_night,
        """
        bob >> PRESS NOW
        bob < Re: [inn-1] Round 1, night: done - you are not awaited
            What others say to you comes at once
        chen >> SAY Good evening, all!
        chen < Re: [inn-1] Round 1, night: done - you are not awaited
            Anna, Bob and Modi get your words.
            not: says to all
        bob < [inn-1] Round 1, night: words from the table
            Chen says to all: | Good evening, all!
            TELL with a name and a colon
            not: THE INN
        anna >> PASS
        anna < Re: [inn-1] Round 1, night: done - you are not awaited
            Chen says to all: | Good evening, all!
        bob < [inn-1] Round 1, night: your 1st action - by Thu 12:00
            not: Good evening
        """,
    )


def test_what_is_told_some_reaches_them_alone(at_night: World) -> None:
    for name in ("anna", "bob"):
        says(at_night, name, "PRESS NOW")
    sent = says(at_night, "chen", "TELL Anna and bob: the police!")
    assert sorted(mail.to for mail in sent) == ["anna", "bob", "chen"]
    assert "Chen says to you and Bob alone: | the police!" in to("anna", sent)[0].text
    assert "Anna and Bob get your words, and nobody else does." in to("chen", sent)[0].text
    at_night.answer("anna", "TELL Nobody: x")
    assert "NOT DONE TELL Nobody: x" in at_night.tick()[0].text
    assert "police!" not in "".join(mail.text for mail in at_night.mails if mail.to == "modi")


def test_a_block_is_never_read_as_orders_and_those_around_it_are_read_as_ever(at_night: World) -> None:
    before = moves(at_night)
    sent = says(at_night, "anna", *BLOCK)
    assert moves(at_night) == before + 1
    assert "Anna's 1st action" not in to("anna", sent)[0].text
    told = "\n".join(to("bob", sent)[0].lines.splitlines())
    assert "  | Dear all,\n  |\n  | PASS\n  | BRIBE novice\n  | RESIGN\n" in told


def test_a_block_without_its_end_takes_the_rest_of_the_mail_and_says_so(at_night: World) -> None:
    sent = says(at_night, "anna", "SAY", "Hello", "PASS")
    assert "There was no END below them" in to("anna", sent)[0].text


def test_end_closes_the_words_of_a_moderator_and_ends_no_game(at_night: World) -> None:
    play(at_night, "modi >> PROMOTE Anna\n... <\nanna >> SAY / Bye / END\n... <\n")
    assert "your code" not in at_night.last("anna").text
    assert at_night.table().status == "running"


def test_signatures_quotations_and_html_are_no_words(at_night: World) -> None:
    sent = says(at_night, "anna", "SAY", "<b>Hi</b> & bye", "", "-- ", "Anna Example", "PASS")
    says(at_night, "anna", "PASS")
    told = at_night.last("bob")
    assert "Bob, Chen and Modi get your words" in sent[0].text
    assert "| <b>Hi</b> & bye" in told.text
    assert "Anna Example" not in told.text
    html = told.message.get_body(("html",))
    assert html is not None
    assert "&lt;b&gt;Hi&lt;/b&gt; &amp; bye" in html.get_content()


def test_addresses_and_keys_are_left_out(at_night: World) -> None:
    reply = str(at_night.last("anna").message["Reply-To"])
    key = reply.partition("+")[2].partition("@")[0]
    says(at_night, "anna", f"SAY write to anna@home.example, {reply} or {key.upper()} ({key[:5]}\u200b{key[5:]})")
    says(at_night, "anna", "PASS")
    told = at_night.last("bob").lines
    assert "| write to [address], [address] or [key] ([key])" in told
    assert key not in told.replace(str(at_night.last("bob").message["Reply-To"]), "").lower()


def test_words_come_in_foreign_charsets(at_night: World) -> None:
    reply = at_night.last("anna").message["Reply-To"]
    head = ("From: anna@example.org", f"To: {reply}", "Message-ID: <koi@x>", "Content-Type: text/plain; charset=koi8-r")
    at_night.deliver(
        "\r\n".join((*head, "", "")).encode() + "SAY \u041f\u0440\u0438\u0432\u0435\u0442!\r\nPASS\r\n".encode("koi8-r")
    )
    at_night.tick()
    assert "| \u041f\u0440\u0438\u0432\u0435\u0442!" in at_night.last("bob").text


def test_an_answer_brings_no_words_back_as_orders(at_night: World) -> None:
    says(at_night, "bob", "SAY", "PASS", "RESIGN", "END")
    says(at_night, "anna", "STATUS")
    before = moves(at_night)
    shown = [line.strip() for line in at_night.last("anna").lines.splitlines() if "|" in line]
    assert "| PASS" in shown
    says(at_night, "anna", *shown)
    assert moves(at_night) == before


def test_so_much_can_be_said_in_a_day(at_night: World) -> None:
    at_night.set("limits", press_a_day=2)
    told = says(at_night, "anna", "SAY 1", "SAY 2", "SAY 3", "PASS")[0].text
    assert "NOT DONE SAY 3 You have said something 2 times" in told
    at_night.wait(hours=25)
    assert "get your words" in says(at_night, "anna", "SAY 4")[0].text


def test_who_has_no_seat_says_nothing(at_night: World) -> None:
    says(at_night, "bob", "PRESS NOW")
    at_night.write("dora", "REGISTER Dora")
    at_night.tick()
    for who in ("modi", "dora"):
        (refused,) = says(at_night, who, "SAY hello")
        assert (refused.to, "get your words" in refused.text) == (who, False)


def test_a_sender_without_a_token_and_a_robot_say_nothing(at_night: World) -> None:
    says(at_night, "bob", "PRESS NOW")
    at_night.write("anna", "SAY hello", subject="[inn-1] hello")
    (refused,) = at_night.tick()
    assert (refused.to, "NOT DONE" in refused.text) == ("anna", True)
    at_night.answer("anna", "SAY hello", Auto_Submitted="auto-replied")
    assert at_night.tick() == []


def test_who_has_asked_for_silence_is_told_nothing(at_night: World) -> None:
    says(at_night, "bob", "PRESS NOW")
    says(at_night, "bob", "STOP")
    sent = says(at_night, "anna", "SAY hello", "TELL Bob: hello")
    assert to("bob", sent) == []
    assert "Chen and Modi get your words." in to("anna", sent)[0].text
    assert "Bob gets no mail from me now" in to("anna", sent)[0].text


def test_a_table_may_want_no_press(at_night: World) -> None:
    says(at_night, "modi", "OPTIONS press=off")
    assert "players do not talk through me" in says(at_night, "anna", "SAY hello")[0].text


@pytest.mark.parametrize("writer", ["bob", "chen"])
def test_anonymous_words_go_out_at_a_fixed_hour_together(at_night: World, writer: str) -> None:
    says(at_night, "modi", "OPTIONS press=anonymous")
    says(at_night, "anna", "PRESS NOW")
    at_night.wait(minutes=17)
    other = {"bob": "chen", "chen": "bob"}[writer]
    sent = says(at_night, writer, "SAY zebra", "TELL Anna: secret")
    assert [mail.to for mail in sent] == [writer]
    assert "without your name, together with those of others" in sent[0].text
    assert [mail.to for mail in says(at_night, other, "SAY apple")] == [other]
    at_night.wait(hours=5, minutes=42)
    assert at_night.tick() == []
    at_night.wait(minutes=1)
    (told,) = at_night.tick()
    assert told.to == "anna"
    assert "Bob" not in told.lines.partition("=====")[0]
    assert "Chen" not in told.lines.partition("=====")[0]
    order = [told.text.index(word) for word in ("apple", "secret", "zebra")]
    assert order == sorted(order)
    assert "Somebody says to you, and not to all: | secret" in told.text


def headers_and_text(mail: Mail) -> tuple[list[tuple[str, str]], str]:
    """A mail but for what is random in each."""
    mark = mail.id.strip("<").partition("@")[0]
    shown = [(name, str(value)) for name, value in mail.message.items() if name not in ("Message-ID", "Content-Type")]
    lines = [line for line in mail.lines.splitlines() if "pbem-" not in line]
    return shown, "\n".join(lines).replace(mark, "")


def test_nothing_in_a_mail_tells_who_has_said_something_without_his_name(at_night: World, tmp_path: Path) -> None:
    says(at_night, "modi", "OPTIONS press=anonymous")
    says(at_night, "anna", "PRESS NOW")
    told = []
    for writer, world in (("chen", at_night.copied(tmp_path / "other")), ("bob", at_night)):
        says(world, writer, "SAY hello")
        world.wait(hours=6)
        (mail,) = to("anna", world.tick())
        told.append(headers_and_text(mail))
    assert told[0] == told[1]


def test_the_archive_has_what_was_said_to_all_until_it_is_taken_back(at_night: World) -> None:
    page = at_night.settings.archive.folder / "inn-1" / "index.html"
    says(at_night, "anna", "SAY <i>good</i> game", "TELL Bob: between us")
    code = says(at_night, "modi", "END")[0].text.partition("with the line: END ")[2].split()[0]
    sent = says(at_night, "modi", f"END {code}")
    assert "Anna says to all: | <i>good</i> game" in to("bob", sent)[0].text
    assert "&lt;i&gt;good&lt;/i&gt; game" in page.read_text()
    assert "between us" not in page.read_text()
    assert "good" not in (page.parent / "record.json").read_text()
    (mail,) = says(at_night, "anna", "FORGET ME")
    says(at_night, "anna", f"FORGET ME {code_word(mail)}")
    assert "game" in page.read_text()
    assert "good" not in page.read_text()
    with at_night.store.engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT words FROM press").scalars().all()
    assert kept == ["", ""]


def test_whoever_asks_gets_all_that_he_has_said(at_night: World) -> None:
    says(at_night, "anna", "SAY hello", "TELL Bob: between us")
    says(at_night, "bob", "SAY mine alone")
    (mail,) = says(at_night, "anna", "EXPORT ME")
    (data,) = [part.get_content() for part in mail.message.walk() if part.get_filename() == "about-you.json"]
    text = data if isinstance(data, str) else data.decode()
    assert ("hello" in text, "between us" in text, "mine alone" in text) == (True, True, False)


def test_words_for_one_are_swept_with_the_mails_that_brought_them(at_night: World) -> None:
    says(at_night, "anna", "SAY hello", "TELL Bob: between us")
    at_night.wait(days=91)
    at_night.tick()
    with at_night.store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT words FROM press").scalars().all() == ["hello", ""]
