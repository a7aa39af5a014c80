"""Every row of the design's case table, and what a value may be."""

import asyncio
import json
import math

import pytest

from rag_variants.metrics import METRICS
from rag_variants.metrics.cases import failed, scored, unscored
from rag_variants.types import Answer
from tests.scripted import ScriptedJudge, make_chunk, make_gold, make_subject, score

GOLD = make_gold((1, "a.md", 0, 10))
FULL = {
    "reference": "The deposit is 450 EUR.",
    "answerable": True,
    "answer_keys": (("450 EUR",),),
    "avoid": ("500 EUR",),
    "gold": GOLD,
    "gold_in_knowledge": 1,
    "judge": ScriptedJudge(),
}
CHUNK = make_chunk("0123456789 and more")
DECLINED = Answer("I could not find this in the documents.", declined=True)

# Values of the product's metrics where nothing was retrieved; the others are not scored, with a reason.
NOTHING_RETRIEVED = {
    **dict.fromkeys(("hit_rate", "evidence_recall", "all_evidence", "mrr", "ndcg", "context_recall"), 0.0),
    "faithfulness": 0.0,
    "answer_relevancy": 1.0,
    "key_facts": 1.0,
    "avoids": 1.0,
    "abstention": 1.0,
    "reference_coverage": 1.0,
    "factual_correctness": 0.0,
    "semantic_similarity": 1.0,
}


def quality_scores(subject):
    return {name: score(metric, subject) for name, metric in METRICS.items() if metric.tested}


def values(scores):
    return {name: each.value for name, each in scores.items() if each.value is not None}


def test_nothing_retrieved():
    scores = quality_scores(make_subject(answer="The deposit is 450 EUR.", **FULL))

    assert {name: scores[name].value for name in NOTHING_RETRIEVED} == NOTHING_RETRIEVED
    for name, metric in METRICS.items():
        reads_hits_alone = metric.tested and metric.needs & {"evidence", "judge"} and "answer" not in metric.needs
        if reads_hits_alone:
            assert (scores[name].reason, scores[name].error) == ("nothing was retrieved", None)
            assert scores[name].value in (0.0, None)


def test_answerable_but_declined():
    scores = quality_scores(make_subject(CHUNK, answer=DECLINED, **FULL))

    for name in ("answer_relevancy", "key_facts", "reference_coverage", "semantic_similarity", "factual_correctness"):
        assert (scores[name].value, scores[name].reason) == (0.0, "the answer declined")
    assert scores["faithfulness"].value is None
    assert scores["faithfulness"].reason == "no claims to check: the answer declined"
    assert scores["context_utilization"].value is None
    assert scores["abstention"].value == 0.0
    assert scores["avoids"].value == 1.0
    assert scores["hit_rate"].value == 1.0


@pytest.mark.parametrize(("answer", "expected"), [(DECLINED, {"abstention": 1.0}), (None, None)])
def test_unanswerable(answer, expected):
    question = {**FULL, "answerable": False, "judge": ScriptedJudge(verdicts={"It is 450 EUR.": 1})}
    scores = quality_scores(make_subject(CHUNK, answer=answer or "It is 450 EUR.", **question))

    assert values(scores) == (expected or {"abstention": 0.0, "faithfulness": 1.0}), "of nothing else"
    assert scores["hit_rate"].reason == "the question has no answer in the documents"


def test_nothing_known_about_the_question():
    scores = quality_scores(make_subject(CHUNK, answer="It is 450 EUR.", judge=ScriptedJudge()))

    of_question = {"evidence", "reference", "keys", "avoid", "answerable"}
    assert set(values(scores)) == {name for name in scores if not METRICS[name].needs & of_question}
    assert scores["hit_rate"].reason == "the question names no evidence"
    assert scores["context_recall"].reason == "the question has no reference answer"
    assert scores["key_facts"].reason == "the question names no key facts"
    assert scores["avoids"].reason == "the question names nothing to avoid"
    assert scores["abstention"].reason == "it is not known whether the documents answer the question"
    assert not any(each.error for each in scores.values())


