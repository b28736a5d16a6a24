"""A game among people with all that belongs to it, on Dovecot: three of them and a bot, a program, guests, votes.

The host runs within the test, pass by pass; one of the three is the program of ``examples/``, over IMAP and SMTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from email.message import EmailMessage
from email.utils import format_datetime, localtime, make_msgid
from pathlib import Path
from typing import Final

import pytest

from examples import player as program
from pbem.host import Host
from tests.end_to_end.client import above, text_of
from tests.end_to_end.hands import HAND, Hands
from tests.end_to_end.test_each_way import PostClient, passed
from tests.end_to_end.test_each_way import host as host
from tests.end_to_end.test_each_way import inn as inn
from tests.servers.fixtures import DovecotMail, Post, ServerPost, Users

pytestmark = pytest.mark.slow

SEATS: Final = {"Anna": 1, "Bob": 3, "Dora": 3, "Chen": 4}
"""In the first game, beside the bot at 2; Dora comes after Bob."""
GUESTS: Final = ("Anna", "Bob", "Dora", "Zoe")
MODERATING: Final = ": moderator"
NEW: Final = "NEW bloody-inn seats=4 bots=1 first=1 votes=majority watchers=on press=open"


class RememberedMailbox(program.Mailbox):
    """The mailbox of the program, which remembers what it has read and said."""

    def __init__(self, mail: DovecotMail, address: str) -> None:
        imap, smtp = mail.imap(address), mail.smtp(address)
        super().__init__(program.Account(address, "secret", (imap.host, imap.port), (smtp.host, smtp.port), None))
        self.received: list[EmailMessage] = []
        self.said: list[str] = []

    def unread(self) -> list[EmailMessage]:
        mails = super().unread()
        self.received += mails
        return mails

    def send(self, mail: EmailMessage) -> None:
        self.said.append(mail.get_content().strip())
        super().send(mail)


class Company:
    """Everybody who has to do with one host: Anna, Bob, Dora and Zoe by their mail clients, Chen by a program."""

    def __init__(self, host: Host, inn: str, clients: Sequence[PostClient], mailbox: RememberedMailbox) -> None:
        self.host, self.inn = host, inn
        self.clients = dict(zip(GUESTS, clients, strict=True))
        self.news: dict[str, list[EmailMessage]] = {}
        """What the last pass brought to each."""
        self.mailbox = mailbox
        self.chen = program.Player(mailbox, inn, "Chen", "JOIN inn-1", seed=7)

    def register(self, name: str) -> str:
        """Somebody's first mail, and what his confirmation brings."""
        self.clients[name].send(self.inn, "Hello", f"REGISTER {name}\n")
        self.look()
        return self.says(name, "CONFIRM")

    def says(self, name: str, *lines: str) -> str:
        """Somebody answers his last mail; the words that he reads upon it."""
        self.clients[name].answer(self.last(name), lines, above)
        self.look()
        return self.reads(name)

    def look(self) -> None:
        """The host makes a pass, and the people read their mails."""
        passed(self.host)
        self.news = {name: client.look() for name, client in self.clients.items()}

    def last(self, name: str) -> EmailMessage:
        """Somebody's last mail, but for those in which he moderates."""
        return next(mail for mail in reversed(self.clients[name].received) if MODERATING not in mail["Subject"])

    def reads(self, name: str) -> str:
        """All words that the last pass brought to somebody, on one line."""
        return " ".join(word for mail in self.news[name] for word in (mail["Subject"], *text_of(mail).split()))

    def program_acts(self) -> None:
        """The program reads what is new and answers by itself."""
        self.chen.turn()
        self.look()

    def program_says(self, line: str) -> None:
        """The owner of the program answers its last mail by hand."""
        self.mailbox.unread()
        answered = self.mailbox.received[-1]
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.mailbox.address, answered["Reply-To"], "Re: the inn"
        mail["Date"], mail["Message-ID"] = format_datetime(localtime()), make_msgid(domain="client.example.org")
        mail["In-Reply-To"] = answered["Message-ID"]
        mail.set_content(f"{line}\n")
        self.mailbox.send(mail)
        self.look()


@pytest.fixture
def post(dovecot_mail: DovecotMail) -> Post:
    return ServerPost(dovecot_mail)


@pytest.fixture
def company(
    host: Host, inn: str, post: Post, dovecot_mail: DovecotMail, new_address: Callable[[Users], str]
) -> Iterator[Company]:
    with ExitStack() as stack:
        clients = [PostClient(post, new_address(post)) for _ in GUESTS]
        for client in clients:
            stack.callback(client.close)
        yield Company(host, inn, clients, RememberedMailbox(dovecot_mail, new_address(post)))


def test_a_table_lives_from_its_opening_to_the_rematch(company: Company, tmp_path: Path) -> None:
    sit_down(company)
    be_watched(company)
    talk(company)
    play_by_stand_in_and_program(company)
    hand_over_a_seat(company)
    end_by_vote(company)
    check_secrets(company, tmp_path / "archive" / "inn-1" / "record.json")
    play_again(company)


