"""How many questions are needed, in words."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.statistics.paired import compare_paired
from rag_variants.evaluation.statistics.planner import Need
from rag_variants.report.needs import need_sentence


def test_questions_needed_in_a_sentence():
    delta = compare_paired({"m": {f"q{at}": 0.1 * at for at in range(9)}}, {"m": True})["m"]
    need = Need("context_recall", 0.05, 0.8, 0.2, 133, 137, 74, 76)
    assert need_sentence(need, "context_recall", 0.05, delta) == (
        "To show a change of 0.05 in context recall you would need about 140 questions; you have 76."
    )
    assert "about 9 questions" in need_sentence(replace(need, questions=9), "context_recall", 0.05, delta)
    assert "about 1,300 questions" in need_sentence(replace(need, questions=1201), "context_recall", 0.05, delta)


TOO_FEW = "in context recall: too few to say how many would show a change of 0.10."


@pytest.mark.parametrize(
    ("deltas", "words"),
    [
        # 1 − .05^(1/14) = 0.193, about 1 in 5; 1 − .05^(1/60) = 0.049, about 1 in 20; 1 − .05^(1/2) = 0.78: nearly all.
        ([0.0] * 14, f"No question differs {TOO_FEW} With 14 questions, up to 1 in 5 could still differ."),
        ([0.0] * 59 + [1.0], f"Only 1 question differs {TOO_FEW} With 60 questions, up to 1 in 20 could still differ."),
        ([0.0] * 2, f"No question differs {TOO_FEW} With 2 questions, nearly all could still differ."),
        ([], f"No question differs {TOO_FEW} No question was scored on both sides."),
    ],
)
def test_where_too_few_differ_it_says_what_could_still_differ(deltas, words):
    delta = compare_paired({"m": {f"q{at}": value for at, value in enumerate(deltas)}}, {"m": True})["m"]
    assert need_sentence(None, "context_recall", 0.1, delta) == words
