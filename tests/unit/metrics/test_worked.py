"""Scores worked out again from their own detail; every expected number is the sum it comes from."""

import math

import pytest

from rag_variants.metrics import METRICS
from rag_variants.types import Score


def work_out(name, score):
    return METRICS[name].worked(score)


def marks(*verdicts):
    return [{"verdict": each} for each in verdicts]


DETAILS = {
    "faithfulness": ({"claims": marks(1, 1, 1, 0)}, "3 / 4", 3 / 4),
    "context_recall": ({"statements": marks(1, 0)}, "1 / 2", 1 / 2),
    "context_precision": ({"verdicts": marks(0, 1, 1, 0)}, "(1/2 + 2/3) / 2", (1 / 2 + 2 / 3) / 2),
    "context_utilization": ({"verdicts": marks(0, 0)}, "0", 0.0),
    "context_precision_evidence": ({"verdicts": marks(1, 0, 1)}, "(1/1 + 2/3) / 2", (1 / 1 + 2 / 3) / 2),
    "hit_rate": ({"gold_ranks": [2], "hits": 5}, "1 of 5 are gold", 1.0),
    "evidence_recall": ({"groups": {"1": 1.0, "2": 0.4}}, "(1.00 + 0.40) / 2", (1.0 + 0.4) / 2),
    "all_evidence": ({"groups_without_gold": [2]}, "1 without one", 0.0),
    "evidence_precision": ({"evidence_characters": 98, "characters": 2085}, "98 / 2085", 98 / 2085),
    "precision": ({"gold_ranks": [2, 3], "hits": 5}, "2 / 5", 2 / 5),
    "mrr": ({"gold_ranks": [2, 3]}, "1 / 2", 1 / 2),
    "ndcg": (
        {"gold_ranks": [2], "gold_in_knowledge": 2},
        "(1/log₂(3)) / (1/log₂(2) + 1/log₂(3))",
        (1 / math.log2(3)) / (1 / math.log2(2) + 1 / math.log2(3)),
    ),
    "key_facts": ({"facts": [{"found": "14 days"}, {"found": None}]}, "1 / 2", 1 / 2),
    "avoids": ({"found": ["30 days"]}, "1 found in it", 0.0),
    "abstention": ({"answerable": True, "declined": True}, "no decline due, declined", 0.0),
    "reference_coverage": (
        {"sentences": [{"similarity": 0.9}, {"similarity": 0.5}]}, "(0.90 + 0.50) / 2", (0.9 + 0.5) / 2
    ),
    # Two of the answer's claims hold, one does not, one of the reference is missing; ragas rounds to two digits.
    "factual_correctness": (
        {"claims": marks(1, 1, 0), "reference_claims": marks(1, 0)},
        "2 × 2 / (2 × 2 + 1 + 1)",
        round(2 * 2 / (2 * 2 + 1 + 1), 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("metric", DETAILS)
def test_a_score_is_worked_out(metric):
    detail, numbers, value = DETAILS[metric]
    made = work_out(metric, Score(value, None, detail))

    assert made.numbers == numbers
    assert made.value == pytest.approx(value, abs=1e-9)
    assert made.formula
    assert made.is_sum is not numbers[-1].isalpha(), "a rule ends in a word, a sum in a number or a bracket"


@pytest.mark.parametrize(
    ("questions", "numbers", "value"),
    [
        ([(0.9, 0), (0.8, 0), (0.7, 1)], "(0.90 + 0.80 + 0.70) / 3", (0.9 + 0.8 + 0.7) / 3),
        ([(0.9, 1), (0.8, 1)], "(0.90 + 0.80) / 2 × 0", 0.0),  # evasive by every reading
    ],
)
def test_relevancy_is_a_mean_of_cosines(questions, numbers, value):
    detail = {"questions": [{"similarity": cosine, "noncommittal": evasive} for cosine, evasive in questions]}
    made = work_out("answer_relevancy", Score(value, None, detail))

    assert (made.numbers, made.value) == (numbers, pytest.approx(value, abs=1e-9))


def test_every_metric_with_a_sum_has_its_example_here():
    assert {name for name, metric in METRICS.items() if metric.work_out} == set(DETAILS) | {"answer_relevancy"}


def test_nothing_is_worked_out_of_a_rule():
    assert work_out("key_facts", Score(0.0, "the answer declined")) is None
    assert work_out("faithfulness", Score(None, "no claims to check", {"claims": []})) is None
    assert work_out("semantic_similarity", Score(0.7)) is None


def test_long_sums_are_shortened():
    made = work_out("ndcg", Score(1.0, None, {"gold_ranks": [1], "gold_in_knowledge": 7}))
    assert made.numbers == f"(1/log₂(2)) / ({sum(1 / math.log2(rank + 1) for rank in range(1, 8)):.4f})"
