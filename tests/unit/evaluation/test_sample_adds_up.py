"""The sample, row by row: shown scores follow from shown verdicts; a chunk explains what context recall did."""

from datetime import date

import pytest

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import EVERY_QUESTION, make_plan
from rag_variants.evaluation.reasons.chunk_flow import trace_chunks
from rag_variants.evaluation.reasons.recall_reasons import explain_recall
from rag_variants.evaluation.trial import Trial
from rag_variants.metrics import METRICS as KNOWN
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.report.page import comparison_html

# The detail is rounded to nine digits, and so is the score: both together are off by less than this.
ROUNDED = 2e-9
METRICS = "retrieval,core,answer,context_precision_evidence"


def compare(metrics: str, part: str | None) -> Comparison:
    plan = make_plan(metrics=metrics).restricted(part)
    trial = Trial(read_variant("keyword"), read_variant("hybrid"), plan, open_bench(plan.knowledge, date.today()))
    for _ in trial.steps():
        pass
    made = trial.result()
    assert made is not None and trial.complete
    return made


@pytest.fixture(scope="module")
def usual() -> Comparison:
    """What the page shows first: the general questions, keyword against hybrid."""
    return compare(METRICS, None)


def test_the_report_of_the_sample_is_a_file_to_send(usual: Comparison) -> None:
    assert len(comparison_html(usual).encode()) <= 1_500_000


def test_recomputing_a_shown_score_from_the_shown_verdicts_gives_it_again(usual: Comparison) -> None:
    comparison = usual
    worked = 0
    for row in (row for pair in comparison.pairs for row in pair):
        for name in comparison.metrics:  # effort is described, not worked out
            score = row.scores[name]
            made = KNOWN[name].worked(score)
            if made is None:  # not scored, or 0 by rule: then it says why
                assert score.reason or score.error, (row.record.question.id, name)
                continue
            worked += 1
            assert made.value == pytest.approx(score.value, abs=ROUNDED), (row.record.question.id, name, made)
    assert worked > len(comparison.pairs) * len(comparison.metrics)  # more than half: not the reasons alone


def test_a_chunk_explains_every_row_whose_context_recall_differs() -> None:
    comparison = compare("context_recall", EVERY_QUESTION)
    differ = 0
    for left, right in comparison.pairs:
        before, after = (row.scores["context_recall"].value for row in (left, right))
        if before is None or after is None or before == after:
            continue
        differ += 1
        reasons = explain_recall(left, right, trace_chunks(left, right, comparison.a.variant, comparison.b.variant))
        assert reasons, left.record.question.id
        for reason in reasons:
            row, other = (left, right) if reason.place.side == "a" else (right, left)
            chunk = reason.place.hit.chunk
            assert chunk.id in {hit.chunk.id for hit in row.record.hits}
            assert chunk.id not in {hit.chunk.id for hit in other.record.hits}
    assert differ >= 10  # of 442 questions
