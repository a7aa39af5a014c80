"""Every question of a comparison, worst for B first, with both answers, scores and chunks, in words."""

from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics, full_label_of, label_of
from rag_variants.questions.gold import Mark
from rag_variants.report.page.flow import flow_part
from rag_variants.report.question_rows import QuestionRow, question_rows
from rag_variants.report.score_words import band_words, detail_lists, entry_words
from rag_variants.report.table import format_amount
from rag_variants.report.words import plain, signed
from rag_variants.types import Question, Score

Part = dict[str, Any]  # what a template shows


def question_parts(comparison: Comparison, metric: str) -> list[Part]:
    """One part per question, ordered by a metric."""
    pairs = {left.record.question.id: (left, right) for left, right in comparison.pairs}
    return [_question(comparison, row, *pairs[row.question.id]) for row in question_rows(comparison, metric)]


def _question(comparison: Comparison, row: QuestionRow, left: ScoredRecord, right: ScoredRecord) -> Part:
    question = row.question
    names = [name for name in comparison.a.metrics if name in all_metrics()]
    labels = {name: label_of(all_metrics()[name], comparison.judge) for name in names}
    made = [(labels[name], _made(left.scores.get(name), right.scores.get(name))) for name in names]
    return {
        "figures": f"{plain(row.a)} → {plain(row.b)}  {signed(row.delta)}",
        "id": question.id,
        "user_input": question.user_input,
        "tags": " · ".join(f"{name} {value}" for name, value in question.tags),
        "reference": _reference(question),
        "places": [f"★ {each.document}" + (f": “{each.quote}”" if each.quote else "") for each in question.evidence],
        "sides": [_side("a", left), _side("b", right)],
        "scores": [_score_row(name, comparison.judge, left.scores.get(name), right.scores.get(name)) for name in names],
        "made": [(label, parts) for label, parts in made if parts],
        "flow": flow_part(comparison, left, right),
    }


def _reference(question: Question) -> str:
    """What is known about the right answer."""
    if question.reference:
        return question.reference
    return "The documents hold no answer: declining is right." if question.answerable is False else "none given"


def _side(side: str, row: ScoredRecord) -> Part:
    record, answer = row.record, row.record.answer
    marks = ["declined"] if answer and answer.declined else []
    marks += ["simulated"] if answer and answer.simulated else []
    documents = {hit.rank: hit.chunk.document for hit in record.hits}
    said = answer.text if answer else "No answer was made."
    return {
        "side": side,
        "marks": ", ".join(marks),
        "answer": f"No answer: {record.error}" if record.error else said,
        "cited": [f"[{rank}] {documents.get(rank, 'no such chunk')}" for rank in (answer.citations if answer else ())],
        "count": f"{len(record.hits)} chunk{'' if len(record.hits) == 1 else 's'} for the answer",
        "hits": [
            {
                "rank": hit.rank,
                "mark": _mark(row.marks[hit.chunk.id]),
                "gold": bool(row.marks[hit.chunk.id].gold),
                "place": f"{hit.chunk.document} · {hit.score:.4g}",
                "text": hit.chunk.text,
            }
            for hit in record.hits
        ],
    }


def _made(a: Score | None, b: Score | None) -> list[Part]:
    """What a score was counted from on each side: every claim with its verdict, sentence and veto, every fact …"""
    if not any(score and detail_lists(score) for score in (a, b)):
        return []
    return [_side_made("ab", a)] if a == b else [_side_made("a", a), _side_made("b", b)]


def _side_made(sides: str, score: Score | None) -> Part:
    """One side's entries, or those that both sides have alike."""
    if score is None or not detail_lists(score):
        return {"sides": sides, "words": _why(score) or "nothing to list", "entries": None}
    band = band_words(score)
    entries = "\n".join(entry_words(entry) for rows in detail_lists(score) for entry in rows)
    return {"sides": sides, "words": plain(score.value) + (f" · {band}" if band else ""), "entries": entries}


def _score_row(name: str, judge: str, a: Score | None, b: Score | None) -> tuple[str, ...]:
    metric = all_metrics()[name]
    effort = metric.set == "effort"
    before, after = (score.value if score else None for score in (a, b))
    shown = format_amount if effort else plain
    delta = None if before is None or after is None or effort else after - before
    return (full_label_of(metric, judge), shown(before), shown(after), signed(delta), _why(a), _why(b))


def _why(score: Score | None) -> str:
    words = (score.error or score.reason or "") if score else "no score was made"
    return f"not scored: {words}" if score is None or score.value is None else words


def _mark(mark: Mark) -> str:
    found = ["★ gold"] if mark.gold else ["◐ part of the evidence"] if mark.part else []
    return " ".join([*found, *([f"⚠ trap: {mark.trap}"] if mark.trap else [])])
