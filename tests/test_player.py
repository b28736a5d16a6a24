"""The program that plays by mail: what it answers to which mail, and how, on servers with and without TLS."""

from __future__ import annotations

import ast
import ssl
from collections.abc import Callable, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.bloody_inn import GAME
from pbem import player
from pbem.compose import OutgoingMail, compose
from pbem.config import Connection, Security
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.player import Account, Character, Mailbox, Player
from pbem.render import machine
from pbem.settle import Telling
from pbem.table import Table
from tests.desk.sitting import NOW, Sitting
from tests.servers.fixtures import DovecotMail, MailServer

HOST = "inn@example.org"
TOKEN = "k7q2m9x4k7q2m9x4k7q2"
OPENING = "NEW bloody-inn seats=2 bob@example.org"
MAILS = Path(__file__).parent / "mails"
GREETING = ("MACHINE ON", "PHRASE Anna was here")
JOINED = """\
Bob has joined inn-7. At the table: Anna, Bob and Chen ({} of at most
3).

  START inn-7
"""


class Drawer(Mailbox):
    """A mailbox without a server: what is laid in is read, what is sent is kept."""

    def __init__(self) -> None:
        super().__init__(Account("anna@example.org", "", ("", 0), ("", 0)))
        self.waiting: list[EmailMessage] = []
        self.sent: list[EmailMessage] = []

    def unread(self) -> list[EmailMessage]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def send(self, mail: EmailMessage) -> None:
        self.sent.append(mail)


class Seat:
    """A player who opens a table, or one who does not, over a drawer."""

    def __init__(self, opening: str = "", seed: str = "1") -> None:
        self.drawer = Drawer()
        self.player = Player(Character("Anna", "steady", seed, opening), self.drawer, HOST)

    def given(self, *mails: bytes) -> list[tuple[str, ...]]:
        """Give the player mails to read; his own lines in each answer."""
        self.drawer.waiting += [parsed(mail) for mail in mails]
        self.player.turn()
        sent, self.drawer.sent = self.drawer.sent, []
        return [own_lines(mail) for mail in sent]


def parsed(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=policy.default)


def own_lines(mail: EmailMessage) -> tuple[str, ...]:
    """What stands above the quotation."""
    return tuple(mail.get_content().replace("\r\n", "\n").split("\n\n")[0].splitlines())


def from_host(text: str, data: str = "", to: str = "anna@example.org", number: int = 1) -> bytes:
    mail = OutgoingMail(
        message_id=f"<{number}@example.org>",
        date=NOW,
        sender=HOST,
        to=to,
        reply_to=f"inn+{TOKEN}@example.org",
        subject="[inn-7] Round 1",
        text=text,
        data=data,
        host="Test",
    )
    return compose(mail)


def asking() -> tuple[Telling, Table]:
    """The first mail of the night to Anna, whose turn it is."""
    sitting = Sitting.at_night()
    return next(each for each in sitting.settle() if each.to.seat == 1), sitting.table


def asked(**mail: object) -> bytes:
    telling, table = asking()
    return from_host("It is your turn.\n\n  PASS\n", machine(telling, table), **mail)  # type: ignore[arg-type]


def committed(name: str) -> str:
    return (MAILS / f"{name}.txt").read_text("utf-8").partition("\n\n")[2]


@pytest.mark.parametrize(
    ("opening", "text", "lines"),
    [
        (OPENING, committed("registering"), [(OPENING,)]),
        ("", committed("registering"), [("CONFIRM",)]),
        ("", committed("invitation"), [("JOIN inn-7", *GREETING)]),
        (OPENING, committed("new-table"), [GREETING]),
        (OPENING, JOINED.format(2), [GREETING]),
        (OPENING, JOINED.format(3), [(*GREETING, "START inn-7")]),
        ("", committed("welcome"), []),
    ],
    ids=["opener confirms", "other confirms", "invited", "opened", "not all there", "all there", "welcomed"],
)
def test_signing_up_it_says_what_its_mail_shows_to_be_said(
    opening: str, text: str, lines: list[tuple[str, ...]]
) -> None:
    assert Seat(opening).given(from_host(text)) == lines


def test_it_takes_its_seat_once() -> None:
    seat = Seat(OPENING)
    seat.given(from_host(committed("new-table"), number=1))
    assert seat.given(from_host(JOINED.format(3), number=2)) == [("START inn-7",)]


