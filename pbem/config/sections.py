"""What can be set: each table of the configuration file as a frozen value, and the settings as a whole."""

from __future__ import annotations

import ipaddress
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, SecretStr, model_validator

from pbem.spelled import Address, Duration, Language, OptionalAddress, OptionalDuration, OptionalPath, Port, Url, Zone

_SQLITE: Final = "sqlite:///"


class Security(StrEnum):
    """How a connection to a mail server is kept private."""

    TLS = "tls"
    """From the first byte."""
    STARTTLS = "starttls"
    """Begun in the clear, then upgraded; refused where the server cannot."""
    NONE = "none"
    """Not at all: only to a server on this machine."""


class Identity(StrEnum):
    """What proves who wrote a mail."""

    TOKEN_AND_FROM = "token+from"
    """The private reply address, used from the player's own address."""
    TOKEN = "token"
    """The private reply address, from wherever."""
    DKIM = "dkim"
    """The player's address, when our mail server has found it signed by its domain."""


class Login(StrEnum):
    """How the host proves to a mail server whose mailbox it is."""

    PASSWORD = "password"
    XOAUTH2 = "xoauth2"
    """By an access token, in the way of Google and Microsoft."""
    OAUTHBEARER = "oauthbearer"
    """By an access token, in the way of RFC 7628."""


class Registration(StrEnum):
    """Who may take a name on this host."""

    INVITED = "invited"
    """Whoever a player, or the keeper, has invited."""
    OPEN = "open"
    """Anybody."""


NO_SECRET: Final = SecretStr("")


def loopback(host: str) -> bool:
    """Whether only programs on this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Section(BaseModel):
    """A table of the configuration file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def anchored(self, folder: Path) -> Self:
        """The same with every relative path counted from `folder`."""
        paths = {name: folder / value.expanduser() for name, value in self if isinstance(value, Path)}
        return self.model_copy(update=paths)


class Host(Section):
    """Who the host is and how it speaks to people it does not know yet."""

    name: str = "Play by email"
    address: Address
    plus_addresses: bool = True
    secret: SecretStr = NO_SECRET
    secret_file: OptionalPath = Path("pbem.secret")
    language: Language = "en"
    time_zone: Zone = ZoneInfo("UTC")
    registration: Registration = Registration.INVITED
    contact: OptionalAddress = ""
    authserv_id: str = ""
    identity: Identity = Identity.TOKEN_AND_FROM

    @model_validator(mode="after")
    def _somebody_checks_signatures(self) -> Self:
        if self.identity is Identity.DKIM and not self.authserv_id:
            raise ValueError("identity dkim needs authserv_id, the name of the mail server that checks signatures")
        return self


_PASSWORD_PLACES: Final = ("password_file", "password_command", "password_keyring")


class Connection(Section):
    """A mail server and how to reach it. `password` is filled while loading, from the one place that is named."""

    host: Annotated[str, Field(min_length=1)]
    port: Port
    security: Security
    user: str
    password: SecretStr = NO_SECRET
    password_file: OptionalPath = None
    password_command: str = ""
    password_keyring: str = ""
    login: Login = Login.PASSWORD
    token_command: str = ""
    ca_file: OptionalPath = None
    timeout: Duration = timedelta(seconds=30)

    _home: Path = PrivateAttr(default=Path())

    @property
    def home(self) -> Path:
        """The folder of the configuration, which commands run in."""
        return self._home

    def anchored(self, folder: Path) -> Self:
        """The same with relative paths, and the commands, at home in `folder`."""
        anchored = super().anchored(folder)
        anchored._home = folder
        return anchored

    @model_validator(mode="after")
    def _a_token_where_one_is_used(self) -> Self:
        by_token = self.login is not Login.PASSWORD
        if by_token and not (self.token_command and self.user.isascii() and self.user):
            raise ValueError(f"login {self.login.value} needs user, in ASCII, and token_command")
        if self.token_command and not by_token:
            raise ValueError("token_command is of no use with login password: write xoauth2 or oauthbearer")
        return self

    @model_validator(mode="after")
    def _one_place_for_the_password(self) -> Self:
        places = [name for name in _PASSWORD_PLACES if getattr(self, name)]
        if len(places) > 1:
            raise ValueError(f"{' and '.join(places)} are set at once: take all but one of them away")
        return self

    @model_validator(mode="after")
    def _private_unless_at_home(self) -> Self:
        if self.security is Security.NONE and not loopback(self.host):
            raise ValueError(
                f"security none would send the password in the clear to {self.host}: write tls or starttls"
            )
        return self


class Imap(Connection):
    """A server that mail comes in at."""

    port: Port = 993
    security: Security = Security.TLS
    user: Annotated[str, Field(min_length=1)]
    folder: str = "INBOX"
    handled_folder: str = "Handled"


class Smtp(Connection):
    """A server that mail goes out at. Without a user no login is tried."""

    port: Port = 587
    security: Security = Security.STARTTLS


class Maildir(Section):
    """A folder on this machine that mail is delivered into, in place of [imap]."""

    path: OptionalPath = None
    # What begins with a dot, or holds a slash, would be another place than a folder beside the mail.
    handled_folder: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9_. -]*$")] = "Handled"


