"""Nothing that people read stands in a template where no translation reaches it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from jinja2 import Environment, nodes

from tests.catalogues import ROOT

FOLDER: Final = ROOT / "templates"
WORD: Final = re.compile(r"[^\W\d_]{2,}")
SETTING: Final = re.compile(r"[a-z-]+(\. )?=[\w:,./-]*")
"""An option and its value, which are the same in every language."""
SAME: Final = frozenset({"Anna", "Bob", "GAME", "Re", "head", "json", "pbem", "record", "verify"})
"""Names in examples, marks by which a mail is known, and what is typed on a command line: these are, too."""


def texts() -> list[str]:
    """Templates of plain text, from which the HTML of most is made too."""
    return sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.txt.j2"))


def unmarked(source: str) -> list[str]:
    """Words of `source` that stand as they are in every language."""
    environment = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)
    said = " ".join(_said(environment.parse(source)))
    return [word for word in WORD.findall(SETTING.sub("", said)) if word not in SAME]


def _said(tree: nodes.Template) -> Iterator[str]:
    for output in tree.find_all(nodes.Output):
        for node in output.nodes:
            yield from _shown(node)


def _shown(node: nodes.Node) -> Iterator[str]:
    """What `node` itself puts into the text, as far as the template says it."""
    match node:
        case nodes.TemplateData(data=str(text)) | nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr(expr1=first, expr2=second):
            yield from _shown(first)
            if second:
                yield from _shown(second)
        case nodes.Concat(nodes=parts):
            for part in parts:
                yield from _shown(part)
        case nodes.Filter(node=nodes.Node() as inner):
            yield from _shown(inner)
        case nodes.Getitem(node=nodes.Dict(items=pairs)):
            for pair in pairs:
                yield from _shown(pair.value)


@pytest.mark.parametrize("name", texts())
def test_every_word_of_a_text_can_be_translated(name: str) -> None:
    assert unmarked(Path(FOLDER / name).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("It is over.", ["It", "is", "over"]),
        ("{{ names }} {{ 'has' if one else 'have' }}", ["has", "have"]),
        ("{{ ('JOIN ' ~ game) | pad(19) }}", ["JOIN"]),
        ("{{ {'all': 'Every mail.'}[choice] }}", ["Every", "mail"]),
        ("{% trans %}It is over.{% endtrans %} {{ _('So it is.') }} {{ 'a' if b == 'over' }}", []),
        ("  deadline.{{ kind }}=48h, zone=Europe/Brussels", []),
    ],
)
def test_a_word_that_no_translation_reaches_is_found(source: str, words: list[str]) -> None:
    assert unmarked(source) == words
