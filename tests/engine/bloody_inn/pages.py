"""The game's templates as a host sets them up, and what tests ask of a page."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, PrefixLoader, StrictUndefined, select_autoescape

from engine.bloody_inn import GAME
from engine.bloody_inn.actions import Action
from engine.bloody_inn.show import show
from engine.bloody_inn.state import State, View
from engine.game import Decision
from pbem.filters import filters, width
from pbem.render.catalogue import catalogue
from pbem.render.voice import remembered

COLUMNS: Final = 72
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")
AWKWARD: Final = ("<b>Eve</b>", 'O\'Neil & "Co"', "小明小明小明", "Alexandra the Great!")
"""Names that a page has to escape, measure or cut."""
SAID_IN_TEXT: Final = {f"{name}.html.j2": f"{name}.txt.j2" for name in ("hand", "orders")}
VOID: Final = {"br"}
"""Elements without an end."""


def environment(language: str = "en") -> Environment:
    """The game's templates in a language."""
    folder = Path(str(files("engine.bloody_inn"))) / "templates"
    made = Environment(
        extensions=["jinja2.ext.i18n"],
        loader=PrefixLoader({"game": FileSystemLoader(folder)}),
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(catalogue(language, GAME.package), newstyle=True)  # type: ignore[attr-defined]
    made.filters.update(filters(language))
    made.globals["remembered"] = remembered
    made.globals["show"] = show(language)
    return made


JINJA: Final = environment()


def rendered(name: str, **context: Any) -> str:
    """A page; where its last line ends is the host's affair. One in HTML says what its form in text has set."""
    if name in SAID_IN_TEXT:
        text = JINJA.get_template(f"game/{SAID_IN_TEXT[name]}")
        context |= vars(text.make_module(context))
    return JINJA.get_template(f"game/{name}").render(**context).rstrip("\n")


def macro(name: str, called: str, *facts: Any) -> str:
    """What a macro of a template gives to the host."""
    return str(getattr(JINJA.get_template(f"game/{name}").module, called)(*facts))


def seen(state: State, seat: int = 0, names: tuple[str, ...] = NAMES) -> View:
    """The view of `seat`, of everybody with 0."""
    view: View = GAME.view(state, seat or None, names[: len(state.players)])
    return view


def lines_of(view: View, actions: Iterable[Action]) -> list[tuple[str, Action]]:
    """Orders to copy, as a host hands them to a template."""
    return [(GAME.write(action, view), action) for action in actions]


def the_decision(view: View) -> Decision | None:
    """What the reader has to decide now."""
    return next((decision for decision in view.waiting if decision.seat == view.seat), None)


def unwrapped(text: str) -> str:
    return " ".join(text.split())


class Page(HTMLParser):
    """Reads HTML; knows its text, what is still open, and what was closed out of turn."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.faults += [f"{tag}: {name} without a value" for name, value in attrs if value is None]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text += data


def check_text(text: str) -> None:
    """Assert that a page fits a mail and has no blanks at the end of a line."""
    assert [line for line in text.splitlines() if width(line) > COLUMNS] == []
    assert [line for line in text.splitlines() if line != line.rstrip()] == []


def check_html(text: str) -> None:
    """Assert that every element ends in its turn and that no name of `AWKWARD` became markup."""
    page = Page(text)
    assert (page.open, page.faults) == ([], [])
    assert "<b>Eve" not in text
    assert 'O\'Neil & "Co"' not in text
    assert "&amp;lt;" not in text
