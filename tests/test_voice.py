"""How templates of a game become the two forms of a mail."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path

import pytest

from engine.bloody_inn import GAME
from pbem.render.catalogue import spoken
from pbem.render.voice import Voice


def test_what_the_text_has_put_into_words_stands_escaped_in_the_html(tmp_path: Path) -> None:
    """And it is put into words once, so that both forms cannot differ."""
    asked: list[str] = []

    def remark(name: str) -> str:
        asked.append(name)
        return f"for {name}"

    (tmp_path / "orders.txt.j2").write_text('{% set said = remark(name) %}PASS ({{ said }}){% set _hidden = "x" %}')
    (tmp_path / "orders.html.j2").write_text("<b>PASS</b> ({{ said }}){{ _hidden is defined }}")
    text, html = Voice(tmp_path, None).pair("orders", {"name": "Bob & Co", "remark": remark})
    assert text == "PASS (for Bob & Co)"
    assert html == "<b>PASS</b> (for Bob &amp; Co)False"
    assert asked == ["Bob & Co"]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("由 %(name)s 主持。", "Anna", "由 Anna 主持。"),
        ("由 %(name)s 主持。", "小明", "由小明主持。"),
        ("由 %(name)s 主持。", "小明 2", "由小明 2 主持。"),
        ("寫「加入 %(name)s 開始」", "小明", "寫「加入 小明 開始」"),
        ("%(name)s hosts, 主持 it.", "小明", "小明 hosts, 主持 it."),
    ],
)
def test_chinese_stands_apart_from_a_value_that_is_not_chinese_alone(text: str, name: str, said: str) -> None:
    gettext = spoken(NullTranslations())["gettext"]
    assert gettext(False, text, name=name) == said
    assert gettext(True, text, name=f"<{name}>") == text % {"name": f"&lt;{name}&gt;"}


PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "%(name)s waits."
msgstr "%(name)s wacht <nu>."

msgid "%(num)s room, 50 %%"
msgid_plural "%(num)s rooms, 50 %%"
msgstr[0] "%(num)s kamer, 50 %%"
msgstr[1] "%(num)s kamers, 50 %%"

msgctxt "a day"
msgid "May"
msgstr "mei"

#, fuzzy
msgid "Closed"
msgstr "Open"
"""
SENTENCES = """
{% trans name=name %}
  {{ name }}
  waits.
{% endtrans %}

{% for n in (1, 2) %}
{% trans num=n %}{{ num }} room, 50 %{% pluralize %}{{ num }} rooms, 50 %{% endtrans %}

{% endfor %}
{{ pgettext("a day", "May") }} {{ _("May") }} {{ _("Closed") }} {{ language }}
"""


@pytest.fixture
def dutch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Voice]:
    """Voices with SENTENCES as text and as HTML, and a game of its own with PO as its Dutch."""
    (tmp_path / "translated" / "locale").mkdir(parents=True)
    (tmp_path / "translated" / "templates").mkdir()
    (tmp_path / "translated" / "__init__.py").touch()
    (tmp_path / "translated" / "locale" / "nl.po").write_text(PO, "utf-8")
    for form in ("txt", "html"):
        (tmp_path / f"said.{form}.j2").write_text(SENTENCES, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = type(GAME)()
    game.package = "translated"  # type: ignore[misc]
    return lambda language: Voice(tmp_path, game, language)


def test_a_text_is_said_in_the_language_and_a_fuzzy_or_missing_one_in_english(dutch: Callable[[str], Voice]) -> None:
    said = dutch("nl").text("said.txt.j2", {"name": "Bob & Co"}).split("\n")
    assert said == ["Bob & Co wacht <nu>.", "1 kamer, 50 %", "2 kamers, 50 %", "mei May Closed nl"]


def test_a_language_without_a_file_is_english(dutch: Callable[[str], Voice]) -> None:
    said = dutch("fr").text("said.txt.j2", {"name": "Bob & Co"}).split("\n")
    assert said == ["Bob & Co waits.", "1 room, 50 %", "2 rooms, 50 %", "May May Closed fr"]


def test_what_stands_in_a_translation_is_escaped_in_html_where_it_was_filled_in(dutch: Callable[[str], Voice]) -> None:
    said = dutch("nl").text("said.html.j2", {"name": "Bob & Co"}).split("\n")
    assert said[:2] == ["Bob &amp; Co wacht <nu>.", "1 kamer, 50 %"]