def test_what_is_not_known_comes_before_a_decline():
    scores = quality_scores(make_subject(CHUNK, answer=DECLINED, judge=ScriptedJudge()))

    assert scores["key_facts"].value is None
    assert scores["reference_coverage"].value is None


def test_no_judge():
    scores = quality_scores(make_subject(CHUNK, answer="It is 450 EUR.", **{**FULL, "judge": None}))

    unjudged = {name for name, each in scores.items() if each.reason == "no judge is chosen"}
    assert unjudged == {name for name, metric in METRICS.items() if metric.needs & {"judge", "embeddings"}}


def test_failing_is_not_zero_and_not_unscored():
    """A question that could not be put has an error on every metric, also on those that count nothing as 0."""
    scores = quality_scores(make_subject(error="The endpoint did not answer.", **FULL))

    assert values(scores) == {}
    assert {each.error for each in scores.values()} == {"The endpoint did not answer."}


def test_an_answer_that_failed_leaves_retrieval_scored():
    scores = quality_scores(make_subject(CHUNK, error="The endpoint did not answer.", **FULL))

    assert scores["hit_rate"].value == 1.0
    assert scores["context_recall"].value == 0.0
    assert scores["faithfulness"].error == "The endpoint did not answer."
    assert scores["key_facts"].error == "The endpoint did not answer."


def test_an_empty_answer_makes_no_claims():
    scores = quality_scores(make_subject(CHUNK, answer="  ", **FULL))

    assert scores["faithfulness"].reason == "no claims to check: the answer is empty"
    assert (scores["answer_relevancy"].value, scores["answer_relevancy"].reason) == (0.0, "the answer is empty")
    assert scores["abstention"].value == 1.0


def test_scores_are_rounded_in_one_place():
    assert scored(0.9999999999).value == 1.0
    assert scored(0.99999999995).value == 1.0
    assert scored(1.0000000001).value == 1.0
    assert scored(0.3333333333333).value == 0.333333333
    assert math.copysign(1, scored(-0.0).value or 0.0) == 1


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 5.0, 1e10, -0.02, 1.001])
def test_no_score_lies_outside_its_range(value):
    made = scored(value)

    assert made.value is None
    assert made.error


def test_scores_are_plain_json():
    def refuse(constant):
        raise AssertionError(constant)

    subject = make_subject(CHUNK, answer="It is 450 EUR.", timing_ms={"rank": 2.0}, **FULL)
    for metric in METRICS.values():
        made = score(metric, subject)
        text = json.dumps([made.value, made.reason, made.detail, made.error], allow_nan=False)
        assert json.loads(text, parse_constant=refuse)[0] == made.value


def test_a_score_without_a_value():
    assert unscored("why").reason == "why"
    assert failed("The judge failed.").error == "The judge failed."


def test_h03_a_failed_call_stays_on_its_row():
    """Ten questions at once with random delays; any one of them fails; the others keep their own scores."""
    planned = {f"q{index}": (1, 1, 0, 0, 1, 0, 1, 1, 0, 1)[index] for index in range(10)}
    verdicts = {f"Claim of {name}.": verdict for name, verdict in planned.items()}
    faithfulness = METRICS["faithfulness"]
    for failing in ("q0", "q4", "q9"):
        judge = ScriptedJudge(verdicts=verdicts, failing=frozenset({failing}), delay=0.01)
        subjects = [make_subject("A chunk.", answer=f"Claim of {name}.", judge=judge, id=name) for name in planned]

        async def run(subjects=subjects):
            return await asyncio.gather(*(faithfulness.score(subject) for subject in subjects))

        found = dict(zip(planned, asyncio.run(run()), strict=True))
        assert {name: each.value for name, each in found.items() if name != failing} == {
            name: float(verdict) for name, verdict in planned.items() if name != failing
        }
        assert found[failing].value is None
        assert found[failing].error == "the judge failed: HTTP 500 from http://stub/v1."
