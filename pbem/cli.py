"""The command line. What a command needs is imported when it runs, so that ``--help`` answers at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from pbem.passes import Pass

app = typer.Typer(
    name="pbem",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # to load Rich takes longer than all the rest of --help
)

CONFIG: Final = Path("pbem.toml")
Config = Annotated[Path, typer.Option("--config", "-c", help="The configuration file.")]


def _version(asked: bool) -> None:
    """Which pbem this is."""
    if asked:
        from importlib.metadata import version

        typer.echo(f"pbem {version('pbem')}")
        raise typer.Exit


@app.callback()
def every_command(
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.", callback=_version)] = False,
) -> None:
    """A play-by-email game host: board games by nothing but mail."""


@app.command()
def init(path: Annotated[Path, typer.Argument(help="Where to write it.")] = CONFIG) -> None:
    """Write a commented configuration and a fresh secret beside it."""
    from pbem import config

    secret, fresh = config.create(path)
    written = f"{path} and {secret} are written." if fresh else f"{path} is written; {secret} was there, and is kept."
    typer.echo(f"{written} Fill in the address and the mail servers, then: pbem doctor -c {path}")


@app.command()
def run(config: Config = CONFIG) -> None:
    """Look for mail when it comes and at every interval, until stopped."""
    from pbem.stopping import listening

    with listening() as stop:
        from pbem.bootstrap import host_from

        with host_from(config, stop, stays=True) as host:
            host.run()


@app.command()
def work(config: Config = CONFIG) -> None:
    """Be one of several workers, until stopped. For a host with workers = true, beside one pbem run."""
    from pbem.stopping import listening

    with listening() as stop:
        from pbem.bootstrap import work as worked

        worked(config, stop)


@app.command()
def poll(config: Config = CONFIG) -> None:
    """One pass: read mail, advance the games, send mail. For cron or a timer."""
    from pbem.stopping import listening

    with listening() as stop:
        from pbem.bootstrap import host_from

        with host_from(config, stop) as host:
            done = host.once()
        _tell(done)


def _tell(done: Pass) -> None:
    typer.echo(f"{done.read} read, {done.handled} handled, {done.sent} sent")
    if done.idle:
        typer.echo(f"pbem: {done.idle.value}", err=True)
    if done.trouble:
        typer.echo(f"pbem: {done.trouble}", err=True)
    if done.failures:
        typer.echo(f"pbem: {done.failures} failed here and will be tried again; the log above says what", err=True)
    if done.trouble or done.failures:
        raise typer.Exit(1)


@app.command()
def login(
    file: Annotated[Path, typer.Argument(help="Where to keep the leave; for this user alone.")],
    client_id: Annotated[str, typer.Option(help="Of the program that you registered at Microsoft.")] = "",
    client: Annotated[Path | None, typer.Option(help="What Google, or another, gave for yours: JSON.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="With --client: is one here?")] = True,
) -> None:
    """Ask a provider for leave to use the host's mailbox. You grant it in a browser, once.

    Microsoft, by --client-id: on any machine. Google and others, by --client: on this one, or, with --no-browser, on
    any, and then you paste the address at which the browser ended.
    """
    from pbem.granting import granted

    granted(file, client_id, client, here=browser)
    typer.echo(f'{file} is written. Put into [imap] and [smtp]: token_command = "pbem token {file}"')
    typer.echo("A host that has this already goes on by itself, within a quarter of an hour.")


@app.command()
def token(file: Annotated[Path, typer.Argument(help="What pbem login wrote.")]) -> None:
    """Print a fresh access token, for token_command."""
    from pbem.granting import fresh

    typer.echo(fresh(file))


@app.command()
def invite(
    address: Annotated[str, typer.Argument(help="Of somebody who may register on this host.")],
    config: Config = CONFIG,
) -> None:
    """Invite somebody to this host. Players invite others themselves, to their tables."""
    from pbem.bootstrap import invite as invited

    if invited(config, address):
        typer.echo(f"{address} may register now; the next pass of the host sends the invitation")
    else:
        typer.echo(f"{address} may register now, but wants no mail: only its owner can lift that, by sending REGISTER")


@app.command()
def lock(
    whom: Annotated[str, typer.Argument(help="A player's name, or an address.", metavar="NAME-OR-ADDRESS")],
    reason: Annotated[list[str] | None, typer.Argument(help="Told to whoever is locked.")] = None,
    config: Config = CONFIG,
) -> None:
    """Let somebody's mails be read by nobody. He is told so once; the moderators of his games are told too."""
    from pbem import locking

    typer.echo(locking.lock(config, whom, " ".join(reason or ())))


