"""Hits and misses of a judge over planted faults, with claims that are written down here."""

from collections.abc import Sequence

from rag_variants.evaluation.judging.faults import FalseAlarm, FaultCount, judge_row, review_faults
from rag_variants.evaluation.runs import Documents, JudgeNote, Provenance, Run, ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.report.faults import fault_lines
from rag_variants.types import Answer, Fault, Question, Record, Score

NUMBER = Fault("number", "The label is valid for 40 days.", "The label is valid for 10 days.")
NEGATION = Fault("negation", "Goods cannot be returned.", "Goods can be returned.")
ELSEWHERE = Fault("elsewhere", "Visitors park at the northern gate; they pay there.", None)
ROW = Fault("number", "Code: ERR-1; Price: 90 EUR; Part: P", "Code: ERR-1; Price: 30 EUR; Part: P")

Claims = Sequence[tuple[str, int]]


def row(name: str, faults: Sequence[Fault], claims: Claims | None, simulated: bool = True) -> ScoredRecord:
    answer = Answer("\n".join(fault.said for fault in faults) or "Fine.", simulated=simulated, faults=tuple(faults))
    score = Score(None, error="the judge failed")
    if claims is not None:
        entries = [{"statement": text, "verdict": verdict, "label": None} for text, verdict in claims]
        score = Score(0.5, detail={"claims": entries})
    return ScoredRecord(Record(Question(name, "?"), answer=answer), {}, {"faithfulness": score})


def make_run(*rows: ScoredRecord) -> Run:
    return Run(
        read_variant("keyword:answerer=embedded:inventive,prompt=free,temperature=1"),
        {"rag-variants": "0"}, Documents("kb", 1, "k"), Provenance("qs", len(rows), "q"),
        JudgeNote("embedded", {}, None),
        ("faithfulness",), rows, 0, True, 1.0, "2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def outcomes(fault: Fault, claims: Claims | None) -> list[str]:
    return [outcome for _, outcome in judge_row(row("q", [fault], claims))]


def test_a_fault_is_caught_if_its_statement_was_not_supported():
    assert outcomes(NUMBER, [("The label is valid for 40 days.", 0)]) == ["caught"]
    assert outcomes(NUMBER, [("The label is valid for 40 days.", 1)]) == ["missed"]


def test_without_a_score_or_a_statement_a_fault_is_not_judged():
    assert outcomes(NUMBER, None) == ["not judged"]
    assert outcomes(NUMBER, [("The case is grey.", 0)]) == ["not judged"]
    assert [outcome for _, outcome in judge_row(ScoredRecord(Record(Question("q", "?")), {}, {}))] == []


def test_of_a_table_row_only_the_changed_cell_carries_the_fault():
    assert outcomes(ROW, [("Code: ERR-1", 0), ("Price: 90 EUR", 1), ("Part: P", 0)]) == ["missed"]
    assert outcomes(ROW, [("Code: ERR-1", 1), ("Price: 90 EUR", 0), ("Part: P", 1)]) == ["caught"]


def test_of_two_statements_one_refused_is_caught():
    claims = [("Visitors park at the northern gate", 1), ("they pay there", 0)]
    assert outcomes(ELSEWHERE, claims) == ["caught"]
    assert outcomes(ELSEWHERE, [(text, 1) for text, _ in claims]) == ["missed"]


def test_statements_worded_anew_are_found_by_the_words_that_were_changed():
    claims = [
        ("Returned goods: the label exists", 1),
        ("The label stays valid for 40 days", 0),
        ("The label is valid", 1),
    ]
    assert outcomes(NUMBER, claims) == ["caught"]


def test_the_counts_add_up_and_what_was_missed_is_listed():
    run = make_run(
        row("q1", [NUMBER, NEGATION], [(NUMBER.said, 0), (NEGATION.said, 1), ("The case is grey.", 1)]),
        row("q2", [NUMBER], [(NUMBER.said, 1), ("It is heavy.", 0)]),
        row("q3", [NUMBER], None),
        row("q4", [], [("It is blue.", 0)], simulated=False),
    )
    review = review_faults(run)
    assert review.answers == 3
    assert review.counts == (FaultCount("negation", 1, 0, 1, 0), FaultCount("number", 3, 1, 1, 1))
    assert [(each.question, each.fault) for each in review.missed] == [("q1", NEGATION), ("q2", NUMBER)]
    assert review.honest == 2
    assert review.false_alarms == (FalseAlarm("q2", "It is heavy.", None),), "q4 is not simulated"
    # Caught 1 of 3 judged: negation 0 of 1, number 1 of 2; 4 planted − 3 judged = 1.
    assert fault_lines([("B", run)]) == [
        "B: simulated answers: 3, with planted faults: 4. The judge caught 1 of 3 (negation 0 of 1, number 1 of 2); "
        "not judged: 1. False alarms: 1 of 2 statements without a fault."
    ]


def test_a_run_without_simulated_answers_has_no_review_and_no_line():
    run = make_run(row("q1", [], [("It is blue.", 0)], simulated=False))
    assert review_faults(run) is None
    assert fault_lines([("A", run)]) == []


def test_simulated_answers_that_nobody_judged_say_so():
    assert "choose the metric faithfulness" in fault_lines([("", make_run(row("q", [NUMBER], None)))])[0]
