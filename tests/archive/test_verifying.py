"""`pbem verify`: what it says of a record that holds, of one that does not, and of what it cannot use."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine import record
from engine.game import Outcome
from engine.record import Flaw
from pbem.archive import record_of
from pbem.errors import Trouble
from pbem.verifying import LARGEST, WRONG, NotProved, Report, verify_file
from tests.archive.finished import EVERY, GAMES, Finished, plain


def written(folder: Path, game: Finished) -> Path:
    path = folder / "record.json"
    path.write_bytes(record.dump(record_of(game.table, game.log)))
    return path


def checked(path: Path, head: str = "") -> Report:
    return verify_file(path, head, GAMES)


@pytest.mark.parametrize("which", EVERY)
def test_the_record_of_every_game_holds(tmp_path: Path, which: str) -> None:
    game = EVERY[which]()
    report = checked(written(tmp_path, game), game.table.head)
    assert report.head_of == len(game.log)
    assert report.record.result == game.table.game.outcome(game.table.running.state)


def test_what_holds_is_told_in_a_few_lines(tmp_path: Path) -> None:
    game = EVERY["second game"]()
    outcome = game.table.game.outcome(game.table.running.state)
    assert game.table.header is not None
    assert outcome is not None
    one, two, three = zip(outcome.places, outcome.scores, strict=True)
    assert checked(written(tmp_path, game), game.table.head[:12]).text.splitlines() == [
        f"The record of Choices, table choices-2, holds: 3 seats, {len(game.log)} entries, 1 deal, "
        f"head {game.table.head[:12]}.",
        f"Result: seat 1 place {one[0]} with {one[1]}, seat 2 place {two[0]} with {two[1]}, "
        f"seat 3 place {three[0]} with {three[1]}.",
        "The head is that of the last entry: nothing was changed.",
        f"Compare the commitment with the first mail of the table: {game.table.header.commitment}",
    ]


def test_a_game_that_was_ended_early_is_told_as_one(tmp_path: Path) -> None:
    lines = checked(written(tmp_path, EVERY["ended"]())).text.splitlines()
    assert lines[1] == "The game was ended before its end."


def test_a_lost_game_has_no_place_and_no_score(tmp_path: Path) -> None:
    whole = checked(written(tmp_path, plain())).record
    lost = msgspec.structs.replace(whole, result=Outcome((0,), (None,)))
    assert Report(lost, "The Bloody Inn", 1).text.splitlines()[1] == "Result: seat 1 place -."


def test_without_a_head_and_with_a_chosen_secret_it_says_what_is_not_shown(tmp_path: Path) -> None:
    text = checked(written(tmp_path, Finished(plain().table.game, 2, chosen=True).play())).text
    assert "not compared with a head" in text
    assert "chosen, not drawn" in text


@pytest.mark.parametrize("form", [str.upper, lambda head: f" {head}\n", lambda head: head[:8]])
def test_a_head_is_taken_as_people_copy_it(tmp_path: Path, form: object) -> None:
    game = plain()
    assert callable(form)
    assert checked(written(tmp_path, game), form(game.table.head)).head_of == len(game.log)


@pytest.mark.parametrize("n", [1, 7])
def test_the_head_in_an_earlier_mail_proves_what_was_before_it(tmp_path: Path, n: int) -> None:
    game = plain()
    kept = game.log[n - 1].entry.hash[: record.SHORT_HEAD]
    report = checked(written(tmp_path, game), kept)
    assert report.head_of == n
    assert f"The head is that of entry {n} of {len(game.log)}: nothing up to there was changed." in report.text


def test_the_head_before_the_first_entry_is_known_too(tmp_path: Path) -> None:
    path = written(tmp_path, plain())
    whole = record.load(path.read_bytes())
    assert checked(path, record.header_hash(whole.header, whole.secret)[:12]).head_of == 0


@pytest.mark.parametrize("head", ["1234567", "x" * 12, "head", "0" * 65, "-1"])
def test_what_cannot_be_a_head_is_a_trouble_and_no_flaw(tmp_path: Path, head: str) -> None:
    with pytest.raises(Trouble, match="is no head") as trouble:
        checked(written(tmp_path, plain()), head)
    assert not isinstance(trouble.value, NotProved)


def test_the_head_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotProved) as refused:
        checked(written(tmp_path, plain(seed=1)), plain(seed=2).table.head)
    assert refused.value.flaw is Flaw.HEAD
    assert "none of its entries has the head" in refused.value.what
    assert "copied it whole" in refused.value.mend


def test_the_commitment_that_somebody_kept_is_compared(tmp_path: Path) -> None:
    path = written(tmp_path, plain())
    kept = record.load(path.read_bytes()).header.commitment
    for copied in (kept, f" {kept[:16].upper()} "):
        text = verify_file(path, games=GAMES, commitment=copied).text
        assert "The commitment is the one that you kept" in text
        assert "Compare the commitment" not in text


@pytest.mark.parametrize(
    ("commitment", "said"),
    [("0" * 64, "its commitment does not begin with 0000.*copied it whole"), ("sesame", "'sesame' is no commitment")],
)
def test_another_commitment_is_refused(tmp_path: Path, commitment: str, said: str) -> None:
    with pytest.raises(Trouble, match=said):
        verify_file(written(tmp_path, plain()), games=GAMES, commitment=commitment)


def test_a_record_of_other_rules_blames_nobody(tmp_path: Path) -> None:
    path = written(tmp_path, plain())
    whole = record.load(path.read_bytes())
    older = msgspec.structs.replace(whole.header, version=whole.header.version + 1)
    path.write_bytes(record.dump(msgspec.structs.replace(whole, header=older)))
    with pytest.raises(NotProved, match="cannot be checked: it was played by version 2 of the rules") as refused:
        checked(path)
    assert refused.value.flaw is Flaw.GAME
    assert "Install the pbem that played it" in refused.value.mend


def test_a_changed_entry_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, plain())
    whole = record.load(path.read_bytes())
    entries = list(whole.entries)
    entries[9] = msgspec.structs.replace(entries[9], hash="0" * 64)
    path.write_bytes(record.dump(msgspec.structs.replace(whole, entries=tuple(entries))))
    with pytest.raises(NotProved, match="does not hold at entry 10: the entry or one before it was changed") as refused:
        checked(path)
    assert (refused.value.flaw, refused.value.n) == (Flaw.CHAIN, 10)


@pytest.mark.parametrize("data", [b"", b"{}", b"not json", b"\x89PNG", b"[" * 10**5], ids=range(5))
def test_a_file_that_is_no_record_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(data)
    with pytest.raises(NotProved, match=r"it is no record.*Name the file record\.json") as refused:
        checked(path)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_far_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    with path.open("wb") as file:
        file.truncate(LARGEST + 2)
    with pytest.raises(NotProved, match="it is no record"):
        checked(path)


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_a_trouble(tmp_path: Path, name: str) -> None:
    with pytest.raises(Trouble, match="cannot be read"):
        checked(tmp_path / name)


def test_a_game_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"The game 'choices' is not installed.*games found: bloody-inn"):
        verify_file(written(tmp_path, EVERY["second game"]()), games={"bloody-inn": GAMES["bloody-inn"]})


def test_the_installed_games_are_found_without_being_told(tmp_path: Path) -> None:
    assert verify_file(written(tmp_path, plain())).title == "The Bloody Inn"


@pytest.mark.parametrize("flaw", Flaw)
def test_every_flaw_has_its_words(flaw: Flaw) -> None:
    assert WRONG[flaw] in str(NotProved(Path("record.json"), flaw, 3))
