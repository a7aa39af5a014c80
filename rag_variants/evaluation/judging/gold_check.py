"""A judge's verdicts on chunks beside the gold marks of one's own questions: a check that asks nobody anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.kappa import Agreement, agree
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.metrics.verdicts import average_precision
from rag_variants.questions.gold import Mark
from rag_variants.types import Chunk

METRIC = "context_precision"
# These are scored wherever the evidence stands in the documents, even if nothing was retrieved.
_NEED_EVIDENCE = ("evidence_recall", "hit_rate", "all_evidence", "mrr", "ndcg")


@dataclass(frozen=True, slots=True)
class CheckedChunk:
    """A chunk that was handed over for a question: the judge's verdict with its reason, and the chunk's mark."""

    question_id: str
    question: str
    language: str | None
    chunk: Chunk
    useful: bool
    reason: str | None
    mark: Mark

    @property
    def gold(self) -> bool:
        """Whether the chunk holds a piece of evidence."""
        return bool(self.mark.gold)


@dataclass(frozen=True, slots=True)
class PrecisionMeans:
    """Context precision of one side by the judge's verdicts and by gold marks, over the same `n` questions."""

    judged: float | None
    gold: float | None
    n: int


@dataclass(frozen=True)
class GoldCheck:
    """What the judge and the marks say of every chunk that was judged, each chunk of a question once.

    `differing` are those where the two differ, `part` how many of them only touch the evidence. `a` and `b` are the
    means of both sides.
    """

    chunks: tuple[CheckedChunk, ...]
    a: PrecisionMeans
    b: PrecisionMeans

    @property
    def agreement(self) -> Agreement:
        """The 2×2 table; the other source is the mark."""
        return _table(self.chunks)

    @property
    def by_language(self) -> Mapping[str, Agreement]:
        """The same for each language of a question."""
        languages = sorted({each.language for each in self.chunks if each.language})
        return {name: _table([each for each in self.chunks if each.language == name]) for name in languages}

    @property
    def differing(self) -> tuple[CheckedChunk, ...]:
        """Where the two differ, by question as they come."""
        return tuple(each for each in self.chunks if each.useful != each.gold)

    @property
    def part(self) -> int:
        """Differing chunks that touch the evidence without holding enough of it to be gold."""
        return sum(each.mark.part for each in self.differing)


def check_gold(comparison: Comparison) -> GoldCheck | None:
    """The check; None if no chunk of a question with evidence was judged."""
    found: dict[tuple[str, str], CheckedChunk] = {}
    for pair in comparison.pairs:
        for row in pair:
            for each in _checked(row):
                found.setdefault((each.question_id, each.chunk.id), each)
    if not found:
        return None
    return GoldCheck(tuple(found.values()), _means(comparison.a), _means(comparison.b))


def gold_precision(row: ScoredRecord) -> float | None:
    """Context precision with the marks as verdicts (`context_precision_evidence`), 0…1; None without evidence or hits.

    The marks of a row say enough: a run need not have measured the metric.
    """
    if not _has_evidence(row) or not row.record.hits:
        return None
    return average_precision([int(bool(row.marks[hit.chunk.id].gold)) for hit in row.record.hits])


def _has_evidence(row: ScoredRecord) -> bool:
    """Whether the question names evidence, and none of it is known to stand in no document."""
    scores = [row.scores[name] for name in _NEED_EVIDENCE if name in row.scores]
    return bool(row.record.question.evidence) and all(score.value is not None for score in scores)


def _checked(row: ScoredRecord) -> list[CheckedChunk]:
    question, score = row.record.question, row.scores.get(METRIC)
    if not _has_evidence(row) or score is None or not score.detail:
        return []
    chunks = {hit.chunk.id: hit.chunk for hit in row.record.hits}
    return [
        CheckedChunk(
            question.id,
            question.user_input,
            question.tag("language"),
            chunks[entry["chunk_id"]],
            bool(entry["verdict"]),
            entry.get("reason"),
            row.marks[entry["chunk_id"]],
        )
        for entry in score.detail.get("verdicts", ())
        if entry["chunk_id"] in chunks
    ]


def _means(run: Run) -> PrecisionMeans:
    pairs = [
        (judged.value, gold)
        for row in run.rows
        if (judged := row.scores.get(METRIC)) and judged.value is not None and (gold := gold_precision(row)) is not None
    ]
    if not pairs:
        return PrecisionMeans(None, None, 0)
    return PrecisionMeans(fmean(judged for judged, _ in pairs), fmean(gold for _, gold in pairs), len(pairs))


def _table(chunks: tuple[CheckedChunk, ...] | list[CheckedChunk]) -> Agreement:
    return agree((each.useful, each.gold) for each in chunks)
