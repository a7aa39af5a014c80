"""What an answerer is: it answers a question from hits, or says that they do not hold the answer."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.stage_key import StageKey
from rag_variants.settings import Settings
from rag_variants.types import Answer, Hit


class Answerer(Protocol):
    """Answers a question from hits, or says that they do not hold the answer.

    It may also have `version`, what decides its answers besides the settings, and `notes`, sentences that a reader of
    its answers has to know. One that waits for a network is an AsyncAnswerer too.
    """

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The answer with the ranks it cites; `declined` if nothing fits. Raises UserError if it cannot work."""


@runtime_checkable
class AsyncAnswerer(Protocol):
    """An answerer that lets others work while it waits for a network."""

    async def answer_async(self, question: str, hits: Sequence[Hit]) -> Answer:
        """As `Answerer.answer`."""


def _no_file(_: str, __: Path) -> Hashable:
    return None


def _none_now(_: Settings) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class AnswererKind:
    """An answerer that can be chosen: its spec, a line of help, how it is opened, and the settings that it reads.

    `open` gets the key of the stage `answer` (with `answerer` and what it `reads`), the variant's written form without
    its way of answering, and the bench; it raises ModelError if the answerer cannot be used. `cached`: its answers
    follow from question and hits alone, so each is made once. One that is written `spec:NAME` says in `form` how, in
    `names` which names it takes, and in `found` which specs are there now. `stamp` gives what changes when a file
    behind a spec does; it gets the state folder.
    """

    spec: str
    summary: str
    open: Callable[[StageKey, str, Bench], Answerer]
    reads: frozenset[str] = frozenset()
    cached: bool = False
    form: str = ""
    names: Callable[[str], bool] | None = None
    found: Callable[[Settings], tuple[str, ...]] = _none_now
    stamp: Callable[[str, Path], Hashable] = _no_file

    def takes(self, spec: str) -> bool:
        """Whether a spec is written as one of this kind."""
        if self.names is None:
            return spec == self.spec
        word, colon, name = spec.partition(":")
        return word == self.spec and bool(colon) and self.names(name)
