"""What a sender promises: one connection a batch, a receipt for each parcel, and the right one to blame."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.config import Smtp
from pbem.errors import Trouble
from pbem.mailbox import Outcome, Parcel
from pbem.mailbox.smtp import SmtpSender, outcome_of
from pbem.mailbox.smtp_session import stuffed
from tests.mailbox.samples import unix
from tests.servers.fixtures import DovecotMail, MailServer, Post, ServerPost, Users
from tests.servers.smtp_sink import SmtpSink

HOST_ADDRESS = "inn@example.org"
RAW = b"From: inn@example.org\r\nSubject: your turn\r\n\r\nhello\r\n.\r\n..two dots\r\n"


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        (b"", b"\r\n.\r\n"),
        (b"a\r\nb\r\n", b"a\r\nb\r\n.\r\n"),
        (b"a\r\nb", b"a\r\nb\r\n.\r\n"),
        (b".\r\n", b"..\r\n.\r\n"),
        (b"a\r\n.\r\n..\r\n.b.\r\nc.\r\n", b"a\r\n..\r\n...\r\n..b.\r\nc.\r\n.\r\n"),
    ],
)
def test_no_line_of_a_mail_is_taken_for_its_end(raw: bytes, data: bytes) -> None:
    assert stuffed(raw) == data


@pytest.mark.parametrize(
    ("code", "text", "outcome"),
    [
        (250, "2.0.0 Where it should have said 354", Outcome.RETRY),
        (-1, "no reply at all", Outcome.RETRY),
        (421, "4.3.2 Closing", Outcome.RETRY),
        (450, "4.2.0 Greylisted, come again", Outcome.RETRY),
        (450, "4.1.1 Unverified for now", Outcome.RETRY),
        (452, "4.2.2 Over quota", Outcome.RETRY),
        (550, "5.1.1 User unknown", Outcome.BAD_ADDRESS),
        (550, "5.1.2 No such domain", Outcome.BAD_ADDRESS),
        (501, "5.1.3 Bad address syntax", Outcome.BAD_ADDRESS),
        (550, "5.1.6 Moved away", Outcome.BAD_ADDRESS),
        (556, "5.1.10 Null MX", Outcome.BAD_ADDRESS),
        (550, "<bert@example.net>: 5.1.1 in the middle of the text", Outcome.BAD_ADDRESS),
        (550, "5.1.7 The sender's address is bad", Outcome.HOST_TROUBLE),
        (550, "5.1.8 The sender's domain is bad", Outcome.HOST_TROUBLE),
        (552, "5.2.2 Over quota", Outcome.HOST_TROUBLE),
        (552, "5.3.4 Mail too large", Outcome.TOO_LARGE),
        (552, "5.2.3 Your message exceeded Google's message size limits", Outcome.TOO_LARGE),
        (552, "Message size exceeds fixed limit", Outcome.TOO_LARGE),
        (554, "Message is too big", Outcome.TOO_LARGE),
        (552, "Exceeded storage allocation", Outcome.HOST_TROUBLE),
        (552, "Mailbox full", Outcome.HOST_TROUBLE),
        (550, "5.4.5 Daily sending quota exceeded", Outcome.HOST_TROUBLE),
        (550, "5.7.1 Refused by policy: user unknown to our whitelist", Outcome.HOST_TROUBLE),
        (530, "5.7.0 Authentication required", Outcome.HOST_TROUBLE),
        (554, "5.7.1 Spam", Outcome.HOST_TROUBLE),
        (550, "No such user here", Outcome.BAD_ADDRESS),
        (550, "User unknown in virtual mailbox table", Outcome.BAD_ADDRESS),
        (550, "Mailbox not found", Outcome.BAD_ADDRESS),
        (550, "Unknown local recipient", Outcome.BAD_ADDRESS),
        (553, "address does not exist", Outcome.BAD_ADDRESS),
        (550, "Rejected because 192.0.2.1 is on a block list", Outcome.HOST_TROUBLE),
        (554, "No such user, but said in the wrong place", Outcome.HOST_TROUBLE),
        (571, "Delivery not authorized", Outcome.HOST_TROUBLE),
    ],
)
def test_a_reply_about_the_recipient_blames_him_only_where_his_address_is_bad(
    code: int, text: str, outcome: Outcome
) -> None:
    assert outcome_of(code, text, about_recipient=True) is outcome


def test_a_size_that_is_refused_before_the_mail_is_sent_is_of_that_mail() -> None:
    assert outcome_of(552, "5.3.4 Message size exceeds fixed limit", about_recipient=False) is Outcome.TOO_LARGE


@pytest.mark.parametrize("text", ["5.1.1 User unknown", "5.1.0 Sender refused", "No such user", "5.7.1 Policy"])
def test_a_reply_about_the_sender_never_blames_the_recipient(text: str) -> None:
    assert outcome_of(550, text, about_recipient=False) is Outcome.HOST_TROUBLE


def parcel(to: str, raw: bytes = RAW) -> Parcel:
    return Parcel(HOST_ADDRESS, to, raw)


def outcomes(settings: Smtp, *recipients: str) -> list[tuple[Outcome, int]]:
    receipts = SmtpSender(settings).send(parcel(to) for to in recipients)
    return [(receipt.outcome, receipt.code) for receipt in receipts]


def test_an_accepted_mail_lies_in_the_mailbox_byte_for_byte(post: Post, new_address: Callable[[Users], str]) -> None:
    anna = new_address(post)
    (receipt,) = post.sender(anna).send([parcel(anna)])
    assert (receipt.parcel, receipt.outcome) == (parcel(anna), Outcome.ACCEPTED)
    (raw,) = inbox_of(post, anna)
    assert unix(raw).endswith(unix(RAW))


def test_a_mail_with_bare_line_feeds_arrives_with_proper_line_ends(
    mail_server: MailServer, new_address: Callable[[Users], str]
) -> None:
    anna = new_address(mail_server)
    list(SmtpSender(mail_server.smtp(anna)).send([parcel(anna, b"Subject: a\n\nb\r\nc\rd\n")]))
    assert inbox_of(ServerPost(mail_server), anna)[0].endswith(b"Subject: a\r\n\r\nb\r\nc\r\nd\r\n")


def test_eight_bit_text_arrives_as_it_was_sent(post: Post, new_address: Callable[[Users], str]) -> None:
    anna, raw = new_address(post), "Subject: é\r\n\r\nVicomte enterré, 旅館\r\n".encode()
    list(post.sender(anna).send([parcel(anna, raw)]))
    assert unix(inbox_of(post, anna)[0]).endswith(unix(raw))


def test_a_plus_address_reaches_its_owner_whatever_its_case(post: Post, new_address: Callable[[Users], str]) -> None:
    anna = new_address(post)
    list(post.sender(anna).send([parcel(anna.replace("@", "+k7d2m4@").upper())]))
    assert len(inbox_of(post, anna)) == 1


def test_an_address_that_nobody_has_holds_nobody_else_up(
    mail_server: MailServer, new_address: Callable[[Users], str]
) -> None:
    anna = new_address(mail_server)
    assert outcomes(mail_server.smtp(anna), "nobody@example.org", anna) == [
        (Outcome.BAD_ADDRESS, 550),
        (Outcome.ACCEPTED, 250),
    ]


@pytest.mark.parametrize("address", ["anna\r\nRSET@example.org", "anna@\nexample.org"])
def test_a_line_break_in_an_address_goes_nowhere(post: Post, new_address: Callable[[Users], str], address: str) -> None:
    (receipt,) = post.sender(new_address(post)).send([parcel(address)])
    assert (receipt.outcome, receipt.code) == (Outcome.BAD_ADDRESS, 0)


def inbox_of(post: Post, address: str) -> list[bytes]:
    """All that lies in a user's inbox."""
    with post.inbox(address) as inbox:
        return [arrival.raw for arrival in inbox.fetch(100) if arrival.raw is not None]


