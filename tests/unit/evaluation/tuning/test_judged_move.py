"""A move's judged metrics: those of a trial, and a known pin is not run again."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.plan import make_plan
from rag_variants.evaluation.trial import Trial
from rag_variants.evaluation.tuning.judged_move import JudgedMove
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant, records
from rag_variants.pipeline.bench import open_bench

PIN, NOW, NEXT = (read_variant(f"keyword:top_k={k}") for k in (5, 3, 2))


def test_a_move_gives_what_a_trial_gives_and_runs_the_new_setting_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(make_plan().restricted(None, limit=4), metrics=choose_metrics("core"))
    bench = open_bench(plan.knowledge)
    first = JudgedMove(PIN, NOW, plan, bench)
    steps = list(first.steps())
    comparison = first.result()
    assert comparison is not None
    assert first.complete
    assert [step.done for step in steps if step.step == "questions"] == [1, 2, 3, 4]
    trial = Trial(PIN, NOW, plan, bench)
    for _ in trial.steps():
        pass
    expected = trial.result()
    assert expected is not None
    assert {name: each.delta for name, each in comparison.metrics.items()} == {
        name: each.delta for name, each in expected.metrics.items()
    }
    asked = []
    retrieve = records.retrieve_question
    monkeypatch.setattr(
        records, "retrieve_question", lambda variant, *rest: asked.append(variant) or retrieve(variant, *rest)
    )
    second = JudgedMove(PIN, NEXT, plan, open_bench(plan.knowledge), [comparison.a, comparison.b])
    for _ in second.steps():
        pass
    assert set(asked) == {NEXT}
    found = second.result()
    assert found is not None
    assert found.a is comparison.a
