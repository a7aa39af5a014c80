"""ragas' metrics with our judge, against sums done by hand."""

import asyncio
import random

import pytest

from rag_variants.errors import ModelError
from rag_variants.metrics import METRICS
from tests.scripted import ScriptedJudge, make_subject, score

FAITHFULNESS = METRICS["faithfulness"]
RELEVANCY = METRICS["answer_relevancy"]
PRECISION = METRICS["context_precision"]
RECALL = METRICS["context_recall"]


def precision_of(verdicts, **judge):
    texts = [f"chunk {rank}" for rank in range(len(verdicts))]
    scripted = ScriptedJudge(useful=dict(zip(texts, verdicts, strict=True)), **judge)
    return score(PRECISION, make_subject(*texts, reference="The deposit is 450 EUR.", judge=scripted))


def faithfulness_of(verdicts, **judge):
    claims = [f"claim {index}" for index in range(len(verdicts))]
    scripted = ScriptedJudge({"The answer.": claims}, dict(zip(claims, verdicts, strict=True)), **judge)
    return score(FAITHFULNESS, make_subject("chunk", answer="The answer.", judge=scripted))


def recall_of(verdicts):
    claims = [f"claim {index}" for index in range(len(verdicts))]
    scripted = ScriptedJudge({"The reference.": claims}, dict(zip(claims, verdicts, strict=True)))
    return score(RECALL, make_subject("chunk", reference="The reference.", judge=scripted))


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([1], 1.0),
        ([1, 1], 1.0),  # H-02 (a): ragas gives 0.99999999995
        ([0, 0, 0], 0.0),
        ([1, 0, 1], (1 / 1 + 2 / 3) / 2),
        ([0, 1], (1 / 2) / 1),
        ([0, 1, 1], (1 / 2 + 2 / 3) / 2),
        ([1, 0, 0, 0, 0], 1.0),  # noise below the last useful chunk does not count
        ([0, 0, 0, 0, 1], 1 / 5),  # noise above does
    ],
)
def test_context_precision(verdicts, expected):
    made = precision_of(verdicts)

    assert made.value == pytest.approx(expected, abs=1e-9)
    assert [entry["verdict"] for entry in made.detail["verdicts"]] == verdicts
    assert [entry["rank"] for entry in made.detail["verdicts"]] == list(range(1, len(verdicts) + 1))
    assert made.detail["verdicts"][0]["chunk_id"] == "0.md:0-7"
    assert made.detail["strict"] == pytest.approx(made.value, abs=1e-9)


def test_perfect_is_exactly_one():
    assert precision_of([1, 1]).value == 1.0
    assert precision_of([1, 1]).value >= 1.0
    assert faithfulness_of([1, 1, 1]).value == 1.0


@pytest.mark.parametrize(
    ("verdicts", "expected"), [([1, 0, 1, 1], 3 / 4), ([0, 0], 0.0), ([1], 1.0), ([1, 0, 0], 1 / 3)]
)
def test_faithfulness_and_recall_are_shares(verdicts, expected):
    for made in (faithfulness_of(verdicts), recall_of(verdicts)):
        assert made.value == pytest.approx(expected, abs=1e-9)
        assert made.error is None


def test_unsure_counts_as_no_and_shows_both_ends():
    made = faithfulness_of(["supported", "unsure", "contradicted", "missing"])

    assert made.value == 1 / 4
    assert (made.detail["strict"], made.detail["lenient"]) == (1 / 4, 2 / 4)
    assert made.detail["counts"] == {"total": 4, "yes": 1, "unsure": 1}
    assert made.detail["claims"][2] == {
        "statement": "claim 2",
        "verdict": 0,
        "label": "contradicted",
        "sentence": "seen: contradicted",
        "veto": "number: 30 is not 14",
        "reason": "written down",
    }


def test_recall_shows_the_statements_found():
    made = recall_of(["supported", "missing"])

    assert [(each["statement"], each["verdict"], each["label"]) for each in made.detail["statements"]] == [
        ("claim 0", 1, "supported"),
        ("claim 1", 0, "missing"),
    ]


def test_an_unsure_chunk_can_lower_the_lenient_end():
    made = precision_of(["supported", "missing", "unsure"])

    assert made.value == 1.0
    assert made.detail["lenient"] == pytest.approx((1 / 1 + 2 / 3) / 2, abs=1e-9)


def test_h01_a_refusal_without_claims_is_not_nan():
    refusal = "I could not find this in the documents."
    judge = ScriptedJudge(statements={refusal: []}, questions={refusal: ("Where?", 1)})
    subject = make_subject("chunk", answer=refusal, judge=judge)

    faithful = score(FAITHFULNESS, subject)
    assert (faithful.value, faithful.reason, faithful.error) == (None, "no claims to check", None)
    relevant = score(RELEVANCY, subject)
    assert relevant.value == 0.0
    assert relevant.reason == "the judge finds that the answer does not commit itself"
    assert [each["noncommittal"] for each in relevant.detail["questions"]] == [1, 1, 1]


