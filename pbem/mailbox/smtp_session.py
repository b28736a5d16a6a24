"""A connection to an SMTP server that says no more, and waits no more often, than it has to."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator, Sequence
from typing import Any, Final

Reply = tuple[int, bytes]
_GO_AHEAD: Final = 354
_CLOSING: Final = 421
_TAKEN: Final = frozenset({250, 251})


class SmtpSession(smtplib.SMTP):
    """A connection in the clear, or one that becomes private."""

    def hand_over(self, sender: str, recipient: str, mail: bytes, options: Sequence[str]) -> None:
        """Hand over a mail for one recipient, its lines ended by CRLF; errors are those of smtplib's `sendmail`.

        Where the server lets several commands be sent at once, that is one wait for it instead of three.
        """
        if self.has_extn("pipelining") and (sender + recipient).isascii():
            self._send_at_once(sender, recipient, mail, options)
        else:
            self.sendmail(sender, [recipient], mail, options)

    def data(self, msg: Any) -> Reply:
        """The server's word on the bytes `msg`, whose lines end in CRLF; an error is one of smtplib's."""
        self.putcmd("data")
        reply = self.getreply()
        if reply[0] != _GO_AHEAD:
            raise smtplib.SMTPDataError(*reply)
        return self.text(msg)

    def text(self, mail: bytes) -> Reply:
        """Send the bytes of `mail`, for which the server waits, and give its word on them.

        smtplib itself asks at each byte whether a line begins there with a dot: as long as the rest of sending takes.
        """
        self.send(stuffed(mail))
        return self.getreply()

    def _send_at_once(self, sender: str, recipient: str, mail: bytes, options: Sequence[str]) -> None:
        size = [f"SIZE={len(mail)}"] if self.has_extn("size") else []
        first = " ".join((f"MAIL FROM:<{sender}>", *size, *options))
        self.send(f"{first}\r\nRCPT TO:<{recipient}>\r\nDATA\r\n".encode("ascii"))
        replies = list(self._replies(3))
        error = _error(replies, sender, recipient)
        if replies[-1][0] == _GO_AHEAD:
            replies.append(self.text(mail) if error is None else self._no_text())
        if error is None and replies[-1][0] != 250:
            error = smtplib.SMTPDataError(*replies[-1])
        if error is not None:
            self._begin_anew(replies[-1][0])
            raise error

    def _no_text(self) -> Reply:
        """For a server that waits for a mail all the same that has no recipient (RFC 2920, 3.1)."""
        self.send(b".\r\n")
        return self.getreply()

    def _replies(self, count: int) -> Iterator[Reply]:
        """So many, or those up to the one behind which the server hangs up."""
        for _ in range(count):
            reply = self.getreply()
            yield reply
            if reply[0] == _CLOSING:
                return

    def _begin_anew(self, code: int) -> None:
        if code == _CLOSING:
            self.close()
            return
        try:
            self.rset()
        except smtplib.SMTPServerDisconnected:
            return  # the next mail finds that out


class PrivateSmtpSession(SmtpSession, smtplib.SMTP_SSL):
    """A connection that is private from the first byte."""


def _error(replies: Sequence[Reply], sender: str, recipient: str) -> smtplib.SMTPException | None:
    """What the replies to MAIL, RCPT and DATA say against the mail before its text is known."""
    if replies[0][0] != 250:
        return smtplib.SMTPSenderRefused(*replies[0], sender)
    if replies[1][0] not in _TAKEN:
        return smtplib.SMTPRecipientsRefused({recipient: replies[1]})
    return None if replies[2][0] == _GO_AHEAD else smtplib.SMTPDataError(*replies[2])


def stuffed(raw: bytes) -> bytes:
    """A mail, whose lines end in CRLF, as DATA wants it (RFC 5321, 4.5.2): a dot more where a line begins with one,
    and a line with a dot alone behind the last."""
    first = b"." if raw.startswith(b".") else b""
    last = b"" if raw.endswith(b"\r\n") else b"\r\n"
    return b"%b%b%b.\r\n" % (first, raw.replace(b"\r\n.", b"\r\n.."), last)