@app.command()
def unlock(
    whom: Annotated[str, typer.Argument(help="A player's name, or an address.", metavar="NAME-OR-ADDRESS")],
    config: Config = CONFIG,
) -> None:
    """Let somebody's mails be read again."""
    from pbem import locking

    typer.echo(locking.unlock(config, whom))


@app.command(context_settings={"ignore_unknown_options": True})
def mod(
    table: Annotated[str, typer.Argument(help="The table, as inn-7.", metavar="GAME")],
    words: Annotated[list[str], typer.Argument(help="What to do, in the words of a moderator's mail.")],
    config: Config = CONFIG,
) -> None:
    """Do what a moderator may do by mail. ALL instead of a game does it in every one that runs.

    A reason may follow: PAUSE because Anna is ill. PREVIEW before the words tells what they would do.

    \b
    START                         close the sign-up and deal
    INVITE address ...            offer places
    SWAP name AND name            change seats before the start
    PAUSE, RESUME                 stop and restart the game and its clock
    DEADLINE name|ALL time        set a deadline: 18:00, 2026-12-24 18:00, 24h, none
    EXTEND name|ALL BY 24h        give more time
    EXCUSE name                   let a missed deadline not count
    OPTIONS option=value          change how the table deals with time
    SKIP name                     move as after a missed deadline
    PROCESS 3 night               the same for everybody, if it is round 3 and night
    ACT AS name: order            answer the open decision of a seat
    ROLLBACK n, ROLLBACK TO 3 night
                                  take back moves of people
    ROLLFORWARD                   undo the last rollback
    CORRECT change                change one fact of the position
    REPLACE name address          give a seat to somebody else
    OPEN name                     offer a seat to anybody
    EJECT name                    take a seat away; the host plays on
    BOT name [level or OFF]       let a bot play
    RESET TOKEN name              a new reply address
    RESEND name                   the newest state once more
    ANNOUNCE words                tell all players something
    RULING words                  the same, kept with the game
    CLONE [WITH BOTS]             make a trial copy, with all that is unseen drawn anew
    NOTE words, NOTES             keep something for the moderators alone
    RENAME name|GAME TO name      another name for a player, or for the table, to be shown
    PROMOTE name, DEMOTE name     let somebody moderate as well, or no more
    TRANSFER name                 let somebody else moderate
    END [WITH RESULT|SEALED]      end the game: with what it has now, or all kept closed until REVEAL
    """
    from pbem.bootstrap import moderate
    from pbem.keeping import moderate_all

    line = " ".join(words)
    everywhere = table.upper() == "ALL"
    told = list(moderate_all(config, line)) if everywhere else [("", *moderate(config, table, line))]
    for name, text, _ in told:
        typer.echo(f"{name}:\n{text}" if name else text)
    if not all(done for _, _, done in told):
        raise typer.Exit(1)


@app.command()
def games(
    stuck: Annotated[
        bool, typer.Option("--stuck", help="Only those that do not go on by themselves, and why.")
    ] = False,
    config: Config = CONFIG,
) -> None:
    """List the tables that are not over. It says who moderates, who is awaited, and until when."""
    from pbem.keeping import glances

    for glance in glances(config, stuck=stuck):
        typer.echo(glance.text)


@app.command()
def parked(
    show: Annotated[int, typer.Option(help="Print a mail as it came.", metavar="NUMBER")] = 0,
    retry: Annotated[int, typer.Option(help="Let the next pass try it again.", metavar="NUMBER")] = 0,
    drop: Annotated[int, typer.Option(help="Let it be done, without any effect.", metavar="NUMBER")] = 0,
    config: Config = CONFIG,
) -> None:
    """List the mails that were put aside, or do something about one. None of them could be handled."""
    from pbem import keeping

    if show:
        raw = keeping.shown(config, show)
        if sys.stdout.isatty():
            typer.echo(keeping.plain(raw.decode("utf-8", "replace")))
        else:
            sys.stdout.buffer.write(raw)
    elif retry:
        keeping.retry(config, retry)
        typer.echo(f"mail {retry} is tried again by the next pass of the host")
    elif drop:
        keeping.drop(config, drop)
        typer.echo(f"mail {drop} is done, without any effect")
    else:
        for mail in keeping.parked(config):
            sender, problem = keeping.plain(mail.sender) or "nobody", keeping.plain(mail.problem)
            typer.echo(f"{mail.id}: from {sender}, {mail.received_at:%Y-%m-%d %H:%M} UTC: {problem}")


