"""Why a provider grants nothing, in plain words, and what to do about it (RFC 6749, RFC 8628, and Microsoft)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.errors import Trouble

ASK_AGAIN: Final = "Ask for leave again with pbem login"
NO_ANSWER: Final = "no answer"
BUSY: Final = "server_error"
_LOG_IN: Final = ("the owner of the mailbox has to log in once more", ASK_AGAIN)
_UNKNOWN: Final = (
    "it does not know this program, or not with this secret",
    "Look there at the program that you registered, then ask for leave with pbem login",
)
_WAIT: Final = ("it has troubles of its own", "Wait; a host tries again by itself")
_DENIED: Final = ("the owner of the mailbox, or of its organisation, says no", ASK_AGAIN)
_SCOPE: Final = (
    "it does not give that much to this program",
    "Allow the scope there for the program that you registered, then ask for leave with pbem login",
)

_MEANINGS: Final[Mapping[str, tuple[str, str]]] = {
    "invalid_grant": ("the leave is over or was withdrawn", ASK_AGAIN),
    "interaction_required": _LOG_IN,
    "login_required": _LOG_IN,
    "consent_required": _LOG_IN,
    "invalid_client": _UNKNOWN,
    "unauthorized_client": _UNKNOWN,
    "access_denied": _DENIED,
    "authorization_declined": _DENIED,
    "invalid_scope": _SCOPE,
    "expired_token": ("nobody has granted it in time", ASK_AGAIN),
    BUSY: _WAIT,
    "temporarily_unavailable": _WAIT,
    NO_ANSWER: (
        "what comes back is not what a provider says",
        "Wait, and if it stays so, ask for leave again with pbem login",
    ),
}


def refusal(what: str, answer: Mapping[str, str]) -> Trouble:
    """The trouble that the provider does not do `what`, as its `answer` says: its word for it, what that means, and the
    next step. Its own sentences may hold anything and are left out."""
    word = _word(answer)
    meaning, mend = _MEANINGS.get(word, ("", ASK_AGAIN))
    return Trouble(f"The provider {what} ({word}){f': {meaning}' if meaning else ''}", mend)


def _word(answer: Mapping[str, str]) -> str:
    word = answer.get("error", NO_ANSWER)
    is_one = word.isascii() and word.replace("_", "").isalpha()
    return word[:40] if is_one or word == NO_ANSWER else "no reason"
