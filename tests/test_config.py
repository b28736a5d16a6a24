"""The configuration: what stands in the example, what comes from where, and how a mistake is named."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import PydanticUndefined

from pbem.config import SECTIONS, Imap, Security, Settings, Smtp, create, example, load
from pbem.errors import ConfigurationTrouble
from pbem.spelled import duration

MINIMAL: Mapping[str, Mapping[str, Any]] = {
    "host": {"address": "inn@example.org", "secret": "s" * 32},
    "imap": {"host": "imap.example.org", "user": "inn", "password": "sesame"},
    "smtp": {"host": "smtp.example.org", "user": ""},
}

EVERY_SETTING = [(section, name) for section, model in SECTIONS.items() for name in model.model_fields]


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [name for name in os.environ if name.startswith("PBEM_")]:
        monkeypatch.delenv(variable)


def written(folder: Path, without: Collection[str] = (), **changes: Mapping[str, Any]) -> Path:
    """A minimal configuration in `folder` with `changes` by section, and without some sections."""
    names = [name for name in {**MINIMAL, **changes} if name not in without]
    sections = {name: {**MINIMAL.get(name, {}), **changes.get(name, {})} for name in names}
    path = folder / "pbem.toml"
    path.write_text("".join(f"[{name}]\n{_lines(table)}" for name, table in sections.items()), "utf-8")
    return path


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def imap(settings: Settings) -> Imap:
    assert settings.imap is not None
    return settings.imap


def smtp(settings: Settings) -> Smtp:
    assert settings.smtp is not None
    return settings.smtp


def test_a_minimal_configuration_takes_every_default(tmp_path: Path) -> None:
    settings = load(written(tmp_path))
    assert (imap(settings).port, imap(settings).security) == (993, Security.TLS)
    assert (smtp(settings).port, smtp(settings).security) == (587, Security.STARTTLS)
    assert settings.clock.interval == timedelta(seconds=60)
    assert settings.host.time_zone.key == "UTC"


@pytest.mark.parametrize(("section", "name"), EVERY_SETTING)
def test_every_setting_stands_in_the_example_with_its_default(section: str, name: str) -> None:
    stands = tomllib.loads(example())[section]
    model, field = SECTIONS[section], SECTIONS[section].model_fields[name]
    assert name in stands
    if field.default is PydanticUndefined:
        return
    reading = model.model_validate({**MINIMAL.get(section, {}), name: stands[name]})
    assert getattr(reading, name) == field.default


@pytest.mark.parametrize(("section", "name"), EVERY_SETTING)
def test_every_setting_in_the_example_has_a_comment(section: str, name: str) -> None:
    table = example().split(f"\n[{section}]\n")[1].split("\n[")[0].splitlines()
    place = next(number for number, line in enumerate(table) if line.startswith(f"{name} ="))
    assert table[place - 1].startswith("# ")


def test_a_fresh_configuration_loads_once_its_passwords_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(tmp_path / "pbem.toml")
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "12345")
    monkeypatch.setenv("PBEM_SMTP__PASSWORD", "in")
    settings = load(tmp_path / "pbem.toml")
    assert imap(settings).password.get_secret_value() == "12345"
    assert len(settings.host.secret.get_secret_value()) == 64


def test_a_fresh_configuration_and_its_secret_are_private_and_never_the_same(tmp_path: Path) -> None:
    secrets = [create(tmp_path / name / "pbem.toml")[0] for name in ("one", "two")]
    assert secrets[0].read_text() != secrets[1].read_text()
    for file in (*secrets, tmp_path / "one" / "pbem.toml"):
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_fresh_configuration_overwrites_none(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text("mine")
    with pytest.raises(ConfigurationTrouble, match=r"pbem.toml exists already. Edit it"):
        create(tmp_path / "pbem.toml")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["mine"]


def test_the_secret_of_a_host_is_kept_when_it_gets_a_fresh_configuration(tmp_path: Path) -> None:
    (tmp_path / "pbem.secret").write_text("mine")
    assert create(tmp_path / "pbem.toml") == (tmp_path / "pbem.secret", False)
    assert (tmp_path / "pbem.secret").read_text() == "mine"
    assert (tmp_path / "pbem.toml").read_text() == example()


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__HOST", "mail.example.com")
    monkeypatch.setenv("PBEM_CLOCK__INTERVAL", "5m")
    monkeypatch.setenv("PBEM_HOST__PLUS_ADDRESSES", "false")
    settings = load(written(tmp_path, clock={"interval": "10s"}))
    assert imap(settings).host == "mail.example.com"
    assert imap(settings).user == "inn"
    assert settings.clock.interval == timedelta(minutes=5)
    assert settings.host.plus_addresses is False


def test_settings_that_a_program_makes_itself_do_not_look_into_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PBEM_IMAP__HOST", "mail.example.com")
    assert imap(Settings.model_validate(MINIMAL)).host == "imap.example.org"


def test_relative_paths_count_from_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = written(home, imap={"ca_file": "ca.pem"}, archive={"folder": "/var/games"})
    monkeypatch.chdir(tmp_path)
    settings = load(path.relative_to(tmp_path))
    assert imap(settings).ca_file == home / "ca.pem"
    assert settings.database.url == f"sqlite:///{home / 'pbem.db'}"
    assert settings.archive.folder == Path("/var/games")


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:////srv/pbem.db", "sqlite:///:memory:", "postgresql+psycopg:///x"]
)
def test_a_database_that_is_no_relative_file_is_left_as_it_is(tmp_path: Path, url: str) -> None:
    assert load(written(tmp_path, database={"url": url})).database.url == url


def test_a_password_is_read_from_its_file_without_the_line_end(tmp_path: Path) -> None:
    (tmp_path / "pw").write_text("se same\n")
    settings = load(written(tmp_path, imap={"password": "", "password_file": "pw"}))
    assert imap(settings).password.get_secret_value() == "se same"


def test_secrets_do_not_show_when_settings_are_printed(tmp_path: Path) -> None:
    assert "sesame" not in repr(load(written(tmp_path)))


@pytest.mark.parametrize(("text", "seconds"), [("60s", 60), ("5m", 300), ("48h", 172_800), ("2d", 172_800), ("1s", 1)])
def test_a_span_of_time_is_read(text: str, seconds: int) -> None:
    assert duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "60", "0s", "-5m", "5 m", "1.5h", "soon", 60])
def test_what_is_no_span_of_time_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="is no span of time"):
        duration(text)


def test_a_pause_between_two_looks_is_no_outage(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationTrouble, match="outage must be longer than interval"):
        load(written(tmp_path, clock={"interval": "2h", "outage": "2h"}))
    assert load(written(tmp_path, clock={"interval": "2h", "outage": "none"})).clock.outage is None


def test_no_deadline_and_no_reminder_can_be_asked_for(tmp_path: Path) -> None:
    clock = load(written(tmp_path, clock={"deadline": "none", "reminder": "none"})).clock
    assert (clock.deadline, clock.reminder) == (None, None)


MISTAKES: list[tuple[dict[str, dict[str, Any]], str]] = [
    ({"imap": {"pasword": "hush"}}, r"\[imap\] pasword is no setting. Did you mean password\?"),
    ({"imap": {"zzz": 1}}, r"\[imap\] zzz is no setting. Choose one of ca_file, folder, "),
    ({"databse": {"url": "x"}}, r"\[databse\] is no setting. Did you mean database\?"),
    ({"host": {"address": "inn"}}, r"\[host\] address: 'inn' is no address of a host: .*PBEM_HOST__ADDRESS"),
    ({"host": {"address": "a+b@example.org"}}, r"\[host\] address: "),
    ({"host": {"time_zone": "Mars/Olympus"}}, r"\[host\] time_zone: 'Mars/Olympus' is no time zone: write it as "),
    ({"host": {"time_zone": "Brussels"}}, r"'Brussels' is no time zone: write it as Europe/Brussels"),
    ({"host": {"time_zone": 1}}, r"'?1'? is no time zone: write it as Europe/Brussels"),
    ({"host": {"language": "it"}}, r"\[host\] language: there are no texts in 'it', only in en, nl"),
    ({"host": {"secret": "short"}}, r"fewer than 32 characters"),
    ({"host": {"secret": ""}}, r"The secret file .*pbem\.secret cannot be read: No such file"),
    ({"imap": {"password": "", "password_file": "pw"}}, r"The secret file .*pw cannot be read: .* Write the password"),
    ({"imap": {"port": 0}}, r"\[imap\] port: "),
    ({"imap": {"security": "ssl"}}, r"\[imap\] security: .*'tls', 'starttls' or 'none'"),
    ({"imap": {"security": "none"}}, r"\[imap\]: security none .* in the clear to imap\.example\.org"),
    ({"smtp": {"security": "none", "host": "192.168.0.1"}}, r"\[smtp\]: security none"),
    ({"archive": {"url": "example.org/games"}}, r"\[archive\] url: 'example.org/games' is no address of a web page"),
    ({"imap": {"path": "mail"}}, r"\[imap\] path is no setting. It belongs under \[maildir\]"),
    (
        {"host": {"folder": "x"}},
        r"\[host\] folder is no setting. It belongs under \[imap\] or \[outbox\] or ",
    ),
    ({"imap": {"password": ""}}, r"\[imap\] has a user and no password. .*PBEM_IMAP__PASSWORD"),
    ({"smtp": {"user": "inn"}}, r"\[smtp\] has a user and no password. .*PBEM_SMTP__PASSWORD"),
    ({"clock": {"interval": "soon"}}, r"\[clock\] interval: 'soon' is no span of time"),
    ({"clock": {"interval": "none"}}, r"\[clock\] interval: 'none' is no span of time"),
    ({"limits": {"attempts": 0}}, r"\[limits\] attempts: "),
]


@pytest.mark.parametrize(("changes", "line"), MISTAKES)
def test_a_mistake_is_named_in_one_line_without_any_secret(
    tmp_path: Path, changes: dict[str, dict[str, Any]], line: str
) -> None:
    with pytest.raises(ConfigurationTrouble, match=line) as caught:
        load(written(tmp_path, **changes))
    message = str(caught.value)
    assert "\n" not in message
    assert "sesame" not in message
    assert "hush" not in message


def test_folders_on_this_machine_take_the_place_of_servers(tmp_path: Path) -> None:
    path = written(tmp_path, without=("imap", "smtp"), maildir={"path": "mail"}, outbox={"folder": "/srv/outbox"})
    settings = load(path)
    assert (settings.imap, settings.smtp) == (None, None)
    assert (settings.maildir.path, settings.maildir.handled_folder) == (tmp_path / "mail", "Handled")
    assert settings.outbox.folder == Path("/srv/outbox")


@pytest.mark.parametrize(
    ("without", "changes", "line"),
    [
        (["imap"], {}, r"no mail can come in: \[imap\] is missing, and path in \[maildir\] is not set"),
        (["smtp"], {}, r"no mail can go out: \[smtp\] is missing, and folder in \[outbox\] is not set"),
        (
            [],
            {"maildir": {"path": "m"}},
            r"mail would come in twice: there is \[imap\], and path in \[maildir\] is",
        ),
        (
            [],
            {"outbox": {"folder": "o"}},
            r"mail would go out twice: there is \[smtp\], and folder in \[outbox\] is",
        ),
        (["imap"], {"maildir": {"path": "m", "handled_folder": "../x"}}, r"\[maildir\] handled_folder: "),
        (["imap"], {"maildir": {"path": "m", "handled_folder": ""}}, r"\[maildir\] handled_folder: "),
    ],
)
def test_mail_has_exactly_one_way_in_and_one_way_out(
    tmp_path: Path, without: list[str], changes: dict[str, dict[str, Any]], line: str
) -> None:
    with pytest.raises(ConfigurationTrouble, match=line) as caught:
        load(written(tmp_path, without, **changes))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_a_server_on_this_machine_may_go_without_encryption(tmp_path: Path, host: str) -> None:
    assert imap(load(written(tmp_path, imap={"security": "none", "host": host}))).security is Security.NONE


@pytest.mark.parametrize(
    ("variable", "line"),
    [
        ("PBEM_IMPA__HOST", r"PBEM_IMPA__HOST in the environment sets nothing. Did you mean imap\?"),
        ("PBEM_IMAP__HOSTE", r"\[imap\] hoste is no setting. Did you mean host\?"),
    ],
)
def test_a_misspelt_variable_of_the_environment_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, line: str
) -> None:
    monkeypatch.setenv(variable, "x")
    with pytest.raises(ConfigurationTrouble, match=line):
        load(written(tmp_path))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[host]\nname = 3 3", r"is not valid TOML: .*line 2"),
        ("", r"\[host\] is missing. See \[host\] in config\.example\.toml"),
        ("[host]\n", r"\[host\] address is missing. Set it there or by PBEM_HOST__ADDRESS"),
        ("host = 3", r"\[host\]: "),
    ],
)
def test_a_broken_file_is_named_in_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationTrouble, match=line) as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationTrouble, match=r"cannot be read: No such file .*pbem init"):
        load(tmp_path / "nowhere.toml")
