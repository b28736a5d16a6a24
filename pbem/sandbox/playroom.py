"""All of a sandbox but its pages: a host, its mail server, the mail programs of the people, and the time.

People and host share nothing but the mail server. The clock stands still until it is pushed; a mail takes a second.
One thing happens at a time, whoever asks for it.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from pydantic import SecretStr

from pbem import config
from pbem.bootstrap import assemble, store_of
from pbem.config import Settings
from pbem.files import resource
from pbem.games import games
from pbem.host import Host
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.mailbox.smtp import SmtpSender
from pbem.player import Account, Mailbox
from pbem.sandbox.client import Client
from pbem.sandbox.hitch import Hitch, Why
from pbem.sandbox.home import Home
from pbem.sandbox.mail import Mail, Quoting, answer, begun, with_pictures
from pbem.sandbox.proofs import Proofs
from pbem.sandbox.standing import Standing, standings
from pbem.tongues import ENGLISH

DOMAIN: Final = "example.org"
HOST: Final = f"games@{DOMAIN}"
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")
"""Who can play."""
MODERATOR: Final = "Modi"
STEP: Final = timedelta(hours=1)
"""The host looks so often while the clock is pushed, so that nothing is told out of its order."""
A_MAIL: Final = timedelta(seconds=1)
_MOST_PASSES: Final = 20
_PLENTY: Final = 100_000
"""No limit is met by somebody who tries things out, in a time that stands still."""


class Playroom:
    """People around a host. `Hitch` where something cannot be done as things stand."""

    def __init__(self, home: Home, templates: Sequence[Path], stack: ExitStack) -> None:
        self._home = home
        self._now = home.state.now
        self._lock = threading.Lock()
        self._stack = stack
        self._password = secrets.token_hex(16)
        self.clients: dict[str, Client] = {}
        """By their keys, in the order in which they came."""
        self.failures = 0
        """What the host failed at in the last passes."""
        self._server = stack.enter_context(LoopbackServer({HOST: self._password}, now=lambda: self._now))
        self.proofs = Proofs(games(), templates)
        self._store = stack.enter_context(store_of(self._settings))
        self._host = self._new_host()
        for name in home.state.people:
            self._move_in(name)

    # What there is to see

    @property
    def now(self) -> datetime:
        return self._now

    def standings(self) -> tuple[Standing, ...]:
        """How each table stands, the newest first."""
        with self._lock:
            return standings(self._store, games())

    def language(self, client: Client) -> str:
        """In which somebody gets his mails."""
        with self._lock:
            person = self._store.person_by_address(client.address)
        return person.language if person else ENGLISH

    def shown(self, mail: Mail) -> tuple[str, str, str] | None:
        """A mail with the templates as they are now: subject, text and HTML. ``None`` if it is just that already.

        Whatever is wrong with a template is raised.
        """
        with self._lock:
            self.proofs.refresh()
            made = self.proofs.anew(mail.mark) if not mail.sent else None
        if made is None:
            return None
        pictures = {made.picture.id: made.picture.png} if made.picture else {}
        return made.subject, made.text, with_pictures(made.html, pictures)

    # What people do

    def begin(self, kind: str, players: int, mine: int) -> Client:
        """Let a table be opened, joined and started by mail: `mine` of its seats for people, the others for bots.

        Gives the one of those people who is to act, or the first.
        """
        with self._lock:
            people = [self._client(name) for name in NAMES[:mine]]
            moderator = self._client(MODERATOR)
            bots = f" bots={players - mine}" if players > mine else ""
            opening = f"NEW {kind} seats={players}{bots} {' '.join(each.address for each in people)} NOT PLAYING"
            if not moderator.mails:
                self._write(moderator, f"REGISTER {MODERATOR}")
            before = self._store.living()
            self._answer(moderator, opening)
            table = next((name for name in self._store.living() if name not in before), "")
            if not table:
                raise Hitch(Why.NOT_OPENED, name=MODERATOR)
            for each in people:
                self._answer(each, f"JOIN {table} AS {each.name}")
            self._answer(moderator, f"START {table}", table)
            awaited = standings(self._store, games())[0].awaited
            return next((each for each in people if each.name in awaited), people[0])

    def answer(self, client: Client, to: Mail, text: str, quoting: Quoting) -> None:
        """Somebody answers a mail; the host looks at once."""
        with self._lock:
            self._now += A_MAIL
            client.send(answer(client.address, to, text, quoting, self._now))
            self._settle()

    def write(self, client: Client, subject: str, text: str) -> None:
        """Somebody writes to the host of his own accord; it looks at once."""
        with self._lock:
            self._write(client, text, subject)

    def say(self, client: Client, line: str, table: str = "") -> None:
        """Somebody answers the newest mail, of the table if one is named, with one line."""
        with self._lock:
            self._answer(client, line, table)

    def push(self, until: datetime) -> None:
        """Let time pass; the host looks as often as it would."""
        with self._lock:
            while self._now < until:
                self._now = min(self._now + STEP, until)
                self._settle()

    # Within

    def _write(self, client: Client, text: str, subject: str = "Hello") -> None:
        self._now += A_MAIL
        client.send(begun(client.address, HOST, subject, text, self._now))
        self._settle()

    def _answer(self, client: Client, line: str, table: str = "") -> None:
        to = client.newest(table) or _newest(client)
        self._now += A_MAIL
        client.send(answer(client.address, to, line, Quoting.BELOW, self._now))
        self._settle()

    def _settle(self) -> None:
        """Let the host look until nothing is left to do, then everybody."""
        self.proofs.refresh()
        self.failures = 0
        for _ in range(_MOST_PASSES):
            done = self._host.once()
            self.failures += done.failures
            if done.trouble:
                raise done.trouble
            if not (done.read or done.handled or done.sent):
                break
        for client in self.clients.values():
            client.look()
        people = tuple(client.name for client in self.clients.values())
        self._home.save(msgspec.structs.replace(self._home.state, now=self._now, people=people))

    def _client(self, name: str) -> Client:
        """Somebody with his mailbox, who moves in if he is not there yet."""
        return self.clients.get(name.lower()) or self._move_in(name)

    def _move_in(self, name: str) -> Client:
        address = f"{name.lower()}@{DOMAIN}"
        self._server.add_user(address, self._password)
        imap, smtp = self._server.imap(address), self._server.smtp(address)
        account = Account(address, self._password, (imap.host, imap.port), (smtp.host, smtp.port))
        mailbox = self._stack.enter_context(Mailbox(account))
        client = Client(name, mailbox, lambda way, raw: self._home.keep(way, name, raw), self._home.kept(name))
        self.clients[client.key] = client
        return client

    def _new_host(self) -> Host:
        """A host like any other, but for its clock and its templates."""
        settings = self._settings
        assert settings.imap is not None
        assert settings.smtp is not None
        inbox = self._stack.enter_context(ImapInbox(settings.imap, settings.limits.largest_mail))
        host = assemble(settings, self._store, inbox, SmtpSender(settings.smtp), renderer=self.proofs)
        host.now = lambda: self._now
        return host

    @property
    def _settings(self) -> Settings:
        return Settings(
            host=config.Host(
                name="The sandbox",
                address=HOST,
                registration=config.Registration.OPEN,
                secret=SecretStr(self._home.state.secret),
            ),
            imap=self._server.imap(HOST),
            smtp=self._server.smtp(HOST),
            database=config.Database(url=self._home.database),
            clock=config.Clock(outage=None),
            archive=config.Archive(folder=self._home.archive),
            limits=config.Limits(
                invitations_a_day=_PLENTY,
                open_invitations=_PLENTY,
                idle_mails_an_hour=_PLENTY,
                talk_an_hour=_PLENTY,
                mails_a_day=_PLENTY,
                games_of_a_moderator=_PLENTY,
                press_a_day=_PLENTY,
            ),
        )


def _newest(client: Client) -> Mail:
    mail = client.newest()
    if mail is None:
        raise Hitch(Why.NO_MAIL, name=client.name)
    return mail


@contextmanager
def playroom(home: Home, templates: Path | None = None) -> Iterator[Playroom]:
    """A playroom while the context lasts. What is in the folder `templates` goes before our own."""
    ours = resource("templates")
    with ExitStack() as stack:
        yield Playroom(home, (templates, ours) if templates else (ours,), stack)
