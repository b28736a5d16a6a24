"""Containers: which part is read, and what is said of a mail that holds no text."""

from __future__ import annotations

import base64

import pytest

from pbem.letters import Cap, Kind, Problem, Reason, own_text, read_head, read_letter
from tests.letters.shapes import mail, read


def parts(*pieces: str, kind: str = "mixed", end: str = "--b--\n", boundary: str = "b") -> bytes:
    """A multipart mail of pieces that hold their own headers."""
    body = "".join(f"--{boundary}\n{piece}\n" for piece in pieces) + end
    return mail(body, f'multipart/{kind}; boundary="{boundary}"', "7bit")


PLAIN = "Content-Type: text/plain\n\nPASS"
HTML = "Content-Type: text/html\n\n<p>PASS</p><p>KILL baron</p>"
FILE = "Content-Type: text/plain\nContent-Disposition: attachment; filename=orders.txt\n\nKILL baron"
PICTURE = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo="
INVITE = "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR"
WINMAIL = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+IgAA"
FORWARDED = "Content-Type: message/rfc822\n\nFrom: x@example.org\nSubject: y\n\nKILL baron"
SIGNATURE = "Content-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----"
RELATED = f'Content-Type: multipart/related; boundary="c"\n\n--c\n{HTML}\n--c\n{PICTURE}\n--c--'
ALTERNATIVE = f'Content-Type: multipart/alternative; boundary="d"\n\n--d\n{PLAIN}\n--d\n{RELATED}\n--d--'

