"""What several want is made once; who leaves does not stop the others, and a failure reaches all."""

import asyncio

import pytest

from rag_variants.llm.in_flight import InFlight


class Workshop:
    """Makes letters when it is let go."""

    def __init__(self) -> None:
        self.making: InFlight[str, str] = InFlight()
        self.begun: list[str] = []
        self.stopped: list[str] = []
        self.go = asyncio.Event()
        self.error: Exception | None = None

    async def _make(self, letters: str) -> str:
        self.begun.append(letters)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.stopped.append(letters)
            raise
        if self.error:
            raise self.error
        return letters.upper()

    def once(self, letter: str) -> "asyncio.Task[tuple[str, bool]]":
        return asyncio.create_task(self.making.once(letter, lambda: self._make(letter)))

    def all(self, letters: str) -> "asyncio.Task[None]":
        return asyncio.create_task(self.making.all(letters, lambda mine: self._make("".join(mine))))


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def share() -> None:
    shop = Workshop()
    tasks = [shop.once("a"), shop.once("a"), shop.once("b")]
    await turns()
    shop.go.set()
    assert await asyncio.gather(*tasks) == [("A", False), ("A", True), ("B", False)]
    assert await shop.once("a") == ("A", False)  # what has ended is begun anew
    assert shop.begun == ["a", "b", "a"]


async def leave() -> None:
    shop = Workshop()
    first, second = shop.once("a"), shop.once("a")
    await turns()
    first.cancel()
    await turns()
    assert shop.stopped == []
    second.cancel()
    newcomer = shop.once("a")
    await turns()
    assert (shop.begun, shop.stopped) == (["a", "a"], ["a"])
    shop.go.set()
    assert await newcomer == ("A", False)


async def fail() -> None:
    shop = Workshop()
    shop.error = KeyError("no a today")
    tasks = [shop.once("a"), shop.once("a"), shop.all("ab")]
    await turns()
    shop.go.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(each) for each in found] == [KeyError] * 3
    shop.error = None
    assert await shop.once("a") == ("A", False)


async def claim() -> None:
    """The second wants what the first is making and one more: it makes that one, and waits for the others."""
    shop = Workshop()
    first, second = shop.all("xy"), shop.all("yyz")
    await turns()
    assert shop.begun == ["xy", "z"]
    assert not second.done()
    shop.go.set()
    await asyncio.gather(first, second)
    await shop.all("y")
    assert shop.begun == ["xy", "z", "y"]


@pytest.mark.parametrize("story", [share, leave, fail, claim])
def test_work_in_flight(story, caplog) -> None:
    asyncio.run(story())
    assert caplog.messages == []
