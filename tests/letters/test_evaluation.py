"""The evaluation of own text: that its figures are reached, and that it would notice if they were not."""

from __future__ import annotations

import json
from functools import cache

import pytest

from pbem.letters import Body, OwnText, normalised, read_letter
from tests.letters.evaluation import __main__ as command
from tests.letters.evaluation import scoring
from tests.letters.evaluation.clients import EVERYWHERE, SOMEWHERE
from tests.letters.evaluation.replies import OTHERS, Reply, replies
from tests.letters.evaluation.scoring import Figures, Score, scores, short
from tests.letters.evaluation.wording import programs, wordings

pytestmark = pytest.mark.slow


@cache
def written() -> tuple[Reply, ...]:
    return tuple(replies())


@cache
def scored() -> tuple[Score, ...]:
    return tuple(scores(written()))


def everything(body: Body, _sent: str | None = None) -> OwnText:
    """A cutter that cuts nothing."""
    return OwnText(own=tuple(filter(None, (normalised(line.text) for line in body.lines))))


def nothing(_body: Body, _sent: str | None = None) -> OwnText:
    """A cutter that leaves nothing."""
    return OwnText()


def test_all_figures_are_reached() -> None:
    assert short(list(scored())) == []


def test_no_quoted_line_runs_and_no_order_is_lost() -> None:
    assert [(each.reply.name, each.run, each.orders_lost) for each in scored() if each.run or each.orders_lost] == []


def test_there_are_enough_replies_in_every_language_and_from_every_program() -> None:
    assert len(written()) >= 150
    assert {reply.language for reply in written()} == set(wordings())
    assert {reply.client for reply in written()} == {*EVERYWHERE, *SOMEWHERE, OTHERS}
    assert {program.language for program in programs().values()} <= set(wordings())
    assert len({reply.name for reply in written()}) == len({reply.raw for reply in written()}) == len(written())


def test_every_reply_holds_what_was_typed_and_a_quotation() -> None:
    assert [reply.name for reply in written() if not is_whole(reply)] == []


def is_whole(reply: Reply) -> bool:
    letter = read_letter(reply.raw)
    lines = [normalised(line.text) for line in letter.body.lines]
    readable = letter.automatic is None and letter.problem is None
    return readable and set(reply.own) <= set(lines) and len(lines) > len(reply.own) + 10


def test_where_nothing_is_cut_quoted_lines_run_and_figures_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "own_text", everything)
    found = list(scores(written()))
    figures = Figures.of(found)
    assert (figures.run > 1_000, figures.safe < 0.01, figures.exact, figures.orders_lost) == (True, True, 0.0, 0)
    assert set(short(found)) == {"quoted lines run", "order-safe", "exact", *wordings()}


def test_where_all_is_cut_own_orders_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "own_text", nothing)
    figures = Figures.of(scores(written()))
    assert (figures.run, figures.orders_lost > 300, figures.safe) == (0, True, 0.0)


def test_the_last_line_of_the_table_is_json_with_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(failures=False) == 0
    table, last = capsys.readouterr().out.rstrip("\n").rsplit("\n", 1)
    found = json.loads(last)
    assert found["replies"] == len(written())
    assert (found["run"], found["orders_lost"], found["short"]) == (0, 0, [])
    assert set(found["languages"]) == set(wordings())
    assert all(name in table for name in (*wordings(), *EVERYWHERE, *SOMEWHERE))


def test_a_figure_that_is_missed_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "own_text", nothing)
    assert command.main(failures=True) == 1
