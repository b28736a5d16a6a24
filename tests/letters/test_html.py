# ruff: noqa: E501  (mails as clients write them)
"""Mails in HTML only, in the shapes of many clients."""

from __future__ import annotations

import base64

import pytest

from pbem.letters import Kind, Reason, read_letter, shown_text
from tests.letters.shapes import STATE, mail, read

STATE_HTML = "".join(f"<div>{line or '<br>'}</div>" for line in STATE.splitlines())
HEADERS = (
    "<b>From:</b> The Inn &lt;inn@example.org&gt;<br><b>Sent:</b> Monday, November 30, 2026 10:00 AM<br>"
    "<b>To:</b> Anna<br><b>Subject:</b> [inn-7] Round 3"
)
OWN = ("BURY novice UNDER barn", "PASS")

# What clients make of two typed lines over (or between) a quoted mail.
CLIENTS: dict[str, str] = {
    "gmail": (
        '<div dir="ltr"><div>BURY novice UNDER barn</div><div>PASS</div></div><br>'
        '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">Op ma 30 nov 2026 om 10:00 '
        'schreef The Inn &lt;<a href="mailto:inn@example.org">inn@example.org</a>&gt;:<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc">{STATE_HTML}</blockquote></div>'
    ),
    "gmail between": (
        '<div dir="ltr"><div class="gmail_quote"><div class="gmail_attr">On Mon wrote:<br></div>'
        f'<blockquote class="gmail_quote">{STATE_HTML}</blockquote><div>BURY novice UNDER barn</div>'
        f'<blockquote class="gmail_quote">{STATE_HTML}</blockquote><div><br></div><div>PASS </div></div></div>'
    ),
    "gmail with signature": (
        '<div dir="ltr">BURY novice UNDER barn<br>PASS<br clear="all"><div><br></div><span class="gmail_signature_prefix">'
        '-- </span><br><div class="gmail_signature">RESIGN<br>KILL baron</div></div><br><div class="gmail_quote">'
        f'<div class="gmail_attr">On Mon wrote:</div><blockquote class="gmail_quote">{STATE_HTML}</blockquote></div>'
    ),
    "gmail forward": (
        '<div dir="ltr">BURY novice UNDER barn<br>PASS<div class="gmail_quote"><div class="gmail_attr">---------- '
        f"Forwarded message ---------<br>From: x</div>{STATE_HTML}</div></div>"
    ),
    "apple mail": (
        '<html><body style="overflow-wrap: break-word;">BURY novice UNDER barn<div>PASS<br><div><br><blockquote type="cite">'
        f"<div>On 30 Nov 2026, at 10:00, The Inn &lt;inn@example.org&gt; wrote:</div><br><div>{STATE_HTML}</div>"
        "</blockquote></div><br></div></body></html>"
    ),
    "iphone": (
        "<html><body dir=auto>BURY novice UNDER barn<div>PASS<br><br><div dir=ltr>Verstuurd vanaf mijn iPhone</div>"
        "<div dir=ltr><br><blockquote type=cite>Op 30 nov 2026 om 10:00 heeft The Inn het volgende geschreven:<br><br>"
        f"</blockquote></div><blockquote type=cite><div dir=ltr>{STATE_HTML}</div></blockquote></div></body></html>"
    ),
    "outlook desktop": (
        "<html><head><style>p.MsoNormal {margin:0}</style></head><body lang=EN-GB><div class=WordSection1>"
        "<p class=MsoNormal>BURY novice UNDER barn<o:p></o:p></p><p class=MsoNormal>PASS<o:p></o:p></p>"
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in "
        f"0in 0in'><p class=MsoNormal>{HEADERS}<o:p></o:p></p></div>{STATE_HTML}</div></body></html>"
    ),
    "outlook desktop with a blue bar": (
        "<p class=MsoNormal>BURY novice UNDER barn</p><div style='border:none;border-left:solid blue 1.5pt;padding:0cm 0cm "
        f"0cm 4.0pt'><p class=MsoNormal>{HEADERS}</p>{STATE_HTML}</div><p class=MsoNormal>PASS</p>"
    ),
    "outlook on the web": (
        '<div class="elementToProof">BURY novice UNDER barn</div><div class="elementToProof">PASS</div><div id="Signature">'
        '<p>KILL baron</p></div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{HEADERS}</font><div>&nbsp;</div></div>'
        f"<div><div>{STATE_HTML}</div></div>"
    ),
    "outlook on a phone": (
        '<div dir="auto">BURY novice UNDER barn</div><div dir="auto">PASS</div><div id="ms-outlook-mobile-signature" '
        'dir="auto"><div><br></div>Outlook voor iOS downloaden</div><hr><div id="divRplyFwdMsg"><b>Van:</b> The Inn '
        f"&lt;inn@example.org&gt;<br><b>Verzonden:</b> maandag 30 november 2026 10:00</div>{STATE_HTML}"
    ),
    "thunderbird": (
        '<p>BURY novice UNDER barn</p>\n<p>PASS<br>\n</p><div class="moz-cite-prefix">Am 30.11.26 um 10:00 schrieb The Inn:'
        f'<br></div><blockquote type="cite" cite="mid:state@example.org">{STATE_HTML}</blockquote>'
        '<pre class="moz-signature" cols="72">-- \nRESIGN</pre>'
    ),
    "thunderbird plain quote": (
        '<div class="moz-cite-prefix">On 30/11/2026 10:00, The Inn wrote:<br></div><blockquote type="cite"><pre '
        f'class="moz-quote-pre" wrap="">{STATE}</pre></blockquote><p>BURY novice UNDER barn</p><p>PASS</p>'
    ),
    "yahoo": (
        '<div class="ydp1 yahoo-style-wrap"><div dir="ltr">BURY novice UNDER barn</div><div>PASS</div></div>'
        '<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted yahoo_quoted"><div>On Monday, November 30, 2026, 10:00 AM, '
        f"The Inn &lt;inn@example.org&gt; wrote:</div><div><br></div><div>{STATE_HTML}</div></div>"
    ),
    "gmx": (
        '<div>BURY novice UNDER barn</div><div>PASS<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; '
        'border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 30. November 2026 um '
        f'10:00 Uhr<br/><b>Von:</b>&nbsp;"The Inn"</div><div name="quoted-content">{STATE_HTML}</div></div></div></div>'
    ),
    "proton": (
        '<div style="font-family: Arial">BURY novice UNDER barn</div><div>PASS</div><div class="protonmail_signature_block">'
        '<div>Sent with Proton Mail secure email.</div></div><div class="protonmail_quote">On Monday, November 30th, 2026 at '
        f'10:00, The Inn &lt;inn@example.org&gt; wrote:<br><blockquote type="cite">{STATE_HTML}</blockquote></div>'
    ),
    "k-9": (
        '<!DOCTYPE html><html><body>BURY novice UNDER barn<br>PASS<div class="k9mail-signature">-- <br>Sent from my Android '
        'device with K-9 Mail.</div><br><div class="gmail_quote">On 30 November 2026 10:00:00 CET, The Inn &lt;inn@example.'
        f'org&gt; wrote:<blockquote class="gmail_quote">{STATE_HTML}</blockquote></div></body></html>'
    ),
    "qq": (
        '<div>BURY novice UNDER barn</div><div>PASS</div><div><br></div><div style="font-size: 12px;padding:2px 0 2px 0;">'
        '------------------&nbsp;原始邮件&nbsp;------------------</div><div style="font-size: 12px;background:#efefef;">'
        '<div><b>发件人:</b>&nbsp;"The Inn"&lt;inn@example.org&gt;;</div><div><b>发送时间:</b>&nbsp;2026年11月30日</div>'
        f"<div><b>主题:</b>&nbsp;[inn-7]</div></div>{STATE_HTML}"
    ),
    "163": (
        '<div style="line-height:1.7"><div>BURY novice UNDER barn</div><div>PASS</div><p>At 2026-11-30 10:00:00, "The Inn" '
        '&lt;inn@example.org&gt; wrote:</p><blockquote id="isReplyContent" style="BORDER-LEFT: #ccc 1px solid">'
        f"{STATE_HTML}</blockquote></div>"
    ),
    "samsung": (
        '<html><body><div dir="auto">BURY novice UNDER barn</div><div dir="auto">PASS</div><div id="composer_signature" '
        'dir="auto"><div>Verzonden vanaf mijn Galaxy</div></div><div dir="auto"><br></div><div>-------- Oorspronkelijk '
        "bericht --------</div><div>Van: The Inn &lt;inn@example.org&gt; </div><div>Datum: 30-11-2026  10:00  (GMT+01:00) "
        f"</div><div>Aan: anna@example.net </div><div>Onderwerp: [inn-7] </div><div><br></div>{STATE_HTML}</body></html>"
    ),
    "zimbra": (
        '<div>BURY novice UNDER barn</div><div>PASS</div><hr id="zwchr" data-marker="__DIVIDER__"><div><b>De: </b>The Inn'
        f"<br><b>À: </b>Anna<br><b>Envoyé: </b>Lundi 30 Novembre 2026 10:00<br></div>{STATE_HTML}"
    ),
    "plain markup": "BURY novice UNDER barn<br>\nPASS",
    "paragraphs": "<p>BURY\n   novice\nUNDER barn</p><p>PASS</p>",
    "a table": "<table><tr><td>BURY novice</td><td>UNDER barn</td></tr><tr><td>PASS</td></tr></table>",
    "a list": "<ol><li>BURY novice UNDER barn</li><li><b>PA</b>SS</li></ol>",
    "things that nobody sees": (
        "<head><title>KILL baron</title><style>KILL baron</style></head><div style='display: none'>KILL baron</div>"
        "BURY novice UNDER barn<!-- KILL baron --><script>KILL baron</script><div hidden>KILL baron</div><br>PASS"
    ),
    "tags left open": "<div><b>BURY novice UNDER barn<p>PASS",
    "non-breaking and invisible": "BURY&nbsp;novice&#8203; UNDER&nbsp; barn<br>P&shy;ASS",
}


