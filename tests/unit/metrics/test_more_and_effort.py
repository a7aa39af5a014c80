"""ragas' further metrics, its precision on evidence, and what a result costs."""

import pytest

from rag_variants.metrics import METRICS
from rag_variants.metrics.lengths import count_words, estimate_tokens
from rag_variants.types import Answer
from tests.scripted import ScriptedJudge, make_chunk, make_gold, make_subject, score


def value_of(name, subject):
    return score(METRICS[name], subject).value


def test_context_utilization_judges_chunks_by_the_answer():
    judge = ScriptedJudge(useful={"one": 0, "two": 1})

    assert value_of("context_utilization", make_subject("one", "two", answer="A.", judge=judge)) == 1 / 2


def test_context_precision_by_evidence():
    gold = make_gold((1, "a.md", 0, 10), (1, "c.md", 0, 10))
    chunks = [make_chunk("0123456789", 0, document) for document in ("a.md", "b.md", "c.md", "d.md")]
    made = score(METRICS["context_precision_evidence"], make_subject(*chunks, gold=gold))

    assert made.value == pytest.approx((1 / 1 + 2 / 3) / 2, abs=1e-9)
    assert [entry["verdict"] for entry in made.detail["verdicts"]] == [1, 0, 1, 0]


def test_factual_correctness_is_f1_of_shared_claims():
    judge = ScriptedJudge({"A.": ["a1", "a2", "a3"], "R.": ["r1", "r2"]}, {"a1": 1, "a2": 1, "r1": 1})
    made = score(METRICS["factual_correctness"], make_subject(answer="A.", reference="R.", judge=judge))

    shared, only_answer, only_reference = 2, 1, 1
    precision, recall = shared / (shared + only_answer), shared / (shared + only_reference)
    assert made.value == round(2 * precision * recall / (precision + recall), 2)
    assert [each["verdict"] for each in made.detail["claims"]] == [1, 1, 0]
    assert [each["verdict"] for each in made.detail["reference_claims"]] == [1, 0]


def test_a_judge_may_leave_out_what_it_cannot_do_honestly():
    judge = ScriptedJudge()
    judge.unfit = {"factual_correctness": "it is not measured for that"}
    made = score(METRICS["factual_correctness"], make_subject(answer="A.", reference="R.", judge=judge))

    assert (made.value, made.reason, made.error) == (None, "it is not measured for that", None)


@pytest.mark.parametrize(("vector", "expected"), [([3, 4], 3 / 5), ([-1, 0], -1.0)])
def test_semantic_similarity_is_a_cosine(vector, expected):
    judge = ScriptedJudge(vectors={"A.": vector, "R.": [1, 0]})

    assert value_of("semantic_similarity", make_subject(answer="A.", reference="R.", judge=judge)) == pytest.approx(
        expected
    )


def test_text_read():
    subject = make_subject("12345678", "四个汉字")

    assert value_of("context_characters", subject) == 8 + 4
    assert value_of("context_tokens", subject) == 8 / 4 + 4
    assert value_of("context_characters", make_subject()) == 0.0


def test_tokens_are_estimated():
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcde") == 2  # 5 / 4, rounded up
    assert estimate_tokens("退款 refund") == 2 + 2  # two characters, and 7 / 4 rounded up


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't press ERR-4031 for 3.5 hours.", 6),
        ("退款期限为14天", 5 + 1 + 1),
        ("Zażółć gęślą jaźń — tak!", 4),
        ("", 0),
    ],
)
def test_words(text, words):
    assert count_words(text) == words


def test_words_written_leave_out_citations():
    assert value_of("answer_words", make_subject(answer="Within 14 days [1][2].")) == 3


def test_time():
    assert value_of("latency_ms", make_subject(timing_ms={"rank": 2.5, "answer": 10.0})) == 12.5
    assert value_of("latency_ms", make_subject(timing_ms={"rank": 2.5, "total": 20.0})) == 20.0
    assert score(METRICS["latency_ms"], make_subject()).reason == "no time was taken"
    remembered = score(METRICS["latency_ms"], make_subject("a", answer="Yes.", timing_ms={"rank": 2.5}))
    assert (remembered.value, remembered.reason) == (None, "the answer came from memory: no time of its own")


def test_cost():
    assert value_of("cost_usd", make_subject(answer=Answer("A.", cost_usd=0.0))) == 0.0
    assert value_of("cost_usd", make_subject(answer=Answer("A.", cost_usd=0.25))) == 0.25
    assert score(METRICS["cost_usd"], make_subject(answer="A.")).reason == "the price of this model is not known"


def test_effort_is_also_that_of_questions_without_an_answer():
    subject = make_subject(
        "12345678", answer=Answer("No.", True, cost_usd=0.0), timing_ms={"answer": 1.0}, answerable=False
    )

    assert all(score(metric, subject).value is not None for metric in METRICS.values() if metric.set == "effort")
