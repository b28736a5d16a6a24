"""Words before anybody gets them: which lines of a mail they are, and what is left of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.lines import commands, pieces
from pbem.press import cleaned, release
from pbem.spoken import gathered, unfolded

VERBS = ("pass", "bribe")


def read(*lines: str, open_ends: tuple[int, ...] = (), gaps: tuple[int, ...] = ()) -> list[str]:
    """What the lines of a mail are read as; behind those in `gaps` stands a blank line."""
    adjoining = {index for index in range(len(lines) - 1) if index not in gaps}
    found = gathered(lines, open_ends, adjoining)
    read = pieces(found.lines, VERBS, found.open_ends, found.adjoining)
    return [f"({piece.text})" if piece.tail else piece.text for piece in read]


@pytest.mark.parametrize(
    ("lines", "pieces"),
    [
        (("SAY", "PASS", "END", "PASS"), ["SAY\nPASS\nEND", "PASS"]),
        (("SAY:", "PASS", "- End.", "PASS"), ["SAY:\nPASS\n- End.", "PASS"]),
        (("tell Bob , Chen:", "END WITH RESULT", "PASS"), ["tell Bob , Chen:\nEND WITH RESULT\nPASS"]),
        (("SAY", "END", "PASS"), ["SAY", "PASS"]),
        (("SAY",), ["SAY"]),
        (("SAY hello", "END", "PASS"), ["SAY hello", "END", "PASS"]),
        (("SAY", "TELL Bob:", "x", "END", "END"), ["SAY\nTELL Bob:\nx\nEND", "END"]),
        (("SAY hello; PASS; BRIBE x",), ["SAY hello; PASS; BRIBE x"]),
        (("1. TELL Bob: 7; # 8", "2. PASS"), ["TELL Bob: 7; # 8", "PASS"]),
        (("PASS", "SAY hello", "PASS"), ["PASS", "SAY hello", "PASS"]),
        (
            ("SAY I do not know yet whether I shall", "pass.", "PASS"),
            ["SAY I do not know yet whether I shall pass.", "PASS"],
        ),
        (
            ("Before you ask me what it is that I", "say.", "PASS"),
            ["Before you ask me what it is that I", "(say.)", "PASS"],
        ),
        (("TELL me what to do", "PASS"), ["TELL me what to do", "PASS"]),
        (("Sayings", "PASS"), ["Sayings", "PASS"]),
    ],
)
def test_words_are_told_from_other_lines(lines: tuple[str, ...], pieces: list[str]) -> None:
    assert read(*lines) == pieces


def test_a_line_that_a_program_broke_stays_whole() -> None:
    assert read("SAY so long a line that it was", "bribe me", "PASS", open_ends=(0,)) == [
        "SAY so long a line that it was bribe me",
        "PASS",
    ]


def test_blank_lines_in_a_block_are_kept_and_those_around_it_part_nothing() -> None:
    assert read("SAY", "a", "b", "END", gaps=(0, 1, 2)) == ["SAY\na\n\nb\nEND"]


def test_no_command_is_seen_in_words() -> None:
    found = gathered(["SAY", "STOP", "x; RESIGN; UNDO", "END", "SAY hi; STOP", "UNDO"])
    assert [type(command).__name__ for command in commands(found.lines)] == ["Say", "Say", "Undo"]


@pytest.mark.parametrize(
    ("text", "lines", "unclosed"),
    [("hello", ("hello",), False), ("a\nb\nEND", ("a", "b"), False), ("a\nb", ("a", "b"), True)],
)
def test_a_block_tells_whether_it_was_closed(text: str, lines: tuple[str, ...], unclosed: bool) -> None:
    assert unfolded(text) == (lines, unclosed)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("\u202eolleh\u2066 \u05e9\u05dc\u05d5\u05dd \x1b[31m\u00e9", "olleh \u05e9\u05dc\u05d5\u05dd [31m\u00e9"),
        ("a\tb\u00a0 c\u2028d\u00adx", "a b cdx"),
        ("\U0001f469\u200d\U0001f33e", "\U0001f469\u200d\U0001f33e"),
        ("<b>Hi</b> & {{ bye }} {% if %}", "<b>Hi</b> & {{ bye }} {% if %}"),
        ("mail <anna@home.example>, or anna\uff20home", "mail <[address]>, or [address]"),
        ("inn+k7q2m9x4r3t5w6y7z2a4@example.org", "[address]"),
        ("[inn-7 K7Q2M5X4r3t5w6y7z2a4] k7q2m\u200b5x4r3t5w6y7z2a4", "[inn-7 [key]] [key]"),
        ("k7q2m5x4r3t5w6y7z2a45 is longer", "k7q2m5x4r3t5w6y7z2a45 is longer"),
        ("7 @ 3 and @ all", "7 @ 3 and @ all"),
    ],
)
def test_words_are_plain_text_without_addresses_and_keys(line: str, shown: str) -> None:
    words = cleaned([line])
    assert words.lines == (shown,)
    assert words.withheld == ("[key]" in shown or "[address]" in shown)


def test_blank_lines_stand_alone_and_never_at_an_end() -> None:
    assert cleaned(["", "a", "", "\u200b", "b", "", ""]).lines == ("a", "", "b")


@pytest.mark.parametrize(("hour", "minute", "then"), [(0, 0, 6), (5, 59, 6), (6, 0, 12), (18, 1, 24)])
def test_anonymous_words_go_out_at_fixed_hours(hour: int, minute: int, then: int) -> None:
    day = datetime(2026, 12, 1, tzinfo=UTC)
    assert release(day.replace(hour=hour, minute=minute)) == day.replace(day=1 + then // 24, hour=then % 24)
