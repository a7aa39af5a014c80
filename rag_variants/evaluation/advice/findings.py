"""What retrieval finds of one question's evidence; nothing is answered and no judge is asked."""

from dataclasses import dataclass

from rag_variants.evaluation.comparison import HEADLINE_RETRIEVAL
from rag_variants.evaluation.rows import count_gold, score_subject
from rag_variants.metrics import all_metrics
from rag_variants.metrics.metric import Metric, Subject
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.questions.gold import Gold
from rag_variants.types import Record


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """How much of a question's evidence was handed to the answer, by the headline metric, and where it stands.

    `value` is None if it could not be scored, and `reason` says why. `ranks` holds, for each evidence group, the rank
    of its first gold chunk among those handed over, else in the whole ranking (None: not in it); ranks beyond `handed`
    are below the cut, where one that was passed over comes first. `characters` is the text handed over.
    """

    value: float | None
    reason: str | None
    ranks: tuple[int | None, ...]
    handed: int
    characters: int

    @property
    def found(self) -> int:
        """How many evidence groups have a gold chunk among those handed over."""
        return sum(rank is not None and rank <= self.handed for rank in self.ranks)

    @property
    def first(self) -> int | None:
        """The rank of the first gold chunk, also below the cut."""
        return min((rank for rank in self.ranks if rank is not None), default=None)

    @property
    def reach(self) -> int | None:
        """The rank by which everything that is handed over of the evidence was there; None if that is nothing."""
        return max((rank for rank in self.ranks if rank is not None and rank <= self.handed), default=None)


def headline_without_judge() -> Metric:
    """The retrieval headline metric that needs no judge: evidence recall."""
    return next(
        metric
        for metric in (all_metrics()[name] for name in HEADLINE_RETRIEVAL)
        if not metric.needs & {"judge", "embeddings"}
    )


async def find_evidence(record: Record, gold: Gold, variant: Pipeline, bench: Bench) -> EvidenceFound:
    """What a record holds of the evidence of its question."""
    metric = headline_without_judge()
    subject = Subject(record, gold, count_gold(gold, variant, bench))
    score = (await score_subject(subject, (metric,)))[metric.name]
    ranks: dict[int, int] = {}
    for hit in record.hits:
        for group in gold.mark(hit.chunk).gold:
            ranks.setdefault(group, hit.rank)
    for hit in record.ranking:
        for group in gold.mark(hit.chunk).gold:
            ranks.setdefault(group, max(hit.rank, len(record.hits) + 1))
    return EvidenceFound(
        value=score.value,
        reason=score.error or score.reason if score.value is None else None,
        ranks=tuple(ranks.get(group) for group in gold.groups),
        handed=len(record.hits),
        characters=sum(len(hit.chunk.text) for hit in record.hits),
    )
