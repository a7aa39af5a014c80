"""What a gate finds; each expected outcome follows from the deltas written beside it."""

import dataclasses

import pytest

from rag_variants.errors import UserError
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.gates.gates import judge_requirements, overall
from rag_variants.evaluation.gates.requirements import (
    Level,
    NotWorse,
    RequirementError,
    check_requirements,
    read_requirement,
)
from rag_variants.report.requirements import requirements_document, requirements_sentence, why_words
from rag_variants.types import Question, Score
from tests.unit.evaluation.test_compare import make_run


def judge(text, a, b, metric="faithfulness", **changes):
    """The finding for one requirement over scores in file order; None is a score that failed."""
    sides = [{metric: {f"q{at}": value for at, value in enumerate(each, 1)}} for each in (a, b)]
    runs = [make_run(scores, **changes) for scores in sides]
    (found,) = judge_requirements([read_requirement(text)], compare_runs(*runs))
    return found


@pytest.mark.parametrize(
    ("text", "metric", "wanted", "part"),
    [
        ("context_recall not worse", "context_recall", NotWorse(None), ""),
        ("evidence_recall not worse by 0.02 in area=billing", "evidence_recall", NotWorse(0.02), "area=billing"),
        ("B.faithfulness>=0.9", "faithfulness", Level("B", ">=", 0.9), ""),
        (" A . mrr ≤ .5 in kind=stale,language=pl|zh ", "mrr", Level("A", "<=", 0.5), "kind=stale,language=pl|zh"),
        ("context_precision > 1e-1", "context_precision", Level("B", ">", 0.1), ""),
        ("B.latency_ms<2000", "latency_ms", Level("B", "<", 2000), ""),
        ("mrr not  worse  by 0", "mrr", NotWorse(0.0), ""),
    ],
)
def test_a_requirement_is_read(text, metric, wanted, part):
    read = read_requirement(text)
    assert (read.metric, read.wanted, read.part) == (metric, wanted, part)
    assert read_requirement(read.text) == read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no requirement. Write for example"),
        ("context_recall", "is no requirement"),
        ("context_recall not worse than 0.02", "is no requirement"),
        ("context_recall == 1", "is no requirement"),
        ("context_recal not worse", "Did you mean context_recall?"),
        ("context not worse", "no metric called 'context'"),
        ("B.context_recall not worse", "Leave out B"),
        ("B.mrr>=ninety", "'ninety' is no number"),
        ("B.mrr>=nan", "is no number"),
        ("mrr not worse by -0.1", "margin is below 0"),
        ("mrr not worse by 2%", "'2%' is no number"),
        ("mrr not worse by 2", "'2': mrr cannot go beyond 1"),
        ("B.faithfulness>=90", "'90': faithfulness cannot go beyond 1. Write a share, such as 0.9 for 90 %"),
        ("faithfulness>=-1.5", "cannot go beyond 1"),
        ("latency_ms not worse", "described, never tested"),
        ("C.mrr>=0.5", "is no requirement"),
    ],
)
def test_what_is_no_requirement_says_what_to_write(text, words):
    with pytest.raises(RequirementError) as refused:
        read_requirement(text)
    assert words in str(refused.value)


def test_what_cannot_be_decided_is_found_before_the_run():
    questions = [Question("q1", "?", tags=(("language", "pl"),))]
    check_requirements([read_requirement("mrr not worse in language=pl")], ["mrr"], questions)
    with pytest.raises(RequirementError, match="faithfulness is not measured in this run"):
        check_requirements([read_requirement("B.faithfulness>=0.9")], ["mrr"], questions)
    with pytest.raises(UserError, match=r"has language=xx\. Use: language=pl"):
        check_requirements([read_requirement("mrr not worse in language=xx")], ["mrr"], questions)


