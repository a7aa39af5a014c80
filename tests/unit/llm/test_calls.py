"""Calls add up by how they ended; what they cost is the user's price, else the provider's."""

import asyncio

from rag_variants.errors import CallError
from rag_variants.llm.calls import CallCounter, Calls, total
from rag_variants.llm.chat import Message, Reply


class Scripted:
    """Replies in turn, errors raised."""

    spec, settings = "openai:m", {"model": "m"}

    def __init__(self, *replies: Reply | CallError) -> None:
        self.replies = list(replies)

    async def ask(self, messages, *, schema=None, asked=0, repeat=0):
        reply = self.replies.pop(0)
        if isinstance(reply, CallError):
            raise reply
        return reply


def ask_all(*replies: Reply | CallError) -> Calls:
    counter = CallCounter()
    chat = counter.counting(lambda spec, temperature: Scripted(*replies))("openai:m", None)
    for _ in replies:
        try:
            asyncio.run(chat.ask([Message("user", "?")]))
        except CallError:
            continue
    return counter.calls


def test_a_reused_reply_costs_nothing_again() -> None:
    first = Reply("a", None, 10, 4, 0.1, False, 0.002)
    again = Reply("a", None, 10, 4, None, True, 0.002)
    assert ask_all(first, again, first) == Calls(2, 1, 0, 10 + 10, 4 + 4, 0.002 + 0.002)


def test_a_failed_call_is_counted_and_still_raised() -> None:
    assert ask_all(CallError("no", "server"), Reply("a", None, 1, 1, 0.1, False, 0.0)) == Calls(1, 0, 1, 1, 1, 0.0)


def test_one_call_without_a_price_leaves_the_sum_unknown() -> None:
    priced, unpriced = Reply("a", None, 1, 1, 0.1, False, 0.5), Reply("a", None, 1, 1, 0.1, False, None)
    assert ask_all(priced, unpriced).cost_usd is None
    assert total([Calls(cost_usd=None), Calls(1, cost_usd=0.5)]).cost_usd is None


def test_a_reused_reply_without_a_price_leaves_the_sum_known() -> None:
    assert ask_all(Reply("a", None, 1, 1, None, True, None)) == Calls(reused=1, cost_usd=0.0)


def test_nothing_asked_is_nothing() -> None:
    assert not Calls()
    assert Calls(failed=1)
    assert total([]) == Calls()


def test_a_counted_model_is_the_same_model() -> None:
    chat = CallCounter().counting(lambda spec, temperature: Scripted())("openai:m", None)
    assert (chat.spec, chat.settings) == ("openai:m", {"model": "m"})


def test_sums_are_by_field() -> None:
    assert Calls(3, 2, 1, 5, 6, 0.25) + Calls(1, 1, 1, 1, 1, 0.5) == Calls(
        3 + 1, 2 + 1, 1 + 1, 5 + 1, 6 + 1, 0.25 + 0.5
    )
