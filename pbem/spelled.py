"""Values as a configuration spells them: what is wrong with one is said for its writer, in one line."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field

from pbem.times import zones_near
from pbem.tongues import LANGUAGES

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def duration(value: object) -> timedelta:
    """A span of time as it is written in a configuration: ``60s``, ``5m``, ``48h`` or ``2d``."""
    if isinstance(value, timedelta):
        return value
    found = re.fullmatch(r"([1-9]\d{0,5})([smhd])", str(value))
    if not found:
        raise ValueError(f"{value!r} is no span of time: write 60s, 5m, 48h or 2d")
    return timedelta(seconds=int(found[1]) * _UNITS[found[2]])


def _duration_or_none(value: object) -> timedelta | None:
    return None if value in (None, "none") else duration(value)


def _address(value: str) -> str:
    if not re.fullmatch(r"[^\s@<>+]+@[^\s@<>]+", value):
        raise ValueError(f"{value!r} is no address of a host: write it as inn@example.org, without a plus sign")
    return value


def _language(value: str) -> str:
    if value not in LANGUAGES:
        raise ValueError(f"there are no texts in {value!r}, only in {', '.join(LANGUAGES)}")
    return value


def _zone(value: object) -> ZoneInfo:
    try:
        return value if isinstance(value, ZoneInfo) else ZoneInfo(str(value))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass
    near = zones_near(str(value)) or ("Europe/Brussels",)
    raise ValueError(f"{value!r} is no time zone: write it as {' or '.join(near)}")


def _url(value: str) -> str:
    if value and not re.fullmatch(r"https?://[!-~]{1,200}", value):
        raise ValueError(f"{value!r} is no address of a web page: write it as https://example.org/games")
    return value


def _path_or_none(value: object) -> object:
    return value or None


Address = Annotated[str, AfterValidator(_address)]
OptionalAddress = Annotated[str, AfterValidator(lambda text: _address(text) if text else text)]
"""Empty for none."""
Duration = Annotated[timedelta, BeforeValidator(duration)]
OptionalDuration = Annotated[timedelta | None, BeforeValidator(_duration_or_none)]
OptionalPath = Annotated[Path | None, BeforeValidator(_path_or_none)]
Language = Annotated[str, AfterValidator(_language)]
Zone = Annotated[ZoneInfo, BeforeValidator(_zone)]
Url = Annotated[str, AfterValidator(_url)]
"""Empty for none."""
Port = Annotated[int, Field(ge=1, le=65535)]
