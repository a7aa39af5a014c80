"""Signals: which rule holds on which scores, and that what was not scored is never a silent no."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.reasons.signal_rules import MEASURES, RULES
from rag_variants.evaluation.reasons.signals import count_signals, find_signals
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics
from rag_variants.questions.gold import Mark
from rag_variants.types import Answer, Question, Record, Score, Trap
from tests.making import hits
from tests.unit.evaluation.test_compare import make_run

ANSWERED = Answer("text")
RULE_NAMES = [rule.name for rule in RULES]


def row(scores=None, *, question=None, answer=ANSWERED, marks=None) -> ScoredRecord:
    """One side of a question, by default answerable and answered."""
    question = question or Question("q1", "?", answerable=True)
    found = {name: Score(value) if isinstance(value, float) else value for name, value in (scores or {}).items()}
    chunks = hits("new.md", "old.md")
    given = {chunks[0].chunk.id: Mark(), chunks[1].chunk.id: Mark(trap=marks)}
    return ScoredRecord(Record(question, ranking=chunks, hits=chunks, answer=answer), given, found)


def states(of: ScoredRecord) -> dict[str, bool | None]:
    return {signal.rule.name: signal.shown for signal in find_signals(of)}


def shown(of: ScoredRecord) -> set[str]:
    return {name for name, state in states(of).items() if state}


FIELDS = {  # recall, precision → the one field that they fall into; 0.8 and 0.5 belong to the upper side
    (0.8, 0.5): set(),
    (0.8, 0.49): {"noise"},
    (0.79, 0.5): {"coverage"},
    (0.79, 0.49): {"both_low"},
}


@pytest.mark.parametrize(("values", "names"), FIELDS.items())
def test_recall_and_precision_cut_into_four_fields(values, names):
    recall, precision = values
    assert shown(row({"evidence_recall": recall, "context_precision": precision})) == names


@pytest.mark.parametrize(
    ("scores", "name"),
    [
        ({"evidence_recall": 1.0, "faithfulness": 0.75}, "unfaithful"),
        ({"faithfulness": 0.8, "key_facts": 0.49}, "beside"),
        ({"evidence_recall": 0.49, "key_facts": 0.8}, "lucky"),
    ],
)
def test_rules_over_retrieval_and_answer(scores, name):
    assert name in shown(row(scores))
    # each condition by itself is needed: with any of the values on the other side of its threshold the rule is off
    for metric, value in scores.items():
        assert name not in shown(row({**scores, metric: 1.0 if value < 0.8 else 0.0}))


@pytest.mark.parametrize(
    ("answerable", "declined", "recall", "names"),
    [
        (False, False, None, {"undeclined"}),
        (False, True, None, set()),
        (True, True, 0.8, {"declined"}),
        (True, True, 0.7, set()),
        (True, False, 1.0, set()),
    ],
)
def test_declining_is_read_against_what_the_documents_hold(answerable, declined, recall, names):
    given = {} if recall is None else {"evidence_recall": recall}
    side = row(given, question=Question("q1", "?", answerable=answerable), answer=Answer("", declined=declined))
    assert shown(side) == names


def test_only_stale_and_contradicting_chunks_mislead():
    named = Question("q1", "?", answerable=True, traps=(Trap("old.md", "x", "stale"),))
    assert "misleading" in shown(row(question=named, marks="stale"))
    assert states(row(question=named))["misleading"] is False
    twin = Question("q1", "?", answerable=True, traps=(Trap("old.md", "x", "twin"),))
    assert states(row(question=twin, marks="twin"))["misleading"] is None


def test_what_was_not_scored_is_never_a_silent_no():
    missing = Score(None, "the question names no evidence")
    side = row({"evidence_recall": missing, "context_precision": 0.2, "key_facts": 0.9})
    noise = find_signals(side)[RULE_NAMES.index("noise")]
    assert noise.shown is None
    assert noise.unscored is not None
    assert (noise.unscored.source, noise.unscored.reason) == ("evidence_recall", "the question names no evidence")
    # precision is known and not high, so that coverage is off whatever recall is
    assert states(side)["coverage"] is False
    assert states(row())["noise"] is None, "a metric that the run did not measure is not scored either"


def test_the_first_metric_that_was_scored_stands_for_a_measure():
    missing = Score(None, "the question names no evidence")
    side = row({"evidence_recall": missing, "context_recall": 0.9, "context_precision": 0.1, "mrr": missing})
    noise = find_signals(side)[RULE_NAMES.index("noise")]
    assert noise.shown
    assert [each.source for each in noise.readings] == ["context_recall", "context_precision"]


@pytest.mark.parametrize(
    ("recall", "gold_rank", "judged", "name"),
    [
        (0.0, 0.0, 1.0, "both_low"),  # the judge calls useful what is not gold
        (0.5, 1.0, 0.2, "coverage"),  # gold stands first, and the judge sees little use in it
        (1.0, 1.0, 0.2, None),
        (1.0, 0.25, 1.0, "noise"),
    ],
)
def test_gold_marks_come_before_a_judge(recall, gold_rank, judged, name):
    side = row({"evidence_recall": recall, "context_recall": judged, "mrr": gold_rank, "context_precision": judged})
    assert shown(side) == ({name} if name else set())


def test_a_run_counts_the_questions_of_each_side():
    scores = {"evidence_recall": {"q1": 1.0, "q2": 1.0, "q3": 0.0, "q4": None}}
    low = {**scores, "mrr": {"q1": 0.2, "q2": 1.0, "q3": 0.2, "q4": 0.2}}
    high = {**scores, "mrr": {"q1": 1.0, "q2": 0.2, "q3": 0.2, "q4": 0.2}}
    counts = {each.rule.name: each for each in count_signals(compare_runs(make_run(low), make_run(high, "hybrid")))}
    noise = counts["noise"]
    # q1 to q3 are told by both scores; q4 has no recall, and a low precision alone decides nothing
    assert (noise.a.questions, noise.a.n) == (("q1",), 3)
    assert (noise.b.questions, noise.b.n) == (("q2",), 3)
    assert (noise.appeared, noise.vanished) == (("q2",), ("q1",))
    assert noise.b.unscored == (("evidence_recall", "judge failed (HTTP 500)", 1),)
    assert counts["both_low"].a.questions == counts["both_low"].b.questions == ("q3",)
    assert counts["unfaithful"].a.n == 1, "q3: recall 0 is enough; the others hang on faithfulness"


def test_an_error_has_no_signal_by_its_answer():
    failed = row(answer=None)
    failed = replace(failed, record=replace(failed.record, error="the model is away"))
    signal = find_signals(failed)[RULE_NAMES.index("undeclined")]
    assert signal.shown is False, "the question has an answer"
    unanswerable = replace(failed.record, question=Question("q1", "?", answerable=False))
    signal = find_signals(replace(failed, record=unanswerable))[RULE_NAMES.index("undeclined")]
    assert signal.unscored is not None
    assert signal.unscored.reason == "the model is away"


def test_the_table_is_whole():
    assert len({rule.name for rule in RULES}) == len(RULES) == 9
    for rule in RULES:
        assert rule.points_at.endswith(".")
        assert "oints at" in rule.points_at, "a rule points, and asserts no cause"
        assert rule.worth_trying
        assert all(condition.measure in MEASURES for condition in rule.conditions)
    assert all(name in all_metrics() for measure in MEASURES.values() for name in measure.metrics)
