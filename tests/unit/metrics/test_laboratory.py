"""Entered verdicts through ragas' own code, against sums done by hand."""

import asyncio
import itertools
import math
import re
import time

import pytest

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.metrics.laboratory import score_entered, score_key_fact, write_sum

SHARES = ("faithfulness", "context_recall")


def value(metric, *verdicts, readings=()):
    score = asyncio.run(score_entered(metric, verdicts, readings))
    assert score.error is None
    return score.value


def worked(written):
    """What a written sum comes to: digits, + − × / and brackets, nothing else."""
    assert re.fullmatch(r"[\d./+−×() ]+", written)
    return eval(written.replace("−", "-").replace("×", "*"))


def combinations(most=4):
    return [marks for n in range(1, most + 1) for marks in itertools.product([False, True], repeat=n)]


@pytest.mark.parametrize(
    ("verdicts", "sum_", "expected"),
    [
        ([1, 0, 1], "(1/1 + 2/3) / 2", (1 / 1 + 2 / 3) / 2),
        ([1, 0], "(1/1) / 1", 1 / 1),  # useful above noise …
        ([0, 1], "(1/2) / 1", 1 / 2),  # … and noise above useful
        ([1, 0, 0, 0, 0], "(1/1) / 1", 1.0),  # noise below costs nothing
        ([0, 0], "", 0.0),
    ],
)
def test_precision_and_its_sum(verdicts, sum_, expected):
    marks = [bool(each) for each in verdicts]

    assert value("context_precision", *marks) == pytest.approx(expected, abs=1e-9)
    assert write_sum("context_precision", marks) == sum_


@pytest.mark.parametrize("metric", SHARES)
def test_shares_of_up_to_four_agree_with_the_formula(metric):
    for marks in combinations():
        assert value(metric, *marks) == pytest.approx(sum(marks) / len(marks), abs=1e-9)
        assert worked(write_sum(metric, marks)) == pytest.approx(value(metric, *marks), abs=1e-9)


def test_precision_of_up_to_four_agrees_with_the_formula():
    for marks in combinations():
        at = [sum(marks[: k + 1]) / (k + 1) for k in range(len(marks))]  # precision@k
        expected = sum(p for p, mark in zip(at, marks, strict=True) if mark) / max(1, sum(marks))
        assert value("context_precision", *marks) == pytest.approx(expected, abs=1e-9)
        if any(marks):
            assert worked(write_sum("context_precision", marks)) == pytest.approx(expected, abs=1e-9)


def test_relevancy_of_up_to_three_agrees_with_the_formula():
    kinds = [GeneratedQuestion(c, evasive) for c in (1.0, 0.9, 0.35, 0.0, -0.25, -1.0) for evasive in (False, True)]
    for n in range(1, 4):
        for readings in itertools.combinations_with_replacement(kinds, n):
            evasive = all(each.noncommittal for each in readings)
            expected = 0.0 if evasive else sum(each.similarity for each in readings) / n
            assert value("answer_relevancy", readings=readings) == pytest.approx(expected, abs=1e-9)
            written = worked(write_sum("answer_relevancy", readings=readings))
            assert written == pytest.approx(expected, abs=1e-9)


def test_relevancy_writes_negative_terms_and_the_factor():
    readings = (GeneratedQuestion(0.95), GeneratedQuestion(-0.1))
    assert write_sum("answer_relevancy", readings=readings) == "(0.95 + (−0.10)) / 2"
    assert value("answer_relevancy", readings=readings) == pytest.approx((0.95 - 0.1) / 2)

    evasive = (GeneratedQuestion(0.8, True), GeneratedQuestion(0.6, True))
    assert write_sum("answer_relevancy", readings=evasive) == "(0.80 + 0.60) / 2 × 0"
    assert value("answer_relevancy", readings=evasive) == 0.0


def test_cosines_pass_through_ragas_own_cosine():
    score = asyncio.run(
        score_entered("answer_relevancy", readings=(GeneratedQuestion(0.3), GeneratedQuestion(math.sqrt(0.5))))
    )

    assert [each["similarity"] for each in score.detail["questions"]] == pytest.approx([0.3, math.sqrt(0.5)])
    assert score.value == pytest.approx((0.3 + math.sqrt(0.5)) / 2)


@pytest.mark.parametrize(
    ("metric", "why"),
    [
        ("faithfulness", "no claims to check"),
        ("context_precision", "nothing was retrieved"),
        ("context_recall", "the judge found no statement in the reference"),
    ],
)
def test_nothing_entered_is_not_scored_and_not_zero(metric, why):
    score = asyncio.run(score_entered(metric))

    assert score.value is None
    assert score.reason == why
    assert write_sum(metric) == ""


def test_no_reading_is_not_scored():
    score = asyncio.run(score_entered("answer_relevancy"))

    assert score.value is None
    assert "no question was generated" in score.error
    assert write_sum("answer_relevancy") == ""


def test_all_no_is_zero():
    for metric in (*SHARES, "context_precision"):
        assert value(metric, False, False) == 0.0


@pytest.mark.parametrize(
    "readings", [[GeneratedQuestion(1.0)] * 4, [GeneratedQuestion(1.2)], [GeneratedQuestion(float("nan"))]]
)
def test_what_ragas_cannot_be_given_is_refused(readings):
    with pytest.raises(ValueError, match=r"ragas asks for 3|lies in"):
        asyncio.run(score_entered("answer_relevancy", readings=readings))


@pytest.mark.parametrize(
    ("answer", "fact", "expected"),
    [
        ("You have 14 days.", "14 days", 1.0),
        ("You have 30 days.", "14 days", 0.0),
        ("Masz na to 14 dni.", "14 dni", 1.0),
        ("签收后 14 天内。", "14天", 1.0),
    ],
)
def test_key_fact(answer, fact, expected):
    assert asyncio.run(score_key_fact(answer, fact)).value == expected


def test_a_score_takes_milliseconds_once_ragas_is_there():
    value("context_precision", True)
    begun = time.process_time()
    for _ in range(20):
        value("context_precision", True, False, True)
    assert (time.process_time() - begun) / 20 < 0.1
