"""What a metric is: a value with its name, its meaning and a way to score one record."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rag_variants.judges.base import Judge
from rag_variants.metrics.marked import Marked, mark_hits
from rag_variants.questions.gold import Gold
from rag_variants.types import Record, Score

MetricSet = Literal["retrieval", "core", "answer", "more", "effort"]
Group = Literal["Found it?", "Ranked it?", "Answered it?", "Effort"]
Need = Literal["evidence", "reference", "keys", "avoid", "answerable", "judge", "embeddings", "answer"]


@dataclass(frozen=True)
class Subject:
    """What a metric looks at: one record, where its evidence stands, and who judges.

    `gold_in_knowledge` is the number of gold chunks at the record's chunk size, the ideal of nDCG.
    """

    record: Record
    gold: Gold
    gold_in_knowledge: int
    judge: Judge | None = None

    @cached_property
    def marked(self) -> Marked:
        """The record's hits with their gold marks."""
        return mark_hits(self.record, self.gold, self.gold_in_knowledge)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its texts. `score` never raises for a bad record: it gives a Score that says why.

    A metric that reads the answer names `answer` among its `needs`: one that asks a judge about the hits alone is
    scored before there is an answer.

    `keyless_label` is the label to show while the embedded judge is the judge, where that one measures something else.
    """

    name: str
    set: MetricSet
    group: Group
    label: str
    help: str
    score: Callable[[Subject], Awaitable[Score]]
    higher_is_better: bool = True
    needs: frozenset[Need] = frozenset()
    unit: str = ""
    keyless_label: str = ""
