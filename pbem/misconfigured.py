"""What is wrong with a configuration, said to whoever wrote it: one fault, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from rapidfuzz import process

from pbem.errors import ConfigurationTrouble

EXAMPLE: Final = "config.example.toml"
PREFIX: Final = "PBEM_"
"""Of the environment variables that are settings."""

Sections = Mapping[str, type[BaseModel]]
"""The tables of a configuration file by name, each with the settings that it may have."""


def check_environment(environment: Mapping[str, str], sections: Sections) -> None:
    """Refuse a variable of an unknown section: Pydantic forbids unknown settings in a known one, and overlooks this."""
    for variable in environment:
        section, nested, _ = variable.removeprefix(PREFIX).lower().partition("__")
        if variable.startswith(PREFIX) and nested and section not in sections:
            raise ConfigurationTrouble(f"{variable} in the environment sets nothing", _near(section, sections))


def explained(path: Path, error: ValidationError, sections: Sections) -> ConfigurationTrouble:
    """The first fault of `error` for a person; unknown names first, since they often explain a missing one."""
    faults = sorted(error.errors(include_input=False, include_url=False), key=lambda f: f["type"] != "extra_forbidden")
    what, mend = _fault(faults[0], sections)
    return ConfigurationTrouble(f"{path}: {what}", mend)


def _fault(fault: ErrorDetails, sections: Sections) -> tuple[str, str]:
    if not fault["loc"]:
        return _reason(fault), f"Compare it with {EXAMPLE}"
    section, *rest = (str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"{_place(section, rest)} is no setting", _meant(section, rest, sections)
    where = f"Set it there or by {variable(section, rest)}" if rest else f"See [{section}] in {EXAMPLE}"
    if fault["type"] == "missing":
        return f"{_place(section, rest)} is missing", where
    return f"{_place(section, rest)}: {_reason(fault)}", where


def _meant(section: str, rest: Sequence[str], sections: Sections) -> str:
    """Where a setting that its section does not have belongs, or what is spelt nearly so."""
    model = sections.get(section)
    if not (model and rest):
        return _near(section, sections)
    homes = [f"[{name}]" for name, other in sections.items() if rest[0] in other.model_fields]
    return f"It belongs under {' or '.join(homes)}" if homes else _near(rest[0], model.model_fields)


def _reason(fault: ErrorDetails) -> str:
    message = fault["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _place(section: str, rest: Iterable[str]) -> str:
    return " ".join((f"[{section}]", *rest))


def variable(section: str, rest: Iterable[str]) -> str:
    """The environment variable that sets what `rest` names in `section`."""
    return PREFIX + "__".join((section, *rest)).upper()


def _near(name: str, known: Iterable[str]) -> str:
    """What the writer may have meant, or all that there is."""
    names = sorted(known)
    best = process.extractOne(name, names, score_cutoff=70)
    return f"Did you mean {best[0]}?" if best else f"Choose one of {', '.join(names)}"
