"""Every call to an endpoint goes through here: one limit, one pause, retries for what can pass."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import openai

from rag_variants.errors import CallError
from rag_variants.llm.backoff import backoff, read_wait
from rag_variants.llm.batches import Batches
from rag_variants.llm.clock import Clock, SystemClock
from rag_variants.llm.completion import AttemptError
from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.failures import Failure, read_failure
from rag_variants.llm.parameters import Parameters
from rag_variants.llm.rerank_form import RerankForm
from rag_variants.llm.wire import Wire

T = TypeVar("T")
LONGEST_PAUSE = 600.0  # seconds; a server that asks for more has no room today
_SILENT = frozenset({"network", "timeout", "dropped"})
# Attempts to reach a server that has never replied: a wrong address or a server that is off is not worth minutes.
FIRST_REACHES = 4


class RefusedError(Exception):
    """The server refused a parameter; the call can be made again at once, without it."""


class Line:
    """One kind of call to a model. Until it has answered once, calls go one at a time: what it refuses is learned once.

    Lines of one model share `first`, as they share what they learn. One call of a line waits for it, the others for
    that one: so that those of a line that has answered go on while another line's first call is made.
    """

    def __init__(self, model: str, first: asyncio.Semaphore) -> None:
        self.model = model
        self.answered = False
        self.replied = False
        self.first = first
        self._own_first = asyncio.Semaphore(1)
        self.stops = 0
        self.stopped: CallError | None = None

    def check(self, entered: int) -> None:
        """Raises the error that stopped the line after a call had entered it."""
        if self.stops != entered and self.stopped is not None:
            raise self.stopped.with_traceback(None)  # one error for many: it must not hold the calls of all

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for the first answer, if there was none yet."""
        if not self.answered:
            async with self._own_first:
                if not self.answered:
                    async with self.first:
                        yield
                        return
        yield


class Dispatcher:
    """Calls to one endpoint, on the one event loop; limits hold for the process."""

    def __init__(self, endpoint: Endpoint, clock: Clock | None = None) -> None:
        self.endpoint = endpoint
        self.wire = Wire(endpoint)
        self._clock = clock or SystemClock()
        self._slots = asyncio.Semaphore(endpoint.concurrency)
        self._parameters: dict[str, Parameters] = {}
        self._batches: dict[tuple[str, str], Batches] = {}
        self._rerank_forms: dict[str, RerankForm] = {}
        self._lines: dict[tuple[str, str], Line] = {}
        self._firsts: dict[str, asyncio.Semaphore] = {}
        self._paused_until = float("-inf")
        self._silent = False  # one call got no answer in all its attempts; until one does, others get a single attempt

    def line(self, model: str, kind: str) -> Line:
        """The line of a model for one kind of call."""
        first = self._firsts.setdefault(model, asyncio.Semaphore(1))
        return self._lines.setdefault((model, kind), Line(model, first))

    def parameters(self, model: str) -> Parameters:
        """What is known of the parameters that a model takes."""
        return self._parameters.setdefault(model, Parameters())

    def batches(self, model: str, kind: str) -> Batches:
        """What is known of how many texts one kind of call to a model may hold."""
        return self._batches.setdefault((model, kind), Batches())

    def rerank_form(self, model: str) -> RerankForm:
        """What is known of the form in which a model takes calls to rerank."""
        return self._rerank_forms.setdefault(model, RerankForm())

    async def run(self, line: Line, send: Callable[[int], Awaitable[T]], seed: str) -> T:
        """What `send` gives, tried until it succeeds; `send` is told how many replies were unreadable so far.

        Rate limits have as many attempts as all other failures together. Raises CallError.
        """
        entered, failed, limited, unreadable = line.stops, 0, 0, 0
        while True:
            try:
                return await self._attempt(line, entered, send, unreadable)
            except RefusedError:
                continue
            except (openai.OpenAIError, TimeoutError, AttemptError) as error:
                failure = self._read(error, line)
            if failure.error.kind == "rate":
                limited += 1
                wait = self._asked_wait(failure)
                self._pause(backoff(limited, seed) if wait is None else wait)
                if limited >= self.endpoint.attempts or (wait or 0.0) > LONGEST_PAUSE:
                    raise failure.error from None
                continue
            failed += 1
            unreadable += failure.error.kind == "unreadable"
            unreached = failure.error.kind == "network" and not line.replied
            most = FIRST_REACHES if unreached else failure.tries
            attempts = min(self.endpoint.attempts, most or self.endpoint.attempts)
            if not failure.passes or failed >= (1 if self._silent else attempts):
                self._silent = self._silent or failure.error.kind in _SILENT
                if unreached:
                    raise self._stop(line, CallError(str(failure.error), "network", stops=True)) from None
                raise failure.error from None
            await self._clock.sleep(min(self._asked_wait(failure) or backoff(failed, seed), LONGEST_PAUSE))

    async def _attempt(self, line: Line, entered: int, send: Callable[[int], Awaitable[T]], unreadable: int) -> T:
        async with line.turn():
            while True:
                while (left := self._paused_until - self._clock.now()) > 0:
                    await self._clock.sleep(left)
                line.check(entered)
                async with self._slots:
                    if self._paused_until > self._clock.now():
                        continue
                    line.check(entered)
                    result = await send(unreadable)
                    line.answered, line.replied, self._silent = True, True, False
                    return result

    def _read(self, error: Exception, line: Line) -> Failure:
        read = error.failure if isinstance(error, AttemptError) else read_failure(error, self.endpoint, line.model)
        if read.error.stops:
            self._stop(line, read.error)
        else:
            line.answered = True
        return read

    def _stop(self, line: Line, error: CallError) -> CallError:
        """Ends the calls that have entered a line; the error that they end with."""
        line.stopped, line.answered = error, False
        line.stops += 1
        return error

    def _asked_wait(self, failure: Failure) -> float | None:
        return read_wait(failure.pause, self._clock.today())

    def _pause(self, seconds: float) -> None:
        self._paused_until = max(self._paused_until, self._clock.now() + min(seconds, LONGEST_PAUSE))


_opening = threading.Lock()


def dispatcher_of(endpoint: Endpoint) -> Dispatcher:
    """The process's one dispatcher for an endpoint: a server's limits do not care which page or thread calls."""
    with _opening:
        return _dispatcher(replace(endpoint, temperature=0.0, max_tokens=None))


@lru_cache(maxsize=64)
def _dispatcher(endpoint: Endpoint) -> Dispatcher:
    return Dispatcher(endpoint)
