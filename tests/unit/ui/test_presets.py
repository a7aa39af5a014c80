"""Presets show on the sample what their names say, and embed nothing."""

import pytest

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.trial import Trial
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.ui.presets import Preset, make_presets


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(None, None, "retrieval")


@pytest.fixture(scope="module")
def bench(plan: Plan) -> Bench:
    return open_bench(plan.knowledge, plan.today)


def compared(preset: Preset, plan: Plan, bench: Bench) -> Comparison:
    trial = Trial(preset.a, preset.b, plan.restricted(preset.slice), bench)
    for step in trial.steps():
        assert step.step == "questions", "every vector comes with the sample"
    comparison = trial.result()
    assert comparison is not None
    return comparison


def preset_named(words: str) -> Preset:
    (preset,) = [each for name, each in make_presets().items() if name.startswith(words)]
    return preset


@pytest.mark.parametrize(
    ("words", "metric", "verdict"), [("where it helps", "hit_rate", "better"), ("where it hurts", "mrr", "worse")]
)
def test_reranking_helps_and_hurts_where_its_presets_say(plan, bench, words, metric, verdict):
    comparison = compared(preset_named(f"Reranking: {words}"), plan, bench)
    assert comparison.metrics[metric].delta.verdict == verdict
    took = [row.record.timing_ms.get("rerank", 0.0) for row in comparison.b.rows]
    assert min(took) > 0, "its price stands in the time of every question"


@pytest.mark.parametrize(
    ("words", "metric", "verdict", "wins", "losses"),
    [("BM25+ in place of BM25", "mrr", "better", 11, 0), ("BM25L in place of BM25", "ndcg", "worse", 2, 12)],
)
def test_the_formulas_help_and_hurt_where_their_presets_say(plan, bench, words, metric, verdict, wins, losses):
    found = compared(preset_named(words), plan, bench).metrics[metric].delta
    assert (found.verdict, found.wins, found.losses) == (verdict, wins, losses)


def test_the_approximate_search_loses_nothing_at_its_defaults(plan, bench):
    comparison = compared(preset_named("Approximate search: vector, loses nothing"), plan, bench)
    for left, right in zip(comparison.a.rows, comparison.b.rows, strict=True):
        assert left.record.hits == right.record.hits


def test_the_approximate_search_loses_much_with_few_links_and_short_walks(plan, bench):
    """Measured: 0.84 to 0.75, 7 of 70 questions worse and none better; another processor may build other links."""
    found = compared(preset_named("Approximate search: vector, loses much"), plan, bench).metrics["evidence_recall"]
    assert found.delta.verdict == "worse"
    assert found.delta.losses > 5 * found.delta.wins
