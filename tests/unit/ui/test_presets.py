"""The presets on reranking show on the sample what their names say."""

import pytest

from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.trial import Trial
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.ui.presets import make_presets


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(None, None, "retrieval")


@pytest.fixture(scope="module")
def bench(plan: Plan) -> Bench:
    return open_bench(plan.knowledge, plan.today)


@pytest.mark.parametrize(
    ("words", "metric", "verdict"), [("where it helps", "hit_rate", "better"), ("where it hurts", "mrr", "worse")]
)
def test_reranking_helps_and_hurts_where_its_presets_say(plan, bench, words, metric, verdict):
    (preset,) = [each for name, each in make_presets().items() if name.startswith(f"Reranking: {words}")]
    trial = Trial(preset.a, preset.b, plan.restricted(preset.slice), bench)
    for step in trial.steps():
        assert step.step == "questions", "every vector comes with the sample"
    comparison = trial.result()
    assert comparison is not None
    assert comparison.metrics[metric].delta.verdict == verdict
    took = [row.record.timing_ms.get("rerank", 0.0) for row in comparison.b.rows]
    assert min(took) > 0, "its price stands in the time of every question"
