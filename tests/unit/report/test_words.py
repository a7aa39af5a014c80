"""Numbers and verdicts in words: borders between one wording and the next."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison, MetricComparison
from rag_variants.evaluation.runs import Run
from rag_variants.report.words import (
    agreement_words,
    delta_words,
    digits_that_add_up,
    headline_sentence,
    here_words,
    inside_sentence,
    interval_words,
    judge_words,
    leading_metric,
    money_words,
    not_scored_sentences,
    plain,
    settings_sentence,
    signed,
    text_read_sentence,
    trust_sentence,
    verdict_words,
    wins_words,
)
from rag_variants.types import Score
from tests.unit.report.test_export import comparison, delta, make_run

TEXTS = [f"What {at}?" for at in range(8)]


def scored(run: Run, name: str, *scores: Score) -> Run:
    """The run with a metric's scores in the place of its own, the last one for all that follow."""
    rows = tuple(
        replace(row, scores={**row.scores, name: scores[min(at, len(scores) - 1)]}) for at, row in enumerate(run.rows)
    )
    return replace(run, rows=rows)


def only(found: Comparison, **changes: object) -> Comparison:
    """The comparison with `evidence_recall` alone, changed."""
    return replace(found, metrics={"evidence_recall": replace(found.metrics["evidence_recall"], **changes)})


def recall(**changes: object) -> Comparison:
    """A comparison that has evidence recall alone, its delta changed."""
    found = comparison()
    return only(found, delta=replace(found.metrics["evidence_recall"].delta, **changes))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0.00"),
        (1e-10, "0.00"),  # what float additions leave
        (0.004, "+0.004"),
        (-0.0004, "−0.0004"),
        (0.00004, "+<0.0001"),
        (-0.00004, "−<0.0001"),
        (0.005, "+0.01"),  # a half goes away from zero
        (-0.005, "−0.01"),
    ],
)
def test_a_delta_that_is_not_zero_never_looks_like_it(value: float, words: str) -> None:
    assert signed(value) == words


def test_what_is_not_there_is_a_dash() -> None:
    assert (signed(None), plain(None), interval_words(delta(ci95=None))) == ("–", "–", "–")
    assert plain(-0.001) == "0.00"


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (None, "price not known"),
        (0.0, "$0.00"),
        (1.0, "$1.00"),
        (12.4, "$12.40"),
        (0.996, "$1.00"),  # two significant digits of 0.996 are 1.0
        (0.5, "$0.50"),
        (0.0021, "$0.0021"),
    ],
)
def test_dollars(cost: float | None, words: str) -> None:
    assert money_words(cost) == words


@pytest.mark.parametrize(
    ("a", "b", "difference", "digits"),
    [
        (None, 0.5, 0.1, 2),
        (0.5, None, 0.1, 2),
        (0.5, 0.6, None, 2),
        (0.5, 0.6, 0.1, 2),
        (0.314, 0.366, 0.052, 3),  # 0.37 − 0.31 = 0.06, not 0.05
        (0.5, 0.5, 0.0, 2),
        (0.501, 0.505, 0.004, 3),  # 0.51 − 0.50 = 0.01, not 0.00
        (0.501, 0.504, 0.003, 3),  # 0.50 − 0.50 = 0.00, which hides 0.003
        (0.5001, 0.5004, 0.0003, 4),
    ],
)
def test_digits_that_add_up(a: float | None, b: float | None, difference: float | None, digits: int) -> None:
    assert digits_that_add_up(a, b, difference) == digits


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"verdict": "better"}, "better"),
        ({"verdict": "worse", "fragile": True}, "worse (fragile)"),
        ({"n": 0, "wins": 0, "ties": 0, "losses": 0, "verdict": "too few"}, "not scored"),
        ({"wins": 0, "ties": 20, "losses": 0, "verdict": "too few"}, "no question differs"),
        ({"wins": 1, "ties": 19, "losses": 0, "verdict": "too few"}, "too few: only 1 question differs"),
        ({"wins": 0, "ties": 19, "losses": 1, "verdict": "too few"}, "too few: only 1 question differs"),
        ({"wins": 1, "ties": 18, "losses": 1, "verdict": "too few"}, "too few: only 2 questions differ"),
        ({"ci95": None}, "not shown"),
        ({"ci95": (-0.02, 0.07)}, "not shown: could be −0.02 to +0.07"),
    ],
)
def test_a_verdict_as_a_person_says_it(changes: dict[str, object], words: str) -> None:
    assert verdict_words(delta(**changes)) == words


