"""Leave to act for a mailbox at a provider (OAuth2): asked for once, kept in a file, and used for access tokens."""

from pbem.oauth.browser import Client, ask_leave_here, client_of, pasted
from pbem.oauth.leave import MICROSOFT, Endpoints, Leave, access_token, ask_leave, keep

__all__ = [
    "MICROSOFT",
    "Client",
    "Endpoints",
    "Leave",
    "access_token",
    "ask_leave",
    "ask_leave_here",
    "client_of",
    "keep",
    "pasted",
]
