"""Signs that count as spaces make no line slow to read: orders see one plain space, whatever stood there."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Final

import pytest

from pbem.letters.normalise import normalised
from pbem.names import folded
from tests.conversations.world import INN, World, address
from tests.timing import within

SECONDS: Final = 2.0
"""Of computing, for a whole mail, generously: it took 23 for a tenth of this one."""
LAST: Final = 0xFFFF
"""No sign behind it is a space."""
SPACES: Final = [char for char in map(chr, range(LAST + 1)) if char.isspace() or folded(char) == " "]


def test_all_signs_that_count_as_spaces_become_at_most_one() -> None:
    made = {normalised(f"a{char}{char}b") for char in SPACES}
    assert made <= {"a b", "ab"}


@pytest.mark.slow
@pytest.mark.parametrize("space", ["&#8232;", "&#8233;", "&#133;"])
@pytest.mark.parametrize("head", ["RENAME", "INVITE a@b", "AWAY FROM"])
def test_a_strangers_mail_full_of_rare_spaces_is_read_in_time(night: World, head: str, space: str) -> None:
    line = f"<p>{head} {space * (900 // space.count('&'))}!x</p>"
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address("eve"), INN, "Hello"
    mail.set_content(line * (200_000 // len(line)), subtype="html")
    night.deliver(mail.as_bytes())
    with within(SECONDS):
        done = night.passed()[0]
    assert (done.handled, done.failures) == (1, 0)
