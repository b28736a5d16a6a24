"""Plain paragraphs, laid out for a fixed width and handed on to HTML as what they are."""

from __future__ import annotations

import pytest

from pbem.render.blocks import Block, Form, blocks, laid_out

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


@pytest.mark.parametrize("text", ["", "\n", "   \n\n"])
def test_nothing_is_no_block(text: str) -> None:
    assert blocks(text) == ()
    assert laid_out(blocks(text)) == ""