READABLE: dict[str, bytes] = {
    "text and html that differ": parts(PLAIN, HTML, kind="alternative"),
    "html first": parts(HTML, PLAIN, kind="alternative"),
    "text and html in a mixed": parts(PLAIN, HTML),
    "an alternative in a mixed, with a picture": parts(ALTERNATIVE, PICTURE),
    "a text file attached": parts(PLAIN, FILE),
    "a forwarded mail attached": parts(PLAIN, FORWARDED),
    "a forwarded mail before the text": parts(FORWARDED, PLAIN),
    "signed with PGP/MIME": parts(PLAIN, SIGNATURE, kind='signed; protocol="application/pgp-signature"'),
    "signed, an alternative inside": parts(ALTERNATIVE, SIGNATURE, kind="signed"),
    "an invitation beside the text": parts(PLAIN, INVITE),
    "winmail.dat beside the text": parts(PLAIN, WINMAIL),
    "a boundary with strange characters": parts(
        PLAIN, HTML, kind="alternative", boundary="=_(.*)+?'", end="--=_(.*)+?'--\n"
    ),
    "text before and after the parts": mail(
        f"KILL baron\n--b\n{PLAIN}\n--b--\nKILL baron\n", "multipart/mixed; boundary=b"
    ),
    "an inner boundary left open": parts(ALTERNATIVE.removesuffix("--d--"), PICTURE),
    "no content type": b"Subject: x\n\nPASS",
    "no header at all": b"\nPASS\n",
    "no blank line under the headers": b"Subject: x\nPASS\n",
    "a content type that is none": mail("PASS", "text", "7bit"),
    "an encoding that is none": mail("PASS", "text/plain", "rot13"),
    "quoted-printable with soft breaks": mail("PA=\nSS=20", "text/plain", "quoted-printable"),
    "base64 torn and dirty": mail(base64.b64encode(b"PASS\n").decode()[:-1] + "!", "text/plain", "base64"),
    "the only part has a name": mail("PASS", 'text/plain; name="mail.txt"'),
    "CR LF throughout": parts(PLAIN, HTML, kind="alternative").replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("raw", READABLE.values(), ids=READABLE)
def test_one_text_is_read_and_no_other(raw: bytes) -> None:
    letter = read_letter(raw)
    assert letter.problem is None
    assert own_text(letter.body).own == ("PASS",)


PROBLEMS: dict[str, tuple[bytes, Problem]] = {
    "nothing": (b"", Problem.EMPTY),
    "headers only": (b"Subject: x\n\n", Problem.EMPTY),
    "blank lines": (mail("\n  \n\u00a0\n"), Problem.EMPTY),
    "empty parts": (parts("Content-Type: text/plain\n\n", "Content-Type: text/html\n\n<p></p>"), Problem.EMPTY),
    "a calendar invitation": (parts(INVITE), Problem.ONLY_ATTACHMENT),
    "winmail.dat": (parts(WINMAIL), Problem.ONLY_ATTACHMENT),
    "a picture": (mail("iVBORw0KGgo=", "image/png", "base64"), Problem.ONLY_ATTACHMENT),
    "an attached text": (parts(FILE), Problem.ONLY_ATTACHMENT),
    "a forwarded mail": (parts(FORWARDED), Problem.ONLY_ATTACHMENT),
    "encrypted": (parts("Content-Type: application/pgp-encrypted\n\nVersion: 1", kind="encrypted"), Problem.ENCRYPTED),
    "S/MIME, encrypted": (
        mail("MIIB", "application/pkcs7-mime; smime-type=enveloped-data", "base64"),
        Problem.ENCRYPTED,
    ),
    "no closing boundary": (parts(PLAIN, HTML, kind="alternative", end=""), Problem.INCOMPLETE),
    "cut within the first part": (parts(PLAIN, end=""), Problem.INCOMPLETE),
    "no boundary at all": (mail("PASS", "multipart/mixed"), Problem.INCOMPLETE),
    "the boundary never comes": (mail("PASS", "multipart/mixed; boundary=b"), Problem.INCOMPLETE),
}


@pytest.mark.parametrize(("raw", "problem"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_mail_without_readable_text_says_what_it_is_and_nothing_of_it_is_read(raw: bytes, problem: Problem) -> None:
    letter = read_letter(raw)
    assert letter.problem is problem
    assert own_text(letter.body).own == ()


def test_text_on_both_sides_of_a_picture_is_one_text() -> None:
    assert read(parts(PLAIN, PICTURE, "Content-Type: text/plain\n\nLODGE 3")).own == ("PASS", "LODGE 3")


def test_a_plain_part_that_only_points_to_the_html_is_passed_over() -> None:
    stand_in = "Content-Type: text/plain\n\nYour mail client does not show HTML."
    assert read(parts(stand_in, HTML, kind="alternative")).own == ("PASS", "KILL baron")


def _opaque(inner: bytes, indefinite: bool) -> bytes:
    """A signedData around `inner`, as far as a reader of its content looks."""
    data = bytes.fromhex("06092a864886f70d010701")
    signed = bytes.fromhex("06092a864886f70d010702")
    if indefinite:
        half = len(inner) // 2
        chunks = b"".join(b"\x04" + bytes([len(piece)]) + piece for piece in (inner[:half], inner[half:]))
        content = b"\x30\x80" + data + b"\xa0\x80\x24\x80" + chunks + b"\0\0" * 3
    else:
        octets = b"\x04" + bytes([len(inner)]) + inner
        content = b"\x30\x7f" + data + b"\xa0" + bytes([len(octets)]) + octets
    return b"\x30\x80" + signed + b"\xa0\x80\x30\x80\x02\x01\x01\x31\x00" + content


@pytest.mark.parametrize("indefinite", [False, True], ids=["DER", "BER"])
def test_a_mail_inside_an_opaque_s_mime_signature_is_read(indefinite: bool) -> None:
    inner = b"Content-Type: text/plain\r\n\r\nPASS\r\n"
    encoded = base64.encodebytes(_opaque(inner, indefinite)).decode()
    raw = mail(encoded, "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "base64")
    assert read(raw).own == ("PASS",)


FLOWED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a paragraph is one line": ("BURY count UNDER \ncellar\nPASS\n", "", ("BURY count UNDER cellar", "PASS")),
    "DelSp": ("BURY co \nunt UNDER cellar\nPASS\n", "; delsp=yes", ("BURY count UNDER cellar", "PASS")),
    "two lines are two": ("PASS\nLODGE 1\n", "", ("PASS", "LODGE 1")),
    "quotes flow by themselves": ("> KILL \n> baron\nPASS\n> > KILL \n> x\n", "", ("PASS",)),
    "a quote mark that was stuffed is one all the same": (" > PASS\n", "", ()),
    "a signature does not flow": ("PASS\n-- \nRESIGN\n", "", ("PASS",)),
    "stuffed From": (" From here on\n", "", ("From here on",)),
}


@pytest.mark.parametrize(("text", "delsp", "own"), FLOWED.values(), ids=FLOWED)
def test_flowed_text_is_put_together_as_it_was_typed(text: str, delsp: str, own: tuple[str, ...]) -> None:
    assert read(mail(text, f"text/plain; format=flowed{delsp}")).own == own


def test_the_caps_name_themselves_and_what_lies_within_is_read() -> None:
    deep = PLAIN
    for level in range(20):
        deep = f'Content-Type: multipart/mixed; boundary="l{level}"\n\n--l{level}\n{deep}\n--l{level}--'
    cases = {
        Cap.TEXT: mail("PASS\n" + "x\n" * 5 + ("y" * 900 + "\n") * 100),
        Cap.LINES: mail("PASS\n" + "x\n" * 3_000),
        Cap.HTML: mail("<p>PASS</p>" + "<p>x</p>" * 40_000, "text/html"),
        Cap.PARTS: parts(PLAIN, *[PICTURE] * 200),
        Cap.DEPTH: parts(PLAIN, deep),
    }
    for cap, raw in cases.items():
        letter = read_letter(raw)
        assert cap in letter.body.caps, cap
        assert own_text(letter.body).own[0] == "PASS"


def test_a_mail_within_the_caps_names_none() -> None:
    assert read_letter(mail("PASS\n" * 1_999)).body.caps == ()
    assert read_letter(mail("y" * 900 + "\n" + "PASS")).body.caps == ()


def test_a_mail_too_large_to_fetch_still_says_who_sent_it() -> None:
    letter = read_head(b"From: Anna <anna@example.net>\r\nSubject: Re: [inn-7] x\r\nMessage-ID: <1@x>\r\n\r\n")
    assert (letter.problem, letter.sender, letter.message_id) == (Problem.TOO_LARGE, "anna@example.net", "<1@x>")
    assert letter.body.kind is Kind.NONE


def test_lines_of_a_pgp_wrapping_are_told_so() -> None:
    text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nPASS\n-----BEGIN PGP SIGNATURE-----\nabc\n"
    assert {ignored.reason for ignored in read(mail(text)).ignored} == {Reason.ARMOUR}
