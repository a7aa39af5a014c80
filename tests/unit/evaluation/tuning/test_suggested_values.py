"""Values that a sweep begins with: those of every setting of every variant can be swept."""

import pytest

from rag_variants.evaluation.tuning.grid import read_axis
from rag_variants.evaluation.tuning.suggested_values import suggest_values
from rag_variants.pipeline import VARIANTS, read_variant
from rag_variants.pipeline.setting import settings_of


@pytest.mark.parametrize(
    ("variant", "name", "expected"),
    [
        ("keyword", "top_k", "1..10"),  # twice the default of 5, one by one
        ("keyword", "chunk_size", "200,600,1200"),  # its own tries
        ("keyword:chunk_size=400", "chunk_size", "200,400,600,1200"),  # with the value it has
        ("keyword", "chunk_overlap", "25,50,100,200"),  # 100 ÷ 4, ÷ 2, · 1, · 2
        ("keyword", "candidates", "10,25,50,100"),  # 50 ÷ 4 = 12.5, in steps of 5: 10
        ("keyword", "context_budget", "0,1000,2000,4000,8000"),  # 0, then 10, 20, 40, 80 steps of 100
        ("keyword", "b", "0..1:0.1"),  # 20 steps of 0.05 in 10 parts
        ("keyword", "documents", "all,current"),
        ("hybrid", "coverage", "off,on"),
        ("keyword", "prompt", "grounded,free"),
        ("keyword:answerer=openai:gpt-x", "answerer", "embedded,embedded:digest,embedded:inventive,openai:gpt-x"),
    ],
)
def test_values_suit_the_setting(variant: str, name: str, expected: str) -> None:
    assert suggest_values(name, read_variant(variant)) == expected


@pytest.mark.parametrize("kind", VARIANTS.values(), ids=lambda kind: kind.name)
def test_every_suggestion_can_be_swept(kind) -> None:
    start = kind()
    for name, (_, texts) in settings_of(start).items():
        axis = read_axis(f"{name}={suggest_values(name, start)}", start)
        assert 1 <= len(axis.values) <= 20, name
        assert len(axis.values) > 1 or len(texts.choices) == 1, name
