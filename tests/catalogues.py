"""The lists of what there is to translate, and what has been: ``python -m tests.catalogues`` brings them up to date.

A package with templates has a folder ``locale``: its list (``.pot``) and a file a language (``.po``). Nothing in
them changes but texts: no dates, no names of people, no numbers of lines, and an order that follows the sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
LANGUAGES: Final = ("nl", "fr", "de", "zh_Hant")
"""All that are translated into; English stands in the sources."""

_METHODS: Final = {".j2": "jinja2", ".py": "python"}
_OPTIONS: Final = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false", "trim_blocks": "true"}
_PERSONAL: Final = (
    *(b'"Generated-By', b'"Language-Team', b'"Last-Translator', b'"PO-Revision-Date', b'"POT-Creation-Date'),
    *(b'"Project-Id-Version', b'"Report-Msgid-Bugs-To'),
)
"""Lines of a header that say who and when: that is known to the repository."""


@dataclass(frozen=True, slots=True)
class Home:
    """A package with texts: `sources` are the files or folders with them, below the root."""

    folder: Path
    name: str
    sources: tuple[str, ...]

    @property
    def list(self) -> Path:
        """The file with all that there is to translate."""
        return self.folder / f"{self.name}.pot"

    def file(self, language: str) -> Path:
        """The file with what has been translated into `language`."""
        return self.folder / f"{language}.po"


HOMES: Final = (
    Home(ROOT / "pbem/locale", "host", ("templates", "pbem")),
    Home(ROOT / "engine/bloody_inn/locale", "inn", ("engine/bloody_inn",)),
)


def template(home: Home) -> Catalog:
    """All texts of a package, in the order of its files and within them."""
    catalog = Catalog(
        fuzzy=False, header_comment=f"# What there is to translate: make catalogues writes {home.list.name} anew."
    )
    for path in _files(home):
        for _, text, comments, context in _texts(path):
            place = [(path.relative_to(ROOT).as_posix(), None)]
            catalog.add(text, None, place, auto_comments=comments, context=context)  # type: ignore[arg-type]
    return catalog


def _files(home: Home) -> Iterator[Path]:
    for source in home.sources:
        yield from sorted(path for path in (ROOT / source).rglob("*") if path.suffix in _METHODS)


def _texts(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    with path.open("rb") as source:
        yield from extract(_METHODS[path.suffix], source, DEFAULT_KEYWORDS, ["Translators:"], _OPTIONS)


def translated(home: Home, language: str) -> Catalog:
    """What the file of `language` says; an empty one where there is none yet."""
    path = home.file(language)
    if not path.exists():
        return Catalog(language, fuzzy=False)
    with path.open("rb") as lines:
        return read_po(lines, locale=language)


def up_to_date(home: Home, language: str, texts: Catalog) -> Catalog:
    """What has been translated, in the order of `texts`; a text that is like an old one gets its words, as fuzzy."""
    catalog = translated(home, language)
    catalog.update(texts, update_header_comment=False)
    name = Locale.parse(language).english_name
    catalog.header_comment = f"# {name} texts of {home.name}. How to translate: docs/translating.md"
    return catalog


def as_written(catalog: Catalog) -> bytes:
    """`catalog` as a file."""
    out = BytesIO()
    write_po(out, catalog, width=100, ignore_obsolete=True, include_previous=True, include_lineno=False)
    return b"".join(line for line in out.getvalue().splitlines(keepends=True) if not line.startswith(_PERSONAL))


def words(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """A text as a catalogue holds it, one by one: itself, or its singular and plurals."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def main() -> None:
    """Write every list and every file of a language anew, and say how much is left to do."""
    for home in HOMES:
        texts = template(home)
        home.folder.mkdir(exist_ok=True)
        home.list.write_bytes(as_written(texts))
        for language in LANGUAGES:
            catalog = up_to_date(home, language, texts)
            home.file(language).write_bytes(as_written(catalog))
            left = sum(message.fuzzy or not all(words(message.string)) for message in catalog if message.id)
            print(f"{home.file(language).relative_to(ROOT)}: {len(catalog)} texts, {left} to translate")


if __name__ == "__main__":
    main()
