import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from rag_variants.llm.slots import Slots


def test_no_more_run_at_once_than_there_are_slots_in_any_thread():
    slots, guard, now, most = Slots(3), threading.Lock(), [0], [0]

    async def work():
        async with slots.taken():
            with guard:
                now[0] += 1
                most[0] = max(most[0], now[0])
            await asyncio.sleep(0.001)
            with guard:
                now[0] -= 1

    async def many():
        await asyncio.gather(*(work() for _ in range(30)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: asyncio.run(many()), range(4)))
    assert (now[0], most[0]) == (0, 3)


def test_first_come_first_served():
    async def run():
        slots, order = Slots(1), []

        async def work(name):
            async with slots.taken():
                order.append(name)
                await asyncio.sleep(0)

        await asyncio.gather(*map(work, "abcd"))
        return order

    assert asyncio.run(run()) == list("abcd")


def test_one_who_leaves_the_queue_takes_no_slot_along():
    async def run():
        slots = Slots(1)

        async def hold(release):
            async with slots.taken():
                await release.wait()

        release = asyncio.Event()
        holder, leaver, stayer = (asyncio.create_task(hold(release)) for _ in range(3))
        await asyncio.sleep(0)
        leaver.cancel()  # while it waits
        release.set()
        await asyncio.gather(holder, leaver, stayer, return_exceptions=True)
        await slots._take()
        chosen = asyncio.create_task(hold(release))
        await asyncio.sleep(0)  # it waits
        slots._give()
        await asyncio.sleep(0)
        chosen.cancel()  # it is its turn, and it has not run yet
        await asyncio.gather(chosen, return_exceptions=True)
        async with asyncio.timeout(5):
            await hold(release)
        return slots._free, leaver.cancelled(), chosen.cancelled()

    assert asyncio.run(run()) == (1, True, True)


def test_a_loop_that_has_ended_is_passed_over():
    slots = Slots(1)

    async def leave_waiting():
        await slots._take()
        turn = asyncio.ensure_future(slots._take())
        await asyncio.sleep(0)
        return turn

    loop = asyncio.new_event_loop()
    turn = loop.run_until_complete(leave_waiting())
    loop.close()
    turn._log_destroy_pending = False
    slots._give()
    assert slots._free == 1
    asyncio.run(asyncio.wait_for(slots._take(), 5))
    assert slots._free == 0
