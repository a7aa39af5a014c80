"""How many questions are needed, in words."""

from dataclasses import replace

from rag_variants.evaluation.statistics.planner import Need
from rag_variants.report.needs import need_sentence


def test_questions_needed_in_a_sentence():
    need = Need("context_recall", 0.05, 0.8, 0.2, 133, 137, 74, 76)
    assert need_sentence(need, "context_recall", 0.05) == (
        "To show a change of 0.05 in context recall you would need about 140 questions; you have 76."
    )
    assert "about 9 questions" in need_sentence(replace(need, questions=9), "context_recall", 0.05)
    assert "about 1,300 questions" in need_sentence(replace(need, questions=1201), "context_recall", 0.05)
    assert need_sentence(None, "context_recall", 0.1).startswith("Too few questions differ in context recall")
