"""What every stage works with: the documents, models by spec, what was made before, the environment's settings."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TypeVar

from rag_variants.corpus.background import Background, build_background
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.llm import Encoders
from rag_variants.llm.cached_arrays import CachedArrays
from rag_variants.llm.calls import OpenChat
from rag_variants.llm.opening import open_chat, open_rerank
from rag_variants.llm.reranking import OpenRerank
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline.cache import StageCache, Timed, timed
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.stage_key import StageKey
from rag_variants.settings import Settings

T = TypeVar("T")

# One a question: 100 questions under 50 ways of ranking, some 10 MB at 50 candidates.
RANKINGS_HELD = 5_000
LISTS_HELD = 2_000  # of each kind of search


@dataclass(frozen=True)
class Bench:
    """The context that calls the stages: a knowledge base, models by spec, cached results, and the day it is.

    `open_chat` gives a chat model by spec and temperature (None: its endpoint's), `open_writer` one that writes what is
    searched besides a question, `open_rerank` a reranking model by spec. `files` hold large indexes from run to run;
    without them nothing is held on disk.
    """

    knowledge: KnowledgeBase
    embeddings: Callable[[str], CachedEmbeddings]
    cache: StageCache
    today: date
    settings: Settings
    open_chat: OpenChat
    open_writer: OpenChat
    open_rerank: OpenRerank
    files: CachedArrays | None = None

    def cached(
        self, kind: str, key: StageKey, make: Callable[[StageKey], T], *values: Hashable, limit: int | None = None
    ) -> T:
        """What a stage makes of these documents out of its key, and of the `values` that come besides; made once."""
        return self.cache.get(kind, (self.knowledge, self.today, key, *values), lambda: make(key), limit)

    def has(self, kind: str, key: StageKey, *values: Hashable) -> bool:
        """Whether `cached` would give what was made before."""
        return self.cache.has(kind, (self.knowledge, self.today, key, *values))

    def cached_list(self, kind: str, key: StageKey, make: Callable[[StageKey], Ranking], *values: Hashable) -> Ranking:
        """A cached ranking that another one is made from; it says what time it spared that one."""
        fresh: list[Timed[Ranking]] = []

        def make_timed(key: StageKey) -> Timed[Ranking]:
            fresh.append(timed(lambda: make(key)))
            return fresh[0]

        found = self.cached(kind, key, make_timed, *values, limit=LISTS_HELD)
        return found.value if fresh else found.value.sparing(found.milliseconds)

    def background(self, spec: str = "embedded") -> Background:
        """What is common in the whole base: how rare terms are, and the mean vector under a model."""
        return self.cache.get(
            "background", (self.knowledge, spec), lambda: build_background(self.knowledge, self.embeddings(spec))
        )


def open_bench(
    knowledge: KnowledgeBase,
    today: date | None = None,
    settings: Settings | None = None,
    *,
    encoders: Callable[[str], CachedEmbeddings] | None = None,
    cache: StageCache | None = None,
) -> Bench:
    """A bench with the models of the settings, by default the environment's.

    Encoders and cached results may be those of another bench; by default they are fresh.
    """
    given = settings or Settings()
    return Bench(
        knowledge,
        encoders or Encoders(given),
        cache or StageCache(),
        today or given.today(),
        given,
        chat_opener(given),
        chat_opener(given),
        rerank_opener(given),
        open_files(given),
    )


def open_files(settings: Settings) -> CachedArrays:
    """The files of the state folder that hold large indexes."""
    return CachedArrays(settings.home / "indexes", settings.state_folder)


def chat_opener(settings: Settings) -> OpenChat:
    """Opens the chat models of the settings."""
    return lambda spec, temperature: open_chat(spec, settings, temperature=temperature)


def rerank_opener(settings: Settings) -> OpenRerank:
    """Opens the reranking models of the settings, each once."""
    return cache(lambda spec: open_rerank(spec, settings))