def test_a_perfect_score_that_is_not_quite_one_passes():  # H-02 (a)
    found = judge("context_precision >= 1.0", [1.0], [0.99999999995], "context_precision")
    assert (found.outcome, found.mean) == ("met", 0.99999999995)
    assert judge("context_precision > 1.0", [1.0], [1.0000000001], "context_precision").outcome == "not met"
    assert judge("context_precision not worse", [1.0] * 7, [0.99999999995] * 7, "context_precision").outcome == "met"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("B.faithfulness>=0.75", "met"),  # (0.5 + 1.0) ÷ 2 = 0.75
        ("B.faithfulness>0.75", "not met"),
        ("B.faithfulness<=0.75", "met"),
        ("B.faithfulness<0.75", "not met"),
        ("B.faithfulness>=0.7501", "not met"),
        ("A.faithfulness>=0.25", "met"),  # (0.25 + 0.25) ÷ 2
        ("B.faithfulness>=1 in id=q2", "met"),
        ("B.faithfulness>=1 in language=pl", "not met"),
        ("B.faithfulness>=0 in language=en", "undecided"),  # no question carries it
    ],
)
def test_a_level_is_the_mean_of_its_side(text, outcome):
    assert judge(text, [0.25, 0.25], [0.5, 1.0]).outcome == outcome


def test_not_worse_fails_where_the_test_shows_worse():
    found = judge("faithfulness not worse", [1.0] * 20, [0.5] * 20)
    assert (found.outcome, found.reason, found.delta.verdict) == ("not met", "worse", "worse")
    assert judge("faithfulness not worse", [0.5] * 20, [1.0] * 20).reason == "none worse"


def test_not_worse_holds_where_a_test_that_could_have_shown_it_did_not():
    # ten pairs: 6 × −0.5 and 4 × +0.5, so B − A = (−3 + 2) ÷ 10 = −0.1, far from shown
    found = judge("faithfulness not worse", [1.0] * 6 + [0.5] * 4, [0.5] * 6 + [1.0] * 4)
    assert (found.outcome, found.reason, found.mean) == ("met", "not shown", pytest.approx(-0.1))


def test_not_worse_is_undecided_where_no_test_can_be_made():
    few = judge("faithfulness not worse", [1.0] * 6, [0.0] * 6)
    assert (few.outcome, few.reason) == ("undecided", "few scored")
    differ = judge("faithfulness not worse", [1.0] * 20, [0.0] * 6 + [1.0] * 14)
    assert (differ.outcome, differ.reason) == ("undecided", "few differ")
    # one question worse by 0.5, one better by 1.0: on average B is not worse
    assert judge("faithfulness not worse", [1.0, 0.0] + [1.0] * 8, [0.5] + [1.0] * 9).reason == "not lower"
    assert judge("faithfulness not worse", [None] * 9, [1.0] * 9).reason == "not scored"


def test_not_worse_by_a_margin_is_where_the_interval_lies():
    a, b = [0.5] * 40, [0.5 + (0.02 if at % 2 else -0.02) for at in range(40)]
    delta = judge("faithfulness not worse by 0.1", a, b).delta
    low, high = delta.ci95
    assert low < 0 < high
    for margin, outcome in ((-low + 0.001, "met"), (-low - 0.001, "undecided"), (0, "undecided")):
        assert judge(f"faithfulness not worse by {margin}", a, b).outcome == outcome
    # every pair is 0.5 lower, give or take 0.02: the whole interval is below −0.1
    worse = judge("faithfulness not worse by 0.1", a, [each - 0.5 for each in b])
    assert (worse.outcome, worse.reason) == ("not met", "beyond margin")
    assert worse.delta.ci95[1] < -0.1


def test_the_end_of_the_interval_on_the_margin_holds():
    a, b = [1.0] * 40, [1.0 - (0.1 if at % 2 else 0.0) for at in range(40)]
    low = judge("faithfulness not worse", a, b).delta.ci95[0]
    assert judge(f"faithfulness not worse by {-low!r}", a, b).outcome == "met"