def test_it_gives_a_legal_order_where_its_mail_asks_for_one() -> None:
    [[order]] = Seat().given(asked())
    _, table = asking()
    view = table.view(1)
    assert GAME.read(order, view) in set(GAME.legal(view, 1))


def test_the_same_seed_gives_the_same_order() -> None:
    assert Seat(seed="5").given(asked()) == Seat(seed="5").given(asked())


def test_a_mail_that_comes_twice_is_answered_once() -> None:
    assert len(Seat().given(asked(number=4), asked(number=4))) == 1


def test_a_decision_that_an_earlier_mail_asked_for_is_not_answered_again() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.seat(1, "STATUS")
    again = next(each for each in sitting.settle() if each.to.seat == 1)
    seat = Seat()
    assert seat.given(from_host("", machine(again, sitting.table))) == []
    assert seat.player.awaited


def test_an_order_that_was_taken_back_is_asked_for_and_given_again() -> None:
    sitting = Sitting.at_night()
    sitting.settle()
    sitting.seat(1, "PASS")
    sitting.settle()
    sitting.moderator("ROLLBACK 1")
    again = next(each for each in sitting.settle() if each.to.seat == 1)
    assert len(Seat().given(from_host("", machine(again, sitting.table)))) == 1


def test_out_of_turn_it_says_nothing() -> None:
    sitting = Sitting.at_night()
    waiting = next(each for each in sitting.settle() if each.to.seat == 2)
    seat = Seat()
    assert seat.given(from_host("", machine(waiting, sitting.table))) == []
    assert not seat.player.awaited


def test_it_answers_as_a_mail_program_does() -> None:
    seat = Seat()
    seat.drawer.waiting.append(parsed(asked()))
    seat.player.turn()
    [answer] = seat.drawer.sent
    assert (answer["To"], answer["Subject"]) == (f"inn+{TOKEN}@example.org", "Re: [inn-7] Round 1")
    assert answer["In-Reply-To"] == answer["References"] == "<1@example.org>"
    assert answer.get_content().splitlines()[-3:] == ["> It is your turn.", ">", ">   PASS"]


def test_it_knows_nothing_of_the_host_but_the_contract_and_where_games_are_found() -> None:
    tree = ast.parse(Path(player.__file__).read_text("utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert {name for name in names if name.startswith(("engine", "pbem"))} == {
        "engine.game",
        "engine.shuffle",
        "pbem.games",
    }


@pytest.fixture(params=[Security.NONE, pytest.param(Security.TLS, marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest) -> LoopbackServer | DovecotMail:
    """The embedded server in the clear, and Dovecot with TLS and STARTTLS."""
    name = "loopback" if request.param is Security.NONE else "dovecot_mail"
    found: LoopbackServer | DovecotMail = request.getfixturevalue(name)
    return found


def test_it_reads_its_mailbox_and_sends_its_answer_through_real_servers(
    server: LoopbackServer | DovecotMail, new_address: Callable[[MailServer], str]
) -> None:
    host, anna = new_address(server), new_address(server)
    server.deliver(anna, asked(to=anna).replace(b"inn+", host.partition("@")[0].encode() + b"+"))
    with Mailbox(account(server, anna)) as mailbox:
        playing = Player(Character("Anna", "steady", "1"), mailbox, host)
        assert (playing.turn(), playing.turn()) == (1, 0)
    assert inbox_of(server, host) == [Seat().given(asked())[0]]


def account(server: LoopbackServer | DovecotMail, address: str) -> Account:
    if isinstance(server, LoopbackServer):
        return Account(address, "secret", at(server.imap(address)), at(server.smtp(address)))
    imap, smtp = server.imap(address, Security.TLS), server.smtp(address, Security.STARTTLS)
    return Account(address, "secret", at(imap), at(smtp), ssl.create_default_context(cafile=str(imap.ca_file)))


def at(connection: Connection) -> tuple[str, int]:
    return connection.host, connection.port


def inbox_of(server: MailServer, address: str) -> Sequence[tuple[str, ...]]:
    """The own lines of all mails that have come to `address`."""
    with ImapInbox(server.imap(address), 1_000_000) as inbox:
        return [own_lines(parsed(mail.raw)) for mail in inbox.fetch(10) if mail.raw]
