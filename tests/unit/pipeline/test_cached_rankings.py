"""A ranking is made once for all settings that come after it, and again for every one before."""

import pytest

from rag_variants.pipeline import cache, read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.retrieve.keyword import KeywordIndex
from rag_variants.pipeline.retrieve.vector_index import VectorIndex
from rag_variants.pipeline.variants.hybrid import Hybrid
from rag_variants.pipeline.variants.keyword import Keyword
from rag_variants.types import Question
from tests.making import bench

TEXTS = {"hours.md": "The desk opens at nine.", "refund.md": "A refund takes 14 days. The desk pays a refund."}
QUESTION = Question("q", "Does the desk pay a refund?")


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions ranked, one entry a pass."""
    seen: list[str] = []
    for kind in (Keyword, Hybrid):
        rank = kind.rank
        monkeypatch.setattr(
            kind,
            "rank",
            lambda self, query, place, rank=rank: (seen.append(query.question), rank(self, query, place))[1],
        )
    return seen


def hits(spec: str, place: Bench) -> list[str]:
    record = retrieve_question(read_variant(spec), QUESTION, place)
    assert record.error is None
    return [hit.chunk.document for hit in record.hits]


def test_settings_after_the_ranking_share_it(passes):
    place = bench(TEXTS)
    assert len(hits("keyword:top_k=1", place)) == 1
    assert len(hits("keyword:top_k=2", place)) == 2
    for later in ("top_k=2,context_budget=30", "min_score=0.1", "answerer=embedded:digest", "prompt=free"):
        hits(f"keyword:{later}", place)
    assert passes == [QUESTION.user_input]  # 6 variants, 1 pass


@pytest.mark.parametrize(
    "earlier", ["chunk_size=200", "chunk_overlap=50", "documents=current", "k1=1", "candidates=9", "tokens=words"]
)
def test_a_setting_before_the_ranking_makes_a_new_one(earlier, passes):
    place = bench(TEXTS)
    hits("keyword", place)
    hits(f"keyword:{earlier}", place)
    assert len(passes) == 2


def test_kinds_of_variant_and_questions_have_rankings_of_their_own(passes):
    place = bench(TEXTS)
    hits("keyword", place)
    hits("hybrid", place)
    hits("hybrid:rrf_k=5", place)
    retrieve_question(read_variant("keyword"), Question("r", "When does it open?"), place)
    assert len(passes) == 4


def test_a_kept_ranking_has_the_time_it_took():
    place = bench(TEXTS)
    first, again = (retrieve_question(read_variant(f"keyword:top_k={at}"), QUESTION, place) for at in (1, 2))
    assert first.timing_ms["rank"] == again.timing_ms["rank"] > 0


def test_few_candidates_are_ranked_too():
    """A ranking's key is no variant: the default top_k of 5 would be more than 1 candidate."""
    assert len(hits("keyword:top_k=1,candidates=1", bench(TEXTS))) == 1


def test_moving_the_fusion_searches_neither_list_again_and_counts_their_time(monkeypatch):
    """The kept lists took 30 ms and 50 ms: every ranking that is fused from them took 80."""
    searched: list[str] = []
    for name, kind, seconds in (("keyword", KeywordIndex, 0.03), ("vector", VectorIndex, 0.05)):
        find = kind.search

        def search(self, *asked, name=name, find=find, seconds=seconds):
            searched.append(name)
            clock.now += seconds
            return find(self, *asked)

        monkeypatch.setattr(kind, "search", search)
    clock = Clock()
    monkeypatch.setattr(cache.time, "perf_counter", clock)
    place = bench(TEXTS)
    took = [
        retrieve_question(read_variant(spec), QUESTION, place).timing_ms["rank"]
        for spec in ("hybrid", "hybrid:rrf_k=5", "hybrid:keyword_weight=0.2", "keyword", "vector")
    ]
    assert searched == ["keyword", "vector"]
    assert took == pytest.approx([80, 80, 80, 30, 50])


class Clock:
    """A clock that stands still until it is set on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now
