"""What the Knowledge page says about documents, chunks and questions; no widgets here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from typing import Any

from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.questions.check import check_evidence, folded_quotes
from rag_variants.questions.gold import Gold, locate_evidence
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.border_words import border_sentences, name_evidence
from rag_variants.report.evidence_marks import describe_mark
from rag_variants.types import Chunk, Document, Question


@dataclass(frozen=True)
class Located:
    """Where the evidence of every question stands, by question id, and what does not fit.

    `folded` counts the quotes that were found by another layout.
    """

    golds: Mapping[str, Gold]
    problems: tuple[Skipped, ...]
    folded: str | None = None

    def touches(self, question: Question, path: str) -> bool:
        """Whether a document holds evidence of the question or is a trap for it."""
        gold = self.golds[question.id]
        return path in gold.documents or any(path == document for document, _ in gold.traps)


@dataclass(frozen=True)
class Sources:
    """What the page is about. `problem` says why there are no questions."""

    knowledge: KnowledgeBase
    questions: QuestionSet
    located: Located
    problem: str | None = None


def locate_all(questions: QuestionSet, knowledge: KnowledgeBase) -> Located:
    """The evidence of every question in a knowledge base."""
    golds = {question.id: locate_evidence(question, knowledge) for question in questions.questions}
    return Located(golds, check_evidence(questions.questions, knowledge), folded_quotes(questions.questions, knowledge))


def document_rows(
    knowledge: KnowledgeBase, questions: QuestionSet, located: Located, today: date
) -> list[dict[str, Any]]:
    """One row a document: what it is, whether it holds today, and how many questions have evidence in it."""
    asked: dict[str, int] = {}
    for question in questions.questions:
        for path in located.golds[question.id].documents:
            asked[path] = asked.get(path, 0) + 1
    newer = superseded_by(knowledge)
    return [
        {
            "Document": document.path,
            "Language": document.language,
            "Title": document.title,
            "Version": document.version or "",
            "Validity": validity_of(document),
            "Superseded by": ", ".join(newer.get(document.path, ())),
            "Today": state_of(document, knowledge, today),
            "Characters": len(document.text),
            "Questions": asked.get(document.path, 0),
        }
        for document in knowledge.documents
    ]


def superseded_by(knowledge: KnowledgeBase) -> dict[str, tuple[str, ...]]:
    """For each older document the paths of those that say they supersede it."""
    found: dict[str, tuple[str, ...]] = {}
    for document in knowledge.documents:
        for older in document.supersedes:
            found[older] = (*found.get(older, ()), document.path)
    return found


def validity_of(document: Document) -> str:
    """The time a document holds for, in words; empty if it does not say."""
    begin, end = document.valid_from, document.valid_until
    if begin and end:
        return f"{begin} to {end}"
    return f"from {begin}" if begin else f"until {end}" if end else ""


def state_of(document: Document, knowledge: KnowledgeBase, today: date) -> str:
    """Whether a document holds on a day: current, over, not yet, superseded."""
    if document.path in knowledge.current(today).by_path:
        return "current"
    if document.valid_from and document.valid_from > today:
        return "not yet"
    return "over" if document.valid_until and document.valid_until < today else "superseded"


def chunk_statistics(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Number and lengths of chunks, and how much of their text stands in the chunk before too."""
    if not chunks:
        return {"Chunks": "0"}
    lengths = [len(chunk.text) for chunk in chunks]
    repeated = sum(overlaps_of(chunks))
    return {
        "Chunks": f"{len(chunks):,}",
        "Shortest": f"{min(lengths):,}",
        "Median": f"{median(lengths):,.0f}",
        "Longest": f"{max(lengths):,}",
        "Characters in all": f"{sum(lengths):,}",
        "Repeated by overlap": f"{repeated / sum(lengths):.0%}",
    }


def overlaps_of(chunks: Sequence[Chunk]) -> list[int]:
    """For each chunk the characters that it repeats of the one before in the same document."""
    pairs = zip([None, *chunks], chunks, strict=False)
    return [max(0, a.end - b.start) if a is not None and a.document == b.document else 0 for a, b in pairs]


def evidence_state(question: Question, gold: Gold) -> str:
    """`found`, `1 of 2 missing`, or `none` where the question names no evidence."""
    if not question.evidence:
        return "none"
    return f"{len(gold.missing)} of {len(question.evidence)} missing" if gold.missing else "found"


def question_rows(questions: Iterable[Question], located: Located) -> list[dict[str, Any]]:
    """One row a question."""
    answerable = {True: "yes", False: "no", None: "not said"}
    return [
        {
            "Id": question.id,
            "Question": question.user_input,
            "Kind": question.tag("kind") or "",
            "Language": question.tag("language") or "",
            "Evidence": evidence_state(question, located.golds[question.id]),
            "Answerable": answerable[question.answerable],
            "Documents": ", ".join(sorted(located.golds[question.id].documents)),
        }
        for question in questions
    ]


def default_document(located: Located, questions: Iterable[Question]) -> str | None:
    """The first document that holds evidence of any of these questions."""
    for question in questions:
        places = [each.document for each in located.golds[question.id].occurrences]
        own = [each.document for each in question.evidence if each.document in places]
        if places:
            return (own or places)[0]
    return None


def evidence_fates(gold: Gold, path: str, chunks: Sequence[Chunk]) -> list[str]:
    """What the borders do to each place of evidence in a document, and a sentence if the document is a trap."""
    found = [
        " ".join(border_sentences(place, chunks, name_evidence(place, gold)))
        for place in gold.occurrences
        if place.document == path
    ]
    why = dict(gold.traps).get(path)
    return [*found, *([f"This document is a trap ({why}): all its chunks are marked."] if why else [])]


def chunk_rows(chunks: Sequence[Chunk], sources: Sources, path: str, question: Question | None) -> list[dict[str, Any]]:
    """One row a chunk: its span, what it repeats, and its mark for a question, or the questions it is gold for."""
    asked = [each for each in sources.questions.questions if sources.located.touches(each, path)]
    rows = []
    for number, (chunk, overlap) in enumerate(zip(chunks, overlaps_of(chunks), strict=True), start=1):
        row: dict[str, Any] = {
            "Chunk": number,
            "From": chunk.start,
            "To": chunk.end,
            "Characters": len(chunk.text),
            "Overlap": overlap,
        }
        if question:
            row["Mark"] = describe_mark(sources.located.golds[question.id].mark(chunk))
        else:
            marks = {each.id: sources.located.golds[each.id].mark(chunk) for each in asked}
            row["Gold for"] = ", ".join(key for key, mark in marks.items() if mark.gold)
            row["Part of"] = ", ".join(key for key, mark in marks.items() if mark.part)
        rows.append(row)
    return rows
