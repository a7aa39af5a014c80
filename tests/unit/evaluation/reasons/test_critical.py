"""Critical questions: which they are, and which are worse on B."""

from dataclasses import replace

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.critical import ScoreChange, critical_questions, read_critical
from tests.unit.evaluation.test_compare import make_run

BEFORE = {"evidence_recall": {"q1": 1.0, "q2": 0.5, "q3": 0.0}, "key_facts": {"q1": 1.0, "q2": 1.0, "q3": 0.0},
          "mrr": {"q1": 1.0, "q2": 1.0, "q3": 1.0}}  # fmt: skip
AFTER = {"evidence_recall": {"q1": 0.5, "q2": 0.5, "q3": 1.0}, "key_facts": {"q1": 1.0, "q2": None, "q3": 0.0},
         "mrr": {"q1": 1.0, "q2": 1.0, "q3": 0.5}}  # fmt: skip


def tagged(critical: str = "", tags=(("risk", "high"),)) -> Comparison:
    """q1 to q3 under keyword and hybrid; q1 and q3 carry the tags."""
    runs = [make_run(BEFORE), make_run(AFTER, "hybrid")]
    runs = [
        replace(
            run,
            rows=tuple(
                replace(row, record=replace(row.record, question=replace(row.record.question, tags=tags)))
                if row.record.question.id in ("q1", "q3")
                else row
                for row in run.rows
            ),
        )
        for run in runs
    ]
    return replace(compare_runs(*runs), critical=critical)


def test_by_default_those_of_high_risk():
    critical = critical_questions(tagged())
    assert critical is not None
    assert (critical.chosen, critical.metrics) == ("risk=high", ("evidence_recall", "key_facts"))
    assert [each.question.id for each in critical.questions] == ["q1", "q3"]
    q1, q3 = critical.questions
    assert [change.delta for change in q1.changes] == [0.5 - 1.0, 1.0 - 1.0]
    assert [change.delta for change in q3.changes] == [1.0 - 0.0, 0.0]
    assert [each.question.id for each in critical.regressed] == ["q1"], "a worse rank (mrr) alone is no regression"
    assert (q1.moved, q3.moved) == (True, True)


def test_without_that_tag_there_are_none():
    assert critical_questions(tagged(tags=(("kind", "x"),))) is None


def test_a_set_of_ones_own():
    critical = critical_questions(tagged("language=pl"))
    assert critical is not None
    assert [each.question.id for each in critical.questions] == ["q2"]
    critical = critical_questions(tagged("id=q2|q3"))
    assert critical is not None
    assert [each.question.id for each in critical.questions] == ["q2", "q3"]
    # q2 has lost its key facts: a score that A has and B has not is worse, not equal
    assert [each.question.id for each in critical.regressed] == ["q2"]


def test_a_choice_that_nobody_carries_is_said():
    critical = critical_questions(tagged("kind=nothing"))
    assert critical is not None
    assert critical.questions == ()


def test_a_choice_that_is_no_slice_is_refused():
    with pytest.raises(QuestionsError, match=r"Critical questions: A slice is TAG=VALUE"):
        read_critical("risk", ())


@pytest.mark.parametrize(
    ("a", "b", "delta", "worse"),
    [(1.0, 1.0 - 1e-10, 0.0, False), (0.5, 1.0, 0.5, False), (None, 1.0, None, False), (1.0, None, None, True)],
)
def test_a_change(a, b, delta, worse):
    change = ScoreChange("key_facts", a, b)
    assert (change.delta, change.regressed) == (delta, worse)


def test_the_choice_changes_no_number():
    usual, own = tagged(), tagged("language=pl")
    assert usual.metrics == own.metrics
    assert usual.slices == own.slices
