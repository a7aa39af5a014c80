"""Evidence → which chunks are gold. Gold is a quote, so it survives every chunk size."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.text.as_read import fold_layout
from rag_variants.types import Chunk, Document, Evidence, Question, TrapReason

Span = tuple[str, int, int]
# More than the documents that hold one question's evidence have chunks.
MARKS_CACHED = 512


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a piece of evidence stands: its span, its group, and the span of its key if it has one."""

    group: int
    document: str
    start: int
    end: int
    key: tuple[int, int] | None = None

    def overlap(self, chunk: Chunk) -> int:
        """Characters of the quote that the chunk holds."""
        if chunk.document != self.document:
            return 0
        return max(0, min(self.end, chunk.end) - max(self.start, chunk.start))

    def is_gold(self, chunk: Chunk) -> bool:
        """The chunk holds the key whole; without a key: half of the quote, or is itself at least half quote."""
        shared = self.overlap(chunk)
        if self.key is not None:
            return shared > 0 and chunk.start <= self.key[0] and self.key[1] <= chunk.end
        return shared > 0 and (2 * shared >= self.end - self.start or 2 * shared >= chunk.end - chunk.start)


@dataclass(frozen=True, slots=True)
class Mark:
    """What a chunk is to a question: the groups it is gold for, whether it only touches evidence, a trap's reason."""

    gold: tuple[int, ...] = ()
    part: bool = False
    trap: TrapReason | None = None


