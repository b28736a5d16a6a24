"""The translations of the host's texts and of a game's, one file a language: ``locale/nl.po`` in each package.

They are read as translators write them, once a process and only when somebody reads that language: nothing
compiled can be older than its source. English is what stands in the templates and has no file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Any, Final

from markupsafe import Markup

from pbem.tongues import WIDE

_HOST: Final = "pbem"
_PERHAPS: Final = "\0"
"""A space that stands only if what is filled in beside it is not Chinese."""
_BESIDE: Final = re.compile(rf"「[^」]*」|(?<=[{WIDE}]) (?=%\(\w+\)s)|(?<=\)s) (?=[{WIDE}])")
"""Such a space in a text, or a quotation, whose orders keep theirs."""
_CLOSE: Final = re.compile(rf"(?<=[{WIDE}]){_PERHAPS}(?=[{WIDE}])")


def catalogue(language: str, package: str | None) -> NullTranslations:
    """The host's translations into `language`, and behind them those of the game in `package`.

    What has no translation stays as it is: so does all in a language that has no file.
    """
    texts = NullTranslations()
    for home in filter(None, (_HOST, package)):
        if found := _compiled(home, language):
            texts.add_fallback(GNUTranslations(BytesIO(found)))
    return texts


def forget() -> None:
    """Read all files anew when they are needed next."""
    _compiled.cache_clear()


@cache
def _compiled(package: str, language: str) -> bytes | None:
    """The file in the form that gettext reads; what is marked as fuzzy there counts as not translated."""
    source = files(package).joinpath("locale", f"{language}.po")
    if not source.is_file():
        return None
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with source.open("rb") as lines:
        write_mo(compiled, read_po(lines, locale=language))
    return compiled.getvalue()


class Phrases:
    """What templates call as ``gettext`` and its kin, with the values for its placeholders by name.

    It stands for Jinja's own new style of them, and does the same faster: it is told whether the template escapes.
    """

    __slots__ = ("_find",)

    def __init__(self, find: Callable[..., str]) -> None:
        self._find = find

    def __call__(self, escaped: bool, *texts: Any, **values: object) -> str:
        """The text in the language, filled in; as HTML, with all values escaped, if `escaped`."""
        found = self._find(*texts)
        filled = Markup(found) % values if escaped else found % values
        return type(filled)(_CLOSE.sub("", filled).replace(_PERHAPS, " ")) if _PERHAPS in filled else filled


class Plurals(Phrases):
    """The same for texts that depend on a number, which comes last; they know it as ``num`` too."""

    __slots__ = ()

    def __call__(self, escaped: bool, *texts: Any, **values: object) -> str:
        """The text in the language for that number, filled in."""
        return super().__call__(escaped, *texts, **{"num": texts[-1], **values})


def _flexible(find: Callable[..., str]) -> Callable[..., str]:
    """`find` for sentences: Chinese stands apart from Latin letters and figures alone, and a value may hold either."""

    def found(*texts: Any) -> str:
        text = find(*texts)
        return text if text.isascii() else _marked(text)

    return found


@cache
def _marked(text: str) -> str:
    return _BESIDE.sub(lambda found: _PERHAPS if found[0] == " " else found[0], text)


def spoken(texts: NullTranslations) -> dict[str, Callable[..., str]]:
    """The names under which templates know `texts`; ``translated`` is for words of a game that a value holds."""
    return {
        "translated": texts.gettext,
        "_": Phrases(_flexible(texts.gettext)),
        "gettext": Phrases(_flexible(texts.gettext)),
        "pgettext": Phrases(texts.pgettext),
        "ngettext": Plurals(_flexible(texts.ngettext)),
        "npgettext": Plurals(texts.npgettext),
    }
