"""Plain paragraphs, laid out for a fixed width and handed on to HTML as what they are."""

from __future__ import annotations

import pytest

from pbem.render.blocks import Block, Form, Row, blocks, laid_out

HELP = """\
ORDERS
One line
and the same paragraph.

Another paragraph.

  KILL baron
    (whom you like)

MORE
  HELP
"""


def test_a_blank_line_ends_a_paragraph_and_an_indented_line_stands_for_itself() -> None:
    assert blocks(HELP) == (
        Block(Form.HEADING, "ORDERS"),
        Block(Form.PARAGRAPH, "One line and the same paragraph."),
        Block(Form.PARAGRAPH, "Another paragraph."),
        Block(Form.LINES, "  KILL baron\n    (whom you like)"),
        Block(Form.HEADING, "MORE"),
        Block(Form.LINES, "  HELP"),
    )


def test_the_lines_of_a_chinese_paragraph_join_without_a_space() -> None:
    assert blocks("打出的警察會回來。\n或者免\n費殺死一名\nBaron\n和農夫") == (
        Block(Form.PARAGRAPH, "打出的警察會回來。或者免費殺死一名 Baron 和農夫"),
    )


def test_laid_out_a_heading_stands_right_above_what_it_heads() -> None:
    assert laid_out(blocks(HELP)).split("\n") == [
        "ORDERS",
        "One line and the same paragraph.",
        "",
        "Another paragraph.",
        "",
        "  KILL baron",
        "    (whom you like)",
        "",
        "MORE",
        "  HELP",
    ]


def test_a_line_that_is_too_long_goes_on_further_in() -> None:
    first, *rest = laid_out(blocks("  " + "word " * 30)).split("\n")
    assert (first[:3], len(first)) == ("  w", 71)
    assert {line[:7] for line in rest} == {"      w"}


RULES = """\
THE NIGHT
All are paid alike:
1. Name the target, and then count your cards, and then count them once
   more.
2. Play.
- A dash
  begins an item too.

| players | rooms |
| 1 | 4 |
| 10 and more | many |
"""


def test_an_item_of_a_list_hangs_behind_its_marker() -> None:
    assert laid_out(blocks(RULES)).split("\n\n")[0].split("\n") == [
        "THE NIGHT",
        "All are paid alike:",
        "1. Name the target, and then count your cards, and then count them once",
        "   more.",
        "2. Play.",
        "- A dash begins an item too.",
    ]


def test_a_table_stands_in_columns_whatever_it_holds() -> None:
    *_, table = blocks(RULES)
    assert table.cells == (("players", "rooms"), ("1", "4"), ("10 and more", "many"))
    assert laid_out([table]).split("\n") == ["  players      rooms", "  1            4", "  10 and more  many"]


@pytest.mark.parametrize("text", ["|", "| |\n|a", "|x\n| a | b | c |"])
def test_a_table_that_nobody_drew_is_laid_out_all_the_same(text: str) -> None:
    (table,) = blocks(text)
    assert len({len(row) for row in table.cells}) == 1
    assert len(laid_out([table]).split("\n")) == len(table.cells)


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ("  LODGE 3", [Row("LODGE 3")]),
        ("  LODGE 3   where you like", [Row("LODGE 3", "where you like")]),
        ("  LODGE 3 (where you like)", [Row("LODGE 3", "(where you like)")]),
        ("  STOP\n    (for ever)\n  HELP", [Row("STOP", "(for ever)"), Row("HELP")]),
        ("  hands a | b      closed,\n                   or open", [Row("hands a | b", "closed, or open")]),
    ],
)
def test_a_line_to_copy_is_told_from_its_remark(lines: str, rows: list[Row]) -> None:
    (block,) = blocks(lines)
    assert list(block.rows) == rows


@pytest.mark.parametrize(
    ("line", "second"),
    [
        ("  STATUS       (%s)", " " * 15),
        ("    (%s)", " " * 5),
        ("  %s", " " * 6),
    ],
)
def test_the_rest_of_a_long_line_stands_below_what_it_goes_on_with(line: str, second: str) -> None:
    first, rest = laid_out(blocks("  A\n" + line % ("word " * 16).strip())).split("\n")[1:]
    assert first.startswith(line.split("%")[0])
    assert (rest[: len(second)], rest[len(second)]) == (second, "w")


@pytest.mark.parametrize("text", ["", "\n", "   \n\n"])
def test_nothing_is_no_block(text: str) -> None:
    assert blocks(text) == ()
    assert laid_out(blocks(text)) == ""


REMARKED = """\
  PAUZE  (tot HERVAT)
  DEADLINE Anna 18:00  (een andere termijn)
  HERVAT
"""


def test_remarks_stand_below_each_other_whatever_the_lines_are_in_a_language() -> None:
    assert laid_out(blocks(REMARKED)).split("\n") == [
        "  PAUZE                (tot HERVAT)",
        "  DEADLINE Anna 18:00  (een andere termijn)",
        "  HERVAT",
    ]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("THE CLOCK", Form.HEADING),
        ("DIE GRÖSSE", Form.HEADING),
        ("【時間】", Form.HEADING),
        ("時間", Form.PARAGRAPH),
        ("【時間】到了。", Form.PARAGRAPH),
    ],
)
def test_a_heading_is_in_capitals_or_in_brackets_where_a_script_has_none(line: str, form: Form) -> None:
    assert [block.form for block in blocks(line)] == [form]
