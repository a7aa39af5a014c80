"""What is marked in a document's text: chunks, evidence with its key, traps, and the quote being written down."""

from collections.abc import Iterator, Sequence

from rag_variants.report.evidence_marks import mark_chunks, mark_evidence
from rag_variants.report.marked_text import Highlight
from rag_variants.types import Chunk, Document, Question
from rag_variants.ui.views.knowledge_facts import Sources


def find_highlights(
    sources: Sources, document: Document, question: Question | None, chunks: Sequence[Chunk], quote: str = ""
) -> list[Highlight]:
    """The marks of one question, or of all that have evidence in the document."""
    asked = [question] if question else sources.questions.questions
    golds = sources.located.golds
    return [
        *mark_chunks(chunks, golds[question.id] if question else None),
        *(each for one in asked for each in mark_evidence(document.path, golds[one.id], one.id)),
        *(each for one in asked for each in _traps(document, one)),
        *_places(document, quote, "chosen"),
    ]


def _traps(document: Document, question: Question) -> Iterator[Highlight]:
    for trap in question.traps:
        if trap.document == document.path:
            yield from _places(document, trap.quote, "trap", f"{question.id} trap: {trap.why}")


def _places(document: Document, quote: str, kind: str, label: str = "") -> Iterator[Highlight]:
    at = document.text.find(quote) if quote.strip() else -1
    while at >= 0:
        yield Highlight(at, at + len(quote), "trap" if kind == "trap" else "chosen", label)
        at = document.text.find(quote, at + len(quote))
