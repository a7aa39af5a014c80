"""Which chunk explains a difference in context recall."""

from typing import Any

from rag_variants.evaluation.reasons.chunk_flow import trace_chunks
from rag_variants.evaluation.reasons.recall_reasons import RecallReason, explain_recall
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.questions.gold import Mark
from rag_variants.types import Chunk, Hit, Question, Record, Score

RETURNS = Chunk("returns.md", 0, 30, "Goods come back within 14 days.", "en")
PLANS = Chunk("plans.md", 0, 30, "The Orchard plan costs 20 EUR.", "en")
VISITS = Chunk("visits.md", 0, 30, "Visitors register at the desk.", "en")


def row(*chunks: Chunk, top_k: int, recall: float, statements: list[dict[str, Any]], gold: str = "") -> ScoredRecord:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate(chunks, start=1))
    score = Score(recall, None, {"statements": statements})
    marks = {each.id: Mark(gold=(1,) if each.document == gold else ()) for each in chunks}
    return ScoredRecord(Record(Question("q", "?"), hits, hits[:top_k]), marks, {"context_recall": score})


def entry(verdict: int, sentence: str | None = None, statement: str = "Returns within 14 days.") -> dict[str, Any]:
    return {"statement": statement, "verdict": verdict, "sentence": sentence}


def explain(left: ScoredRecord, right: ScoredRecord) -> list[tuple[str, str, int, int | None, str]]:
    a, b = (read_variant(f"keyword:top_k={len(each.record.hits)}") for each in (left, right))
    return [shorten(each) for each in explain_recall(left, right, trace_chunks(left, right, a, b))]


def shorten(reason: RecallReason) -> tuple[str, str, int, int | None, str]:
    other = reason.other.hit.rank if reason.other else None
    return reason.statement, reason.place.side, reason.place.hit.rank, other, reason.known_by


def test_the_chunk_that_holds_the_judges_sentence() -> None:
    left = row(PLANS, VISITS, RETURNS, top_k=2, recall=0.0, statements=[entry(0, "Visitors register at the desk.")])
    right = row(PLANS, RETURNS, top_k=2, recall=1.0, statements=[entry(1, "Goods come back\nwithin 14 days.")])
    assert explain(left, right) == [("Returns within 14 days.", "b", 2, 3, "sentence")]
    assert explain(right, left) == [("Returns within 14 days.", "a", 2, 3, "sentence")]


def test_without_a_sentence_the_evidence_explains_it() -> None:
    left = row(PLANS, top_k=1, recall=0.0, statements=[entry(0)])
    right = row(VISITS, RETURNS, top_k=2, recall=1.0, statements=[entry(1)], gold="returns.md")
    assert explain(left, right) == [("Returns within 14 days.", "b", 2, None, "evidence")]


def test_without_evidence_the_chunk_that_shares_most_words() -> None:
    left = row(PLANS, top_k=1, recall=0.0, statements=[entry(0)])
    right = row(VISITS, RETURNS, top_k=2, recall=1.0, statements=[entry(1)])  # "14 days" stands in rank 2
    assert explain(left, right) == [("Returns within 14 days.", "b", 2, None, "words")]


def test_statements_split_in_another_way_still_name_a_chunk() -> None:
    left = row(PLANS, top_k=1, recall=0.5, statements=[entry(1, statement="one"), entry(0, statement="two")])
    right = row(PLANS, RETURNS, top_k=2, recall=1.0, statements=[entry(1, statement="one and two")])
    assert explain(left, right) == [("", "b", 2, None, "words")]


def test_nothing_retrieved_on_one_side() -> None:
    left = ScoredRecord(Record(Question("q", "?")), {}, {"context_recall": Score(0.0, "nothing was retrieved")})
    right = row(RETURNS, top_k=1, recall=1.0, statements=[entry(1, "Goods come back within 14 days.")])
    assert explain_recall(left, right, trace_chunks(left, right, *[read_variant("keyword")] * 2))[0].place.hit.rank == 1


def test_no_chunk_is_named_where_the_text_is_the_same() -> None:
    left = row(PLANS, RETURNS, top_k=2, recall=0.0, statements=[entry(0)])
    right = row(RETURNS, PLANS, top_k=2, recall=1.0, statements=[entry(1)])
    assert explain(left, right) == []
    assert explain(left, left) == []
