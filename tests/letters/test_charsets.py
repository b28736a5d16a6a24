# ruff: noqa: RUF001  (texts in many scripts)
"""Character sets declared right, wrong, unknown or not at all, in bodies and in headers."""

from __future__ import annotations

import base64
import codecs

import pytest

from pbem.letters import normalised, read_letter
from pbem.letters.charsets import decoded
from pbem.letters.headers import decoded_words
from tests.letters.shapes import mail, read

CHINESE = "我想把男爵埋在安娜的地窖里，然后过牌"
TRADITIONAL = "我想把男爵埋在安娜的地窖裡，然後過牌"
RUSSIAN = "Похоронить барона под амбаром Анны, потом пас"
JAPANESE = "男爵をアンナの地下室に埋めて、それからパスします"
GERMAN = "Über den Größten Äpfeln liegt für Anna Müller ein Schlüssel"

# name: (text, its real encoding, what the sender declares)
BODIES: dict[str, tuple[str, str, str | None]] = {
    "utf-8": (CHINESE, "utf-8", "utf-8"),
    "utf-8 with its mark": (GERMAN, "utf-8-sig", "utf-8"),
    "gb2312 that is gb18030": ("镕" + CHINESE, "gb18030", "gb2312"),
    "gbk": (CHINESE, "gbk", "gbk"),
    "big5": (TRADITIONAL, "big5", "big5"),
    "iso-2022-jp": (JAPANESE, "iso2022_jp", "iso-2022-jp"),
    "shift_jis": (JAPANESE, "cp932", "shift_jis"),
    "euc-kr": ("남작을 안나의 지하실에", "cp949", "euc-kr"),
    "koi8-r": (RUSSIAN, "koi8_r", "koi8-r"),
    "windows-1251": (RUSSIAN, "cp1251", "windows-1251"),
    "windows-1252 called latin-1": ("“Anna’s” – €", "cp1252", "iso-8859-1"),
    "iso-8859-15": ("Grüße für 5 €", "iso8859_15", "iso-8859-15"),
    "utf-7": (GERMAN, "utf-7", "utf-7"),
    "utf-16": (GERMAN, "utf-16", "utf-16"),
    "utf-8 called us-ascii": (CHINESE, "utf-8", "us-ascii"),
    "utf-8 called latin-1": (GERMAN, "utf-8", "iso-8859-1"),
    "utf-8 called gb2312": (CHINESE, "utf-8", "gb2312"),
    "latin-1 called utf-8": (GERMAN, "cp1252", "utf-8"),
    "latin-1 called us-ascii": (GERMAN, "cp1252", "us-ascii"),
    "an unknown name": (CHINESE, "utf-8", "x-unknown-8bit"),
    "no name of a character set": (GERMAN, "utf-8", "base64"),
    "nothing declared, utf-8": (RUSSIAN, "utf-8", None),
    "nothing declared, windows-1252": (GERMAN, "cp1252", None),
    "nothing declared, gb18030": (CHINESE, "gb18030", None),
    "nothing declared, big5": (TRADITIONAL, "big5", None),
    "nothing declared, koi8-r": (RUSSIAN, "koi8_r", None),
    "nothing declared, windows-1251": (RUSSIAN, "cp1251", None),
    "nothing declared, shift_jis": (JAPANESE, "cp932", None),
    "nothing declared, iso-2022-jp": (JAPANESE, "iso2022_jp", None),
    "an unknown name, koi8-r": (RUSSIAN, "koi8_r", "cyrillic-or-so"),
}


@pytest.mark.parametrize(("text", "real", "declared"), BODIES.values(), ids=BODIES)
def test_a_body_is_read_whatever_its_sender_says_of_it(text: str, real: str, declared: str | None) -> None:
    charset = f"; charset={declared}" if declared else ""
    encoded = base64.encodebytes(f"PASS\n{text}\n".encode(real)).decode()
    assert read(mail(encoded, f"text/plain{charset}", "base64")).own == ("PASS", normalised(text))


def test_every_codec_of_the_language_may_be_declared() -> None:
    data = bytes(range(256))
    for name in (*codecs_known(), "", "\0", "x" * 500, "utf-8\n", "../etc"):
        assert isinstance(decoded(data, name), str)


def codecs_known() -> set[str]:
    import encodings.aliases

    return set(encodings.aliases.aliases) | set(encodings.aliases.aliases.values())


