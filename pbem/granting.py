"""`pbem login` and `pbem token`: leave to use a mailbox, asked for at the terminal and kept, and used."""

from __future__ import annotations

import signal
import time
import webbrowser
from pathlib import Path

import typer

from pbem import oauth
from pbem.errors import Trouble


def granted(file: Path, client_id: str, client: Path | None, *, here: bool) -> None:
    """Keep in `file` what the owner of the mailbox grants: to the program `client_id` at Microsoft, or to that of the
    JSON in `client`, in a browser `here` or elsewhere. `Trouble`."""
    if bool(client_id) == (client is not None):
        raise Trouble("It is not clear who asks for leave", "Give one: --client-id for Microsoft, --client for others")
    if client is None:
        leave = oauth.ask_leave(oauth.MICROSOFT, client_id, typer.echo, time.sleep)
    elif here:
        leave = oauth.ask_leave_here(oauth.client_of(client), _open)
    else:
        leave = oauth.pasted(oauth.client_of(client), _asked)
    oauth.keep(file, leave)


def fresh(file: Path) -> str:
    """An access token by the leave in `file`. `Trouble`.

    A service that ends asks all its processes to end. This one comes to its end first, in seconds: else new leave could
    be lost between the provider, which has made the old one void, and the file.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return oauth.access_token(file)


def _open(url: str) -> None:
    typer.echo(f"Log in as the host's mailbox, in the browser that opens, or else open there yourself: {url}")
    webbrowser.open(url)


def _asked(url: str) -> str:
    typer.echo(f"Open this in a browser, and log in as the host's mailbox: {url}")
    typer.echo("It ends at a page that cannot be found, of 127.0.0.1: paste its whole address here.")
    return str(typer.prompt("Address"))
