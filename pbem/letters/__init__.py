"""Reading mails: bytes in, frozen values out.

`read_letter` reads a mail whole. The host then looks up which of its own mails is answered (`Letter.carriers`) and asks
`own_text` which lines are the sender's own, with the text of that mail (`shown_text`) as evidence when it is known.
"""

from pbem.letters.authentication import Verdict, sender_verdict
from pbem.letters.body import Body, Cap, Ignored, Kind, Line, OwnText, Reason
from pbem.letters.bounces import BOUNCING, Bounce, Failure, bounce
from pbem.letters.footers import is_misread
from pbem.letters.identity import Carriers, HostAddress, without_tokens
from pbem.letters.letter import Letter, read_head, read_letter, shown_text
from pbem.letters.message import Problem
from pbem.letters.normalise import normalised
from pbem.letters.own_text import own_text
from pbem.letters.robots import HOST_HEADER, Automatic
from pbem.letters.signed import is_signed
from pbem.names import canonical

__all__ = [
    "BOUNCING",
    "HOST_HEADER",
    "Automatic",
    "Body",
    "Bounce",
    "Cap",
    "Carriers",
    "Failure",
    "HostAddress",
    "Ignored",
    "Kind",
    "Letter",
    "Line",
    "OwnText",
    "Problem",
    "Reason",
    "Verdict",
    "bounce",
    "canonical",
    "is_misread",
    "is_signed",
    "normalised",
    "own_text",
    "read_head",
    "read_letter",
    "sender_verdict",
    "shown_text",
    "without_tokens",
]
