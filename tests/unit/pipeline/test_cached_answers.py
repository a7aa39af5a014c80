"""Answers that are kept by value: made once for the same hits, with the time that they took then."""

from dataclasses import replace

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.answer import open_answerer
from rag_variants.pipeline.records import answer_question
from rag_variants.types import Question
from rag_variants_embedded.answer.extractive import ExtractiveAnswerer
from tests.making import bench

TEXTS = {"a.md": "The deposit is 450 EUR.", "b.md": "The office opens at nine."}
QUESTION = Question("q", "What is the deposit?")


@pytest.fixture
def made(monkeypatch):
    """The (question, documents of hits) that were really answered."""
    found = []
    answer = ExtractiveAnswerer.answer

    def counted(self, question, hits):
        found.append((question, tuple(hit.chunk.document for hit in hits)))
        return answer(self, question, hits)

    monkeypatch.setattr(ExtractiveAnswerer, "answer", counted)
    return found


def ask(spec, place, question=QUESTION):
    variant = read_variant(spec)
    return answer_question(variant, question, place, open_answerer(variant, place))


def test_the_same_hits_are_answered_once_and_take_the_same_time(made):
    place = bench(TEXTS)
    first, second = ask("keyword", place), ask("keyword:k1=2", place)
    assert first.answer == second.answer
    assert first.answer.text.startswith("The deposit is 450 EUR.")
    assert first.timing_ms["answer"] == second.timing_ms["answer"] > 0
    assert len(made) == 1


@pytest.mark.parametrize(
    ("other", "question"),
    [
        ("vector:top_k=2", QUESTION),  # both documents, not one
        ("keyword", replace(QUESTION, user_input="What is the deposit, in EUR?")),
    ],
)
def test_other_hits_or_another_question_are_answered_anew(made, other, question):
    place = bench(TEXTS)
    ask("keyword", place)
    ask(other, place, question)
    assert len(made) == 2


def test_another_knowledge_base_and_other_settings_that_are_read_have_answers_of_their_own():
    shared = bench(TEXTS)
    ask("keyword", shared)
    other = replace(bench({**TEXTS, "a.md": "The deposit is 300 EUR."}), cache=shared.cache)
    assert ask("keyword", other).answer.text.startswith("The deposit is 300 EUR.")
    plain = ask("keyword:answerer=embedded:inventive", shared).answer
    faulty = ask("keyword:answerer=embedded:inventive,prompt=free,temperature=1", shared).answer
    assert not plain.faults
    assert faulty.faults
