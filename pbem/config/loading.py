"""The settings read from a file and the environment, with each secret from where it is kept."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast, get_args

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.config.sections import Connection, Login, Section, Settings
from pbem.errors import ConfigurationTrouble
from pbem.misconfigured import EXAMPLE, PREFIX, check_environment, explained, variable
from pbem.passwords import from_command, from_file, from_keyring


class _Sources(Settings, BaseSettings):
    """Settings that look into the environment, before what is handed in, which is the file."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings


def _section(annotation: Any) -> type[Section]:
    """The section that a setting of `Settings` is: itself, or the first part of what may be missing."""
    return cast(type[Section], next(iter(get_args(annotation)), annotation))


SECTIONS: Final[Mapping[str, type[Section]]] = {
    name: _section(field.annotation) for name, field in Settings.model_fields.items()
}
_MEND_KEY: Final = "Copy it from where this host ran before; for a new host, run pbem init in an empty folder"
_MEND_PASSWORD: Final = "Write the password into it, or name another password_file"


def load(path: Path) -> Settings:
    """The settings of the file at `path`, with those of the environment on top.

    Relative paths count from the folder of the file. `ConfigurationTrouble` names the first thing that
    is wrong, in one line, and never prints a secret.
    """
    written = _parsed(path)
    check_environment(os.environ, SECTIONS)
    try:
        settings: Settings = _Sources(**written)
    except ValidationError as error:
        raise explained(path, error, SECTIONS) from None
    folder = path.resolve().parent
    anchored = {name: section.anchored(folder) for name, section in settings if section is not None}
    return _with_secrets(settings.model_copy(update=anchored), path)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        mend = "Write one with pbem init, or name another file with --config"
        raise ConfigurationTrouble(f"The configuration {path} cannot be read: {error.strerror}", mend) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationTrouble(f"{path} is not valid TOML: {error}", f"Compare it with {EXAMPLE}") from None


def _with_secrets(settings: Settings, path: Path) -> Settings:
    """`settings` with each secret read from where it is kept; one that is given wins."""
    host = settings.host
    if host.secret_file and not host.secret.get_secret_value():
        host = host.model_copy(update={"secret": SecretStr(from_file(host.secret_file, _MEND_KEY))})
    servers = {name: _with_password(name, getattr(settings, name), path) for name in ("imap", "smtp")}
    filled = settings.model_copy(update={"host": host, **servers})
    _check_secrets(filled, path)
    return filled


def _with_password(section: str, server: Connection | None, path: Path) -> Connection | None:
    if server is None or not _needs_password(server):
        return server
    password = _password_of(server, f"{path}: [{section}]")
    return server.model_copy(update={"password": SecretStr(password)})


def _needs_password(server: Connection) -> bool:
    return bool(server.user) and server.login is Login.PASSWORD and not server.password.get_secret_value()


def _password_of(server: Connection, where: str) -> str:
    """The password from the place that is named; empty where none is."""
    if server.password_file:
        return from_file(server.password_file, _MEND_PASSWORD)
    if server.password_command:
        return from_command(f"{where} password_command", server.password_command, server.home)
    if server.password_keyring:
        return from_keyring(f"{where} password_keyring", server.password_keyring, server.user)
    return ""


def _check_secrets(settings: Settings, path: Path) -> None:
    if len(settings.host.secret.get_secret_value()) < 32:
        raise ConfigurationTrouble(f"{path}: the secret of [host] has fewer than 32 characters", _MEND_KEY)
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server and _needs_password(server):
            mend = f"Set password, password_file or password_command there, or {variable(name, ['password'])}"
            raise ConfigurationTrouble(f"{path}: [{name}] has a user and no password", mend)
