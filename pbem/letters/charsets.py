"""Bytes to text, whatever the sender says about his bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Final

# Names as senders use them: the superset is what they mean, and it reads every text of the narrower set.
_MEANT: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "gb_2312-80": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "big5-tw": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "us-ascii": "ascii",
    "ansi_x3.4-1968": "ascii",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
}
_WIDE: Final = frozenset({"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "hz", "iso2022_kr"})
"""Encodings in which ASCII bytes do not mean themselves: their declaration is believed."""
_MULTIBYTE: Final = _WIDE | {"gb18030", "big5hkscs", "cp932", "iso2022_jp_ext", "cp949", "utf-8", "euc_jp"}
_NO_CHARSET: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined"})
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ISO_2022_JP: Final = re.compile(rb"\x1b\$[@B(]|\x1b\([BJI]")
_HALF: Final = re.compile("[\ud800-\udfff]")
"""What UTF-7 and a few others let through, and what no text may hold that is stored or sent."""
_ENOUGH: Final = 4
"""So many characters beyond ASCII that are valid UTF-8 by chance have not been seen in another encoding."""


def codec(name: str | None) -> str | None:
    """The Python codec that reads what senders call `name`; None when nobody knows it."""
    if not name:
        return None
    plain = name.strip().strip("\"'").lower()[:40]
    try:
        found = codecs.lookup(_MEANT.get(plain, plain)).name
        b"a".decode(found, "replace")  # refuses codecs such as base64 and rot13, which name no character set
    except (LookupError, ValueError):
        return None
    return found if found not in _NO_CHARSET else None


def decoded(data: bytes, declared: str | None = None) -> str:
    """The text of `data`. Never raises; what cannot be read becomes U+FFFD, half a pair of UTF-16 too."""
    return _HALF.sub("\ufffd", _read(data, declared))


def _read(data: bytes, declared: str | None) -> str:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data.decode(name, "replace")
    for name in _candidates(data, codec(declared)):
        try:
            return data.decode(name)
        except UnicodeError:
            continue
    return data.decode(codec(declared) or _guessed(data), "replace")


def _candidates(data: bytes, declared: str | None) -> Iterator[str]:
    """Codecs to try strictly, the most believable first."""
    if declared is not None and declared in _WIDE:
        yield declared
    if _ISO_2022_JP.search(data):
        yield "iso2022_jp_ext"
    if declared not in _MULTIBYTE or declared == "utf-8" or _surely_utf8(data):
        yield "utf-8"
    if declared:
        yield declared
    yield "utf-8"
    yield _guessed(data)


def _surely_utf8(data: bytes) -> bool:
    try:
        text = data.decode("utf-8")
    except UnicodeError:
        return False
    return len(data) - len(text) >= 2 * _ENOUGH


def _guessed(data: bytes) -> str:
    """A codec for 8-bit text of which nothing is known: the one whose text looks most like a language."""
    sample = data[:4096]
    return max(_GUESSES, key=lambda name: _likelihood(sample, name))


_GUESSES: Final = ("cp1252", "gb18030", "big5hkscs", "cp932", "koi8_r", "cp1251")
_USUAL: Final = {
    "gb18030": re.compile("[\u4e00-\u9fff\u3000-\u3002\uff01-\uff1f]"),
    "big5hkscs": re.compile("[\u4e00-\u9fff\u3000-\u3002\uff01-\uff1f]"),
    "cp932": re.compile("[\u3041-\u3096\u30a1-\u30fa]"),
    "koi8_r": re.compile("[\u0430-\u044f\u0451]"),
    "cp1251": re.compile("[\u0430-\u044f\u0451]"),
    "cp1252": re.compile("(?<![\u00c0-\u00ff])[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff](?![\u00c0-\u00ff])"),
}
# The first planes of the Chinese sets hold the characters of daily use, ordered by sound or strokes.
_DAILY: Final = {
    "gb18030": re.compile(rb"[\xb0-\xd7][\xa1-\xfe]"),
    "big5hkscs": re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xfe]"),
}


def _likelihood(sample: bytes, name: str) -> float:
    """The share of characters beyond ASCII that this codec would make usual ones."""
    text = sample.decode(name, "ignore")
    beyond = [char for char in text if char > "\x7f"]
    if not beyond:
        return 0.0
    usual = len(_USUAL[name].findall(text)) / len(beyond)
    if daily := _DAILY.get(name):
        usual = min(usual, len(daily.findall(sample)) / len(beyond))
    return usual
