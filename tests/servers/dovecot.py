"""Debian's Dovecot as a test server: IMAP and LMTP from a generated configuration, without privileges.

Root starts it as ``nobody``, anybody else as himself. Everything it writes is in one temporary folder. The
configuration is written for the version found: 2.4 has another syntax than 2.3.
"""

from __future__ import annotations

import getpass
import grp
import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import trustme
from pydantic import SecretStr

from pbem.config import Imap, Security, Smtp

HOST: Final = "127.0.0.1"
_PATHS: Final = "/usr/sbin:/usr/local/sbin:/usr/bin:/bin"
_PATIENCE: Final = 20.0
"""Seconds that Dovecot may take to start or to end."""

_COMMON: Final = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
mail_uid = {user}
mail_gid = {group}
recipient_delimiter = +
auth_failure_delay = 0
ssl = yes
service imap-login {{
  chroot =
  inet_listener imap {{
    {listen} = {host}
    port = {imap}
  }}
  inet_listener imaps {{
    {listen} = {host}
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    {listen} = {host}
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
namespace inbox {{
  inbox = yes
  separator = /
  prefix = {prefix}
}}
"""

_SYNTAX: Final = {
    "2.3": """\
protocols = imap lmtp
listen = {host}
disable_plaintext_auth = no
ssl_cert = <{folder}/server.pem
ssl_key = <{folder}/server.pem
mail_home = {folder}/mail/%Lu
mail_location = maildir:~/Maildir
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/users/%Lu
}}
userdb {{
  driver = passwd-file
  args = {folder}/users/%Lu
}}
""",
    "2.4": """\
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
protocols = imap lmtp
listen = {host}
auth_allow_cleartext = yes
ssl_server_cert_file = {folder}/server.pem
ssl_server_key_file = {folder}/server.pem
mail_driver = maildir
mail_home = {folder}/mail/%{{user | lower}}
mail_path = ~/Maildir
passdb passwd-file {{
  passwd_file_path = {folder}/users/%{{user | lower}}
  default_password_scheme = PLAIN
}}
userdb passwd-file {{
  passwd_file_path = {folder}/users/%{{user | lower}}
}}
""",
}
_TOKENS: Final = {
    "2.3": """\
auth_mechanisms = plain login xoauth2 oauthbearer
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
""",
    "2.4": """\
auth_mechanisms = plain login xoauth2 oauthbearer
oauth2 {{
  introspection_url = {introspection}
  introspection_mode = post
  username_attribute = username
  active_attribute = active
  active_value = true
}}
passdb oauth2 {{
  mechanisms_filter = xoauth2 oauthbearer
}}
""",
}
_OAUTH2: Final = """\
introspection_url = {introspection}
introspection_mode = post
username_attribute = username
active_attribute = active
active_value = true
"""
_SUBMISSION: Final = """\
protocols = $protocols submission
submission_relay_host = {host}
submission_relay_port = {relay}
service submission-login {{
  chroot =
  inet_listener submission {{
    {listen} = {host}
    port = {submission}
  }}
}}
"""
_LISTEN: Final = {"2.3": "address", "2.4": "listen"}


@dataclass(frozen=True, slots=True)
class _Ports:
    imap: int
    imaps: int
    lmtp: int
    submission: int


def version() -> str | None:
    """The first two numbers of the Dovecot on this machine, as ``2.3``; None if there is none."""
    program = _program()
    if program is None:
        return None
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return ".".join(said.split()[0].split(".")[:2])


def submits() -> bool:
    """Whether the Dovecot on this machine takes mail by SMTP."""
    return Path("/usr/lib/dovecot/submission-login").exists()


class DovecotServer:
    """IMAP in the clear, IMAP with TLS, and LMTP, each on a free port of 127.0.0.1. A context manager.

    Users may be added at any time. `prefix` puts every folder but INBOX under it, as many providers do. With an address
    for `introspection`, tokens are taken too, and whoever is there is asked whether they are good (RFC 7662).
    """

    def __init__(self, authority: trustme.CA, prefix: str = "", introspection: str = "") -> None:
        self._authority = authority
        self._prefix = prefix
        self._introspection = introspection
        self._owner = pwd.getpwnam("nobody" if _is_root() else getpass.getuser())
        self._folder = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
        self._passwords: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._ports = _free_ports()
        self.ca_file = self._folder / "authority.pem"
        self.relay = 0
        """Set it to the port of an SMTP server before the start, and users may log in by SMTP too, to send by that."""

    def start(self) -> None:
        """Write the configuration and start; returns when it answers."""
        self._write()
        self._process = subprocess.Popen(
            [str(_program()), "-F", "-c", str(self._folder / "dovecot.conf")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._owner.pw_uid if _is_root() else None,
            group=self._owner.pw_gid if _is_root() else None,
            extra_groups=[] if _is_root() else None,
            process_group=0,
        )
        self._until_it_answers()

    def stop(self) -> None:
        """End it and its children; the mail stays until `remove`."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_PATIENCE)
            # A child that serves a connection may outlive its master.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process = None

    def remove(self) -> None:
        """Forget all mail."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def add_user(self, address: str, password: str) -> None:
        """One more mailbox, at any time. A file for each: Dovecot reads a file again only after a second or so."""
        self._passwords[address] = password
        (self._folder / "users" / address).write_text(f"{address}:{{PLAIN}}{password}::::::\n")

    def has_user(self, address: str) -> bool:
        """Whether mail to this address, or to a plus address of it, has a mailbox."""
        local, _, domain = address.casefold().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" in self._passwords

    def password(self, address: str) -> str:
        """The user's password. `KeyError` if there is no such user."""
        return self._passwords[address]

    def deliver(self, address: str, raw: bytes) -> None:
        """Put a mail into a user's INBOX by LMTP, which adds Return-Path, Delivered-To and Received."""
        with smtplib.LMTP(HOST, self._ports.lmtp, "localhost", timeout=_PATIENCE) as lmtp:
            lmtp.sendmail("sender@example.org", [address], raw)

    def imap(self, address: str, security: Security = Security.NONE) -> Imap:
        """The settings that open this user's mailbox."""
        return Imap(
            host="localhost",
            port=self._ports.imaps if security is Security.TLS else self._ports.imap,
            security=security,
            user=address,
            password=SecretStr(self._passwords[address]),
            ca_file=None if security is Security.NONE else self.ca_file,
        )

    def smtp(self, address: str) -> Smtp:
        """The settings with which this user logs in by SMTP, where there is a `relay`."""
        return Smtp(
            host="localhost",
            port=self._ports.submission,
            security=Security.STARTTLS,
            user=address,
            password=SecretStr(self._passwords[address]),
            ca_file=self.ca_file,
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self.remove()

    def _write(self) -> None:
        syntax = version() or "2.3"
        self._authority.cert_pem.write_to_path(str(self.ca_file))
        certificate = self._authority.issue_cert("localhost", HOST)
        certificate.private_key_and_cert_chain_pem.write_to_path(str(self._folder / "server.pem"))
        (self._folder / "dovecot.conf").write_text(self._configuration(syntax))
        (self._folder / "oauth2.conf").write_text(_OAUTH2.format(introspection=self._introspection))
        for name in ("run", "state", "mail", "users"):
            (self._folder / name).mkdir(exist_ok=True)
        for path in (self._folder, *self._folder.iterdir()):
            os.chown(path, self._owner.pw_uid, self._owner.pw_gid)

    def _configuration(self, syntax: str) -> str:
        tokens = _TOKENS[syntax] if self._introspection else ""
        submission = _SUBMISSION if self.relay else ""
        return (_SYNTAX[syntax] + tokens + _COMMON + submission).format(
            relay=self.relay,
            submission=self._ports.submission,
            introspection=self._introspection,
            folder=self._folder,
            user=self._owner.pw_name,
            group=grp.getgrgid(self._owner.pw_gid).gr_name,
            host=HOST,
            listen=_LISTEN[syntax],
            prefix=self._prefix,
            imap=self._ports.imap,
            imaps=self._ports.imaps,
            lmtp=self._ports.lmtp,
        )

    def _until_it_answers(self) -> None:
        end = time.monotonic() + _PATIENCE
        while not all(_answers(port) for port in (self._ports.imap, self._ports.lmtp)):
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"Dovecot does not start: {self._log()}")
            time.sleep(0.02)

    def _log(self) -> str:
        log = self._folder / "dovecot.log"
        return log.read_text() if log.exists() else "it wrote no log; try dovecot -F -c with this configuration"


def _is_root() -> bool:
    return os.geteuid() == 0


def _program() -> str | None:
    return shutil.which("dovecot", path=_PATHS)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=_PATIENCE) as connection:
            return bool(connection.recv(1))
    except OSError:
        return False


def _free_ports() -> _Ports:
    """Ports that nobody listens on now. Dovecot cannot be asked which one the system chose for it."""
    with ExitStack() as open_sockets:
        sockets = [open_sockets.enter_context(socket.socket()) for _ in fields(_Ports)]
        for each in sockets:
            each.bind((HOST, 0))
        return _Ports(*(each.getsockname()[1] for each in sockets))
