"""Agreement, gold marks and other judges in words."""

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.judging.agreement_figures import Judged, agreement_figures
from rag_variants.evaluation.judging.gold_check import check_gold
from rag_variants.evaluation.judging.other_judges import SourceDelta, VerdictSource
from rag_variants.questions.labels import JudgeLabel
from rag_variants.report.judging import (
    disagreement_words,
    figure_rows,
    gold_sentence,
    means_sentence,
    source_rows,
    winner_sentence,
)
from rag_variants.report.words import agreement_words
from tests.unit.evaluation.judging.test_gold_check import row
from tests.unit.evaluation.judging.test_labels import run


def source(name: str, a: float, b: float, n: int = 4) -> VerdictSource:
    return VerdictSource(name, {"faithfulness": SourceDelta(a, b, n, int(b > a), int(b < a))})


def test_figures_are_split_by_metric_language_and_kind() -> None:
    labels = [
        JudgeLabel("1", "c", "s", True, "faithfulness", language="en", kind="lookup"),
        JudgeLabel("2", "c", "t", False, "faithfulness", language="pl"),
        JudgeLabel("3", "c", "u", False, "context_precision", language="pl"),
    ]
    verdicts = (True, True, False)
    measured = agreement_figures(
        "j", [Judged(each, verdict, False) for each, verdict in zip(labels, verdicts, strict=True)]
    )
    rows = {each["labels"]: (each["n"], each["equal"], each["accuracy"]) for each in figure_rows(measured)}
    assert rows == {
        "all": ("3", "2", "67%"),
        "metric context_precision": ("1", "1", "100%"),
        "metric faithfulness": ("2", "1", "50%"),
        "language en": ("1", "1", "100%"),
        "language pl": ("2", "1", "50%"),
        "kind lookup": ("1", "1", "100%"),
    }


def test_a_disagreement_names_both_sides_and_the_judges_reason() -> None:
    label = JudgeLabel("1", "c", "It opens at 9.", False, kind="number_swap")
    (lost,) = agreement_figures("j", [Judged(label, True, False, "it says so")])["disagreements"]
    assert disagreement_words(lost) == "It opens at 9.\n    label: no (number_swap)\n    judge: yes: it says so"


@pytest.mark.parametrize(
    ("agreement", "here", "words"),
    [
        (None, None, "not measured against labels"),
        (None, (0, 0), "not measured against labels"),
        (None, (9, 12), "agrees with 9 of 12 labels given here"),
        (
            {"accuracy": 0.69, "n": 168, "kappa": 0.38}, None,
            "agrees with 69% of 168 prepared labels (κ 0.38, on the sample; not measured on your documents)",
        ),
        (
            {"accuracy": 0.69, "n": 168, "kappa": None}, (9, 12),
            "agrees with 69% of 168 prepared labels (on the sample; agrees with 9 of 12 labels given here)",
        ),
    ],
)  # fmt: skip
def test_the_judges_agreement_in_true_words(agreement, here, words: str) -> None:
    assert agreement_words(agreement, here) == words


def test_gold_marks_beside_the_judge() -> None:
    judged = compare_runs(run("keyword", row("q1", "wxy", "wx", "w")), run("hybrid", row("q1", "xwz", "wx", "w")))
    check = check_gold(judged)
    assert check is not None
    # w both, x judge only, y and z neither: equal 3 of 4; by chance 2/4 × 1/4 + 2/4 × 3/4 = 1/2; (3/4 − 1/2) ÷ 1/2
    assert gold_sentence(check, "j") == "j and the gold marks say the same of 3 of 4 chunks (75%, κ 0.50)."
    assert means_sentence(check) == (
        "Context precision, B − A: 0.000 by the judge (1.000 → 1.000), −0.500 by gold marks (1.000 → 0.500; "
        "n = 1 questions of A, 1 of B)."
    )


def test_the_winner_under_all_sources_or_not() -> None:
    same = [source("embedded", 0.5, 0.6), source("overlap", 0.8, 0.9)]
    assert winner_sentence(same, "faithfulness", True) == "By faithfulness B is ahead under all 2 sources."
    other = [*same, source("house:m", 0.7, 0.6)]
    assert winner_sentence(other, "faithfulness", True) == (
        "By faithfulness the sources differ: B is ahead under embedded and overlap; A is ahead under house:m."
    )
    assert winner_sentence(same, "faithfulness", False).endswith(
        "The run shows no difference here, so a sign says little."
    )
    assert "Only one source" in winner_sentence(same[:1], "faithfulness", True)


def test_a_source_without_a_word_has_no_number() -> None:
    rows = source_rows(
        [source("embedded", 0.5, 0.6), VerdictSource("gold marks", {"faithfulness": None})], "faithfulness"
    )
    assert rows[0] == {
        "verdicts by": "embedded", "A": "0.500", "B": "0.600", "Δ = B − A": "+0.100", "ahead": "B", "B higher": "1",
        "B lower": "0", "n": "4",
    }  # fmt: skip
    assert set(rows[1].values()) == {"gold marks", "–"}
