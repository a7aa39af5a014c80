"""Time as the dispatcher sees it: measured, waited for, and replaced in tests."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only grow, seconds since 1970, and a wait."""

    def now(self) -> float:
        """Seconds since some moment."""

    def today(self) -> float:
        """Seconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class SystemClock:
    """The computer's own clock."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def today(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)
