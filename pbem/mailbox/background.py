"""An asyncio program in a thread of its own, for servers that run beside what they serve."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class Background:
    """A thread with an event loop. `start`, then `run` any number of coroutines in it, then `stop`."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)

    def start(self) -> None:
        """Begin to run. Once only."""
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do `work` in the thread and wait for what it gives or raises. Not to be called from that thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self) -> None:
        """Cancel whatever still runs there and end the thread."""
        if not self._thread.is_alive():
            return
        self.run(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*others, return_exceptions=True)
