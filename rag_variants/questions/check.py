"""Questions against the knowledge base that they are asked of."""

from collections.abc import Iterable, Iterator

from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.questions.gold import locate_evidence
from rag_variants.types import Question


def check_evidence(questions: Iterable[Question], knowledge: KnowledgeBase) -> tuple[Skipped, ...]:
    """Quotes that stand in no document, and what else of the evidence and traps does not fit the documents."""
    return tuple(
        problem
        for question in questions
        for problem in (*locate_evidence(question, knowledge).missing, *_misfits(question, knowledge))
    )


def _misfits(question: Question, knowledge: KnowledgeBase) -> Iterator[Skipped]:
    for evidence in question.evidence:
        name = f"{question.id}: {evidence.document or 'any document'}"
        if evidence.key and evidence.key not in evidence.quote:
            yield Skipped(name, f"the key {evidence.key[:60]!r} does not stand in its quote; copy it from there")
        if evidence.quote and evidence.document and evidence.document not in knowledge.by_path:
            yield Skipped(name, "the knowledge base has no such document; mend the path, or load the folder above it")
    for trap in question.traps:
        if trap.document not in knowledge.by_path:
            yield Skipped(f"{question.id}: {trap.document}", "the trap's document is not in the knowledge base")
