"""What servers say of an address is read in time, whatever they say."""

from __future__ import annotations

import pytest

from pbem.letters.status import NOBODY
from tests.timing import within


@pytest.mark.parametrize(
    "text",
    ["user unknown", "Recipient <eve@example.org> not found", "no such user here", "mailbox for eve unavailable"],
)
def test_words_for_nobody_are_known(text: str) -> None:
    assert NOBODY.search(text)


@pytest.mark.parametrize("hostile", ["user" + "." * 2_000, "user " + "a. " * 2_000, "user" + " ." * 2_000 + "x"])
def test_a_hostile_text_takes_no_time(hostile: str) -> None:
    with within(1):
        assert not NOBODY.search(hostile)
