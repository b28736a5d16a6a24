"""`pbem demo`: bots play a whole game by real mails, on a mail server of its own, without any account.

Host and players take turns in one thread and share nothing but the mail server, so that the same seed gives
the same game. Everything that was mailed is kept beside the archive.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec
from pydantic import SecretStr
from rich.console import Console
from rich.status import Status
from rich.table import Table

from engine.game import AnyGame
from pbem import config
from pbem.bootstrap import assemble, store_of
from pbem.config import Settings
from pbem.errors import Trouble
from pbem.games import games
from pbem.host import Host
from pbem.logs import set_up_logs
from pbem.mailbox import Parcel
from pbem.mailbox.imap import ImapInbox
from pbem.mailbox.loopback import LoopbackServer
from pbem.mailbox.smtp import SmtpSender
from pbem.player import Account, Character, Mailbox, Player, Told
from pbem.verifying import NotProved, verify_file

DOMAIN: Final = "example.org"
HOST: Final = f"games@{DOMAIN}"
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")
BOT: Final = "steady"
SEEDS: Final = 1_000_000
"""How many there are to draw from when none is given."""
PASSWORD: Final = "demo"


class Counted(msgspec.Struct, frozen=True):
    """Mails of one player."""

    sent: int
    got: int


class Standing(msgspec.Struct, frozen=True):
    """How a player came off."""

    name: str
    place: int
    """0 for a game that was lost."""
    score: int | None


class Result(msgspec.Struct, frozen=True):
    """How the game ended."""

    standings: tuple[Standing, ...]
    """The best first."""
    grade: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a demo comes to. Its paths are those of the caller: relative ones stay relative."""

    game: str
    table: str
    seed: int
    rounds: int
    mails_in: int
    """From players to the host."""
    mails_out: int
    mails: dict[str, Counted]
    result: Result
    record: str
    head: str
    """Of the record, as each player's last mail printed it."""
    archive: str
    """The page to read."""
    kept: str
    """The folder with all mails."""
    verified: bool


def play(players: int, seed: int | None, json: bool, folder: Path) -> None:
    """Play a game of so many bots in a new folder below `folder`, and print what came of it.

    With `json` that is one object alone on standard output. `Trouble` if the record does not hold.
    """
    set_up_logs(logging.WARNING)
    number = secrets.randbelow(SEEDS) if seed is None else seed
    console = Console(stderr=True)
    with console.status("Everybody signs up") as status:
        report = Demo(players, number, _new_folder(folder)).played(status)
    print(msgspec.json.encode(report).decode()) if json else _show(report)
    if not report.verified:
        raise Trouble(f"{report.record} does not hold", f"Keep the mails in {report.kept}, and report this")


class Demo:
    """One game, from the first mail to the archive."""

    def __init__(self, players: int, seed: int, folder: Path) -> None:
        self._game = _game_for(players)
        self._names = NAMES[:players]
        self._seed = seed
        self._folder = folder
        self._post = Post(folder / "mails", {_address(name): name for name in self._names})

    def played(self, status: Status) -> Report:
        """Play to the end."""
        with ExitStack() as stack:
            server = stack.enter_context(LoopbackServer(self._users, delivered=self._post.keep))
            host = stack.enter_context(_host(self._settings(server), server, _derived("secret", self._seed)))
            players = [self._player(name, server, stack) for name in self._names]
            for _ in _passes(host, players):
                status.update(_progress(players, self._post))
        return self._report(players)

    @property
    def _users(self) -> dict[str, str]:
        return dict.fromkeys((HOST, *map(_address, self._names)), PASSWORD)

    def _settings(self, server: LoopbackServer) -> Settings:
        return Settings(
            host=config.Host(
                name="The demo",
                address=HOST,
                registration=config.Registration.OPEN,
                secret=SecretStr(_derived("tokens", self._seed)),
            ),
            imap=server.imap(HOST),
            smtp=server.smtp(HOST),
            database=config.Database(url=f"sqlite:///{self._folder / 'pbem.db'}"),
            archive=config.Archive(folder=self._folder, running=config.Running.NONE),
        )

    def _player(self, name: str, server: LoopbackServer, stack: ExitStack) -> Player:
        imap, smtp = server.imap(_address(name)), server.smtp(_address(name))
        account = Account(_address(name), PASSWORD, (imap.host, imap.port), (smtp.host, smtp.port))
        opening = self._opening if name == self._names[0] else ""
        character = Character(name, BOT, _derived("bots", self._seed), opening)
        return Player(character, stack.enter_context(Mailbox(account)), HOST)

    @property
    def _opening(self) -> str:
        invited = " ".join(map(_address, self._names[1:]))
        return f"NEW {self._game.name} seats={len(self._names)} deadline=none {invited}".rstrip()

    def _report(self, players: Sequence[Player]) -> Report:
        last = _last(players[0])
        record = self._folder / last.game / "record.json"
        return Report(
            game=last.kind,
            table=last.game,
            seed=self._seed,
            rounds=max(player.rounds for player in players),
            mails_in=self._post.sent.total(),
            mails_out=self._post.got.total(),
            mails={name: Counted(self._post.sent[name], self._post.got[name]) for name in self._names},
            result=_result(last),
            record=str(record),
            head=last.head,
            archive=str(record.with_name("index.html")),
            kept=str(self._post.folder),
            verified=_holds(record, [_last(player).head for player in players]),
        )


