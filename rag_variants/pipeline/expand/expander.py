"""What an expander is: it says what is searched besides the question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rag_variants.llm.stored_vectors import Role
from rag_variants.pipeline.cache import Timed
from rag_variants.pipeline.query import Expanded, Query, RelevantText, Written
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.stage_key import StageKey


@dataclass(frozen=True, slots=True)
class Task:
    """What a chat model is asked to write: the instruction, the form of the reply, and how its texts are read from it.

    At most `most` texts are read; they are embedded as `role`.
    """

    told: str
    form: type[BaseModel]
    read: Callable[[Any], Sequence[str]]
    most: int
    role: Role


@dataclass(frozen=True, slots=True)
class Asked:
    """What an expander works with.

    `key` holds the settings of the stage `query`, `written` is what a chat model wrote where one has a task. `search`
    gives the ranking of the question alone; `mix` the question moved towards texts by a weight of 0…1.
    """

    question: str
    key: StageKey
    written: Written | None
    search: Callable[[], Timed[Ranking]]
    mix: Callable[[Sequence[RelevantText], float], Timed[Query]]


@dataclass(frozen=True, slots=True)
class Expander:
    """A way of expanding that can be chosen: its word, a line of help, what it makes, and the settings that it reads.

    `task` is what a chat model has to write for it, a call for every question; None where nobody is asked. `mixes`: it
    needs a search by weighted words or by a vector. `fuses`: it fuses rankings, so that scores mean nothing alone.
    """

    word: str
    summary: str
    expand: Callable[[Asked], Expanded]
    reads: frozenset[str] = frozenset()
    task: Task | None = None
    mixes: bool = False
    fuses: bool = False
