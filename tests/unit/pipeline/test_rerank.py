"""The first hits in another order: the pure step, and what of it is kept."""

import numpy as np
import pytest

from rag_variants.errors import VariantError
from rag_variants.llm.reranking import RerankReply
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.ranking import Ranking, before_reranking
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.rerank import RERANKERS, RerankerKind, installed_rerankers, is_reranker
from rag_variants.pipeline.rerank.rerank import rerank_ranking
from rag_variants.pipeline.select.diversity import relevance_of
from rag_variants.pipeline.stages import rerank_question, search
from rag_variants.types import Hit, Part, Question
from tests.making import bench, chunk, hits

TEXTS = {f"{name}.md": f"The desk of {name} opens." for name in ("a", "b", "c", "d")}
QUESTION = Question("q", "When does the desk open?")


def order(ranking: Ranking) -> list[str]:
    return [hit.chunk.document for hit in ranking]


def test_the_first_are_reordered_and_the_rest_follows():
    """Scores 0.1, 0.9, 0.5 for a, b, c; d and e are below the depth of 3."""
    found = rerank_ranking(Ranking.of(hits("a", "b", "c", "d", "e")), [0.1, 0.9, 0.5])
    assert order(found) == ["b", "c", "a", "d", "e"]
    assert [hit.rank for hit in found] == [1, 2, 3, 4, 5]
    assert [hit.score for hit in found] == [0.9, 0.5, 0.1, 1 / 4, 1 / 5]
    assert [before_reranking(hit) for hit in found] == [
        Part(2, 1 / 2, 0.0), Part(3, 1 / 3, 0.0), Part(1, 1 / 1, 0.0), None, None,
    ]  # fmt: skip


def test_ties_go_by_the_rank_before():
    assert order(rerank_ranking(Ranking.of(hits("c", "a", "b")), [0.5, 0.7, 0.5])) == ["a", "c", "b"]


def test_what_the_lists_gave_moves_with_its_hit():
    first, second = hits("a", "b")
    fused = (
        Hit(1, first.chunk, 0.3, (("keyword", Part(1, 7.0, 0.3)),)),
        Hit(2, second.chunk, 0.2, (("vector", Part(1, 0.9, 0.2)),)),
    )
    found = rerank_ranking(Ranking.of(fused), [0.0, 1.0])
    assert dict(found[0].parts) == {"vector": Part(1, 0.9, 0.2), "search": Part(2, 0.2, 0.0)}
    assert dict(found[1].parts) == {"keyword": Part(1, 7.0, 0.3), "search": Part(1, 0.3, 0.0)}


@pytest.mark.parametrize("scores", [[1.0, float("nan")], [1.0, float("inf")], [1.0, 2.0, 3.0]])
def test_scores_that_cannot_order_are_refused(scores):
    with pytest.raises(ValueError, match="scores, all finite"):
        rerank_ranking(Ranking.of(hits("a", "b")), scores)


