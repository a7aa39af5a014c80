"""A clock for what waits, so that no test does."""

import asyncio


class TickingClock:
    """Time passes only by waiting for it."""

    def __init__(self) -> None:
        self.seconds, self.slept = 1000.0, list[float]()

    def now(self) -> float:
        return self.seconds

    def today(self) -> float:
        return 1_800_000_000 + self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)