@pytest.mark.parametrize("sent", [None, STATE], ids=["sent-unknown", "sent-known"])
@pytest.mark.parametrize("html", CLIENTS.values(), ids=CLIENTS)
def test_the_typed_lines_of_an_html_mail_are_read_and_no_others(html: str, sent: str | None) -> None:
    encoded = base64.encodebytes(html.encode()).decode()
    assert read(mail(encoded, "text/html; charset=utf-8", "base64"), sent).own == OWN


FRAMED = STATE_HTML.replace(
    "<div>SINCE", '<div style="border-left:4px solid #8c2318">NOT DONE KILL baron</div><div>SINCE'
)


def test_a_frame_in_the_quoted_mail_does_not_make_the_lines_above_it_answers() -> None:
    html = (
        "<div>BURY novice UNDER barn</div><div>PASS</div>"
        "<div>On Monday, 30 November 2026, The Inn &lt;inn@example.org&gt; wrote:</div>"
        f"{FRAMED}"
    )
    assert read(mail(html, "text/html; charset=utf-8")).own == OWN


def test_names_that_yahoo_has_hashed_are_known() -> None:
    html = f'<div>BURY novice UNDER barn</div><div>PASS</div><div class="ydp7e8f9a0byahoo_quoted">{STATE_HTML}</div>'
    assert read(mail(html, "text/html; charset=utf-8")).own == OWN


