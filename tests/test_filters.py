"""The filters that lay out mails, as tables of inputs and outputs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.filters import FILTERS, clip, columns, heading, labels, noted, one_line, pad, width, without, wrap
from pbem.tongues import headed, listing, ordinal

WORDS = st.text(st.characters(categories=["L", "N", "P", "Z", "M"]), max_size=120)


@pytest.mark.parametrize(
    ("text", "columns_taken"),
    [("", 0), ("Anna", 4), ("Zoë", 3), ("Zoe\u0308", 3), ("小明", 4), ("\uff21\uff22", 4), ("a\u200bb", 2), ("…", 1)],
)
def test_width_counts_columns_not_characters(text: str, columns_taken: int) -> None:
    assert width(text) == columns_taken


@pytest.mark.parametrize(
    ("text", "size", "shown"),
    [("Anna", 4, "Anna"), ("Annabel", 5, "Anna…"), ("小明小明", 5, "小明…"), ("小明小明", 6, "小明…"), ("", 3, "")],
)
def test_clip_shows_that_something_is_missing(text: str, size: int, shown: str) -> None:
    assert clip(text, size) == shown
    assert width(clip(text, size)) <= size


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("你好。 再見。", "你好。再見。"),
        ("寫 「說明」 即可", "寫「說明」即可"),
        ("賄賂 農夫 用 2 名", "賄賂 農夫 用 2 名"),
        ("Bob…  went\nhome.", "Bob… went home."),
    ],
)
def test_one_line_leaves_no_space_beside_a_full_width_sign(text: str, joined: str) -> None:
    assert one_line(text) == joined
    assert wrap(text, indent="") == joined


@pytest.mark.parametrize(("text", "head"), [("The inn", "THE INN"), ("旅店", "【旅店】"), ("Anna的手牌", "ANNA的手牌")])
def test_a_heading_is_in_capitals_or_where_there_are_none_in_brackets(text: str, head: str) -> None:
    assert heading(text) == head


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Anna", "Bob"], ["Anna", "Bob"]),
        (["Alexandra the Great", "Bob"], ["Alexandr…", "Bob"]),
        (["Alexandra the Great", "Alexandra the Wise"], ["Alexand…1", "Alexand…2"]),
    ],
)
def test_labels_of_different_players_never_look_the_same(names: list[str], shown: list[str]) -> None:
    assert labels(names, 9) == shown


@pytest.mark.parametrize(("align", "padded"), [("left", "小明  "), ("right", "  小明"), ("center", " 小明 ")])
def test_pad_fills_up_to_columns(align: str, padded: str) -> None:
    assert pad("小明", 6, align) == padded


def test_pad_leaves_what_is_too_wide_alone() -> None:
    assert pad("Anna", 2) == "Anna"


@pytest.mark.parametrize(
    ("text", "language", "heading"),
    [
        ("WHAT YOU CAN SAY", "en", "What you can say"),
        ("WAT JE KUNT ZEGGEN", "nl", "Wat je kunt zeggen"),
        ("DIE HÄNDE AM ENDE", "de", "DIE HÄNDE AM ENDE"),
        ("die Polizei", "de", "Die Polizei"),
        ("【說明】", "zh_Hant", "【說明】"),
    ],
)
def test_a_heading_leaves_nouns_their_capitals(text: str, language: str, heading: str) -> None:
    assert headed(text, language) == heading


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
                         (21, "21st"), (112, "112th")]
)  # fmt: skip
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text


@pytest.mark.parametrize(
    ("items", "last", "text"),
    [([], "and", ""), (["a"], "and", "a"), (["a", "b"], "and", "a and b"), ([1, 2, 3], "or", "1, 2 or 3")],
)
def test_listing_joins_with_a_last_word(items: list[object], last: str, text: str) -> None:
    assert listing(items, last) == text


def test_one_line_lets_a_template_break_where_it_likes() -> None:
    assert one_line("  Anna\n   passed. \n") == "Anna passed."


def test_wrap_leaves_no_french_sign_alone_at_the_edge_of_a_line() -> None:
    assert wrap("Il a dit : « oui » !", 12, indent="") == "Il a dit :\n« oui » !"
    assert wrap("Il disait (« oui ») :", 12, indent="") == "Il disait\n(« oui ») :"


def test_wrap_hangs_what_follows_the_first_line() -> None:
    assert wrap("Park: four francs when built", 20, indent="    ", first="  ") == "  Park: four francs\n    when built"


@pytest.mark.parametrize(
    ("text", "size", "lines"),
    [
        ("", 20, ""),
        ("one two three", 9, "  one two\n  three"),
        ("abcdefghij", 6, "  abcd\n  efgh\n  ij"),
        ("no abcdefghij", 6, "  no\n  abcd\n  efgh\n  ij"),
        ("小明小明小明", 8, "  小明小\n  明小明"),
    ],
)
def test_wrap_breaks_at_words_and_words_only_where_it_must(text: str, size: int, lines: str) -> None:
    assert wrap(text, size) == lines


@given(WORDS, st.integers(min_value=4, max_value=90))
def test_wrap_never_exceeds_its_columns_and_loses_nothing(text: str, size: int) -> None:
    wrapped = wrap(text, size)
    assert all(width(line) <= size for line in wrapped.splitlines())
    assert "".join(wrapped.split()) == "".join(text.split())


ROWS: list[list[object]] = [["room", "guest", "F"], [1, "Baron", 8], [2, "Brigadier Chief", 18]]


def test_columns_stand_two_spaces_apart() -> None:
    assert columns(ROWS, "c l r").splitlines() == [
        "  room  guest             F",
        "   1    Baron             8",
        "   2    Brigadier Chief  18",
    ]


def test_columns_move_together_before_they_wrap() -> None:
    assert columns(ROWS, "c l* r", total=25).splitlines() == [
        "  room guest            F",
        "   1   Baron            8",
        "   2   Brigadier Chief 18",
    ]


def test_columns_wrap_a_cell_below_itself() -> None:
    assert columns(ROWS, "c l* r", total=19).splitlines() == [
        "  room guest      F",
        "   1   Baron      8",
        "   2   Brigadier 18",
        "       Chief",
    ]


def test_a_column_keeps_to_its_own_limit() -> None:
    assert columns([["Brigadier Chief", "x"]], "l9 l").splitlines() == ["  Brigadier  x", "  Chief"]


@given(st.lists(st.tuples(WORDS, WORDS), max_size=5))
def test_a_table_with_an_open_column_never_exceeds_its_width(rows: list[tuple[str, str]]) -> None:
    assert all(width(line) <= 72 for line in columns(rows, "l20 l*").splitlines())


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ([], ""),
        ([("PASS", "do nothing"), ("KILL abbot", "a corpse")], "  PASS        (do nothing)\n  KILL abbot  (a corpse)"),
        ([("x" * 41, "far in"), ("PASS", "near")], f"  {'x' * 41}  (far in)\n  PASS  (near)"),
        ([("x" * 70, "left out"), ("y" * 71, "with its line")], f"  {'x' * 70}"),
    ],
)
def test_lines_to_copy_stand_with_the_remarks_that_fit_behind_them(rows: list[tuple[str, str]], shown: str) -> None:
    assert noted(rows) == shown


def test_characters_are_left_out_wherever_they_stand() -> None:
    assert without("(4F for Bob #1)", "()#") == "4F for Bob 1"


def test_every_filter_is_known_by_its_own_name() -> None:
    assert all(name == function.__name__ for name, function in FILTERS.items())


def test_a_chinese_line_ends_anywhere_but_before_a_mark_that_closes_or_after_one_that_opens() -> None:
    text = "輪到你了 Anna，第一個行動：殺死（男爵）之後，把屍體埋在穀倉下。"
    lines = wrap(text, 20, "").split("\n")
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width(line) <= 20 for line in lines)
    assert all(width(line) >= 14 for line in lines[:-1])
    assert not any(line[0] in "，：）。" or line[-1] in "（" for line in lines)
    assert "Anna" in "|".join(lines)
