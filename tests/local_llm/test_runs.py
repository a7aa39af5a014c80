"""Whole runs: answered, judged through ragas, embedded, broken off and taken up again."""

from collections.abc import Callable

import pytest

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question
from tests.local_llm.conftest import Sent
from tests.making import knowledge
from tools.local_server import LocalServer

SPEC = "local:smollm2"
PRICES = {"deposit": 450, "parking": 12, "breakfast": 9, "sauna": 25}
TEXTS = {f"{each}.md": f"The {each} costs {price} EUR." for each, price in PRICES.items()}
QUESTIONS = tuple(
    Question(each, f"What does the {each} cost?", reference=f"The {each} costs {price} EUR.")
    for each, price in PRICES.items()
)
CORE = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")


def prepare(variant: str, metrics: str, count: int, judge: str = "embedded", vectors: str = "embedded") -> Experiment:
    base = knowledge(TEXTS)
    asked = QuestionSet("prices", QUESTIONS[:count])
    plan = Plan(base, asked, choose_metrics(metrics), judge, vectors)
    return Experiment([read_variant(variant)], plan, open_bench(base))


def run(*arguments: object) -> Run:
    experiment = prepare(*arguments)  # type: ignore[arg-type]
    for _ in experiment.steps():
        pass
    return experiment.runs()[0]


def was_cut(row: ScoredRecord) -> bool:
    """Whether the small model went on until its limit: no answer, and the row says so."""
    return row.record.answer is None and "cut at the token limit" in str(row.record.error)


def test_questions_are_answered_once(local: LocalServer, sent: Sent):
    first = run(f"keyword:top_k=1,answerer={SPEC}", "answer_words", 2)
    answered = [row.record.answer for row in first.rows if row.record.answer]
    assert all(row.record.answer or was_cut(row) for row in first.rows)
    assert answered, "neither of two replies of one sentence came to its end"
    assert all(each.text and each.completion_tokens and each.seconds for each in answered)
    assert sent.paths == {"/chat/completions": 2}

    again = run(f"keyword:top_k=1,answerer={SPEC}", "answer_words", 2)
    assert [each.record.answer.text for each in again.rows if each.record.answer] == [each.text for each in answered]
    cut = 2 - len(answered)
    assert sent.paths == {"/chat/completions": 2 + cut}, "only what had no reply is asked again"


def test_ragas_is_answered_by_the_model_and_its_vectors(local: LocalServer, sent: Sent):
    judged = run("keyword:top_k=1", ",".join(CORE), 1, SPEC, SPEC)
    scores = {name: score for row in judged.rows for name, score in row.scores.items() if name in CORE}
    assert set(scores) == set(CORE)
    for name, score in scores.items():
        if score.value is None:
            assert score.error or score.reason, f"{name} says nothing"
            assert not score.error or "token limit" in score.error or "not readable" in score.error, score.error
        else:
            assert (-1 if name == "answer_relevancy" else 0) <= score.value <= 1
    # A verdict on one chunk is one short reply: it always comes to its end.
    assert any(score.value is not None for score in scores.values()), {n: s.error for n, s in scores.items()}
    assert judged.judge is not None
    assert judged.judge.settings["embeddings"] == SPEC
    # One list of claims and one of verdicts, three questions, one verdict on a chunk, one list of attributions: at
    # most 2 + 3 + 1 + 1, each once more where a reply could not be read.
    assert 4 <= sent.paths["/chat/completions"] <= 2 * (2 + 3 + 1 + 1)


def test_a_variant_searches_by_the_model_s_vectors(local: LocalServer, sent: Sent):
    variant = f"vector:embeddings={SPEC},top_k=2"
    found = run(variant, "context_characters", 4)
    assert [len(row.record.hits) for row in found.rows] == [2] * 4
    assert found.versions["embeddings"].startswith(f"{SPEC} ")
    assert set(sent.paths) == {"/embeddings"}
    before = sent.paths.total()
    again = run(variant, "context_characters", 4)
    assert [row.record.hits for row in again.rows] == [row.record.hits for row in found.rows]
    assert sent.paths.total() == before, "vectors are kept"


def test_a_server_that_stops_costs_only_what_was_not_answered(
    installed: None, configure: Callable[..., None], sent: Sent, monkeypatch: pytest.MonkeyPatch
):
    variant = f"keyword:top_k=1,answerer={SPEC}"
    with LocalServer() as server:
        configure(server, attempts=1, max_tokens=80)
        experiment = prepare(variant, "answer_words", 4)
        for step in experiment.steps():
            if step.step == "questions" and step.done >= 2:
                server.stop()
        first = experiment.runs()[0]
        done = {row.record.question.user_input for row in first.rows if row.record.answer}
        lost = [row for row in first.rows if not row.record.answer and not was_cut(row)]
        assert lost and len(lost) <= 2
        for row in lost:
            assert "cannot be reached. Check the address" in row.record.error or "dropped" in row.record.error

        server.start()
        sent.texts.clear()
        whole = run(variant, "answer_words", 4)
    assert all(row.record.answer or was_cut(row) for row in whole.rows)
    assert len(sent.texts) == 4 - len(done)
    assert not [text for text in sent.texts if any(question in text for question in done)]
    kept = {row.record.question.user_input: row.record.answer for row in whole.rows}
    for row in first.rows:
        if row.record.answer:
            assert kept[row.record.question.user_input].text == row.record.answer.text