@pytest.fixture
def sink(dovecot_mail: DovecotMail, fresh_sink: SmtpSink, new_address: Callable[[Users], str]) -> Smtp:
    """Where the sender of these tests connects to."""
    assert dovecot_mail.sink is fresh_sink
    return dovecot_mail.smtp(new_address(dovecot_mail))


@pytest.mark.slow
def test_a_batch_takes_one_connection_and_an_empty_one_none(
    sink: Smtp, fresh_sink: SmtpSink, dovecot_mail: DovecotMail, new_address: Callable[[Users], str]
) -> None:
    people = [new_address(dovecot_mail) for _ in range(5)]
    assert outcomes(sink, *people) == [(Outcome.ACCEPTED, 250)] * 5
    assert fresh_sink.connections == 1
    assert [each.envelope_to for each in fresh_sink.received] == people
    assert outcomes(sink) == []
    assert fresh_sink.connections == 1


@pytest.mark.slow
def test_one_refusal_leaves_the_others_alone(
    sink: Smtp, fresh_sink: SmtpSink, dovecot_mail: DovecotMail, new_address: Callable[[Users], str]
) -> None:
    anna, bert, clara, dora = (new_address(dovecot_mail) for _ in range(4))
    fresh_sink.refuse(anna, "450 4.2.0 Come again later")
    fresh_sink.refuse(bert, "550 5.1.1 User unknown")
    fresh_sink.refuse(clara, "550 5.4.5 Daily quota exceeded")
    assert outcomes(sink, anna, bert, clara, dora) == [
        (Outcome.RETRY, 450),
        (Outcome.BAD_ADDRESS, 550),
        (Outcome.HOST_TROUBLE, 550),
        (Outcome.ACCEPTED, 250),
    ]
    assert fresh_sink.connections == 1


