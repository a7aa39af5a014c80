"""What is marked in a document's text: chunks, evidence with its key, traps, and the quote being written down."""

from collections.abc import Iterator, Sequence

from rag_variants.report.marked_text import Highlight, State
from rag_variants.types import Chunk, Document, Question
from rag_variants.ui.views.knowledge_facts import Sources, describe_mark


def find_highlights(
    sources: Sources, document: Document, question: Question | None, chunks: Sequence[Chunk], quote: str = ""
) -> list[Highlight]:
    """The marks of one question, or of all that have evidence in the document."""
    asked = [question] if question else sources.questions.questions
    return [
        *_chunks(sources, question, chunks),
        *(each for one in asked for each in _evidence(sources, document, one)),
        *(each for one in asked for each in _traps(document, one)),
        *_places(document, quote, "chosen"),
    ]


def _chunks(sources: Sources, question: Question | None, chunks: Sequence[Chunk]) -> Iterator[Highlight]:
    gold = sources.located.golds[question.id] if question else None
    for number, chunk in enumerate(chunks, start=1):
        said = describe_mark(gold.mark(chunk)) if gold else ""
        state: State = "gold" if said.startswith("gold") else "part" if said.startswith("part") else ""
        label = f"{number} {said}" if said else str(number)
        yield Highlight(chunk.start, chunk.end, "chunk", label, number, state)


def _evidence(sources: Sources, document: Document, question: Question) -> Iterator[Highlight]:
    for place in sources.located.golds[question.id].occurrences:
        if place.document == document.path:
            yield Highlight(place.start, place.end, "evidence", question.id)
            if place.key:
                yield Highlight(*place.key, "key")


def _traps(document: Document, question: Question) -> Iterator[Highlight]:
    for trap in question.traps:
        if trap.document == document.path:
            yield from _places(document, trap.quote, "trap", f"{question.id} trap: {trap.why}")


def _places(document: Document, quote: str, kind: str, label: str = "") -> Iterator[Highlight]:
    at = document.text.find(quote) if quote.strip() else -1
    while at >= 0:
        yield Highlight(at, at + len(quote), "trap" if kind == "trap" else "chosen", label)
        at = document.text.find(quote, at + len(quote))