def sit_down(company: Company) -> None:
    """A table with a bot, to which one is invited and another comes from GAMES; the first mail of the game teaches."""
    company.register("Anna")
    company.register("Zoe")
    opened = company.says("Anna", f"{NEW} {company.clients['Bob'].account.address}")
    assert "Bot" in opened
    company.says("Bob", "JOIN AS Bob")
    company.chen.register()
    company.look()
    company.program_acts()
    assert "Anna, Bot 2, Bob and Chen (4 of at most 4)" in company.reads("Anna")
    begun = company.says("Anna", "START")
    assert "YOUR FIRST GAME" in begun
    assert HAND in begun


def be_watched(company: Company) -> None:
    assert "can be watched: WATCH inn-1" in company.says("Zoe", "GAMES")
    seen = company.says("Zoe", "WATCH inn-1")
    assert "THE INN" in seen
    assert HAND not in seen
    company.says("Anna", "LODGE 1 2 3 4")
    assert "Watched by Zoe" in company.reads("Anna")


def talk(company: Company) -> None:
    """Words to all and to one, who is awaited, and the newest state once more."""
    company.says("Bob", "PRESS NOW")
    assert "Bob and Chen get your words" in company.says("Anna", "SAY Good evening, all!")
    assert "Anna says to all: | Good evening, all!" in company.reads("Bob")
    assert "Bob gets your words, and nobody else does" in company.says("Anna", "TELL Bob: mind the police")
    assert "Anna says to you alone: | mind the police" in company.reads("Bob")
    assert company.reads("Zoe") == ""
    for name in ("Bob", "Zoe"):
        assert "AWAITED NOW - Anna, until" in company.says(name, "WHO")
    again = company.says("Bob", "RESEND")
    assert "The newest state of inn-1 is in this mail" in again
    assert HAND in again


def play_by_stand_in_and_program(company: Company) -> None:
    """A bot plays for Bob until he plans an order of his own; the program answers its mail."""
    assert "a bot plays for you" in company.says("Bob", "AWAY UNTIL tomorrow WITH BOT")
    moved = company.says("Anna", "PASS")
    assert "Bot 2" in moved
    assert "A bot moved for Bob:" in moved
    assert "a bot plays meanwhile" in moved
    assert "A bot moved for Bob:" in company.says("Bob", "HISTORY")
    assert "planned" in company.says("Bob", "PASS")
    assert "a bot plays meanwhile" not in company.says("Anna", "STATUS")
    company.program_acts()
    told = company.chen.told
    assert told is not None
    assert company.mailbox.said[-1] in told["orders"]
    assert "Awaited now: Anna" in company.says("Zoe", "STATUS")


def hand_over_a_seat(company: Company) -> None:
    """Anna and Chen open Bob's seat by a vote, and Dora, who is new, finds it in GAMES."""
    assert "1 more vote is needed" in company.says("Anna", "VOTE REPLACE Bob")
    company.program_says("VOTE REPLACE Bob")
    assert "have voted to open your seat" in company.reads("Bob")
    company.register("Dora")
    assert "JOIN inn-1" in company.says("Dora", "GAMES")
    taken = company.says("Dora", "JOIN inn-1")
    assert HAND in taken
    assert "mind the police" not in taken


def end_by_vote(company: Company) -> None:
    """A vote ends the game with its result, for the watcher too."""
    assert "1 more vote is needed" in company.says("Dora", "VOTE END")
    assert "REMATCH" in company.says("Anna", "VOTE END")
    for name in ("Dora", "Zoe"):
        assert "The game is over" in company.reads(name)
    company.chen.turn()
    assert company.chen.over


def check_secrets(company: Company, record: Path) -> None:
    """Nobody was shown another's hand, key, address or private words: the stand-in's owner no more than others."""
    hands = Hands(record)
    mails = {name: client.received for name, client in company.clients.items()} | {"Chen": company.mailbox.received}
    shown = {name: hands.check(mails[name], SEATS.get(name, 0)) for name in mails}
    assert all(shown[name] for name in ("Anna", "Bob", "Dora")), shown
    assert not shown["Zoe"]
    for name, got in mails.items():
        others = "\n".join(text_of(mail) for other in mails if other != name for mail in mails[other])
        assert not any(str(mail["Reply-To"]).partition("@")[0] in others for mail in got if "+" in mail["Reply-To"])
    for name in ("Dora", "Zoe", "Chen"):
        assert not any("mind the police" in text_of(mail) for mail in mails[name])


def play_again(company: Company) -> None:
    """The three who were there at the end sit again, each one seat on; with the last of them the game begins."""
    assert "Dora and Chen have not answered yet" in company.says("Anna", "REMATCH")
    assert "a rematch?" in company.reads("Dora")
    company.says("Dora", "REMATCH")
    company.program_says("REMATCH")
    for name in ("Anna", "Dora"):
        assert "The game has begun, with Bot 1, Dora, Chen and Anna." in company.reads(name)
