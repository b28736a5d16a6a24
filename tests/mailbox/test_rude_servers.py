"""Servers that answer slowly, wrongly, with BYE, with 4xx and 5xx, or with half a mail: one line for the keeper, no
mail lost, none made up, and nobody waits for ever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

import pytest
from pydantic import SecretStr

from pbem.config import Imap, Security, Smtp
from pbem.errors import LoginRefused, MailboxTrouble, Trouble, Unreachable
from pbem.mailbox import Outcome, Parcel, Receipt
from pbem.mailbox.checkup import imap_checkup
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.smtp import SmtpSender
from tests.servers.rude import Answer, Ends, Hangs, RudeServer, Script, Slowly

pytestmark = pytest.mark.slow

PATIENCE: Final = timedelta(seconds=0.5)
MAIL: Final = "Subject: Hello\r\n\r\nPASS\r\n"
WHOLE: Final = (
    f'* 1 FETCH (UID 1 INTERNALDATE "01-Dec-2026 12:00:00 +0000" RFC822.SIZE {len(MAIL)}'
    f" BODY[]<0> {{{len(MAIL)}}}\r\n{MAIL})\r\n{{tag}} OK done\r\n"
)
OPENED: Final = "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] life\r\n* OK [UIDNEXT 2] next\r\n{tag} OK [READ-WRITE] selected\r\n"
IMAP: Final[Script] = {
    "": "* OK [CAPABILITY IMAP4rev1] ready\r\n",
    "CAPABILITY": "* CAPABILITY IMAP4rev1\r\n{tag} OK done\r\n",
    "LOGIN": "{tag} OK logged in\r\n",
    "SELECT": OPENED,
    "NOOP": "{tag} OK done\r\n",
    "UID SEARCH": "* SEARCH 1\r\n{tag} OK done\r\n",
    "UID FETCH 1": WHOLE,
    "UID FETCH": "{tag} OK done\r\n",
    "UID STORE": "{tag} OK done\r\n",
    "LOGOUT": "* BYE\r\n{tag} OK done\r\n",
}
"""A server that behaves, with one mail."""
SMTP: Final[Script] = {
    "": "220 ready\r\n",
    "EHLO": "250-rude\r\n250 AUTH PLAIN\r\n",
    "AUTH": "235 2.7.0 welcome\r\n",
    "MAIL": "250 2.1.0 yes\r\n",
    "RCPT": "250 2.1.5 yes\r\n",
    "DATA": "354 go on\r\n",
    ".": "250 2.0.0 taken\r\n",
    "QUIT": "221 bye\r\n",
    "RSET": "250 2.0.0 yes\r\n",
}
EHLO: Final = {
    "one command at a time": "250-rude\r\n250 AUTH PLAIN\r\n",
    "pipelining": "250-rude\r\n250-PIPELINING\r\n250 AUTH PLAIN\r\n",
}
BOTH_WAYS: Final = pytest.mark.parametrize("ehlo", EHLO.values(), ids=EHLO)
NONSENSE: Final = "\x00\xff{nothing} that anybody \r\nwould (say\r\n"


@contextmanager
def inbox(changed: Mapping[str, Answer]) -> Iterator[tuple[ImapInbox, RudeServer]]:
    """An inbox at a server that behaves but for what is `changed`; not yet opened."""
    with RudeServer({**IMAP, **changed}, tagged=True) as server:
        settings = Imap(port=server.port, handled_folder="", **_settings())
        yield ImapInbox(settings, 100_000), server


def _settings() -> dict[str, Any]:
    user = {"host": "localhost", "security": Security.NONE, "user": "inn", "password": SecretStr("open sesame")}
    return {**user, "timeout": PATIENCE}


def is_one_line(trouble: Trouble) -> bool:
    return "\n" not in str(trouble) and "open sesame" not in str(trouble)


def test_a_server_that_behaves_gives_its_mail() -> None:
    with inbox({}) as (box, _), box:
        (arrival,) = box.fetch(10)
        assert arrival.raw == MAIL.encode()
        box.done([arrival])
        assert box.fetch(10) == []


@pytest.mark.parametrize(
    ("at", "answer", "kind"),
    [
        ("", Ends("* BYE too many connections\r\n"), Unreachable),
        ("", Hangs(), Unreachable),
        ("", Ends(), Unreachable),
        ("", NONSENSE, Trouble),
        ("LOGIN", "{tag} NO [UNAVAILABLE] later\r\n", Unreachable),
        ("LOGIN", "{tag} NO wrong\r\n", LoginRefused),
        ("LOGIN", "{tag} BAD what\r\n", LoginRefused),
        ("LOGIN", Ends("* BYE going down\r\n"), Unreachable),
        ("SELECT", "{tag} NO no such folder\r\n", MailboxTrouble),
        ("SELECT", Ends("* BYE going down\r\n"), Unreachable),
        ("SELECT", Hangs("* 1 EXISTS\r\n"), Unreachable),
        ("SELECT", "{tag} OK [READ-WRITE] selected\r\n", MailboxTrouble),
        ("SELECT", NONSENSE + "{tag} OK selected\r\n", Trouble),
    ],
)
def test_a_server_that_cannot_be_opened_is_said_so_in_one_line(at: str, answer: Answer, kind: type[Trouble]) -> None:
    with inbox({at: answer}) as (box, _):
        with pytest.raises(kind) as caught:
            box.open()
        assert is_one_line(caught.value)
        box.close()


def test_a_mailbox_that_is_shut_for_imap_is_told_from_a_folder_that_is_not_there() -> None:
    shut = {"SELECT": "{tag} BAD User is authenticated but not connected.\r\n"}
    with inbox(shut) as (box, _), pytest.raises(MailboxTrouble, match="Allow IMAP for this mailbox"):
        box.open()


@pytest.mark.parametrize(
    "answer",
    [
        Ends("* BYE going down\r\n"),
        Ends(WHOLE[:-40]),
        Hangs(WHOLE[:-40]),
        Ends(),
        Hangs(),
        "{tag} NO not now\r\n",
        "{tag} BAD what\r\n",
        NONSENSE + "{tag} OK done\r\n",
        WHOLE.replace("{tag} OK done\r\n", "{tag} NO not all of it\r\n"),
    ],
    ids=[
        "bye",
        "half a mail",
        "half a mail and silence",
        "hung up",
        "silence",
        "no",
        "bad",
        "nonsense",
        "no in the end",
    ],
)
def test_a_mail_that_does_not_come_whole_is_no_mail_and_comes_when_the_server_is_well(answer: Answer) -> None:
    with inbox({"UID FETCH 1": answer}) as (box, server), box:
        with pytest.raises(Trouble) as caught:
            box.fetch(10)
        assert is_one_line(caught.value)
        server.behave("UID FETCH 1", WHOLE)
        assert [arrival.raw for arrival in box.fetch(10)] == [MAIL.encode()]


@pytest.mark.parametrize("body", ["NIL", '""'])
def test_a_mail_that_was_moved_away_meanwhile_is_no_empty_mail(body: str) -> None:
    gone = f"* 1 FETCH (UID 1 RFC822.SIZE 23 BODY[]<0> {body})\r\n{{tag}} OK done\r\n"
    with inbox({"UID FETCH 1": gone, "UID SEARCH": "* SEARCH\r\n{tag} OK done\r\n"}) as (box, _), box:
        assert box.fetch(10) == []


def test_a_server_that_says_its_lines_piece_by_piece_is_read_all_the_same() -> None:
    with inbox({"UID FETCH 1": Slowly(WHOLE)}) as (box, _), box:
        assert [arrival.raw for arrival in box.fetch(10)] == [MAIL.encode()]


@pytest.mark.parametrize("answer", [Ends("* BYE\r\n"), "{tag} NO\r\n", "{tag} BAD\r\n", Hangs(), Ends()])
def test_a_mail_that_cannot_be_marked_is_a_trouble_and_not_counted_as_done(answer: Answer) -> None:
    with inbox({"UID STORE": answer}) as (box, _), box:
        arrivals = box.fetch(10)
        with pytest.raises(Trouble):
            box.done(arrivals)
        assert box.mark is not None
        assert box.mark.uid == 0


def test_a_server_that_hangs_up_on_every_look_is_asked_twice_a_look_and_not_more() -> None:
    with inbox({"UID FETCH 1": Ends()}) as (box, server), box:
        with pytest.raises(Trouble):
            box.fetch(10)
        assert server.connections == 2


# Mail out


def sent(changed: Mapping[str, Answer], count: int = 2) -> list[Receipt]:
    """The receipts of so many mails at a server that behaves but for what is `changed`."""
    parcels = [Parcel("inn@example.org", f"guest{number}@example.org", MAIL.encode()) for number in range(count)]
    with RudeServer({**SMTP, **changed}, tagged=False) as server:
        return list(SmtpSender(Smtp(port=server.port, **_settings())).send(parcels))


@BOTH_WAYS
def test_an_smtp_server_that_behaves_takes_all(ehlo: str) -> None:
    assert [receipt.outcome for receipt in sent({"EHLO": ehlo})] == [Outcome.ACCEPTED] * 2


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        ("", "421 4.3.2 going down\r\n"),
        ("", "554 5.7.1 not you\r\n"),
        ("", Ends()),
        ("", Hangs()),
        ("", NONSENSE),
        ("EHLO", Ends("421 4.3.2 going down\r\n")),
        ("EHLO", Hangs("250-rude\r\n")),
        ("AUTH", "454 4.7.0 later\r\n"),
        ("AUTH", "535 5.7.8 wrong\r\n"),
        ("AUTH", NONSENSE),
        ("AUTH", Ends()),
    ],
)
def test_an_smtp_server_that_lets_nobody_in_is_said_so_in_one_line(at: str, answer: Answer) -> None:
    with pytest.raises(Trouble) as caught:
        sent({at: answer})
    assert is_one_line(caught.value)


@BOTH_WAYS
@pytest.mark.parametrize("at", ["MAIL", "RCPT", "DATA", "."])
@pytest.mark.parametrize(
    "answer",
    [
        "421 4.3.2 going down\r\n",
        Ends("421 4.3.2 going down\r\n"),
        "450 4.2.0 later\r\n",
        "452 4.2.2 no room\r\n",
        Ends(),
        Hangs("2"),
        NONSENSE,
    ],
    ids=["421", "421 and hung up", "450", "452", "hung up", "half a line", "nonsense"],
)
def test_what_is_not_clearly_refused_is_tried_again(at: str, answer: Answer, ehlo: str) -> None:
    assert {receipt.outcome for receipt in sent({"EHLO": ehlo, at: answer})} == {Outcome.RETRY}


@BOTH_WAYS
@pytest.mark.parametrize(
    ("at", "answer", "outcome"),
    [
        ("MAIL", "550 5.7.1 not from you\r\n", Outcome.HOST_TROUBLE),
        ("RCPT", "550 5.1.1 nobody here\r\n", Outcome.BAD_ADDRESS),
        ("RCPT", "552 5.2.2 mailbox full\r\n", Outcome.HOST_TROUBLE),
        ("DATA", "554 5.7.1 spam\r\n", Outcome.HOST_TROUBLE),
        (".", "554 5.7.1 spam\r\n", Outcome.HOST_TROUBLE),
        (".", "552 5.3.4 too large\r\n", Outcome.TOO_LARGE),
    ],
)
def test_a_refusal_for_good_is_told_apart_by_whose_fault_it_is(
    at: str, answer: Answer, outcome: Outcome, ehlo: str
) -> None:
    assert {receipt.outcome for receipt in sent({"EHLO": ehlo, at: answer})} == {outcome}


def test_a_server_that_wants_the_text_of_a_mail_without_recipient_gets_none_of_it() -> None:
    with RudeServer({**SMTP, "EHLO": EHLO["pipelining"], "RCPT": "550 5.1.1 nobody here\r\n"}, tagged=False) as server:
        list(SmtpSender(Smtp(port=server.port, **_settings())).send([Parcel("inn@example.org", "a@example.org", b"x")]))
        assert server.lines[2:] == [
            "MAIL FROM:<inn@example.org>",
            "RCPT TO:<a@example.org>",
            "DATA",
            ".",
            "rset",
            "quit",
        ]


@pytest.mark.parametrize(
    ("quotas", "share"),
    [
        ('* QUOTA "" (STORAGE 950 1000)', 0.95),
        ('* QUOTA "" (STORAGE 100 1000 MESSAGE 900 1000)', 0.9),
        ('* QUOTA "" ()', None),
        ('* QUOTA "" (STORAGE 5 0)', None),
    ],
)
def test_a_mailbox_tells_how_full_it_is(quotas: str, share: float | None) -> None:
    script: Script = {
        **IMAP,
        "CAPABILITY": "* CAPABILITY IMAP4rev1 QUOTA\r\n{tag} OK done\r\n",
        "GETQUOTAROOT": f'* QUOTAROOT INBOX ""\r\n{quotas}\r\n{{tag}} OK done\r\n',
    }
    with RudeServer(script, tagged=True) as server:
        settings = Imap(port=server.port, handled_folder="", **_settings())
        with imap_checkup(settings) as mailbox:
            assert mailbox.share_used() == share
