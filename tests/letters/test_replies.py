"""Replies in the shapes of many clients and languages: what was typed is read, what was quoted never."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from tests.letters import shapes
from tests.letters.shapes import APPLE, GMAIL, OUTLOOK, STATE, THUNDERBIRD, Shape, mail, read

TYPED: Final = "BURY the count UNDER Anna's cellar\nPASS"
OWN: Final = tuple(TYPED.split("\n"))

MARKED: Final[tuple[Shape, ...]] = (shapes.top, shapes.top_wrapped, shapes.top_close, shapes.bottom, shapes.inline)
UNMARKED: Final[tuple[Shape, ...]] = (shapes.outlook, shapes.outlook_ruled, shapes.outlook_bold)
BETWEEN: Final[tuple[Shape, ...]] = (shapes.outlook_bottom, shapes.outlook_inline)


def cases(tables: Mapping[str, Mapping[str, str]], forms: tuple[Shape, ...]) -> list[ParameterSet]:
    return [
        pytest.param(form, line, id=f"{client}-{language}-{form.__name__}")
        for client, table in tables.items()
        for language, line in table.items()
        for form in forms
    ]


CLIENTS: Final = {"gmail": GMAIL, "thunderbird": THUNDERBIRD, "apple": APPLE}


@pytest.mark.parametrize("sent", [None, STATE], ids=["sent-unknown", "sent-known"])
@pytest.mark.parametrize(("form", "line"), cases(CLIENTS, MARKED))
def test_a_reply_over_below_and_between_marked_lines_is_read_whole_and_nothing_else(
    form: Shape, line: str, sent: str | None
) -> None:
    assert read(mail(form(TYPED, line)), sent).own == OWN


@pytest.mark.parametrize(("form", "line"), cases(CLIENTS, (shapes.top,)))
def test_a_reply_over_marked_lines_needs_no_look_at_the_answered_mail(form: Shape, line: str) -> None:
    found = read(mail(form(TYPED, line)))
    assert found.certain
    assert found == read(mail(form(TYPED, line)), STATE)


@pytest.mark.parametrize("typed", [TYPED, "PASS", STATE, "\n".join(STATE.splitlines()[-4:]), ""])
@pytest.mark.parametrize(("form", "line"), cases(CLIENTS, MARKED) + cases({"outlook": OUTLOOK}, UNMARKED + BETWEEN))
def test_where_a_reply_is_certain_the_answered_mail_changes_nothing(form: Shape, line: str, typed: str) -> None:
    raw = mail(form(typed, line))
    if read(raw).certain:
        assert read(raw) == read(raw, STATE)


@pytest.mark.parametrize("sent", [None, STATE], ids=["sent-unknown", "sent-known"])
@pytest.mark.parametrize(("form", "line"), cases({"outlook": OUTLOOK}, UNMARKED))
def test_a_reply_over_a_header_block_is_read_and_all_below_is_quotation(
    form: Shape, line: str, sent: str | None
) -> None:
    found = read(mail(form(TYPED, line)), sent)
    assert found.own == OWN
    assert not [ignored for ignored in found.ignored if shapes.TOKEN in ignored.line]


@pytest.mark.parametrize(("form", "line"), cases({"outlook": OUTLOOK}, BETWEEN))
def test_an_answer_within_an_unmarked_quotation_is_read_where_the_answered_mail_is_known(
    form: Shape, line: str
) -> None:
    assert read(mail(form(TYPED, line)), STATE).own == OWN


@pytest.mark.parametrize(("form", "line"), cases({"outlook": OUTLOOK}, BETWEEN))
def test_an_answer_within_an_unmarked_quotation_is_reported_where_the_answered_mail_is_not_known(
    form: Shape, line: str
) -> None:
    found = read(mail(form(TYPED, line)))
    assert found.own == ()
    assert set(OWN) <= {ignored.line for ignored in found.ignored}
