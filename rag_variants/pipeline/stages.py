"""One question through the stages of a pipeline: expand → rank → rerank, each made once and cached by its key.

A stage gets its key in place of the variant, so that it reads no setting that the key forgets. Only `rank` of a variant
is called on the variant itself, as the stage may see it: `as_seen`.
"""

import copy
from collections.abc import Mapping, Sequence

import numpy as np

from rag_variants.errors import UserError, VariantError
from rag_variants.llm.reranking import RerankReply
from rag_variants.llm.waiting import wait_for
from rag_variants.pipeline.bench import RANKINGS_HELD, Bench
from rag_variants.pipeline.cache import Timed, timed
from rag_variants.pipeline.chunks import chunks_of, searched_documents
from rag_variants.pipeline.expand import Asked, find_expander
from rag_variants.pipeline.expand.rewriting import open_rewriter
from rag_variants.pipeline.fusion import WORDINGS_RRF_K, fuse_rankings
from rag_variants.pipeline.query import Expanded, Query, RelevantText, Written
from rag_variants.pipeline.ranking import Ranking, as_ranking
from rag_variants.pipeline.rerank import OFF
from rag_variants.pipeline.rerank.rerank import first_chunks, rerank_first
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.stage_key import StageKey, stage_key
from rag_variants.pipeline.variant import Ranks
from rag_variants.types import Chunk, Hit


def expand(variant: Ranks, question: str, bench: Bench, written: Written | None = None) -> Expanded:
    """What a variant searches for a question, with what a chat model wrote for it and the milliseconds it took.

    Where one has to write and `written` is not given, it is asked and waited for. Raises CallError.
    """
    key = stage_key(variant, "query")
    expander = find_expander(key.expansion)
    if expander is None:
        return Expanded(Query(question))
    if written is None and (rewriter := open_rewriter(variant, bench)) is not None:
        written = wait_for(rewriter.write(question))
    return expander.expand(
        Asked(
            question,
            key,
            written,
            lambda: rank(variant, Query(question), bench),
            lambda texts, weight: _mix(variant, question, tuple(texts), weight, bench),
        )
    )


def _mix(variant: Ranks, question: str, texts: tuple[RelevantText, ...], weight: float, bench: Bench) -> Timed[Query]:
    """The question moved towards texts, by everything that the variant's retrievers read of a query."""

    def mix(key: StageKey) -> Timed[Query]:
        def every() -> Query:
            query = Query(question)
            for retriever in variant.retrievers if texts else ():
                query = retriever.mix(query, texts, weight, stage_key(key, "index", retriever.settings), bench)
            return query

        return timed(every)

    names = tuple(each.name for each in variant.retrievers)
    key = stage_key(variant, "index")
    return bench.cached("query", key, mix, names, question, texts, weight, limit=RANKINGS_HELD)


def rank(variant: Ranks, query: Query, bench: Bench) -> Timed[Ranking]:
    """The variant's ranking of what is searched. Variants that differ in later stages alone share it.

    Its time counts that of cached lists that it was made from, so that variants that share them are not told apart by
    who came first. Raises VariantError for a ranking that breaks the contract, or a variant that fails in another way.
    """

    def make(key: StageKey) -> Timed[Ranking]:
        ranked = timed(lambda: _rank(variant, key, query, bench))
        return Timed(ranked.value, ranked.milliseconds + ranked.value.spared)

    key = stage_key(variant, "rank")
    return bench.cached("ranking", key, make, type(variant), query, limit=RANKINGS_HELD)


def search(variant: Ranks, question: str, bench: Bench) -> Timed[Ranking]:
    """The variant's ranking for a question, expanded as its settings say."""
    return rank(variant, expand(variant, question, bench).query, bench)


def rerank_question(variant: Ranks, question: str, bench: Bench) -> Timed[Ranking]:
    """The variant's ranking for a question, expanded and reranked as its settings say."""
    return rerank(variant, question, expand(variant, question, bench).query, bench)


