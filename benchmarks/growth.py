"""Moving the chunk size, and a hybrid query over 100,000 chunks beside LangChain: a part of `make bench-tuning`."""

import statistics
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np

from benchmarks.keyword_scoring import make_chunks, make_question, row, timed
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.tuning.tune import Tuned, TuneWork
from rag_variants.llm import Encoders
from rag_variants.llm.embedding import Vectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.pipeline import as_pipeline
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.stage_key import stage_key
from rag_variants.questions.gold import locate_evidence
from rag_variants.settings import Settings
from rag_variants.types import Chunk

QUESTIONS, ROUNDS = 100, 5
START, SIZES = "hybrid", (200, 1200)  # sizes whose vectors come with the sample
SENTENCE_SIZES = (50, 150, 333, 900, 2000)
DIMENSIONS, ASKED = 384, 8
GRAPH = {"hnsw:space": "cosine", "hnsw:construction_ef": 10, "hnsw:M": 4}


def chunk_size_rows() -> None:
    """The chunk size moved as the Tune page does it, to sizes whose vectors are on disk and not in memory yet."""
    plan = plan_with_evidence()
    for size in SIZES:
        spec, ours, cuts = f"{START}:chunk_size={size}", [], []
        for _ in range(ROUNDS):
            bench = fresh_bench(plan)
            move(START, plan, bench)
            ours.append(timed(lambda: move(spec, plan, bench))[1])  # noqa: B023
            chunks, seconds = timed(lambda: chunks_of(read_variant(spec), fresh_bench(plan)))  # noqa: B023
            cuts.append(seconds)
        mine, cut = statistics.median(ours), statistics.median(cuts)
        print(
            f"chunk_size from 600 to {size}: {len(chunks):,} chunks, {QUESTIONS} questions: {mine * 1000:.0f} ms, "
            f"chunking alone {cut * 1000:.1f} ms"
        )
        row(f"move to chunk_size={size} ÷ chunking alone", f"{mine / cut:.1f}", "≤ 12", mine <= 12 * cut)


def sentence_rows() -> None:
    """How many texts have no vector yet after the chunk size was moved, with vectors=sentences."""
    plan = plan_with_evidence()
    bench = fresh_bench(plan)
    move("vector:vectors=sentences", plan, bench)
    missing = 0
    for size in SENTENCE_SIZES:
        variant = read_variant(f"vector:vectors=sentences,chunk_size={size},chunk_overlap=20")
        for encoder, texts in variant.texts_by_encoder(bench).items():
            missing += len(bench.embeddings(encoder).missing("passage", texts))
    row(f"texts embedded at {len(SENTENCE_SIZES)} new sizes, vectors=sentences", str(missing), "0", missing == 0)


def large_rows() -> None:
    """A hybrid query over 100,000 chunks with given vectors, beside EnsembleRetriever over BM25Retriever and Chroma.

    Both fuse 50 of each list by reciprocal rank. The vectors are seeded random directions. What is found is not the
    same: BM25Retriever's idf is another one, and Chroma's defaults are approximate.
    """
    dice = np.random.default_rng(6)
    chunks = tuple(make_chunks(dice))
    questions = [" ".join(make_question(dice)) for _ in range(ASKED)]
    given = GivenVectors(dice, [chunk.text for chunk in chunks], questions)
    kept = CachedEmbeddings(given, None, None)
    variant = as_pipeline(read_variant("hybrid:tokens=words"))
    knowledge = KnowledgeBase("large", ())
    bench = open_bench(knowledge, date.today(), encoders=lambda spec: kept)
    bench.cached("chunks", stage_key(variant, "chunks"), lambda _: chunks)
    kept.embed_queries(questions)
    _, ours_built = timed(lambda: variant.rank(Query("w1"), bench))
    retriever, theirs_built = timed(lambda: ensemble(chunks, kept, variant.candidates))
    print(f"{len(chunks):,} chunks: built in {ours_built:.0f} s, LangChain's in {theirs_built:.0f} s")
    mine, theirs = [], []
    for question in questions:
        mine.append(timed(lambda: variant.rank(Query(question), bench))[1])  # noqa: B023
        theirs.append(timed(lambda: retriever.invoke(question))[1])  # noqa: B023
    quick, slow = statistics.median(mine), statistics.median(theirs)
    print(f"a hybrid query: {quick * 1000:.1f} ms, EnsembleRetriever {slow * 1000:.0f} ms, median of {ASKED}")
    row("hybrid query, times faster than EnsembleRetriever", f"{slow / quick:.0f}", "≥ 20", slow >= 20 * quick)


class GivenVectors:
    """An encoder whose vectors are there already: a random unit row for each text."""

    name, version = "embedded:given", "1"

    def __init__(self, dice: np.random.Generator, texts: Sequence[str], questions: Sequence[str]) -> None:
        every = [*dict.fromkeys((*texts, *questions, "w1"))]
        rows = dice.standard_normal((len(every), DIMENSIONS), dtype=np.float32)
        self._rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self._at = {text: at for at, text in enumerate(every)}

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """The rows of the texts."""
        return np.asarray(self._rows[[self._at[text] for text in texts]])

    embed_queries = embed_passages


def ensemble(chunks: Sequence[Chunk], kept: CachedEmbeddings, depth: int) -> Any:
    """LangChain's retriever over the same chunks and vectors.

    Chroma's graph is coarser than by default: it is filled in seconds in place of minutes, and searched no slower.
    """
    import chromadb
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_community.vectorstores import Chroma
    from langchain_core.embeddings import Embeddings

    class Given(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return kept.embed_passages(texts).tolist()  # type: ignore[no-any-return]

        def embed_query(self, text: str) -> list[float]:
            return kept.embed_queries([text])[0].tolist()  # type: ignore[no-any-return]

    client = chromadb.EphemeralClient(chromadb.config.Settings(anonymized_telemetry=False))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the class has a newer home, in a package of its own
        store = Chroma("large", Given(), client=client, collection_metadata=GRAPH)
    texts = [chunk.text for chunk in chunks]
    for begin in range(0, len(texts), 5_000):
        some = texts[begin : begin + 5_000]
        store.add_texts(some, ids=[chunk.id for chunk in chunks[begin : begin + 5_000]])
    keyword = BM25Retriever.from_texts(texts, k=depth)
    return EnsembleRetriever(
        retrievers=[keyword, store.as_retriever(search_kwargs={"k": depth})], weights=[0.5, 0.5], c=60
    )


def plan_with_evidence() -> Plan:
    """The sample with the first questions that name evidence."""
    plan = make_plan(metrics="retrieval").restricted("all")
    asked = [each for each in plan.questions.questions if locate_evidence(each, plan.knowledge).groups]
    return replace(plan, questions=replace(plan.questions, questions=tuple(asked[:QUESTIONS])))


def move(spec: str, plan: Plan, bench: Bench) -> Tuned | None:
    """The variant measured over all questions; in a thread, as pages are."""

    def work() -> Tuned | None:
        made = TuneWork(as_pipeline(read_variant(spec)), plan, bench)
        for _ in made.steps():
            pass
        return made.result()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def fresh_bench(plan: Plan) -> Bench:
    """A bench on which nothing is kept, with encoders that hold nothing in memory."""
    return open_bench(plan.knowledge, date.today(), encoders=Encoders(Settings()))


if __name__ == "__main__":
    chunk_size_rows()
    sentence_rows()
    large_rows()