class Outbox(Section):
    """A folder on this machine that another program sends mail from, in place of [smtp]."""

    folder: OptionalPath = None


class Database(Section):
    """Where games are kept."""

    url: str = "sqlite:///pbem.db"
    workers: bool = False

    @model_validator(mode="after")
    def _workers_share_a_server(self) -> Self:
        if self.workers and self.url.startswith("sqlite"):
            raise ValueError("workers need a database that several processes share: set url to one of PostgreSQL")
        return self

    def anchored(self, folder: Path) -> Self:
        """The same with a relative SQLite file counted from `folder`."""
        name = self.url.removeprefix(_SQLITE)
        if name == self.url or name in ("", ":memory:"):
            return self
        return self.model_copy(update={"url": f"{_SQLITE}{folder / name}"})


class Clock(Section):
    """How often the host looks, how long a decision may take where a table says nothing, and when it was away."""

    interval: Duration = timedelta(seconds=60)
    deadline: OptionalDuration = timedelta(hours=48)
    reminder: OptionalDuration = timedelta(hours=12)
    outage: OptionalDuration = timedelta(hours=2)

    @model_validator(mode="after")
    def _longer_than_a_pause(self) -> Self:
        if self.outage is not None and self.outage <= self.interval:
            raise ValueError("outage must be longer than interval, else every pause counts as one; or write none")
        return self


class Running(StrEnum):
    """Which games that run are shown, as far as everybody may know."""

    ALL = "all"
    WATCHED = "watched"
    """Those that anybody may watch."""
    NONE = "none"


class Archive(Section):
    """Where games are written to be read."""

    folder: Path = Path("archive")
    url: Url = ""
    running: Running = Running.ALL


class Limits(Section):
    """What the host puts up with."""

    largest_mail: Annotated[int, Field(ge=10_000)] = 1_000_000
    attempts: Annotated[int, Field(ge=2, le=100)] = 3
    keep_mails_days: Annotated[int, Field(ge=1)] = 90
    keep_handled_days: Annotated[int, Field(ge=0)] = 0
    invitations_a_day: Annotated[int, Field(ge=0)] = 20
    open_invitations: Annotated[int, Field(ge=0)] = 40
    stranger_answers: Annotated[int, Field(ge=0)] = 3
    all_stranger_answers: Annotated[int, Field(ge=0)] = 100
    idle_mails_an_hour: Annotated[int, Field(ge=1)] = 10
    talk_an_hour: Annotated[int, Field(ge=1)] = 60
    max_per_hour: Annotated[int, Field(ge=0)] = 0
    max_per_day: Annotated[int, Field(ge=0)] = 0
    mails_a_day: Annotated[int, Field(ge=0)] = 300
    games_of_a_moderator: Annotated[int, Field(ge=0)] = 20
    press_a_day: Annotated[int, Field(ge=0)] = 20
    press_characters: Annotated[int, Field(ge=100, le=20_000)] = 2000
    press_lines: Annotated[int, Field(ge=1, le=200)] = 40
    longest_absence_days: Annotated[int, Field(ge=0, le=366)] = 60


class Metrics(Section):
    """Numbers about the host for Prometheus: at a port, in a file, or nowhere."""

    port: Annotated[int, Field(ge=0, le=65535)] = 0
    address: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    public: bool = False
    textfile: OptionalPath = None

    @model_validator(mode="after")
    def _at_home_unless_said(self) -> Self:
        if not self.public and not loopback(self.address):
            raise ValueError(
                f"other machines could read the numbers at {self.address}: set public as well, or write 127.0.0.1"
            )
        return self


class LogFormat(StrEnum):
    """How a line of the log is written."""

    AUTO = "auto"
    """As the journal of systemd has it where that takes it, else as text."""
    TEXT = "text"
    JSON = "json"
    JOURNAL = "journal"


class LogLevel(StrEnum):
    """From what on something is logged."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Logs(Section):
    """What is said on standard error."""

    level: LogLevel = LogLevel.INFO
    format: LogFormat = LogFormat.AUTO


class Settings(BaseModel):
    """All settings of a host. From `load`: paths absolute, secrets read. Made directly: what is handed in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: Host
    imap: Imap | None = None
    maildir: Maildir = Maildir()
    smtp: Smtp | None = None
    outbox: Outbox = Outbox()
    database: Database = Database()
    clock: Clock = Clock()
    archive: Archive = Archive()
    limits: Limits = Limits()
    metrics: Metrics = Metrics()
    logs: Logs = Logs()

    @model_validator(mode="after")
    def _one_way_in_and_one_way_out(self) -> Self:
        _exactly_one("come in", "[imap]", self.imap, "path in [maildir]", self.maildir.path)
        _exactly_one("go out", "[smtp]", self.smtp, "folder in [outbox]", self.outbox.folder)
        return self


def _exactly_one(way: str, section: str, server: Connection | None, setting: str, folder: Path | None) -> None:
    if server is None and folder is None:
        raise ValueError(f"no mail can {way}: {section} is missing, and {setting} is not set")
    if server is not None and folder is not None:
        raise ValueError(f"mail would {way} twice: there is {section}, and {setting} is set; take one of them away")