def test_h02_b_relevancy_below_zero_is_shown_as_it_is():
    judge = ScriptedJudge(
        questions={"It is 450.": ("generated", 0)}, vectors={"What is the deposit?": [1, 0], "generated": [-0.02, 1]}
    )
    made = score(RELEVANCY, make_subject("chunk", answer="It is 450.", judge=judge))

    expected = -0.02 / (0.02**2 + 1**2) ** 0.5
    assert made.value == pytest.approx(expected, abs=1e-9)
    assert made.detail["questions"][0]["similarity"] == pytest.approx(expected)


def test_relevancy_is_the_mean_cosine_of_three_questions():
    judge = ScriptedJudge(vectors={"What is the deposit?": [1, 0], "It is 450.": [3, 4]})
    made = score(RELEVANCY, make_subject("chunk", answer="It is 450.", judge=judge))

    assert made.value == pytest.approx((3 / 5 + 3 / 5 + 3 / 5) / 3)
    assert len(made.detail["questions"]) == 3


@pytest.mark.parametrize("verdict", [2, 5, -1, 10])
def test_h04_a_verdict_is_0_or_1(verdict):
    for made in (precision_of([1, verdict]), faithfulness_of([1, verdict]), recall_of([1, verdict])):
        assert made.value is None
        assert made.error == f"the judge's reply is not readable: the verdict {verdict} is neither 0 nor 1"
        assert made.detail["replies"]


def test_noncommittal_is_a_verdict_too():
    judge = ScriptedJudge(questions={"It is 450.": ("generated", 7)})

    assert "the noncommittal 7 is neither" in score(RELEVANCY, make_subject(answer="It is 450.", judge=judge)).error


def test_a_missing_verdict_is_never_a_pass():
    made = faithfulness_of([0, 1, 1], drop=1)

    assert made.value is None
    assert made.error == "the judge's reply is not readable: 2 verdicts for 3 statements"


def test_no_question_read_from_the_answer_is_a_failure():
    judge = ScriptedJudge(questions={"It is 450.": ("", 0)})
    made = score(RELEVANCY, make_subject(answer="It is 450.", judge=judge))

    assert (made.value, made.error) == (None, "the judge's reply is not readable: no question was generated")


@pytest.mark.parametrize(
    "error",
    [ModelError("It is out of credit."), ValueError("It is out of credit."), TimeoutError("It is out of credit.")],
)
def test_what_a_judge_may_raise_becomes_a_sentence(error):
    made = faithfulness_of([1], failing=frozenset({"q1"}), error=error)

    assert (made.value, made.reason, made.error) == (None, None, "the judge failed: It is out of credit.")


def test_a_bug_of_a_judge_is_a_failed_score_that_names_it():
    made = faithfulness_of([1], failing=frozenset({"q1"}), error=KeyError("bug"))
    assert (made.value, made.error) == (None, "faithfulness failed under the judge scripted: KeyError: 'bug'")


def test_an_answer_out_of_nothing_is_not_faithful():
    made = score(FAITHFULNESS, make_subject(answer="It is 450.", judge=ScriptedJudge()))

    assert (made.value, made.reason) == (0.0, "nothing was retrieved that could support the answer")


def test_parity_with_ragas_on_random_verdicts():
    """The same verdicts through ragas itself, unwrapped, and through our metrics."""
    from ragas.metrics.collections import ContextPrecision

    from rag_variants.judges.prompting import carry_data

    randomness = random.Random(7)
    for _ in range(30):
        verdicts = [randomness.randint(0, 1) for _ in range(randomness.randint(1, 8))]
        texts = [f"chunk {rank}" for rank in range(len(verdicts))]
        subject = make_subject(
            *texts, reference="R", judge=ScriptedJudge(useful=dict(zip(texts, verdicts, strict=True)))
        )
        bare = ContextPrecision(llm=subject.judge.open(subject.record))
        carry_data(bare, bare.llm)
        theirs = asyncio.run(bare.ascore(user_input="Q", reference="R", retrieved_contexts=texts))
        useful = [rank for rank, verdict in enumerate(verdicts, 1) if verdict]
        by_hand = sum(count / rank for count, rank in enumerate(useful, 1)) / len(useful) if useful else 0.0

        assert score(PRECISION, subject).value == pytest.approx(theirs.value, abs=1e-9)
        assert score(PRECISION, subject).value == pytest.approx(by_hand, abs=1e-9)
