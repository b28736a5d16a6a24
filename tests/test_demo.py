"""`pbem demo` as people call it: a process of its own that plays whole games by real mails."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from engine.bloody_inn import GAME
from pbem.commands import grammar
from pbem.verifying import verify_file

SEED: Final = "7"
NAMES: Final = ("Anna", "Bob", "Chen", "Dora")
PARTS: Final = ("text/plain", "text/html")
KEPT: Final = re.compile(r"\d{4}-(from|to)-(\w+)\.eml")
TOKEN: Final = re.compile(r"\+([a-z2-7]{20})@")


@dataclass(frozen=True)
class Kept:
    """One of the mails that a demo keeps."""

    way: str
    """``from`` a player or ``to`` one."""
    name: str
    mail: EmailMessage

    @property
    def own_lines(self) -> list[str]:
        """What a player wrote above the quotation."""
        text: str = self.mail.get_content()
        return text.replace("\r\n", "\n").split("\n\n")[0].splitlines()

    @property
    def data(self) -> dict[str, Any] | None:
        """The JSON for a program, if there is any."""
        found = [part.get_content() for part in self.mail.walk() if part.get_filename() == "pbem.json"]
        return msgspec.json.decode(found[0]) if found else None

    @cached_property
    def shown(self) -> str:
        """All that its reader can find in it."""
        parts = [part.get_content() for part in self.mail.walk() if part.get_content_type() in PARTS]
        return "\n".join((str(self.data), *(f"{name}: {value}" for name, value in self.mail.items()), *parts))


@dataclass(frozen=True)
class Run:
    """A demo that has been run."""

    command: subprocess.CompletedProcess[str]
    report: dict[str, Any]

    @cached_property
    def mails(self) -> list[Kept]:
        """In the order in which they were sent."""
        return [self._kept(path) for path in sorted(Path(self.report["kept"]).iterdir())]

    def _kept(self, path: Path) -> Kept:
        found = KEPT.fullmatch(path.name)
        assert found is not None
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        return Kept(found[1], found[2].capitalize(), mail)

    def data(self) -> Iterator[dict[str, Any]]:
        """What the players' programs were told."""
        return (data for kept in self.mails if (data := kept.data) is not None)

    def tokens(self) -> dict[str, set[str]]:
        """The tokens in the reply addresses that each player was given."""
        tokens: dict[str, set[str]] = {}
        for kept in self.mails:
            if kept.way == "to":
                tokens.setdefault(kept.name, set()).update(TOKEN.findall(kept.mail["Reply-To"]))
        return tokens