class Post:
    """Keeps and counts all mails as they are delivered, numbered in their order."""

    def __init__(self, folder: Path, names: Mapping[str, str]) -> None:
        folder.mkdir()
        self.folder = folder
        self.sent: Counter[str] = Counter()
        self.got: Counter[str] = Counter()
        self._names = names

    def keep(self, parcel: Parcel) -> None:
        """Take note of one mail, on its way to the host or from it."""
        sender = self._names.get(parcel.envelope_from)
        name = sender or self._names[parcel.envelope_to]
        (self.sent if sender else self.got)[name] += 1
        number = self.sent.total() + self.got.total()
        way = "from" if sender else "to"
        (self.folder / f"{number:04}-{way}-{name.lower()}.eml").write_bytes(parcel.raw)


@contextmanager
def _host(settings: Settings, server: LoopbackServer, secret: str) -> Iterator[Host]:
    """A host like any other, but for the secret that all its deals follow from."""
    with store_of(settings) as store, ImapInbox(server.imap(HOST), settings.limits.largest_mail) as inbox:
        yield assemble(settings, store, inbox, SmtpSender(server.smtp(HOST)), seed=secret)


def _passes(host: Host, players: Sequence[Player]) -> Iterator[None]:
    """Let the host and each player look at their mail in turn until all players know that the game is over."""
    for player in players:
        player.register()
    while not all(player.over for player in players):
        done = host.once()
        if done.trouble:
            raise done.trouble
        if not sum([player.turn() for player in players]):
            raise Trouble("The demo stands still: nobody has mail", "Look at its last mails, and report this")
        yield


def _progress(players: Sequence[Player], post: Post) -> str:
    acting = " and ".join(player.name for player in players if player.awaited) or "the host"
    rounds = max(player.rounds for player in players)
    where = f"Round {rounds}" if rounds else "Everybody signs up"
    return f"{where}: {post.sent.total()} mails in, {post.got.total()} out; {acting} to act"


def _game_for(players: int) -> AnyGame:
    """The first game that so many bots can play."""
    for game in games().values():
        if players in game.seats and BOT in game.capabilities.get("bots", {}):
            return game
    raise Trouble(f"No game is installed that {players} bots can play", "Choose another number of players")


def _new_folder(folder: Path) -> Path:
    """A folder below `folder` that is not there yet; nothing that is there is touched."""
    number = 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while (home := folder / f"game-{number}").exists():
            number += 1
        home.mkdir()
    except OSError as error:
        raise Trouble(f"{folder} cannot be written: {error.strerror}", "Name another one with --folder") from None
    return home


def _derived(purpose: str, seed: int) -> str:
    """256 bits in hex that follow from the seed, others for each purpose."""
    return hashlib.sha256(f"pbem demo 1\n{purpose}\n{seed}\n".encode()).hexdigest()


def _address(name: str) -> str:
    return f"{name.lower()}@{DOMAIN}"


def _last(player: Player) -> Told:
    assert player.told is not None, "it has played to the end"
    return player.told


def _result(last: Told) -> Result:
    outcome = last.outcome
    assert outcome is not None, "no moderator ends a demo"
    standings = map(Standing, last.names, outcome.places, outcome.scores)
    return Result(tuple(sorted(standings, key=lambda each: each.place)), outcome.grade)


def _holds(record: Path, heads: Sequence[str]) -> bool:
    """Whether the record proves the game, against the head in everybody's last mail."""
    try:
        for head in heads:
            verify_file(record, head)
    except NotProved:
        return False
    return True


def _show(report: Report) -> None:
    """Print the result for people."""
    table = Table(title=f"{report.table}, seed {report.seed}: {report.rounds} rounds")
    for heading in ("place", "player", "score", "mails sent", "mails got"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for each in report.result.standings:
        mails = report.mails[each.name]
        table.add_row(*map(str, (each.place or "-", each.name, each.score, mails.sent, mails.got)))
    console = Console()
    console.print(table)
    for name, value in _facts(report):
        console.print(f"{name:9}{value}", highlight=False, soft_wrap=True)


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    if report.result.grade:
        yield "Grade", report.result.grade
    yield "Mails", f"{report.mails_in} to the host, {report.mails_out} from it, all kept in {report.kept}"
    yield "Archive", report.archive
    yield "Record", f"{report.record}, head {report.head}: {'holds' if report.verified else 'DOES NOT HOLD'}"
