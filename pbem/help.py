"""What HELP can tell more about: the topics, each a template of its own in ``templates/info/help``."""

from __future__ import annotations

from typing import Final

TOPICS: Final = ("orders", "plans", "lobby", "moderator", "time", "mails")