@app.command()
def doctor(
    send: Annotated[
        bool, typer.Option("--send", help="Send a mail to the host itself too, and wait until it comes.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")] = False,
    config: Config = CONFIG,
) -> None:
    """Look for what is wrong, and say how to mend it.

    The configuration, the database, the disk, both mail servers, the clock, and what waits for the keeper. No game
    changes, and no older database is brought to the newest form. Ends with 1 when something has to be mended.
    """
    from pbem.doctor import examine

    found = examine(config, send=send)
    typer.echo(found.json if json else found.text)
    if not found.well:
        raise typer.Exit(1)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check a backup that is there.")] = False,
    config: Config = CONFIG,
) -> None:
    """Copy the database into a file, and check the copy. The host may run meanwhile."""
    from pbem.backup import backup as backed_up
    from pbem.backup import checkup

    checked = checkup(config, file) if check else backed_up(config, file, force=force)
    if not check:
        typer.echo(f"{file} is written, for you alone (mode 0600): it holds hands of cards, addresses and mails.")
        typer.echo("The host's secret, pbem.secret, is not in it: keep a copy of that too, in another place.")
    typer.echo(checked.text)
    if checked.flaws or not checked.ours:
        raise typer.Exit(1)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What pbem backup wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Put a database aside that is there; restore a backup with flaws too.")
    ] = False,
    new_addresses: Annotated[
        bool, typer.Option("--new-addresses", help="Its secret is lost: let players ask for new reply addresses.")
    ] = False,
    config: Config = CONFIG,
) -> None:
    """Go back to a backup, which is checked first. Stop the host before."""
    from pbem.backup import restore as restored

    done = restored(config, file, force=force, new_addresses=new_addresses)
    typer.echo(f"The database is that of {file} again. {done.checked.text}")
    if done.aside:
        typer.echo(f"The one that was there is kept: {done.aside}")
    typer.echo("Mails that came after the backup are not in it: move them back into the inbox, and start the host.")


@app.command()
def units(folder: Annotated[Path, typer.Argument(help="Where to write them.")] = Path("deploy")) -> None:
    """Write files for systemd and for containers. Read them, then copy what you need."""
    from pbem.units import write_units

    for path in write_units(folder):
        typer.echo(path)


archive = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Write the pages of games.")
app.add_typer(archive, name="archive")


@archive.callback()
def _archive() -> None:
    """Write the pages of games."""


@archive.command()
def build(config: Config = CONFIG) -> None:
    """Write the whole archive: all games that are to be shown, their lists and the feed.

    A host writes by itself what changes; this is for after an update, and for a folder that was lost.
    """
    from pbem.keeping import build_archive

    typer.echo(build_archive(config).text)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The record of a finished game.")],
    head: Annotated[str, typer.Option(help="The head as your mails printed it (8 digits or more).")] = "",
    commitment: Annotated[str, typer.Option(help="The commitment in the first mail of the table.")] = "",
) -> None:
    """Check a finished game from its file alone. That is its chain, deals, moves and result."""
    from pbem.verifying import verify_file

    typer.echo(verify_file(file, head, commitment=commitment).text)


@app.command()
def explain(
    files: Annotated[list[Path], typer.Argument(help="Mails as they came, one in each file.", metavar="FILE...")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line for each file, nothing else.")] = False,
    sent: Annotated[Path | None, typer.Option(help="The mail that they answer, if you have it.")] = None,
    authserv_id: Annotated[str, typer.Option(help="Your mail server's name in Authentication-Results.")] = "",
) -> None:
    """Show how mails would be read. It has no effect, and needs no configuration."""
    from pbem.errors import Trouble
    from pbem.explain import explain as explanations

    failed = False
    for told in explanations(files, as_json=json, sent=sent, authserv_id=authserv_id):
        is_trouble = isinstance(told, Trouble)
        typer.echo(f"pbem: {told}" if is_trouble else told, err=is_trouble)
        failed |= is_trouble
    if failed:
        raise typer.Exit(1)


@app.command()
def demo(
    players: Annotated[int, typer.Option(min=1, max=4, help="How many bots play.")] = 3,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same game.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One object on standard output, nothing else.")] = False,
    folder: Annotated[Path, typer.Option(help="Where the archive and the mails are kept.")] = Path("demo"),
) -> None:
    """Let bots play a whole game by real mails. The server is their own, and no account is needed."""
    from pbem.demo import play

    play(players, seed, json, folder)


@app.command()
def sandbox(
    keep: Annotated[Path | None, typer.Option(help="Keep everything in this folder, and go on from it.")] = None,
    templates: Annotated[Path | None, typer.Option(help="A folder whose templates go before our own.")] = None,
) -> None:
    """Try a game in your browser, at all seats of a table. By real mails, on a server of its own; nothing is kept."""
    from pbem.sandbox import serve

    serve(keep, templates)


def main() -> None:
    """Run, and say every trouble in one line."""
    from pbem.errors import Trouble

    try:
        app()
    except Trouble as trouble:
        print(f"pbem: {trouble}", file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
