"""Settings that were changed and do nothing are told from those that differ."""

import pytest

from rag_variants.pipeline import VARIANTS, read_variant
from rag_variants.pipeline.idle import differ_in_effect, idle_sentences, idle_settings
from rag_variants.pipeline.setting import settings_of

RERANKER = ("reranker", "off", "embedded")


@pytest.mark.parametrize(
    ("a", "b", "sentences", "effect"),
    [
        ("vector", "vector:rerank_depth=10", ["rerank_depth differs and does nothing: reranker is off."], ()),
        ("vector", "vector:feedback_weight=0.9", ["feedback_weight differs and does nothing: expansion is off."], ()),
        ("keyword:expander=openai:x", "keyword", ["expander differs and does nothing: expansion is off."], ()),
        ("keyword:temperature=1", "keyword", ["temperature differs and does nothing: answerer is embedded."], ()),
        (
            "vector:min_score=0.9,reranker=embedded",
            "vector:reranker=embedded",
            ["min_score differs and does nothing: reranker is embedded."],
            (),
        ),
        (  # read in B, where it is at its default: what differs is the reranker
            "vector:min_score=0.9,reranker=embedded",
            "vector",
            ["A: min_score=0.9 does nothing: reranker is embedded."],
            (("reranker", "embedded", "off"),),
        ),
        (  # hybrid has no least score
            "hybrid",
            "vector:min_score=0.9,reranker=embedded",
            ["B: min_score=0.9 does nothing: reranker is embedded."],
            (("variant", "hybrid", "vector"), RERANKER),
        ),
        (
            "vector:rerank_depth=10",
            "vector:rerank_depth=10,top_k=3",
            ["rerank_depth=10 does nothing: reranker is off."],
            (("top_k", "5", "3"),),
        ),
        ("vector", "vector:ef_search=10", ["ef_search differs and does nothing: vectors_in is exact."], ()),
        (
            "vector",
            "vector:vectors_in=chroma,max_neighbors=4",
            [],
            (("vectors_in", "exact", "chroma"), ("max_neighbors", "16", "4")),
        ),
        ("vector", "vector:reranker=embedded,rerank_depth=50", [], (RERANKER, ("rerank_depth", "20", "50"))),
        (  # A's 10 is not read, but B's 50 is
            "vector:rerank_depth=10",
            "vector:reranker=embedded,rerank_depth=50",
            ["A: rerank_depth=10 does nothing: reranker is off."],
            (RERANKER, ("rerank_depth", "10", "50")),
        ),
    ],
)
def test_what_does_nothing_is_said_and_does_not_differ(
    a: str, b: str, sentences: list[str], effect: tuple[tuple[str, str, str], ...]
) -> None:
    left, right = read_variant(a), read_variant(b)
    assert list(idle_sentences(left, right)) == sentences
    assert differ_in_effect(left, right) == effect


@pytest.mark.parametrize("name", VARIANTS)
def test_each_setting_that_is_ignored_has_a_setting_that_makes_it_so(name: str) -> None:
    variant = read_variant(name)
    assert variant.ignored_settings() == variant.ignored_by().keys()
    assert set(variant.ignored_by().values()) <= settings_of(variant).keys()
    assert idle_settings(variant) == {}  # nothing is off its default