class Backwards:
    """The last first; counts what it is asked. As a call, it took 250 ms when it was made."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def score(self, question, chunks):
        self.asked.append((question, len(chunks)))
        return list(range(len(chunks)))

    async def ask(self, question, chunks):
        return RerankReply(tuple(map(float, self.score(question, chunks))), 0.25)


@pytest.fixture
def backwards(add) -> Backwards:
    """Installed by another package, as `reranker=backwards`."""
    made = Backwards()
    kind = RerankerKind("backwards", "the last first", "places", lambda spec, bench: made)
    add(RERANKERS, kind)
    return made


def found(spec: str, place: Bench) -> list[str]:
    record = retrieve_question(read_variant(spec), QUESTION, place)
    assert record.error is None
    return [hit.chunk.document for hit in record.hits]


def test_moving_what_comes_after_does_not_rerank(backwards):
    place = bench(TEXTS)
    assert found("keyword:reranker=backwards", place) == ["d.md", "c.md", "b.md", "a.md"]
    for later in ("top_k=2", "context_budget=30", "answerer=embedded:digest", "prompt=free"):
        found(f"keyword:reranker=backwards,{later}", place)
    assert backwards.asked == [(QUESTION.user_input, 4)]  # 5 variants, 1 pass over 4 chunks


@pytest.mark.parametrize("earlier", ["rerank_depth=2", "k1=1", "candidates=9", "chunk_size=200"])
def test_moving_what_comes_before_reranks(earlier, backwards):
    place = bench(TEXTS)
    found("keyword:reranker=backwards", place)
    found(f"keyword:reranker=backwards,{earlier}", place)
    assert len(backwards.asked) == 2


def test_a_reranker_is_asked_about_its_depth_and_never_more_than_there_are(backwards):
    place = bench(TEXTS)
    assert found("keyword:reranker=backwards,rerank_depth=2", place) == ["b.md", "a.md", "c.md", "d.md"]
    found("keyword:reranker=backwards,rerank_depth=200", place)
    assert [count for _, count in backwards.asked] == [2, 4]
    retrieve_question(read_variant("keyword:reranker=backwards"), Question("z", "xyzzy"), place)
    assert len(backwards.asked) == 2  # nothing was found, so nothing is asked


def test_the_time_of_a_call_is_that_of_the_one_who_made_it(backwards):
    place = bench(TEXTS)
    timings = [
        retrieve_question(read_variant(f"keyword:reranker=backwards,top_k={at}"), QUESTION, place).timing_ms
        for at in (1, 2)
    ]
    assert [list(timing) for timing in timings] == [["rank", "rerank", "select"]] * 2
    assert [timing["rerank"] for timing in timings] == [250.0, 250.0]  # 0.25 s · 1000


def test_without_a_reranker_there_is_no_such_time_and_the_same_ranking():
    place, variant = bench(TEXTS), read_variant("keyword")
    assert "rerank" not in retrieve_question(variant, QUESTION, place).timing_ms
    assert (
        rerank_question(variant, QUESTION.user_input, place).value is search(variant, QUESTION.user_input, place).value
    )


def test_a_ranking_of_another_package_is_reranked_too(backwards, monkeypatch):
    variant = read_variant("keyword:reranker=backwards")
    ranked = [Hit(rank, chunk(path, TEXTS[path]), 1.0 / rank) for rank, path in enumerate(("d.md", "b.md"), start=1)]
    monkeypatch.setattr(type(variant), "rank", lambda self, query, place: ranked)
    assert [hit.chunk.document for hit in rerank_question(variant, "?", bench(TEXTS)).value] == ["b.md", "d.md"]


@pytest.mark.parametrize("scores", [(1.0,), (1.0, 2.0, 3.0, float("nan"))], ids=["too few", "no number"])
def test_scores_that_do_not_fit_are_the_question_s_error(backwards, monkeypatch, scores):
    async def ask(question, chunks):
        return RerankReply(scores, 0.0)

    monkeypatch.setattr(backwards, "ask", ask)
    record = retrieve_question(read_variant("keyword:reranker=backwards"), QUESTION, bench(TEXTS))
    assert (record.hits, record.ranking) == ((), ())
    assert "reranker=backwards gave" in (record.error or "")


def test_what_a_reranker_scores_is_no_bm25(backwards):
    """min_score is made for the search's scale: places 0…3 would all but vanish below 50."""
    variant = read_variant("keyword:reranker=backwards,min_score=50")
    assert len(retrieve_question(variant, QUESTION, bench(TEXTS)).hits) == 4
    assert "min_score" in variant.ignored_settings()
    assert "rerank_depth" not in variant.ignored_settings()
    assert (variant.scored_as, read_variant("keyword").scored_as) == ("places", "BM25")
    assert "min_score" not in read_variant("hybrid:reranker=backwards").ignored_settings()  # hybrid has none


@pytest.mark.parametrize("spec", ["off", "embedded", "cross-encoder:BAAI/bge-reranker-v2-m3", "jina:jina-reranker"])
def test_rerankers_are_known_by_their_form(spec):
    assert is_reranker(spec)
    assert np.isscalar(read_variant(f"hybrid:reranker={spec}").rerank_depth)


@pytest.mark.parametrize(
    "spec",
    ["on", "embedded:other", "cross-encoder", "cross-encoder:", "cross-encoder:/etc/passwd", "cross-encoder:../x/y",
     "cross-encoder:alone", "cross-encoder:a/b/c", "recorded:x", "jina:", ""],
)  # fmt: skip
def test_what_is_no_reranker_is_refused_with_the_known_ones(spec):
    with pytest.raises(VariantError, match="Use one of off, embedded, cross-encoder:OWNER/MODEL, openai:MODEL"):
        read_variant(f"hybrid:reranker={spec}")


def test_rerankers_of_other_packages_are_offered(backwards):
    assert installed_rerankers() == ("backwards",)


def test_what_was_not_reranked_counts_as_the_least_relevant():
    """Scores 0.9, 0.7, 0.5 become 1, 0.5, 0; d and e keep 1/4 and 1/5, of another scale."""
    found = rerank_ranking(Ranking.of(hits("a", "b", "c", "d", "e")), [0.5, 0.9, 0.7])
    assert found.reranked == 3
    assert relevance_of(found).tolist() == pytest.approx([1, 0.5, 0, 0, 0])
    assert Ranking.of(hits("a", "b")).reranked == 0
    assert relevance_of(Ranking.of(hits("a", "b"))).tolist() == [1, 0]  # 1/1 and 1/2, stretched
