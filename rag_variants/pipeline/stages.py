"""Stage results kept by value, so that a changed setting recomputes its own stage and what follows, nothing before."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cache
from typing import Any, Generic, TypeVar

from rag_variants.corpus.background import Background, build_background
from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.llm import Encoders
from rag_variants.llm.calls import OpenChat
from rag_variants.llm.chat import ChatModel, open_chat
from rag_variants.llm.kept_arrays import KeptArrays
from rag_variants.llm.reranking import OpenRerank, RerankModel, open_rerank
from rag_variants.llm.vectors import KeptEmbeddings
from rag_variants.pipeline.query import Expanded, Query, Written
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.rerank import OFF, Reranker, WaitingReranker
from rag_variants.pipeline.rerank.rerank import check_scores, open_reranker, rerank_ranking
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.settings import Settings
from rag_variants.types import Chunk, Hit

T = TypeVar("T")

# One a question: 100 questions under 50 ways of ranking, some 10 MB at 50 candidates.
RANKINGS_KEPT = 5_000
LISTS_KEPT = 2_000  # of each kind of search
# What a ranking does not depend on but through what is searched.
NOT_RANKING = ("query", "rerank", "select", "answer")


class Stages:
    """Keeps the latest results of each stage, shared by both variants, by threads and by later runs.

    Two threads that ask for the same key compute it once. At most `limit` results a stage are kept, the least
    recently used go first. `files` keep what takes long to make from run to run; without them nothing is kept on disk.
    """

    def __init__(self, limit: int = 24, files: KeptArrays | None = None) -> None:
        self.files = files
        self._limit = limit
        self._kept: dict[str, OrderedDict[Hashable, Any]] = {}
        self._locks: dict[tuple[str, Hashable], threading.Lock] = {}
        self._guard = threading.Lock()

    def keep(self, stage: str, key: Hashable, make: Callable[[], T], limit: int | None = None) -> T:
        """The kept result for a key of a stage, made if there is none; `limit` holds in place of the usual one."""
        with self._guard:
            shelf = self._kept.setdefault(stage, OrderedDict())
            if key in shelf:
                shelf.move_to_end(key)
                return shelf[key]  # type: ignore[no-any-return]
            lock = self._locks.setdefault((stage, key), threading.Lock())
        with lock:
            with self._guard:
                if key in shelf:
                    return shelf[key]  # type: ignore[no-any-return]
            made = make()
            with self._guard:
                shelf[key] = made
                while len(shelf) > (limit or self._limit):
                    shelf.popitem(last=False)
                self._locks.pop((stage, key), None)
            return made


def open_stages(settings: Settings) -> Stages:
    """Fresh stages that keep large indexes in the state folder."""
    return Stages(files=KeptArrays(settings.home / "indexes", settings.state_folder))


def opener(settings: Settings) -> OpenChat:
    """Opens the chat models of the settings."""
    return lambda spec, temperature: open_chat(spec, settings, temperature=temperature)


def rerank_opener(settings: Settings) -> OpenRerank:
    """Opens the reranking models of the settings, each once."""
    return cache(lambda spec: open_rerank(spec, settings))


def _open_rerank(spec: str) -> RerankModel:
    return open_rerank(spec, Settings())


def _open_chat(spec: str, temperature: float | None) -> ChatModel:
    return open_chat(spec, Settings(), temperature=temperature)


Found = TypeVar("Found", bound=Sequence[Hit])


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Found]):
    """A ranking and the milliseconds it took when it was made."""

    hits: Found
    milliseconds: float


def ranking_part(variant: Variant) -> Hashable:
    """What a ranking depends on besides what is searched: the kind of variant, settings up to `rank`. Hashable."""
    later = {name for name, (_, texts) in settings_of(variant).items() if texts.stage in NOT_RANKING}
    return (type(variant), *(getattr(variant, each.name) for each in fields(variant) if each.name not in later))


def rerank_part(variant: Variant) -> Hashable:
    """What reranking depends on besides the ranking: every setting of the stage `rerank`. Hashable."""
    return tuple(getattr(variant, name) for name, (_, texts) in settings_of(variant).items() if texts.stage == "rerank")


@dataclass(frozen=True)
class Bench:
    """What a variant works with: a knowledge base, embeddings by model spec, kept stages, and the day it is.

    `open_chat` gives a chat model by spec and temperature (None: its endpoint's); by default those that the
    environment's settings name; `open_rerank` likewise a reranking model by spec. `spared` collects,
    while one ranking is made, the milliseconds that kept lists took.
    """

    knowledge: KnowledgeBase
    embeddings: Callable[[str], KeptEmbeddings]
    stages: Stages
    today: date
    open_chat: OpenChat = _open_chat
    open_rerank: OpenRerank = _open_rerank
    spared: list[float] = field(default_factory=list, compare=False)

    def indexed_documents(self, variant: Variant) -> KnowledgeBase:
        """The documents that the variant may search."""
        if variant.documents == "all":
            return self.knowledge
        key = (self.knowledge, self.today)
        return self.stages.keep("documents", key, lambda: self.knowledge.current(self.today))

    def chunks(self, variant: Variant) -> tuple[Chunk, ...]:
        """The chunks that the variant may find, in the order of (document, start)."""
        knowledge = self.indexed_documents(variant)
        key = (knowledge, variant.chunk_size, variant.chunk_overlap)
        return self.stages.keep("chunks", key, lambda: _cut(*key))

    def all_chunks(self, variant: Variant) -> tuple[Chunk, ...]:
        """The chunks of the whole base at the size that the answer reads: what an ideal retriever could hand over."""
        key = (self.knowledge, variant.parent_size or variant.chunk_size, variant.chunk_overlap)
        return self.stages.keep("chunks", key, lambda: _cut(*key))

    def expand(self, variant: Variant, question: str, written: Written | None = None) -> Expanded:
        """What the variant searches for a question, with what a chat model wrote for it: by default it is asked now.

        Raises CallError.
        """
        from rag_variants.pipeline.expand.queries import make_query  # which works with the bench itself

        return make_query(variant, question, self, written)

    def rank(self, variant: Variant, question: str, query: Query | None = None) -> Ranked[Sequence[Hit]]:
        """The variant's ranking for a question, or for the `query` that it was expanded to; by default it is here.

        Variants that differ in later stages alone share it. Raises CallError.
        """
        asked = query or self.expand(variant, question).query
        key = (self.knowledge, self.today, ranking_part(variant), question, asked)
        return self.stages.keep("ranking", key, lambda: _rank(variant, question, asked, self), RANKINGS_KEPT)

    def part(self, variant: Variant, question: str) -> Sequence[Hit]:
        """A kept ranking that another one is made from. The time it took counts for that one too."""
        begin = time.perf_counter()
        ranked = self.rank(variant, question)
        self.spared.append(max(0.0, ranked.milliseconds - (time.perf_counter() - begin) * 1000))
        return ranked.hits

    def rerank(self, variant: Variant, question: str, query: Query | None = None) -> Ranked[Sequence[Hit]]:
        """The variant's ranking reordered by its reranker; variants that differ in later stages alone share it.

        The time is the reranker's alone: of a call, that on the wire when it was made. Without a reranker the ranking
        stays as it is, in no time. A reranker reads the question as it was asked, whatever was searched for it.
        """
        asked = query or self.expand(variant, question).query
        ranked = self.rank(variant, question, asked)
        if variant.reranker == OFF:
            return Ranked(ranked.hits, 0.0)
        key = (self.knowledge, self.today, ranking_part(variant), rerank_part(variant), question, asked)
        return self.stages.keep("reranking", key, lambda: _rerank(variant, question, ranked.hits, self), RANKINGS_KEPT)

    def search(self, kind: str, key: Hashable, make: Callable[[], Ranking]) -> Ranking:
        """A kept list that a ranking is made from. The time it took counts for every ranking that is made from it."""
        fresh: list[Ranked[Ranking]] = []

        def make_timed() -> Ranked[Ranking]:
            fresh.append(_timed(make))
            return fresh[0]

        found = self.stages.keep(kind, key, make_timed, LISTS_KEPT)
        if not fresh:
            self.spared.append(found.milliseconds)
        return found.hits

    def background(self, spec: str = "embedded") -> Background:
        """What is common in the whole base: how rare terms are, and the mean vector under a model."""
        return self.stages.keep(
            "background", (self.knowledge, spec), lambda: build_background(self.knowledge, self.embeddings(spec))
        )


def open_bench(knowledge: KnowledgeBase, today: date | None = None, settings: Settings | None = None) -> Bench:
    """A bench with fresh stages and the models of the settings, by default the environment's."""
    given = settings or Settings()
    return Bench(
        knowledge,
        Encoders(given),
        open_stages(given),
        today or date.today(),
        opener(given),
        rerank_opener(given),
    )


def _rank(variant: Variant, question: str, query: Query | None, bench: Bench) -> Ranked[Sequence[Hit]]:
    from rag_variants.pipeline.expand.queries import rank_query

    own = replace(bench, spared=[])
    ranked = _timed(lambda: _frozen(variant.rank(question, own) if query is None else rank_query(variant, query, own)))
    return Ranked(ranked.hits, ranked.milliseconds + sum(own.spared))


def _rerank(variant: Variant, question: str, hits: Sequence[Hit], bench: Bench) -> Ranked[Sequence[Hit]]:
    reranker = open_reranker(variant, bench)
    ranking = hits if isinstance(hits, Ranking) else Ranking.of(hits)
    first = [ranking.chunks[at] for at in ranking.places[: variant.rerank_depth]]
    if reranker is None or not first:
        return Ranked(hits, 0.0)
    begin = time.perf_counter()
    scores, seconds = _scores(reranker, question, first)
    took = time.perf_counter() - begin if seconds is None else seconds
    check_scores(variant, scores, len(first))
    return Ranked(rerank_ranking(ranking, scores), took * 1000)


def _scores(reranker: Reranker, question: str, chunks: Sequence[Chunk]) -> tuple[Sequence[float], float | None]:
    """The scores, and the seconds that a call took when it was made; None where there was no call."""
    if isinstance(reranker, WaitingReranker):
        reply = reranker.ask(question, chunks)
        return reply.scores, reply.seconds
    return reranker.score(question, chunks), None


def _frozen(found: Sequence[Hit]) -> Sequence[Hit]:
    """What is kept must not change afterwards: a list of another package's variant becomes a tuple."""
    return found if isinstance(found, Ranking) else tuple(found)


def _timed(make: Callable[[], Found]) -> Ranked[Found]:
    begin = time.perf_counter()
    hits = make()
    return Ranked(hits, (time.perf_counter() - begin) * 1000)


def _cut(knowledge: KnowledgeBase, size: int, overlap: int) -> tuple[Chunk, ...]:
    return tuple(chunk for document in knowledge.documents for chunk in split_into_chunks(document, size, overlap))
