"""Every question of a comparison, worst for B first, with both answers, scores and chunks."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import Row
from rag_variants.metrics import all_metrics, full_label_of, label_of
from rag_variants.questions.gold import Mark
from rag_variants.report.page.elements import Child, node, table
from rag_variants.report.page.flow import flow_part
from rag_variants.report.question_rows import QuestionRow, question_rows
from rag_variants.report.score_words import band_words, detail_lists, entry_words
from rag_variants.report.table import format_amount
from rag_variants.report.words import plain, signed
from rag_variants.types import Hit, Question, Score


def question_list(comparison: Comparison, metric: str) -> list[Element]:
    """One folded part per question, ordered by a metric; the first is open."""
    pairs = {left.record.question.id: (left, right) for left, right in comparison.pairs}
    rows = question_rows(comparison, metric)
    return [_question(comparison, row, *pairs[row.question.id], first=at == 0) for at, row in enumerate(rows)]


def _question(comparison: Comparison, row: QuestionRow, left: Row, right: Row, first: bool) -> Element:
    question = row.question
    figures = f"{plain(row.a)} → {plain(row.b)}  {signed(row.delta)}"
    tags = " · ".join(f"{name} {value}" for name, value in question.tags)
    return node(
        "details",
        node("summary", node("span", figures, class_="figures"), node("b", question.id), f" · {question.user_input}"),
        node("p", tags, class_="quiet") if tags else None,
        _known(question),
        node("div", _answer("a", left), _answer("b", right), class_="two"),
        _scores(comparison, left, right),
        flow_part(comparison, left, right),
        node("div", _chunks("a", left), _chunks("b", right), class_="two"),
        **({"open": "open"} if first else {}),
    )


def _known(question: Question) -> Element:
    """What is known about the right answer."""
    if question.reference:
        reference = question.reference
    elif question.answerable is False:
        reference = "The documents hold no answer: declining is right."
    else:
        reference = "none given"
    places = [f"★ {each.document}" + (f": “{each.quote}”" if each.quote else "") for each in question.evidence]
    return node(
        "div",
        node("p", "Reference answer", class_="quiet"),
        node("p", reference, class_="typed"),
        *(node("p", place, class_="quiet") for place in places),
    )


def _answer(side: str, row: Row) -> Element:
    record, answer = row.record, row.record.answer
    marks = ["declined"] if answer and answer.declined else []
    marks += ["simulated"] if answer and answer.simulated else []
    documents = {hit.rank: hit.chunk.document for hit in record.hits}
    cited = [f"[{rank}] {documents.get(rank, 'no such chunk')}" for rank in answer.citations] if answer else []
    said = answer.text if answer else "No answer was made."
    text = f"No answer: {record.error}" if record.error else said
    return node(
        "div",
        node("p", _badge(side), " Answer ", ", ".join(marks)),
        node("p", text, class_="typed"),
        *(node("p", each, class_="quiet") for each in cited),
        class_=f"box {side}",
    )


def _scores(comparison: Comparison, left: Row, right: Row) -> Element:
    names = [name for name in comparison.a.metrics if name in all_metrics()]
    rows = [_score_row(name, comparison.judge, left.scores.get(name), right.scores.get(name)) for name in names]
    shown = table(("metric", "A", "B", "B − A", "why A", "why B"), rows)
    labels = {name: label_of(all_metrics()[name], comparison.judge) for name in names}
    details = [each for name in names for each in _made(labels[name], name, left, right)]
    return node("details", node("summary", "Scores of this question, and how they were made"), shown, *details)


def _made(label: str, name: str, left: Row, right: Row) -> list[Element]:
    """What a score was counted from on each side: every claim with its verdict, sentence and veto, every fact …"""
    scores = [row.scores.get(name) for row in (left, right)]
    if not any(score and detail_lists(score) for score in scores):
        return []
    heading = node("p", node("b", label))
    if scores[0] == scores[1]:
        return [heading, _side_made("ab", scores[0])]
    sides = [_side_made(side, score) for side, score in zip("ab", scores, strict=True)]
    return [heading, node("div", *sides, class_="two")]


def _side_made(sides: str, score: Score | None) -> Element:
    """One side's entries, or those that both sides have alike."""
    badges = [each for side in sides for each in (_badge(side), " ")]
    if score is None or not detail_lists(score):
        return node("div", node("p", *badges, _why(score) or "nothing to list"))
    entries = "\n".join(entry_words(entry) for rows in detail_lists(score) for entry in rows)
    band = band_words(score)
    return node(
        "div",
        node("p", *badges, plain(score.value), f" · {band}" if band else None),
        node("p", entries, class_="typed quiet"),
    )


def _score_row(name: str, judge: str, a: Score | None, b: Score | None) -> Sequence[Child]:
    metric = all_metrics()[name]
    before, after = (score.value if score else None for score in (a, b))
    shown = format_amount if metric.set == "effort" else plain
    delta = None if before is None or after is None or metric.set == "effort" else after - before
    return (full_label_of(metric, judge), shown(before), shown(after), signed(delta), _why(a), _why(b))


def _why(score: Score | None) -> str:
    words = (score.error or score.reason or "") if score else "no score was made"
    return f"not scored: {words}" if score is None or score.value is None else words


def _chunks(side: str, row: Row) -> Element:
    hits = row.record.hits
    heading = f" {len(hits)} chunk{'' if len(hits) == 1 else 's'} for the answer"
    return node("div", node("p", _badge(side), heading), *(_chunk(hit, row.marks[hit.chunk.id]) for hit in hits))


def _chunk(hit: Hit, mark: Mark) -> Element:
    marked = node("span", _mark(mark), class_="mark")
    place = node("span", f" {hit.chunk.document} · {hit.score:.4g}", class_="quiet")
    return node(
        "div",
        node("p", node("b", str(hit.rank)), " ", marked, place),
        node("p", hit.chunk.text, class_="typed"),
        class_="box gold" if mark.gold else "box",
    )


def _mark(mark: Mark) -> str:
    found = ["★ gold"] if mark.gold else ["◐ part of the evidence"] if mark.part else []
    return " ".join([*found, *([f"⚠ trap: {mark.trap}"] if mark.trap else [])])


def _badge(side: str) -> Element:
    return node("span", side.upper(), class_=f"side {side}")