def rerank(
    variant: Ranks, question: str, query: Query, bench: Bench, reply: RerankReply | None = None
) -> Timed[Ranking]:
    """The variant's ranking reordered by its reranker; variants that differ in later stages alone share it.

    `reply` is what the reranker said of `chunks_to_rerank`; where it is not given, it is asked and waited for. The time
    is the reranker's alone. Without a reranker the ranking stays as it is, in no time. A reranker reads the question as
    it was asked, whatever was searched for it.
    """
    ranked = rank(variant, query, bench)
    key = stage_key(variant, "rerank")
    if key.reranker == OFF:
        return Timed(ranked.value, 0.0)

    def make(key: StageKey) -> Timed[Ranking]:
        return rerank_first(key, question, ranked.value, bench, reply)

    return bench.cached("reranking", key, make, type(variant), question, query, limit=RANKINGS_HELD)


def chunks_to_rerank(variant: Ranks, question: str, query: Query, bench: Bench) -> Sequence[Chunk]:
    """The chunks that the variant's reranker has yet to look at for a query; none where it has, or there are none."""
    key = stage_key(variant, "rerank")
    if key.reranker == OFF or bench.has("reranking", key, type(variant), question, query):
        return ()
    return first_chunks(key, rank(variant, query, bench).value)


def as_seen(variant: Ranks, key: StageKey) -> Ranks:
    """The variant as a stage may see it: what is not in the key has its default, so that the result cannot hang on it.

    It is nobody's choice of settings and not checked as one.
    """
    seen = copy.copy(variant)
    for name, (declared, _) in settings_of(variant).items():
        object.__setattr__(seen, name, key.get(name, declared.default))
    return seen


def _rank(variant: Ranks, key: StageKey, query: Query, bench: Bench) -> Ranking:
    """One ranking, or the fused one of all wordings, where each has the same vote as the question."""
    if not query.wordings:
        return _ask(variant, key, query, bench)
    texts = {"question": query.question, **{f"wording {at}": text for at, text in enumerate(query.wordings, start=1)}}
    lists = _over_same_chunks({name: _part(variant, text, bench) for name, text in texts.items()})
    return fuse_rankings(lists, dict.fromkeys(lists, 1.0), WORDINGS_RRF_K, key.candidates)


def _part(variant: Ranks, text: str, bench: Bench) -> Ranking:
    """A ranking that another one is made from, with the time that it took and did not take now."""
    found = timed(lambda: rank(variant, Query(text), bench))
    return found.value.value.sparing(max(0.0, found.value.milliseconds - found.milliseconds))


def _ask(variant: Ranks, key: StageKey, query: Query, bench: Bench) -> Ranking:
    """What a variant finds, as it may see itself. Raises VariantError if that is no ranking, or if it fails.

    Variants come from any package; none must take other questions down.
    """
    try:
        found = as_seen(variant, key).rank(query, bench)
        wrong = _broken(found, key, bench)
    except UserError:
        raise
    except Exception as error:
        raise VariantError(f"its search failed: {type(error).__name__}: {error}. Use another variant.") from error
    if wrong is not None:
        raise VariantError(f"its ranking cannot be used: {wrong}. Use another variant, or tell its makers.")
    return as_ranking(found)


def _over_same_chunks(lists: Mapping[str, Ranking]) -> Mapping[str, Ranking]:
    """Rankings that can be fused; of another package's variant over the chunks that any of them holds."""
    first = next(iter(lists.values()))
    if all(each.chunks is first.chunks for each in lists.values()):
        return lists
    among = [hit.chunk for each in lists.values() for hit in each]
    return {name: Ranking.of(each, among).sparing(each.spared) for name, each in lists.items()}


def _broken(found: Sequence[Hit], key: StageKey, bench: Bench) -> str | None:
    """What breaks the contract of rankings, in words; None if nothing does."""
    if not isinstance(found, Ranking):
        ranks = [hit.rank for hit in found]
        if ranks != list(range(1, len(ranks) + 1)):
            return f"its ranks are {', '.join(map(str, ranks[:5]))}, where they go 1, 2, 3 without gaps"
    if len(found) > key.candidates:
        return f"it holds {len(found)} chunks, and candidates is {key.candidates}"
    ranking = as_ranking(found)
    if not np.isfinite(ranking.scores).all():
        return "it has a score that is no finite number"
    if len(np.unique(ranking.places)) < len(found):
        return "it holds a chunk twice"
    if ranking.chunks is not chunks_of(key, bench):
        documents = searched_documents(key, bench).by_path
        for chunk in (ranking.chunks[at] for at in ranking.places):
            document = documents.get(chunk.document)
            if document is None or document.text[chunk.start : chunk.end] != chunk.text:
                return f"{chunk.id} is no piece of these documents"
    return None
