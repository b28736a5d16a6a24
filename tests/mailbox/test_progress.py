"""How far a folder has been done is one number, whatever order the mails are done in."""

from __future__ import annotations

import pytest

from pbem.mailbox.progress import Progress

READ = (11, 12, 15)


@pytest.mark.parametrize(
    ("done", "mark"),
    [
        ((), 10),
        ((11,), 11),
        ((12,), 10),
        ((11, 12), 14),
        ((11, 15), 11),
        ((15, 12, 11), 15),
        ((11, 11), 11),
    ],
)
def test_the_mark_stands_before_the_first_undone_mail(done: tuple[int, ...], mark: int) -> None:
    progress = Progress(10)
    progress.read(READ)
    progress.done(done)
    assert progress.done_up_to == mark


def test_what_was_skipped_counts_as_read_and_never_goes_back() -> None:
    progress = Progress(10)
    progress.skipped(20)
    progress.skipped(15)
    assert (progress.read_up_to, progress.done_up_to) == (20, 20)
