"""HTML mail as lines, with what the markup knows of each: quoted, signature, or nothing.

One pass over the parser's events, no tree and no recursion: 256 kB take well under a second however they are nested.
Structures that quote without saying so (Outlook) become the lines that the same client writes in plain text, so that
one cutter serves both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree  # type: ignore[import-untyped]

from pbem.letters.body import Line, Reason

MAX_HTML: Final = 256 * 1024
"""Characters of HTML that are read."""
RULE: Final = "_" * 32
"""What Outlook writes in plain text above the headers of the mail it quotes."""
DIVIDER: Final = "-----Original Message-----"


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


_HIDDEN_TAGS: Final = _tags("head style script title template noscript object iframe svg select option")
_BLOCKS: Final = _tags(
    "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr "
    "html li main nav ol p pre section table tbody tfoot thead tr ul"
)
_VOID: Final = _tags("area base br col embed hr img input link meta param source track wbr")
_CELLS: Final = _tags("td th")
_BREAKING: Final = _BLOCKS | {"br"}
_RULES: Final = {"divider": DIVIDER, "hr": RULE}
_NOTHING: Final = frozenset({None})
# What classes, ids and names say, in lower case: client by client.
_MARKS: Final[Mapping[str, str]] = {
    "gmail_attr": "attribution",
    "moz-cite-prefix": "attribution",
    "protonmail_quote_header": "attribution",
    "yahoo_quoted": "quoted",
    "moz-email-headers-table": "quoted",
    "isreplycontent": "quoted",  # 163
    "name=quote": "quoted",  # GMX, web.de
    "quoted-content": "quoted",
    "gmail_signature": "signature",
    "moz-signature": "signature",
    "k9mail-signature": "signature",
    "protonmail_signature_block": "signature",
    "ms-outlook-mobile-signature": "signature",
    "ms-outlook-ios-signature": "signature",
    "composer_signature": "signature",  # Samsung
    "applemailsignature": "signature",
    "yahoo-signature": "signature",
    "xmail-signature": "signature",  # QQ
    "signature": "signature",  # Outlook on the web
    "divrplyfwdmsg": "divider",
    "appendonsend": "divider",
    "mail-editor-reference-message-container": "divider",
    "zwchr": "divider",  # Zimbra
}
# Yahoo sets a hash before the names that it finds in what it shows.
_HASHED: Final = re.compile(r"(?<!\S)ydp[0-9a-f]{8}")
_MARKING: Final = ("class", "id", "data-marker", "data-smartmail")
_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STYLES: Final[Mapping[str, re.Pattern[str]]] = {
    "hidden": re.compile(r"(?:^|;)(?:display:none|visibility:hidden|mso-hide:all)"),
    "quoted": re.compile(r"(?:^|;)border-left:[^;]*(?:solid|dotted|dashed)"),
    "divider": re.compile(r"^border:none;border-top:solid[#\w.]{1,24};padding:3"),
    "verbatim": re.compile(r"(?:^|;)white-space:(?:pre|break)"),
}
_TAGS: Final[Mapping[str, str]] = {"blockquote": "quoted", "pre": "verbatim", **dict.fromkeys(_HIDDEN_TAGS, "hidden")}


@dataclass(frozen=True, slots=True)
class _Frame:
    """What holds inside an open element."""

    told: Reason | None = None
    hidden: bool = False
    verbatim: bool = False


class _Reader:
    """Collects lines from the parser's events (the interface is lxml's parser target)."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._tags: list[str] = []
        self._frames = [_Frame()]
        self._text: list[str] = []
        self._told: Reason | None = None
        self._begun = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if tag in _BREAKING:
            self._break(forced=tag == "br")
        traits = _traits(tag, attributes)
        outer = self._frames[-1]
        if rule := _RULES.get("divider" if "divider" in traits else tag):
            self._emit(rule)
        elif tag in _CELLS:
            self._text.append("  ")
        if tag not in _VOID:
            self._tags.append(tag)
            self._frames.append(_inside(outer, traits) if traits else outer)

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in _BLOCKS:
            self._break()
        if tag == "p":
            self._emit("")
        if self._tags and self._tags[-1] == tag:
            self._tags.pop()
            self._frames.pop()

    def data(self, text: str) -> None:
        """Text between tags."""
        frame = self._frames[-1]
        if frame.hidden:
            return
        if not frame.verbatim:
            self._add(_SPACE.sub(" ", text), frame)
            return
        first, *more = text.split("\n")
        self._add(first, frame)
        for line in more:
            self._break(forced=True)
            self._add(line, frame)

    def comment(self, text: str) -> None:
        """Comments say nothing to a reader."""

    def close(self) -> list[Line]:
        """All lines."""
        self._break()
        return self.lines

    def _add(self, text: str, frame: _Frame) -> None:
        if not self._begun and text.strip():
            self._told, self._begun = frame.told, True
        self._text.append(text)

    def _emit(self, text: str) -> None:
        frame = self._frames[-1]
        if not frame.hidden:
            self.lines.append(Line(text, frame.told))

    def _break(self, forced: bool = False) -> None:
        if forced or self._begun:
            self.lines.append(Line("".join(self._text).strip(" "), self._told))
        self._text.clear()
        self._told, self._begun = None, False


def _traits(tag: str, attributes: Mapping[str, str]) -> Set[str | None]:
    """What an element's tag, names and style say of what is in it."""
    said = {_TAGS.get(tag)}
    if not attributes:
        return said - _NOTHING
    names = _HASHED.sub("", " ".join(attributes.get(key, "") for key in _MARKING).lower()).split()
    said.update(_MARKS.get(name) for name in (*names, f"name={attributes.get('name', '').lower()}"))
    if style := _SPACE.sub("", attributes.get("style", "")[:1_000].lower()):
        said.update(trait for trait, pattern in _STYLES.items() if pattern.search(style))
    if "hidden" in attributes:
        said.add("hidden")
    return said - _NOTHING


_TOLD: Final = {"quoted": Reason.QUOTE, "attribution": Reason.ATTRIBUTION, "signature": Reason.SIGNATURE}


def _inside(outer: _Frame, traits: Set[str | None]) -> _Frame:
    told = next((reason for trait, reason in _TOLD.items() if trait in traits), None)
    return _Frame(
        told=outer.told if outer.told is Reason.QUOTE else told or outer.told,
        hidden=outer.hidden or "hidden" in traits,
        verbatim=outer.verbatim or "verbatim" in traits,
    )


def html_lines(html: str) -> list[Line]:
    """The visible text of an HTML mail, line by line as a reader sees it. Never raises; at most `MAX_HTML` are read."""
    reader = _Reader()
    parser: Any = etree.HTMLParser(target=reader, encoding="utf-8", huge_tree=True)
    try:
        parser.feed(_ILLEGAL.sub("", html[:MAX_HTML]).encode())
        lines: list[Line] = parser.close()
    except etree.LxmlError:
        lines = reader.close()
    return lines
