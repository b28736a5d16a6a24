"""Players made of code, by name: what a host calls ``bots``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.bloody_inn.bots.chance import RandomBot
from engine.bloody_inn.bots.steady import SteadyBot
from engine.game import Bot

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"random": RandomBot(), "steady": SteadyBot()})