@dataclass(frozen=True)
class Gold:
    """Where a question's evidence stands in a knowledge base."""

    groups: tuple[int, ...]
    occurrences: tuple[Occurrence, ...]
    traps: tuple[tuple[str, TrapReason], ...]
    missing: tuple[Skipped, ...] = ()
    folded: int = 0  # quotes that stand in no document as given, and do with other blanks, lines or quotation marks

    def mark(self, chunk: Chunk) -> Mark:
        """The chunk's mark. A trap is marked on every chunk of the document named as one."""
        if chunk.document not in self.documents:
            return Mark(trap=self._trap_reasons.get(chunk.document))
        known = self._marks.get(chunk.order)
        if known is None:
            if len(self._marks) >= MARKS_CACHED:  # other chunk sizes come and go
                self._marks.clear()
            known = self._marks[chunk.order] = self._mark(chunk)
        return known

    @cached_property
    def _marks(self) -> dict[tuple[str, int, int], Mark]:
        return {}

    def _mark(self, chunk: Chunk) -> Mark:
        gold = sorted({each.group for each in self.occurrences if each.is_gold(chunk)})
        touched = any(each.overlap(chunk) for each in self.occurrences)
        return Mark(tuple(gold), touched and not gold, self._trap_reasons.get(chunk.document))

    def gold_chunks(self, chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
        """The gold chunks among some, in their order."""
        documents = self.documents
        return tuple(chunk for chunk in chunks if chunk.document in documents and self.mark(chunk).gold)

    @cached_property
    def _trap_reasons(self) -> dict[str, TrapReason]:
        return dict(self.traps)

    @cached_property
    def documents(self) -> frozenset[str]:
        """Documents that hold evidence."""
        return frozenset(each.document for each in self.occurrences)

    def covered_share(self, group: int, chunks: Sequence[Chunk]) -> float:
        """The share 0…1 of characters that the chunks cover of the group's best alternative."""
        shares = [_covered(each, chunks) / (each.end - each.start) for each in self.occurrences if each.group == group]
        return max(shares, default=0.0)

    def evidence_characters(self, chunks: Sequence[Chunk]) -> int:
        """Characters of evidence in the chunks, each place counted once."""
        spans = [
            (each.document, max(each.start, chunk.start), min(each.end, chunk.end))
            for chunk in chunks
            if chunk.document in self.documents
            for each in self.occurrences
            if each.overlap(chunk)
        ]
        return _length_of_union(spans)


def _covered(occurrence: Occurrence, chunks: Sequence[Chunk]) -> int:
    return _length_of_union(
        (occurrence.document, max(occurrence.start, chunk.start), min(occurrence.end, chunk.end))
        for chunk in chunks
        if occurrence.overlap(chunk)
    )


def _length_of_union(spans: Iterable[Span]) -> int:
    """Characters in at least one of the spans."""
    length, document, reached = 0, None, 0
    for path, start, end in sorted(spans):
        if path != document:
            document, reached = path, 0
        length += max(0, end - max(start, reached))
        reached = max(reached, end)
    return length


def locate_evidence(question: Question, knowledge: KnowledgeBase) -> Gold:
    """Every place where the question's quotes stand, in any document; quotes that stand nowhere are in `missing`.

    A quote that stands nowhere as it is given is looked for with lines wrapped elsewhere, other blanks and other
    quotation marks; its place is that in the document. A key counts where it stands inside its quote. Evidence without
    a quote is a whole document, by its path or its file name without ending.
    """
    found: list[Occurrence] = []
    missing: list[Skipped] = []
    folded = 0
    for evidence in question.evidence:
        places = [place for each in knowledge.documents for place in _exact(evidence, each)]
        if not places and evidence.quote:
            places = [place for each in knowledge.documents for place in _folded(evidence, each)]
            folded += bool(places)
        found.extend(places)
        if not places:
            missing.append(Skipped(f"{question.id}: {evidence.document or 'any document'}", _reason(evidence)))
    groups = tuple(sorted({evidence.group for evidence in question.evidence}))
    traps = tuple((trap.document, trap.why) for trap in question.traps)
    return Gold(groups, tuple(found), traps, tuple(missing), folded)


def holds_key(evidence: Evidence) -> bool:
    """Whether the key of a piece of evidence stands in its quote, as given or with other blanks."""
    return not evidence.key or _trimmed(evidence.key) in fold_layout(evidence.quote)[0]


def _exact(evidence: Evidence, document: Document) -> Iterator[Occurrence]:
    if not evidence.quote:
        if evidence.document in (document.path, PurePosixPath(document.path).stem):
            yield Occurrence(evidence.group, document.path, 0, len(document.text))
        return
    for start in _positions(evidence.quote, document.text) if _trimmed(evidence.quote) else ():
        end = start + len(evidence.quote)
        yield _occurrence(evidence, document, start, end)


def _folded(evidence: Evidence, document: Document) -> Iterator[Occurrence]:
    quote = _trimmed(evidence.quote)
    text, spans = _layout(document.text)
    for start in _positions(quote, text):
        yield _occurrence(evidence, document, spans[start][0], spans[start + len(quote) - 1][1])


def _occurrence(evidence: Evidence, document: Document, start: int, end: int) -> Occurrence:
    key, quote = evidence.key, document.text[start:end]
    inside = quote.find(key) if key else -1
    span = (start + inside, start + inside + len(key)) if key and inside >= 0 else None
    if key and span is None:
        text, spans = fold_layout(quote)
        key = _trimmed(key)
        if key and (inside := text.find(key)) >= 0:
            span = (start + spans[inside][0], start + spans[inside + len(key) - 1][1])
    return Occurrence(evidence.group, document.path, start, end, span)


@lru_cache(maxsize=4_096)
def _layout(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    return fold_layout(text)


def _trimmed(quote: str) -> str:
    return fold_layout(quote)[0].strip()


def _reason(evidence: Evidence) -> str:
    if not evidence.quote:
        return "no document has this path or file name; name one, or give a quote"
    return f"the quote {evidence.quote[:60]!r} stands in no document; copy it exactly from the text"


def _positions(quote: str, text: str) -> list[int]:
    found, at = [], text.find(quote) if quote else -1
    while at >= 0:
        found.append(at)
        at = text.find(quote, at + 1)
    return found
