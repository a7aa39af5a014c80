"""Questions against the knowledge base that they are asked of."""

from collections.abc import Iterable, Iterator

from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.questions.gold import holds_key, locate_evidence
from rag_variants.types import Question

_SHOWN = 5  # questions named


def check_evidence(questions: Iterable[Question], knowledge: KnowledgeBase) -> tuple[Skipped, ...]:
    """Quotes that stand in no document, and what else of the evidence and traps does not fit the documents."""
    return tuple(
        problem
        for question in questions
        for problem in (*locate_evidence(question, knowledge).missing, *_misfits(question, knowledge))
    )


def folded_quotes(questions: Iterable[Question], knowledge: KnowledgeBase) -> str | None:
    """How many quotes were found by other blanks, lines or quotation marks than they give, and of which questions."""
    counts = {each.id: count for each in questions if (count := locate_evidence(each, knowledge).folded)}
    if not counts:
        return None
    total, first = sum(counts.values()), ", ".join(list(counts)[:_SHOWN])
    more = f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
    found = "1 quote was" if total == 1 else f"{total} quotes were"
    return f"{found} found with other blanks, line ends or quotation marks than given: {first}{more}"


def _misfits(question: Question, knowledge: KnowledgeBase) -> Iterator[Skipped]:
    for evidence in question.evidence:
        name = f"{question.id}: {evidence.document or 'any document'}"
        if evidence.key and not holds_key(evidence):
            yield Skipped(name, f"the key {evidence.key[:60]!r} does not stand in its quote; copy it from there")
        if evidence.quote and evidence.document and evidence.document not in knowledge.by_path:
            yield Skipped(name, "the knowledge base has no such document; mend the path, or load the folder above it")
    for trap in question.traps:
        if trap.document not in knowledge.by_path:
            yield Skipped(f"{question.id}: {trap.document}", "the trap's document is not in the knowledge base")
