"""A question through a variant: with and without an answer, and what a mistake leaves."""

from collections.abc import Sequence

import pytest

from rag_variants.errors import ModelError
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.records import answer_question, retrieve_question
from rag_variants.types import Answer, Hit, Question
from tests.making import bench

TEXTS = {"hours.md": "The desk opens at nine.", "refund.md": "A refund takes 14 days."}
QUESTION = Question("q", "How many days does a refund take?")


class Reader:
    """Answers with the number of hits it was given, or fails."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        if self.fails:
            raise ModelError("HTTP 500 from the answerer. Try again.")
        return Answer(f"{len(hits)}")


def test_retrieval_alone_is_the_record_without_its_answer():
    variant, place = read_variant("hybrid:top_k=1"), bench(TEXTS)
    alone, answered = retrieve_question(variant, QUESTION, place), answer_question(variant, QUESTION, place, Reader())
    assert [hit.chunk.document for hit in alone.hits] == ["refund.md"]
    assert (alone.ranking, alone.hits) == (answered.ranking, answered.hits)
    assert (alone.answer, answered.answer) == (None, Answer("1"))
    assert (list(alone.timing_ms), list(answered.timing_ms)) == (["rank", "select"], ["rank", "select", "answer"])


def test_an_answer_that_fails_is_an_error_and_no_answer():
    record = answer_question(read_variant("keyword"), QUESTION, bench(TEXTS), Reader(fails=True))
    assert record.answer is None
    assert record.error == "keyword: HTTP 500 from the answerer. Try again."


@pytest.mark.parametrize("answers", [True, False])
def test_retrieval_that_fails_is_an_error_without_hits(monkeypatch, answers):
    def fail(*_: object) -> None:
        raise ModelError("The encoder is not there. Install it.")

    variant = read_variant("keyword:top_k=2")
    monkeypatch.setattr(type(variant), "rank", fail)
    record = (
        answer_question(variant, QUESTION, bench(TEXTS), Reader())
        if answers
        else retrieve_question(variant, QUESTION, bench(TEXTS))
    )
    assert (record.ranking, record.hits, record.answer) == ((), (), None)
    assert record.error == "keyword:top_k=2: The encoder is not there. Install it."
