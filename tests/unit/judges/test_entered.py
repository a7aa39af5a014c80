"""The judge that replies what was entered."""

import math

import pytest

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.judges.entered_llm import EnteredJudge
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceOutput,
    CarriedPrompt,
    ClaimDecompositionOutput,
    ContextPrecisionOutput,
    NLIStatementInput,
    NLIStatementOutput,
)
from rag_variants.types import Question, Record

RECORD = Record(Question("q1", "question"))


def test_chunks_are_judged_in_their_order_and_no_verdict_is_made_up():
    llm = EnteredJudge((True, False)).open(RECORD)

    assert [llm.generate("", ContextPrecisionOutput).verdict for _ in range(2)] == [1, 0]
    with pytest.raises(ValueError, match="only 2 verdicts were entered"):
        llm.generate("", ContextPrecisionOutput)


def test_each_score_begins_anew():
    judge = EnteredJudge((True, False))
    assert [judge.open(RECORD).generate("", ContextPrecisionOutput).verdict for _ in range(2)] == [1, 1]


def test_as_many_statements_as_verdicts():
    llm = EnteredJudge((True, False)).open(RECORD)
    prompt = CarriedPrompt("", NLIStatementInput(context="", statements=["one"]))
    with pytest.raises(ValueError, match="zip"):
        llm.generate(prompt, NLIStatementOutput)


def test_missing_readings_are_empty_replies():
    llm = EnteredJudge(readings=(GeneratedQuestion(0.5, True),)).open(RECORD)
    replies = [llm.generate("", AnswerRelevanceOutput) for _ in range(3)]

    assert [(each.question, each.noncommittal) for each in replies] == [("reading 0", 1), ("", 0), ("", 0)]


def test_vectors_have_length_one_and_the_entered_cosine():
    embeddings = EnteredJudge(readings=(GeneratedQuestion(0.6), GeneratedQuestion(-1.0))).embeddings

    assert embeddings.embed_text("question") == [1.0, 0.0]
    assert embeddings.embed_text("reading 0") == pytest.approx([0.6, 0.8])  # 0.6² + 0.8² = 1
    assert embeddings.embed_text("reading 1") == [-1.0, 0.0]
    assert math.hypot(*embeddings.embed_text("reading 0")) == pytest.approx(1)


def test_what_no_core_metric_asks_is_refused():
    with pytest.raises(ValueError, match="hold no ClaimDecompositionOutput"):
        EnteredJudge((True,)).open(RECORD).generate("", ClaimDecompositionOutput)


def test_settings_hold_what_was_entered():
    assert EnteredJudge((True,), (GeneratedQuestion(0.5),)).settings == {
        "judge": "entered",
        "verdicts": (True,),
        "readings": (GeneratedQuestion(0.5),),
    }
