"""How long something may take, where without a limit it could take for ever."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is inside takes less than so much time of the processor.

    No garbage is collected meanwhile: in a long run that of other tests alone may take a second.
    """
    gc.disable()
    began = time.process_time()
    try:
        yield
    finally:
        took = time.process_time() - began
        gc.enable()
    assert took < seconds