def test_fewer_is_better_turns_the_margin(monkeypatch):
    from rag_variants.metrics import METRICS

    traps = {"traps": dataclasses.replace(METRICS["mrr"], name="traps", higher_is_better=False)}
    for module in ("compare", "gates.gates", "gates.requirements", "statistics.families"):
        monkeypatch.setattr(f"rag_variants.evaluation.{module}.all_metrics", lambda: traps)
    a, b = [0.5] * 20, [0.9 + (0.01 if at % 2 else -0.01) for at in range(20)]
    assert judge("traps not worse by 0.1", a, b, "traps").outcome == "not met"
    assert judge("traps not worse by 0.1", b, a, "traps").outcome == "met"


def test_a_slice_is_a_family_of_its_own():
    # q1 and q2 carry language=pl, the rest language=en: B is worse in en alone
    a, b = [0.0, 0.0] + [1.0] * 20, [1.0, 1.0] + [0.5] * 20
    whole, inside, outside = (
        judge(f"faithfulness not worse{part}", a, b) for part in ("", " in language=en", " in language=pl")
    )
    assert (whole.n, inside.n, outside.n) == (22, 20, 2)
    assert inside.outcome == "not met"
    assert inside.mean == pytest.approx(-0.5)
    assert outside.reason == "few scored"


@pytest.mark.parametrize(("failures", "outcome"), [(1, "met"), (2, "undecided")])
def test_failures_beyond_one_in_twenty_keep_a_gate_from_passing(failures, outcome):
    b = [None] * failures + [1.0] * (20 - failures)
    for text in ("faithfulness not worse", "B.faithfulness>=0.9", "faithfulness not worse by 0.1"):
        found = judge(text, [1.0] * 20, b)
        assert (found.outcome, found.failed) == (outcome, failures)
    assert judge("A.faithfulness>=0.9", [1.0] * 20, b).outcome == "met", "A did not fail"


def test_a_score_that_does_not_apply_is_no_failure():
    runs = [make_run({"faithfulness": {f"q{at}": 1.0 for at in range(20)}}) for _ in "ab"]
    rows = [dataclasses.replace(row, scores={"faithfulness": Score(None, "no claims")}) for row in runs[1].rows[:10]]
    runs[1] = dataclasses.replace(runs[1], rows=(*rows, *runs[1].rows[10:]))
    (found,) = judge_requirements([read_requirement("faithfulness not worse")], compare_runs(*runs))
    assert (found.outcome, found.n, found.failed) == ("met", 10, 0)


def test_a_run_that_was_stopped_passes_no_gate_and_can_fail_one():
    assert judge("faithfulness not worse", [1.0] * 20, [1.0] * 20, complete=False).reason == "stopped"
    assert judge("faithfulness not worse", [1.0] * 20, [0.5] * 20, complete=False).outcome == "not met"


def test_together_one_miss_counts_more_than_any_doubt():
    met, missed, open_ = (
        judge(text, [1.0] * 5, [1.0] * 5)
        for text in ("B.faithfulness>=1", "B.faithfulness<1", "faithfulness not worse")
    )
    assert [overall(each) for each in ([], [met], [met, open_], [open_, missed, met])] == [
        "met", "met", "undecided", "not met",
    ]  # fmt: skip
    assert requirements_sentence([met, missed, open_]) == "Requirements not met: 1 met, 1 not met, 1 undecided."


def test_words_hold_the_numbers():
    assert why_words(judge("B.faithfulness>=0.9", [1.0, 1.0], [0.5, 1.0])) == "B has 0.75. Scored: 2 of 2 questions."
    few = judge("faithfulness not worse", [1.0] * 20, [0.0] + [1.0] * 19)
    assert why_words(few) == (
        "B − A is −0.050, but only 1 question differs, and a test needs 7. Scored: 20 of 20 questions."
    )
    failed = why_words(judge("B.faithfulness>=0.9", [1.0] * 4, [1.0, None, None, 1.0]))
    assert failed.startswith("2 of 4 questions failed to be answered or judged")
    (document,) = requirements_document([few])
    assert (document["outcome"], document["n"], document["delta"]["losses"]) == ("undecided", 20, 1)