def test_an_arrow_stands_for_a_verdict_alone() -> None:
    assert delta_words(delta(mean=0.2, verdict="better")) == "+0.20 ▲"
    assert delta_words(delta(mean=-0.2, verdict="worse")) == "−0.20 ▼"
    assert delta_words(delta(mean=0.2, verdict="not shown")) == "+0.20  "
    assert wins_words(delta(wins=9, ties=60, losses=7)) == "9 ▲ 60 = 7 ▼"


def test_an_end_beside_zero_gets_digits_where_a_difference_is_shown() -> None:
    assert interval_words(delta(ci95=(0.0004, 0.1), verdict="better")) == "+0.0004 … +0.1000"
    assert interval_words(delta(ci95=(0.02, 0.1), verdict="better")) == "+0.02 … +0.10"
    assert interval_words(delta(ci95=(-0.1, -0.0004), verdict="worse"), between=" to ") == "−0.1000 to −0.0004"
    assert interval_words(delta(ci95=(-0.1, 0.2), verdict="not shown"), digits=3) == "−0.100 … +0.200"


def test_a_metric_scored_nowhere_says_why_most_frequent_reason_first() -> None:
    """A has no score on 8 rows: 5 for one reason, 2 for an error, 1 without any; B has values that help nobody."""
    reasons = [Score(None, "no key")] * 5 + [Score(None, "", error="the judge failed")] * 2 + [Score(None)]
    a = scored(make_run(TEXTS), "evidence_recall", *reasons)
    (sentence,) = not_scored_sentences(compare_runs(a, make_run(TEXTS, "hybrid", 0.5)))
    assert sentence == (
        "Evidence recall was scored on no question of both sides. "
        "A: no key (5 ×); A: the judge failed (2 ×); A: no reason was given (1 ×)."
    )


def test_a_row_that_failed_gives_its_error_as_the_reason() -> None:
    run = make_run(TEXTS)
    rows = tuple(replace(row, record=replace(row.record, error="no answer came"), scores={}) for row in run.rows)
    found = not_scored_sentences(compare_runs(replace(run, rows=rows), make_run(TEXTS, "hybrid", 0.5)))
    assert found[0].endswith("A: no answer came (8 ×).")


def test_a_metric_with_a_pair_needs_no_reason() -> None:
    assert not_scored_sentences(comparison()) == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"verdict": "better"}, "B retrieves better: evidence recall +0.25 (0.50 → 0.75)."),
        ({"verdict": "worse"}, "B retrieves worse: evidence recall +0.25 (0.50 → 0.75)."),
        ({"verdict": "not shown"}, "No difference shown in retrieval: evidence recall +0.25 (0.50 → 0.75)."),
        ({"verdict": "too few", "n": 0}, "Retrieval: evidence recall was not scored."),
        (
            {"verdict": "too few", "wins": 0, "losses": 0},
            "Retrieval: no question differs in evidence recall.",
        ),
        (
            {"verdict": "too few", "wins": 0, "losses": 1},
            "No difference shown in retrieval: evidence recall +0.25 (0.50 → 0.75).",
        ),
    ],
)
def test_what_came_out_in_one_sentence(changes: dict[str, object], words: str) -> None:
    assert headline_sentence(recall(**changes)) == words


def test_answers_have_their_own_verb_and_noun() -> None:
    found = comparison()
    part: MetricComparison = found.metrics["evidence_recall"]
    answers = replace(found, metrics={"key_facts": part})
    assert headline_sentence(answers).startswith("B answers better: key facts +0.25")
    none = replace(found, metrics={"key_facts": replace(part, delta=replace(part.delta, verdict="not shown"))})
    assert headline_sentence(none).startswith("No difference shown in answers: key facts")
    both = replace(found, metrics={"evidence_recall": part, "key_facts": part})
    assert headline_sentence(both).count("B retrieves better") == headline_sentence(both).count("B answers better") == 1


def test_a_variant_against_itself_says_so_unless_something_differs() -> None:
    same = compare_runs(make_run(TEXTS), make_run(TEXTS))
    assert headline_sentence(same) == "A and B are the same variant: every difference is 0."
    moved = compare_runs(make_run(TEXTS), make_run(TEXTS, value=0.75))
    assert headline_sentence(moved).startswith("B retrieves better")
    other = comparison(0.5, 0.5)  # another variant, with the same scores
    assert headline_sentence(other) == "Retrieval: no question differs in evidence recall."


def test_a_difference_inside_the_judges_noise_is_none() -> None:
    inside = headline_sentence(only(comparison(), noise_floor=0.3))
    assert inside == "No difference beyond the judge's own noise: evidence recall +0.25 (0.50 → 0.75)."


