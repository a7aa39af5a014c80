"""The records of a comparison under other judges: no new answers, only new verdicts."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.flow import beside, here, make_pieces
from rag_variants.evaluation.judging.other_judges import SourceDelta, VerdictSource, judged_metrics, source_delta
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.rows import score_beside
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.evaluation.sides import open_plan_judge
from rag_variants.evaluation.work import Progress
from rag_variants.judges.base import Judge
from rag_variants.llm.flow import Aside
from rag_variants.metrics import all_metrics
from rag_variants.metrics.metric import Subject
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.gold import Gold
from rag_variants.types import Score

_NO_GOLD = Gold((), (), ())  # what is judged here reads no evidence


class JudgedAgain:
    """A comparison's records under each judge of `specs`: `Work` whose result is their deltas."""

    def __init__(self, comparison: Comparison, specs: Sequence[str], plan: Plan, bench: Bench) -> None:
        self._comparison, self._bench = comparison, bench
        self._specs = tuple(dict.fromkeys(specs))
        self._metrics = tuple(all_metrics()[name] for name in judged_metrics(comparison))
        self._plan = plan.measuring(self._metrics)
        self._rows: tuple[ScoredRecord, ...] = tuple(row for pair in comparison.pairs for row in pair)
        self._pieces = [(spec, at) for spec in self._specs for at in range(len(self._rows))]
        self._done: dict[int, dict[str, Score]] = {}

    def steps(self) -> Iterator[Progress]:
        """Judges record after record, many at once where a judge waits. Raises UserError if one cannot go on."""
        judges = {spec: self._open(spec) for spec in self._specs}
        waits = any(getattr(judge, "waits", False) for judge in judges.values())
        done, count = self._done, len(self._pieces)
        done.clear()
        with beside() if waits else nullcontext(here) as aside:
            for _ in make_pieces(lambda at: self._score(judges, at, aside), count, done, waits=waits):
                yield Progress("repeats", len(done), count)

    def result(self) -> tuple[VerdictSource, ...] | None:
        """A source per judge, over the pairs that it judged so far; None before the first record."""
        if not self._done:
            return None
        return tuple(
            VerdictSource(spec, {metric.name: self._delta(spec, metric.name) for metric in self._metrics})
            for spec in self._specs
        )

    @property
    def complete(self) -> bool:
        """Whether every record was judged by every judge."""
        return len(self._done) == len(self._pieces)

    def _open(self, spec: str) -> Judge | None:
        return open_plan_judge(replace(self._plan, judge=spec), self._bench)

    async def _score(self, judges: dict[str, Judge | None], piece: int, aside: Aside) -> dict[str, Score]:
        spec, at = self._pieces[piece]
        return await score_beside(Subject(self._rows[at].record, _NO_GOLD, 0, judges[spec]), self._metrics, aside)

    def _delta(self, spec: str, metric: str) -> SourceDelta | None:
        pieces = ((*self._pieces[piece], made) for piece, made in self._done.items())
        values = {id(self._rows[at]): made[metric].value for of, at, made in pieces if of == spec}
        return source_delta(self._comparison, metric, lambda row: values.get(id(row)))
