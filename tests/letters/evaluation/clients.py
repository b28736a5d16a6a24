"""Mail programs: from a case to the parts of the reply that they send."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from tests.letters.evaluation import plainly
from tests.letters.evaluation.material import ADDRESS, HOST, Case
from tests.letters.evaluation.plainly import body_of, plain_of
from tests.letters.evaluation.wording import Heading, Program

RULE: Final = "_" * 32


@dataclass(frozen=True, slots=True)
class Parts:
    """What a program sends."""

    text: str
    html: str
    flowed: bool = False
    marked: bool = True
    """The quotation is marked line by line in the plain text."""


Client = Callable[[Case], Parts]


# Plain text


def marked(lines: Sequence[str], mark: str = "> ") -> list[str]:
    return [f"{mark}{line}".rstrip() for line in lines]


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    return [piece for line in lines for piece in (textwrap.wrap(line, width, break_long_words=False) or [""])]


def broken(line: str) -> list[str]:
    """As Gmail breaks a long line above the quotation: behind the bracket that opens an address, too."""
    return [piece.replace("< ", "<").rstrip() for piece in wrapped([line.replace("<", "< ")], 78)]


def placed(case: Case, above: Sequence[str], quoted: Sequence[str]) -> str:
    """The typed lines over, under or between what is quoted."""
    if case.place == "top":
        return "\n".join((*case.typed, "", *above, *quoted, ""))
    if case.place == "bottom":
        return "\n".join((*above, *quoted, "", *case.typed, ""))
    middle = len(quoted) * 2 // 3
    return "\n".join((*above, *quoted[2:middle], "", *case.typed, "", *quoted[middle:], ""))


# HTML


def divs(case: Case, attributes: str = "") -> str:
    lines = (f"<div{attributes}>{escape(line, quote=False) or '<br>'}</div>" for line in case.typed)
    return "".join(lines)


def breaks(case: Case) -> str:
    return "<br>\n".join(escape(line, quote=False) for line in case.typed)


def paragraphs(case: Case) -> str:
    lines = (escape(line, quote=False) or "&nbsp;" for line in case.typed)
    return "\n".join(f'<p class="MsoNormal">{line}<o:p></o:p></p>' for line in lines)


def either(case: Case, own: str, quotation: str) -> str:
    return f"{quotation}<br>{own}" if case.place == "bottom" else f"{own}<br>{quotation}"


def bold(heading: Heading, order: str = "from date to subject", end: str = "<br>") -> str:
    """Headers with bold labels."""
    rows = []
    for line in heading.lines(order):
        label, colon, value = line.partition(":") if ":" in line else line.partition("：")
        rows.append(f"<b>{label}{colon}</b>{escape(value, quote=False)}{end}\n")
    return "".join(rows)


# Programs


def gmail(case: Case) -> Parts:
    above = case.attribution(case.words.gmail)
    quoted = wrapped(plain_of(case.mail.html, plainly.GMAIL), 74)
    text = placed(case, [*broken(above), ""], marked(quoted))
    html = (
        f'<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{escape(above)}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);'
        f'padding-left:1ex"><div><div class="msg123">{body_of(case.mail.html)}</div></div>\n</blockquote></div>'
    )
    return Parts(text, f'<div dir="ltr">{either(case, divs(case), html)}</div>\n')


def gmail_phone(case: Case) -> Parts:
    found = gmail(case)
    above = case.attribution(case.words.gmail)
    text = placed(case, [*broken(above), ""], marked(case.mail.text.splitlines()))
    return Parts(text, found.html.replace('<div dir="ltr"><div>', '<div dir="auto"><div dir="auto">', 1))


def apple(case: Case) -> Parts:
    above = case.attribution(case.words.apple)
    quoted = marked([above, "", *plain_of(case.mail.html, plainly.APPLE)])
    html = (
        f'<div><br><blockquote type="cite"><div>{escape(above)}</div><br class="Apple-interchange-newline"><div>'
        f"{body_of(case.mail.html)}</div></blockquote></div><br>"
    )
    own = divs(case)
    head = '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
    body = f'<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">{own}'
    if case.place == "bottom":
        return Parts(placed(case, [], quoted), f"{head}<body>{html}{own}</body></html>")
    return Parts(placed(case, [""], quoted), f'{head}{body}<br id="lineBreakAtBeginningOfMessage">{html}</body></html>')


def iphone(case: Case) -> Parts:
    above = case.attribution(case.words.iphone)
    footer = case.words.iphone_footer
    quoted = marked([above, "", *("\ufeff" + case.mail.text).splitlines()])
    text = "\n".join((*case.typed, "", footer, "", *quoted, ""))
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
        f'{breaks(case)}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{escape(footer)}</div><div dir="ltr">'
        f'<br><blockquote type="cite">{escape(above)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">'
        f"\ufeff{body_of(case.mail.html)}</div></blockquote></body></html>"
    )
    return Parts(text, html)


def outlook_desktop(case: Case) -> Parts:
    heading = case.heading(case.words.outlook)
    text = placed(case, [*heading.lines(), ""], plain_of(case.mail.html, plainly.OUTLOOK))
    html = (
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{bold(heading)}<o:p></o:p></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        f"{body_of(case.mail.html)}"
    )
    page = f'<body lang="EN-US"><div class="WordSection1">{either(case, paragraphs(case), html)}</div></body>'
    style = "<head><style><!-- p.MsoNormal {margin:0cm;} --></style></head>"
    return Parts(text, f'<html xmlns:o="urn:schemas-microsoft-com:office:office">{style}{page}</html>', marked=False)


def outlook_web(case: Case) -> Parts:
    heading = case.heading(case.words.outlook)
    text = placed(case, [RULE, *heading.lines(), ""], case.mail.text.splitlines())
    html = (
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">'
        f"{bold(heading)}</font><div>&nbsp;</div></div><div>{body_of(case.mail.html)}</div>"
    )
    own = divs(case, ' class="elementToProof" style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt;"')
    return Parts(text, f'<html><body dir="ltr">{either(case, own, html)}</body></html>', marked=False)


def outlook_phone(case: Case) -> Parts:
    heading = case.heading(case.words.outlook)
    footer = f"{case.words.outlook_footer}<https://aka.ms/o0ukef>"
    text = "\n".join((*case.typed, "", footer, RULE, *heading.lines(), "", case.mail.text))
    html = (
        f'<html><body><div dir="ltr">{divs(case)}<div><br></div></div><div id="ms-outlook-mobile-signature" dir="ltr">'
        f'<a href="https://aka.ms/o0ukef">{escape(case.words.outlook_footer)}</a></div>'
        '<div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message skipProofing">'
        '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" style="font-size: 11pt;">'
        f"{bold(heading)}</div><br>{body_of(case.mail.html)}</div></body></html>"
    )
    return Parts(text, html, marked=False)


def thunderbird(case: Case) -> Parts:
    above = case.attribution(case.words.thunderbird)
    text = placed(case, [above], marked(case.mail.text.splitlines()))
    signature = "\n-- \nAnna\nPASS" if case.place != "inline" else ""
    html = (
        f'<div class="moz-cite-prefix">{escape(above)}<br></div>'
        '<blockquote type="cite" cite="mid:state@play.example.org">'
        f"{body_of(case.mail.html)}</blockquote>"
    )
    own = f"<p>{breaks(case)}</p>"
    page = f"<!DOCTYPE html><html><head></head><body>{either(case, own, html)}<br></body></html>"
    return Parts(text.rstrip("\n") + signature, page, flowed=True)


def yahoo(case: Case) -> Parts:
    above = case.attribution(case.words.yahoo)
    footer = [] if case.place == "bottom" else [case.words.yahoo_footer, ""]
    text = "\n".join((" " + case.text, "", *footer, f"    {above}  ", " ", " ", case.mail.text))
    html = (
        '<html><head></head><body><div class="ydp3a4b5c6dyahoo-style-wrap" style="font-family: Helvetica Neue;">'
        f"{divs(case, chr(32) + 'dir=' + chr(34) + 'ltr' + chr(34))}<div><br></div></div>"
        '<div id="ydp7e8f9a0byahoo_quoted_8267318726" class="ydp7e8f9a0byahoo_quoted"><div style="font-family:Arial;">'
        f"<div>{escape(above)}</div><div><br></div><div>{body_of(case.mail.html)}</div></div></div></body></html>"
    )
    return Parts(text, html, marked=False)


def gmx(case: Case) -> Parts:
    heading = case.heading(case.words.outlook)
    order = "date from to subject"
    text = "\n".join((*case.typed, " ", " ", *heading.lines(order), case.mail.text))
    html = (
        '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">'
        f'{divs(case)}<div>&nbsp;<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; '
        'padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;">'
        f'<div style="margin:0 0 10px 0;">{bold(heading, order)}</div><div name="quoted-content">'
        f"{body_of(case.mail.html)}</div></div></div></div></div></body></html>"
    )
    return Parts(text, html, marked=False)


def proton(case: Case) -> Parts:
    above = case.attribution(case.words.proton)
    footer = case.words.proton_footer
    text = "\n".join((*case.typed, "", footer, "", above, "", *marked(case.mail.text.splitlines()), ""))
    html = (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{breaks(case)}</div>'
        '<div class="protonmail_signature_block" style="font-family: Arial;">'
        '<div class="protonmail_signature_block-user protonmail_signature_block-empty"></div>'
        f'<div class="protonmail_signature_block-proton">{escape(footer)}</div>'
        f'</div><div class="protonmail_quote">{escape(above)}<br><blockquote class="protonmail_quote" type="cite">'
        f"{body_of(case.mail.html)}</blockquote><br></div>"
    )
    return Parts(text, html)


def k9(case: Case) -> Parts:
    above = case.attribution(case.words.proton)
    quoted = marked(case.mail.text.splitlines(), ">")
    footer = ["-- ", case.words.samsung_footer]
    text = "\n".join((*case.typed, *footer, "", above, *quoted, ""))
    html = (
        f'<!DOCTYPE html><html><body><div dir="auto">{breaks(case)}</div><br><br><div class="k9mail-signature">'
        f"{escape(case.words.samsung_footer)}</div><br><br>"
        f'<div class="gmail_quote"><div dir="auto">{escape(above)}</div>'
        '<blockquote class="gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid rgb(204, 204, 204); '
        f'padding-left: 1ex;">{body_of(case.mail.html)}</blockquote></div></body></html>'
    )
    return Parts(text, html)


def samsung(case: Case) -> Parts:
    heading = case.heading(case.words.samsung)
    title = f"-------- {heading.title} --------"
    above = [title, *(f"{line} " for line in heading.lines())]
    text = "\n".join((*case.typed, "", "", "", case.words.samsung_footer, "", *above, "", case.mail.text))
    rows = "".join(f"<div>{escape(line, quote=False)} </div>" for line in (title, *heading.lines()))
    html = (
        f'<html><head></head><body><div dir="auto">{divs(case)}</div><div dir="auto"><br></div>'
        f'<div id="composer_signature" dir="auto"><div style="font-size:85%;color:#575757" dir="auto">'
        f'{escape(case.words.samsung_footer)}</div></div><div dir="auto"><br></div><div align="left" dir="auto" '
        f'style="font-size:100%;color:#000000">{rows}<div><br></div></div>{body_of(case.mail.html)}</body></html>'
    )
    return Parts(text, html, marked=False)


def qq(case: Case) -> Parts:
    heading = case.heading(case.words.outlook)
    title = {"寄": "原始郵件", "发": "原始邮件"}.get(heading.sender[0], "Original")
    ruler = f"------------------ {title} ------------------"
    lines = [f"{line};" for line in heading.lines()]
    text = "\n".join((*case.typed, "", "", ruler, *lines, "", case.mail.text))
    html = (
        f"{divs(case)}<div><br></div><div><!--emptysign--></div>"
        f'<div style="font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px 0;">{ruler.replace(" ", "&nbsp;")}'
        f'</div><div style="font-size: 12px;background:#efefef;padding:8px;"><div>{bold(heading, end=";</div><div>")}'
        "</div></div>"
        f"<div><br></div>{body_of(case.mail.html)}"
    )
    return Parts(text, html, marked=False)


def netease(case: Case) -> Parts:
    above = case.attribution('在 2026-12-03 09:07:12，"{name}" <{address}> 写道：')
    text = "\n".join((*case.typed, "", "", "", above, *marked(case.mail.text.splitlines(), ">")))
    html = (
        f'<div style="line-height:1.7;color:#000000;font-size:14px;font-family:Arial">{divs(case)}<br></div>'
        f'<p>{escape(above)}</p><blockquote id="isReplyContent" style="PADDING-LEFT: 1ex; MARGIN: 0px 0px 0px 0.8ex; '
        f'BORDER-LEFT: #ccc 1px solid">{body_of(case.mail.html)}</blockquote>'
    )
    return Parts(text, html)


def becky(case: Case) -> Parts:
    above = ["On Thu, 3 Dec 2026 09:07:12 +0900", case.attribution("{name} <{address}> wrote:"), ""]
    text = placed(case, above, marked(case.mail.text.splitlines()))
    return Parts(text, f"<pre>{escape(text)}</pre>")


def fastmail(case: Case) -> Parts:
    above = case.attribution("On Thu, 3 Dec 2026, at 09:07, {name} wrote:")
    text = placed(case, [above], marked(case.mail.text.splitlines()))
    html = (
        f'<div>{escape(above)}<br></div><blockquote type="cite" id="qt" style="">{body_of(case.mail.html)}</blockquote>'
    )
    return Parts(text, f"<!DOCTYPE html><html><body>{either(case, divs(case), html)}</body></html>")


def of_program(program: Program) -> Client:
    """A program of ``programs.toml``, in plain text."""

    def shaped(case: Case) -> Parts:
        said = {"name": HOST, "address": ADDRESS, "from": f"{HOST} <{ADDRESS}>", "subject": case.mail.subject}
        above = program.above.format(**said).split("\n")
        quoted = marked(case.mail.text.splitlines(), program.mark)
        if program.torn:
            quoted = wrapped(quoted, program.torn)
        below = ("", program.below) if program.below else ()
        text = "\n".join((*case.typed, *below, "", *above, *quoted, ""))
        return Parts(text, f"<pre>{escape(text)}</pre>", marked=bool(program.mark))

    return shaped


EVERYWHERE: Final[Mapping[str, Client]] = {
    "Gmail": gmail,
    "Gmail phone": gmail_phone,
    "Apple Mail": apple,
    "iPhone": iphone,
    "Outlook desktop": outlook_desktop,
    "Outlook web": outlook_web,
    "Outlook phone": outlook_phone,
    "Thunderbird": thunderbird,
    "Yahoo": yahoo,
    "GMX, web.de": gmx,
    "Proton": proton,
    "K-9": k9,
    "Samsung": samsung,
}
"""Programs that are used in every language."""
SOMEWHERE: Final[Mapping[str, tuple[Client, str]]] = {
    "QQ": (qq, "zh_Hans zh_Hant en ja vi"),
    "163": (netease, "zh_Hans zh_Hant"),
    "Becky": (becky, "ja"),
    "Fastmail": (fastmail, "en nl sv"),
}
"""Programs that are not, with their languages."""
ANYWHERE: Final = frozenset(
    {"Gmail", "Gmail phone", "Apple Mail", "Thunderbird", "Becky", "Fastmail", "Outlook desktop", "Outlook web"}
)
"""Programs in which people write below and between what is quoted, too."""