def test_an_answer_inside_outlooks_unmarked_html_quote_is_read_when_the_sent_mail_is_known() -> None:
    inner = STATE_HTML.replace("<div>THE INN</div>", "<div>PASS</div><div>THE INN</div>")
    html = f'<div>BURY novice UNDER barn</div><div id="divRplyFwdMsg">{HEADERS}</div>{inner}'
    raw = mail(html, "text/html; charset=utf-8")
    assert read(raw).own == OWN[:1]
    assert read(raw, STATE).own == OWN


def test_a_quotation_of_our_html_form_is_known_by_what_that_form_shows() -> None:
    ours = (
        b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nTHE INN\n--b\n"
        b"Content-Type: text/html\n\n<h1>The inn</h1><p>You may, for example</p><table><tr><td>PASS</td><td>do nothing"
        b"</td></tr><tr><td>KILL baron</td><td>in room 2</td></tr></table><p>and more</p>\n--b--\n"
    )
    html = (
        f'<div>BURY novice UNDER barn</div><div id="divRplyFwdMsg">{HEADERS}</div><h1>The inn</h1><p>You may, for example'
        "</p><table><tr><td>PASS</td><td>do nothing</td></tr><tr><td>KILL baron</td><td>in room 2</td></tr></table>"
        "<p>PASS</p><p>and more</p>"
    )
    assert read(mail(html, "text/html"), shown_text(ours)).own == OWN


def test_what_markup_quotes_is_ignored_with_its_reason() -> None:
    html = "PASS<blockquote>KILL baron</blockquote><div class='gmail_signature'>Anna</div>"
    found = read(mail(html, "text/html"))
    assert [(line.line, line.reason) for line in found.ignored] == [
        ("KILL baron", Reason.QUOTE),
        ("Anna", Reason.SIGNATURE),
    ]


def test_html_that_calls_itself_plain_text_is_read_as_html() -> None:
    letter = read_letter(mail("<html><body><div>PASS</div></body></html>"))
    assert letter.body.kind is Kind.HTML
    assert read(mail("<html><body><div>PASS</div></body></html>")).own == ("PASS",)