@pytest.mark.slow
def test_a_refused_sender_is_the_hosts_trouble(sink: Smtp, fresh_sink: SmtpSink) -> None:
    fresh_sink.refuse(HOST_ADDRESS, "550 5.1.1 Who is that")
    assert outcomes(sink, sink.user) == [(Outcome.HOST_TROUBLE, 550)]


@pytest.mark.slow
def test_a_lost_connection_costs_one_mail_a_retry_and_the_rest_goes_out(
    sink: Smtp, fresh_sink: SmtpSink, dovecot_mail: DovecotMail, new_address: Callable[[Users], str]
) -> None:
    anna, bert, clara = (new_address(dovecot_mail) for _ in range(3))
    fresh_sink.hang_up_on(bert)
    assert outcomes(sink, anna, bert, clara) == [(Outcome.ACCEPTED, 250), (Outcome.RETRY, 0), (Outcome.ACCEPTED, 250)]
    assert fresh_sink.connections == 2


@pytest.mark.slow
def test_a_server_that_says_goodbye_at_a_recipient_is_asked_anew_for_the_next(
    sink: Smtp, fresh_sink: SmtpSink, dovecot_mail: DovecotMail, new_address: Callable[[Users], str]
) -> None:
    anna, bert = new_address(dovecot_mail), new_address(dovecot_mail)
    fresh_sink.refuse(anna, "421 4.7.0 Too many mails on one connection")
    assert outcomes(sink, anna, bert) == [(Outcome.RETRY, 421), (Outcome.ACCEPTED, 250)]
    assert fresh_sink.connections == 2


@pytest.mark.slow
def test_a_refused_login_sends_nothing_and_gives_no_receipt(sink: Smtp, fresh_sink: SmtpSink) -> None:
    wrong = sink.model_copy(update={"user": "nobody@example.org"})
    with pytest.raises(Trouble):
        list(SmtpSender(wrong).send([parcel(sink.user)]))
    assert fresh_sink.received == []
