"""Advice in words."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.advice.advice import Attempt, Attempts, advise_all, advise_question
from rag_variants.evaluation.advice.changes import SingleChange
from rag_variants.evaluation.advice.findings import EvidenceFound
from rag_variants.pipeline import read_variant
from rag_variants.report.advice import (
    advice_words,
    effect_words,
    overall_sentence,
    overall_words,
    tried_words,
    tries_sentence,
)

VARIANT = read_variant("hybrid")


def finding(value: float | None, *ranks: int | None, characters: int = 1000) -> EvidenceFound:
    return EvidenceFound(value, None, ranks, 5, characters)


def attempts(*changes: dict[str, EvidenceFound]) -> Attempts:
    present = {f"q{at}": finding(0.0, 7) if at < 7 else finding(1.0, 1) for at in range(10)}
    tried = tuple(
        Attempt(SingleChange("keyword_weight", "0.5", f"0.{at}", VARIANT), {**present, **each})
        for at, each in enumerate(changes)
    )
    return Attempts(VARIANT, "evidence_recall", present, tried, (), 0)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (finding(0.0, 7), finding(1.0, 2), "gold at rank 2 (was 7, below the cut)"),
        (finding(0.0, None), finding(1.0, 2), "gold at rank 2 (was not found)"),
        (finding(1.0, 5), finding(1.0, 2), "gold at rank 2 (was 5)"),
        (finding(1.0, 5), finding(0.0, None), "gold not found (was 5)"),
        (finding(0.0, 9), finding(0.0, 6), "gold at rank 6, below the cut (was 9, below the cut)"),
        (finding(0.0, 7), EvidenceFound(1.0, None, (7,), 8, 1600), "gold at rank 7, no longer below the cut"),
        (EvidenceFound(1.0, None, (7,), 8, 1600), finding(0.0, 7), "gold at rank 7, now below the cut"),
        (finding(0.0, 7), finding(0.0, 7, characters=900), "as before"),
        (finding(0.5, 1, 7), finding(1.0, 1, 4), "2 of 2 pieces of evidence, the last at rank 4 (was 1 of 2)"),
        (finding(1.0, 1, 5), finding(1.0, 1, 4), "2 of 2 pieces of evidence, the last at rank 4 (was 5)"),
        (finding(0.0, 7, 8), finding(0.5, 1, 8), "1 of 2 pieces of evidence, the last at rank 1 (was 0 of 2)"),
        (finding(0.0, 7, 8), finding(0.0, 9, 8), "as before"),
        (
            finding(0.3, 7, None),
            finding(0.4, 7, None),
            "0 of 2 pieces of evidence, 0.40 of the evidence covered (was 0.30)",
        ),
        (
            finding(0.0, None),
            finding(0.4, None),
            "gold still not found, 0.40 of the evidence covered (was 0.00)",
        ),
    ],
)
def test_what_became_of_the_evidence(before, after, expected):
    assert effect_words(before, after) == expected


def test_a_question_that_could_not_be_scored_says_why():
    assert effect_words(finding(0.0, 7), replace(finding(None), reason="no encoder")) == "not scored: no encoder"


def test_a_line_says_what_it_did_to_the_question_and_to_all():
    found = attempts({"q0": finding(1.0, 2, characters=3000), "q8": finding(0.0, 9)})
    (advice,) = advise_question(found, "q0")
    assert tried_words(VARIANT, advice.change) == "Keyword weight 0.5 → 0.0"
    # Δ = (1 − 1 + 8 · 0) ÷ 10; text = (3000 + 9 · 1000) ÷ (10 · 1000)
    assert advice_words(advice, "evidence_recall") == (
        "this question: gold at rank 2 (was 7, below the cut) · all 10: evidence recall 0.00 (1 gained, 1 lost: q8) · "
        "too few: only 2 questions differ · reads 1.2 times the text"
    )


def test_many_lost_questions_are_counted():
    lost = {f"q{at}": finding(0.0, None) for at in range(7, 10)}
    found = attempts({"q0": finding(1.0, 1), **lost})
    (advice,) = advise_question(found, "q0")
    assert overall_words(advice, "evidence_recall").endswith("(1 gained, 3 lost: q7, q8, q9)")
    more = replace(advice, lost=("a", "b", "c", "d", "e", "f"))
    assert overall_words(more, "evidence_recall").endswith("6 lost: a, b, c, d and 2 more)")


def test_luck_is_called_luck():
    all_seven = {f"q{at}": finding(1.0, 1) for at in range(7)}
    two = {"q0": finding(1.0, 1), "q1": finding(1.0, 1)}
    assert overall_sentence(attempts(all_seven)) == "1 of 1 single changes is shown to be better."
    assert overall_sentence(attempts(two, {})) == (
        "1 of 2 single changes raise the mean; none is shown to be better: it may be luck."
    )
    assert overall_sentence(attempts({}, {})) == "None of 2 single changes raises the mean."
    assert advise_all(attempts({})) == ()


def test_the_number_of_tries_is_told():
    assert "2 changes were tried on the same 10 questions, and the best" in tries_sentence(attempts({}, {}))
    assert "they hold for all 2 together" in tries_sentence(attempts({}, {}))
    assert tries_sentence(attempts({})) == "1 change was tried on 10 questions."
    assert tries_sentence(attempts()) == "No change was tried."
