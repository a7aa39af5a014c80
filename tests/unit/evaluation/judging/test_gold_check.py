"""The judge's verdicts on chunks beside gold marks."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.judging.gold_check import check_gold, gold_precision
from rag_variants.evaluation.judging.kappa import Agreement
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.questions.gold import Mark
from rag_variants.types import Answer, Chunk, Evidence, Hit, Question, Record, Score
from tests.unit.evaluation.judging.test_labels import run

CHUNKS = {name: Chunk(f"{name}.md", 0, 4, name, "en") for name in "wxyz"}
EVIDENCE = (Evidence("w.md", "w", 1),)


def row(question: str, order: str, useful: str, gold: str, language: str = "en", part: str = "") -> ScoredRecord:
    """Chunks in an order, those the judge finds useful, those marked gold."""
    about = Question(question, f"{question}?", "R.", evidence=EVIDENCE, tags=(("language", language),))
    hits = tuple(Hit(rank, CHUNKS[name], 1.0 / rank) for rank, name in enumerate(order, start=1))
    marks = {CHUNKS[name].id: Mark((1,) if name in gold else (), name in part) for name in order}
    entries = [
        {"rank": at, "chunk_id": CHUNKS[name].id, "verdict": int(name in useful), "reason": f"judge on {name}"}
        for at, name in enumerate(order, start=1)
    ]
    ranks = [at for at, name in enumerate(order, start=1) if name in useful]
    value = sum(found / at for found, at in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0
    score = Score(value, None, {"verdicts": entries})
    return ScoredRecord(Record(about, hits, hits, Answer("A.")), marks, {"context_precision": score})


def test_each_chunk_of_a_question_counts_once_in_the_table() -> None:
    a = run("keyword", row("q1", "wxy", "wx", "w"), row("q2", "wz", "", "z", "pl"))
    b = run("hybrid", row("q1", "xwz", "wx", "w"), row("q2", "zw", "", "z", "pl"))
    check = check_gold(compare_runs(a, b))
    assert check is not None
    # q1: w both, x judge only, y and z neither; q2: w neither, z gold only
    assert check.agreement == Agreement(both=1, judge_only=1, other_only=1, neither=3)
    assert check.by_language == {
        "en": Agreement(both=1, judge_only=1, other_only=0, neither=2),
        "pl": Agreement(both=0, judge_only=0, other_only=1, neither=1),
    }
    assert [(each.question_id, each.chunk.text, each.reason) for each in check.differing] == [
        ("q1", "x", "judge on x"), ("q2", "z", "judge on z"),
    ]  # fmt: skip


def test_context_precision_by_marks_is_the_metric_with_marks_as_verdicts() -> None:
    a = run("keyword", row("q1", "wxy", "wx", "w"), row("q2", "wz", "", "z"))
    b = run("hybrid", row("q1", "xwz", "wx", "w"), row("q2", "zw", "", "z"))
    check = check_gold(compare_runs(a, b))
    assert check is not None
    # by verdicts: A (1/1 + 2/2)/2 and 0, B the same; by marks: A 1/1 and 1/2, B 1/2 and 1/1
    assert (check.a.judged, check.a.gold, check.a.n) == (pytest.approx((1 + 0) / 2), pytest.approx((1 + 1 / 2) / 2), 2)
    assert (check.b.judged, check.b.gold) == (pytest.approx((1 + 0) / 2), pytest.approx((1 / 2 + 1) / 2))


def test_a_chunk_that_touches_the_evidence_is_not_gold_and_is_counted() -> None:
    judged = run("keyword", row("q1", "wx", "wx", "w", part="x"))
    check = check_gold(compare_runs(judged, judged))
    assert check is not None
    assert (len(check.differing), check.part) == (1, 1)


def test_evidence_that_stands_nowhere_is_no_check() -> None:
    """Its chunks cannot be gold: the judge would be blamed for what the questions lack."""
    found = row("q1", "wx", "w", "")
    missing = replace(found, scores={**found.scores, "evidence_recall": Score(None, "not in the documents")})
    assert gold_precision(missing) is None
    assert check_gold(compare_runs(run("keyword", missing), run("hybrid", missing))) is None
