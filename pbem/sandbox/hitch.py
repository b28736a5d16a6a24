"""What somebody at a sandbox cannot have, as a value: the words for it stand in templates/sandbox/trouble.html.j2."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Why(StrEnum):
    """Why something did not work."""

    NOT_OPENED = "not-opened"
    NO_DEADLINE = "no-deadline"
    NO_MAIL = "no-mail"
    """There is none to answer."""
    SEATS = "seats"
    """There can be no such table."""
    NOBODY = "nobody"
    NO_SUCH_MAIL = "no-such-mail"
    NO_SUCH_PAGE = "no-such-page"
    TOO_LONG = "too-long"
    HOST = "host"
    """The host has a trouble of its own."""


class Hitch(Exception):
    """Something that did not work.

    `status` is that of the page that says so, in HTTP; `name` whom it is about; `said` what the host says, in English.
    """

    def __init__(self, why: Why, status: int = 409, *, name: str = "", said: str = "") -> None:
        super().__init__(why)
        self.why: Final = why
        self.status: Final = status
        self.name: Final = name
        self.said: Final = said