def test_the_leading_metric_is_the_first_of_the_headline_that_was_scored() -> None:
    found = comparison()
    part = found.metrics["evidence_recall"]
    empty = replace(part, delta=replace(part.delta, n=0))
    assert leading_metric(replace(found, metrics={})) is None
    assert leading_metric(replace(found, metrics={"mrr": part, "key_facts": part})) == "key_facts"
    assert leading_metric(replace(found, metrics={"mrr": part, "key_facts": empty})) == "mrr"
    assert leading_metric(replace(found, metrics={"mrr": empty, "key_facts": empty})) == "key_facts"
    assert leading_metric(replace(found, metrics={"mrr": empty})) == "mrr"


@pytest.mark.parametrize(
    ("label", "words"), [("Evidence recall", "evidence recall"), ("nDCG", "nDCG"), ("MRR", "MRR"), ("X", "X")]
)
def test_a_label_inside_a_sentence(label: str, words: str) -> None:
    assert inside_sentence(label) == words


def compared(a: str, b: str) -> Comparison:
    return compare_runs(make_run(TEXTS, a), make_run(TEXTS, b))


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("keyword", "keyword", "No setting differs."),
        ("keyword:top_k=3", "keyword:top_k=4", "1 setting differs: top_k 3 → 4."),
    ],
)
def test_settings_that_differ(a: str, b: str, words: str) -> None:
    assert settings_sentence(compared(a, b)) == words


def test_a_delta_of_several_settings_belongs_to_all() -> None:
    found = settings_sentence(compared("keyword:top_k=3", "keyword:top_k=4,chunk_size=300"))
    assert found.startswith("2 settings differ (") and found.endswith("the delta belongs to all of them together.")
    assert "top_k 3 → 4" in found


def test_a_setting_that_one_side_alone_has() -> None:
    there = settings_sentence(compared("vector", "keyword:k1=2"))
    assert "(only B has it)" in there and "(only A has it)" not in there
    back = settings_sentence(compared("keyword:k1=2", "vector"))
    assert "(only A has it)" in back and "(only B has it)" not in back


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        (100.0, None),
        (104.0, None),
        (106.0, "B reads 1.1 times as much text as A."),
        (96.0, None),
        (94.0, "B reads 94% of A's text."),
        (200.0, "B reads 2.0 times as much text as A."),
    ],
)
def test_text_read_is_told_from_a_twentieth_on(characters: float, words: str | None) -> None:
    """A reads 100 characters."""
    b = scored(make_run(TEXTS, "hybrid"), "context_characters", Score(characters))
    assert text_read_sentence(compare_runs(make_run(TEXTS), b)) == words


def test_text_that_nobody_measured_is_not_told() -> None:
    assert text_read_sentence(replace(comparison(), effort={})) is None


def test_trust_counts_verdicts_and_questions() -> None:
    found = comparison()
    part = found.metrics["evidence_recall"]
    worse = replace(part, delta=replace(part.delta, verdict="worse"))
    open_ = replace(part, delta=replace(part.delta, verdict="not shown"))
    few = replace(part, delta=replace(part.delta, verdict="too few"))
    read = replace(part, delta=replace(part.delta, verdict="more"))  # what was read counts for no side
    metrics = {"evidence_recall": part, "mrr": worse, "ndcg": open_, "hit_rate": few, "precision": read}
    assert trust_sentence(replace(found, metrics=metrics)) == (
        "8 questions, paired · of 4 metrics B is better on 1, worse on 1, undecided on 2 · "
        "judge: embedded, not measured against labels"
    )
    assert trust_sentence(comparison(questions=1)).startswith("1 question, paired · ")


MEASURED = {"kappa": 0.5, "accuracy": 0.86, "n": 168}


def test_agreement_in_true_words() -> None:
    assert agreement_words(None) == "not measured against labels"
    assert agreement_words(None, (9, 12)) == "agrees with 9 of 12 labels given here"
    assert agreement_words(MEASURED) == (
        "agrees with 86% of 168 prepared labels (κ 0.50, on the sample; not measured on your documents)"
    )
    assert agreement_words({**MEASURED, "kappa": None}, (1, 2)) == (
        "agrees with 86% of 168 prepared labels (on the sample; agrees with 1 of 2 labels given here)"
    )
    assert here_words((0, 0)) == here_words(None) == ""
    assert here_words((0, 3)) == "agrees with 0 of 3 labels given here"


def test_where_nobody_judged_it_says_so() -> None:
    found = comparison()
    assert judge_words(replace(found, a=replace(found.a, judge=None))) == "no judge was used"
    assert judge_words(found) == "judge: embedded, not measured against labels"
