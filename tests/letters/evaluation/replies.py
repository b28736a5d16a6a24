"""Which replies there are: every program in every language, each with another text, another mail, another form."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from pbem.letters import normalised
from tests.letters.evaluation.clients import ANYWHERE, EVERYWHERE, SOMEWHERE, Client, Parts, of_program
from tests.letters.evaluation.material import ADDRESS, ANSWERED, ME, SCRIPTS, Answered, Case, answered, typed
from tests.letters.evaluation.wording import programs, wordings

OTHERS: Final = "others"
"""The programs of ``programs.toml`` in the table."""
PLACES: Final = ("top", "bottom", "top", "inline", "top")
FORMS: Final = ("both", "html", "text", "both", "html")
CHARSETS: Final[Mapping[str, str]] = {
    "ja": "iso-2022-jp",
    "zh_Hans": "gb18030",
    "zh_Hant": "big5",
    "ru": "koi8-r",
    "pl": "iso-8859-2",
    "cs": "windows-1250",
    "tr": "iso-8859-9",
    "vi": "utf-8",
}
"""What people there still write in; elsewhere windows-1252."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply and what is in it."""

    name: str
    client: str
    language: str
    raw: bytes
    own: tuple[str, ...]
    """What its sender wrote, in plain characters, without rows of dashes."""
    mail: Answered
    """What it answers."""
    needs_sent: bool
    """Own text and quotation look alike; only who knows the mail that is answered can tell them apart."""


def replies() -> Iterator[Reply]:
    """All of them, always the same."""
    numbers = count()
    for language in wordings():
        for client, shape in EVERYWHERE.items():
            yield _reply(next(numbers), client, shape, language)
        for client, (shape, languages) in SOMEWHERE.items():
            if language in languages.split():
                yield _reply(next(numbers), client, shape, language)
    for name, program in programs().items():
        yield _reply(next(numbers), OTHERS, of_program(program), program.language, name)


def _reply(number: int, client: str, shape: Client, language: str, program: str = "") -> Reply:
    mail = answered(ANSWERED[number % len(ANSWERED)])
    place = PLACES[number % len(PLACES)] if client in ANYWHERE else "top"
    # HTML is quoted as a whole: nobody writes into a table.
    form = "text" if program or place == "inline" else FORMS[number // len(SCRIPTS) % len(FORMS)]
    case = Case(wordings()[language], mail, typed(number, wordings()[language], mail), place)
    parts = shape(case)
    charset = CHARSETS.get(language, "windows-1252") if number % 4 == 3 else "utf-8"
    return Reply(
        name=f"{language}/{program or client}/{place}/{form}/{number}",
        client=client,
        language=language,
        raw=_mail(parts, form, charset, number, mail),
        own=tuple(line for line in map(normalised, case.typed) if line.strip("-")),
        mail=mail,
        needs_sent=place != "top" and not parts.marked,
    )


def _mail(parts: Parts, form: str, charset: str, number: int, mail: Answered) -> bytes:
    flowed = "; format=flowed" if parts.flowed else ""
    text = _part(f"text/plain; charset={charset}{flowed}", parts.text, charset, number)
    html = _part(f"text/html; charset={charset}", parts.html, charset, number + 1)
    if form == "both":
        body = b"--b1\n" + text + b"\n--b1\n" + html + b"\n--b1--\n"
        body = b'Content-Type: multipart/alternative; boundary="b1"\n\n' + body
    else:
        body = text if form == "text" else html
    return _head(number, mail) + body


def _head(number: int, mail: Answered) -> bytes:
    return (
        f"From: Anna <{ME}>\nTo: Play by email <{ADDRESS}>\nSubject: Re: {mail.subject}\n"
        f"Date: Thu, 3 Dec 2026 10:{number % 60:02}:00 +0100\nMessage-ID: <reply-{number}@example.net>\n"
        "In-Reply-To: <state@play.example.org>\nReferences: <state@play.example.org>\nMIME-Version: 1.0\n"
    ).encode()


def _part(kind: str, text: str, charset: str, number: int) -> bytes:
    """One part with its headers; in UTF-8 where the charset cannot say all of it."""
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        kind, data = kind.replace(charset, "utf-8"), text.encode()
    encoding, encoded = _encoded(data, number)
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + encoded


def _encoded(data: bytes, number: int) -> tuple[str, bytes]:
    if number % 3 == 0:
        return "base64", base64.encodebytes(data)
    if number % 3 == 1:
        return "quoted-printable", quopri.encodestring(data)
    return "8bit", data