def demo(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pbem", "demo", "--folder", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


def run(folder: Path, players: int) -> Run:
    command = demo(folder, "--players", str(players), "--seed", SEED, "--json")
    assert command.returncode == 0, command.stderr
    return Run(command, msgspec.json.decode(command.stdout))


@pytest.fixture(scope="module", params=[1, 2, 3, 4])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A whole game for each number of players, played once."""
    return run(tmp_path_factory.mktemp("demo"), request.param)


@pytest.mark.slow
class TestEveryGame:
    """What holds for each number of players."""

    def test_one_object_alone_stands_on_standard_output(self, played: Run) -> None:
        assert played.command.stdout.count("\n") == 1
        assert played.command.stderr == ""
        keys = {"game", "seed", "rounds", "mails_in", "mails_out", "result", "record", "archive", "verified"}
        assert keys <= set(played.report)

    def test_it_is_played_to_its_end_and_proved(self, played: Run) -> None:
        report = played.report
        found = verify_file(Path(report["record"]), report["head"]).record
        assert report["verified"] is True
        assert found.result is not None
        scores = {each["name"]: (each["place"], each["score"]) for each in report["result"]["standings"]}
        expected = zip(NAMES, zip(found.result.places, found.result.scores, strict=True), strict=False)
        assert scores == dict(expected)
        assert [each["place"] for each in report["result"]["standings"]][:1] == [1]

    def test_all_that_it_names_can_be_looked_at(self, played: Run) -> None:
        report = played.report
        assert "<html" in Path(report["archive"]).read_text("utf-8")
        ways = [kept.way for kept in played.mails]
        assert (ways.count("from"), ways.count("to")) == (report["mails_in"], report["mails_out"])
        assert counted(played) == {name: (mails["sent"], mails["got"]) for name, mails in report["mails"].items()}

    def test_it_lasts_as_many_rounds_as_players_were_asked_in(self, played: Run) -> None:
        asked = {data["decision"]["round"] for data in played.data() if data["decision"]}
        assert asked == set(range(1, played.report["rounds"] + 1))

    def test_players_write_nothing_but_orders_and_commands(self, played: Run) -> None:
        for kept in played.mails:
            if kept.way == "from":
                assert [line for line in kept.own_lines if not is_meant(line)] == []

    def test_everything_that_was_asked_for_was_done(self, played: Run) -> None:
        assert {line["said"] for data in played.data() for line in data["lines"]} == {"done"}

    def test_every_answer_quotes_the_mail_that_it_answers(self, played: Run) -> None:
        texts = {kept.mail["Message-ID"]: text_of(kept.mail) for kept in played.mails if kept.way == "to"}
        answers = [kept.mail for kept in played.mails if kept.mail["In-Reply-To"] in texts]
        assert len(answers) == played.report["mails_in"] - len(played.report["mails"])
        for answer in answers:
            quoted = [f"> {line}".rstrip() for line in texts[answer["In-Reply-To"]].splitlines()]
            assert text_of(answer).splitlines()[-len(quoted) :] == quoted

    def test_no_mail_of_a_player_holds_the_token_of_another(self, played: Run) -> None:
        tokens = played.tokens()
        for kept in played.mails:
            others = set().union(*(found for name, found in tokens.items() if name != kept.name))
            assert [token for token in others if token in kept.shown] == []

    def test_no_mail_shows_the_hand_of_another_before_the_end(self, played: Run) -> None:
        for data in played.data():
            if not data["over"]:
                view = GAME.decode_view(msgspec.json.encode(data["view"]))
                assert [each.hand for each in view.players if each.seat != data["seat"] and each.hand] == []


def counted(played: Run) -> Mapping[str, tuple[int, int]]:
    """Mails that each player sent and got."""
    ways = [(kept.name, kept.way) for kept in played.mails]
    return {name: (ways.count((name, "from")), ways.count((name, "to"))) for name in played.report["mails"]}


def is_meant(line: str) -> bool:
    return isinstance(grammar.parse(line), tuple) or line.split()[0].lower() in GAME.verbs()


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    text: str = part.get_content()
    return text.replace("\r\n", "\n")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game_in_a_folder_of_its_own(tmp_path: Path) -> None:
    first, second = run(tmp_path, 2), run(tmp_path, 2)
    paths = ("record", "archive", "kept")
    assert all(first.report[each] != second.report[each] for each in paths)
    same = [{key: value for key, value in each.report.items() if key not in paths} for each in (first, second)]
    assert same[0] == same[1]
    assert Path(first.report["record"]).read_bytes() == Path(second.report["record"]).read_bytes()
    assert [kept.own_lines for kept in first.mails if kept.way == "from"] == [
        kept.own_lines for kept in second.mails if kept.way == "from"
    ]


@pytest.mark.slow
def test_without_a_seed_one_is_drawn_and_told_and_the_result_is_shown(tmp_path: Path) -> None:
    command = demo(tmp_path, "--players", "1")
    assert command.returncode == 0, command.stderr
    assert re.search(r"seed \d+: \d+ rounds", command.stdout)
    assert f"Archive  {tmp_path}/game-1/inn-1/index.html" in command.stdout
    assert f"Record   {tmp_path}/game-1/inn-1/record.json, head " in command.stdout


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    command = demo(tmp_path / "file", "--json")
    assert (command.returncode, command.stdout) == (1, "")
    assert command.stderr == f"pbem: {tmp_path}/file cannot be written: File exists. Name another one with --folder\n"


WITHOUT_PYMAP: Final = """
import sys
sys.modules["pymap.user"] = None
from pbem.cli import main
sys.argv = ["pbem", "demo"]
main()
"""


@pytest.mark.slow
def test_without_the_embedded_server_it_says_what_to_install() -> None:
    command = subprocess.run([sys.executable, "-c", WITHOUT_PYMAP], capture_output=True, text=True)
    assert (command.returncode, command.stdout, command.stderr.count("\n")) == (1, "", 1)
    assert "pip install 'pbem[embedded]'" in command.stderr