def test_bytes_that_no_encoding_has_become_replacement_characters() -> None:
    assert "\ufffd" in decoded(b"PASS \xff\xfe\xfd", "utf-8") or decoded(b"PASS \xff\xfe\xfd", "utf-8").startswith(
        "PASS"
    )
    assert decoded(codecs.BOM_UTF8 + b"PASS \xff") == "PASS \ufffd"


def words(text: str, charset: str, at: int) -> str:
    """Two encoded words cut at a byte, also in the middle of a character."""
    data = text.encode(charset)
    return " ".join(f"=?{charset}?B?{base64.b64encode(piece).decode()}?=" for piece in (data[:at], data[at:]))


HEADERS: dict[str, tuple[str, str]] = {
    "plain": ("Re: x", "Re: x"),
    "Q": ("=?utf-8?Q?Gr=C3=BC=C3=9Fe_an_Anna?=", "Grüße an Anna"),
    "B": ("=?UTF-8?B?w5xiZXI=?= Anna", "Über Anna"),
    "cut in a character": (words("Re: 安娜的牌", "utf-8", 8), "Re: 安娜的牌"),
    "cut in a character, gbk": (words("Re: 安娜的牌", "gbk", 5), "Re: 安娜的牌"),
    "two charsets": ("=?utf-8?Q?=C3=BC?= =?iso-8859-1?Q?=FC?=", "üü"),
    "a language": ("=?utf-8*de?Q?=C3=BC?=", "ü"),
    "an unknown charset": ("=?x-nobody?Q?Anna?=", "Anna"),
    "no padding": ("=?utf-8?B?w5xiZXI?=", "Über"),
    "spaces inside": ("=?utf-8?Q?An na?=", "An na"),
    "none after all": ("=?utf-8?Q?Anna", "=?utf-8?Q?Anna"),
    "emoji": ("=?utf-8?B?8J+OsiBBbm5h?=", "🎲 Anna"),
    "line ends and other controls": ("=?utf-8?Q?a=0D=0Ab=00c=07d?=", "a  b c d"),
    "half a character": ("=?utf-7?Q?+2AA-?=", "\ufffd"),
    "between texts": ("a =?utf-8?Q?b?= c", "a b c"),
}


@pytest.mark.parametrize(("raw", "text"), HEADERS.values(), ids=HEADERS)
def test_encoded_words_are_read_as_meant(raw: str, text: str) -> None:
    assert decoded_words(raw) == text
    assert read_letter(f"Subject: {raw}\n\nPASS".encode()).subject == text


def test_headers_of_eight_bits_without_mime_are_read() -> None:
    for charset in ("utf-8", "gb18030", "cp1252"):
        text = CHINESE if charset == "gb18030" else GERMAN
        letter = read_letter(b"Subject: " + text.encode(charset) + b"\nFrom: M\xc3\xbcller <m@x.org>\n\nPASS")
        assert letter.subject == text
        assert letter.sender == "m@x.org"


def test_a_folded_header_is_one_line() -> None:
    assert read_letter(b"Subject: Re: [inn-7] Round\r\n 3, night\r\n\r\nPASS").subject == "Re: [inn-7] Round 3, night"


LINES: dict[str, tuple[str, str]] = {
    "spaces": ("PASS\u00a0\u2003LAUNDER\u3000\t10 ", "PASS LAUNDER 10"),
    "zero width": ("P\u200bA\u200cS\u200dS\u2060\ufeff", "PASS"),
    "soft hyphen": ("laun\u00adder", "launder"),
    "direction marks": ("\u202ePASS\u202c", "PASS"),
    "tag characters": ("PASS\U000e0041", "PASS"),
    "quotes": ("Anna\u2019s \u201ccellar\u201d \u00abbarn\u00bb", 'Anna\'s "cellar" "barn"'),
    "dashes": ("a \u2013 b \u2014 c \u2212 d", "a - b - c - d"),
    "full width": ("\uff30\uff21\uff33\uff33\uff0c\uff11\uff10\uff1a\uff08\uff03\uff09", "PASS,10:(#)"),
    "ellipsis": ("wait\u2026", "wait..."),
    "composed": ("cafe\u0301", "caf\u00e9"),
    "control characters": ("PA\x00SS\x07\x9f", "PASS"),
    "an emoji made of three stays one": ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
}


@pytest.mark.parametrize(("line", "plain"), LINES.values(), ids=LINES)
def test_typographic_input_is_the_same_as_plain(line: str, plain: str) -> None:
    assert normalised(line) == plain
    assert normalised(plain) == plain
