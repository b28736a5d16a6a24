"""`pbem sandbox`: a host with its mail server and a web page on this machine, to sit at all seats of a table.

It is the way to try pbem without an account, and to work on templates: a reload shows an edited one.
"""

from __future__ import annotations

import logging
import signal
import socket
from contextlib import suppress
from pathlib import Path

from pbem.errors import ConfigurationTrouble
from pbem.logs import set_up_logs

try:
    import uvicorn

    from pbem.sandbox.app import app
except ModuleNotFoundError as missing:
    raise ConfigurationTrouble(
        f"the page of the sandbox is not installed ({missing.name} is missing)",
        "Install it with: pip install 'pbem[sandbox]'",
    ) from None
from pbem.sandbox.guard import Door
from pbem.sandbox.home import home
from pbem.sandbox.playroom import playroom

HERE = "127.0.0.1"


def serve(keep: Path | None, templates: Path | None) -> None:
    """Serve the pages on a free port, until stopped. `keep` is a folder to go on from, and to be gone on from."""
    if templates is not None and not templates.is_dir():
        raise ConfigurationTrouble(f"{templates} is no folder", "Name one that holds templates with --templates")
    set_up_logs(logging.WARNING)
    with socket.socket() as listening, home(keep) as place, playroom(place, templates) as room:
        listening.bind((HERE, 0))
        door = Door(listening.getsockname()[1])
        settings = uvicorn.Config(
            app(room, door), log_level="warning", access_log=False, server_header=False, ws="none", lifespan="off"
        )
        print(f"The sandbox is open, until you press Ctrl+C: {door.address}", flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing is left behind
        with suppress(KeyboardInterrupt):
            uvicorn.Server(settings).run(sockets=[listening])
