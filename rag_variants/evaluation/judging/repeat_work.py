"""Finished records judged again with fresh calls: what the judge alone does to a mean."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.flow import make_pieces
from rag_variants.evaluation.judging.repeats import Noise, Values, measure_noise
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.rows import count_gold, score_subject
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.sides import open_plan_judge
from rag_variants.evaluation.work import Progress
from rag_variants.judges.base import Judge
from rag_variants.llm.calls import CallCounter, total
from rag_variants.metrics.metric import Subject
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.gold import locate_evidence
from rag_variants.types import Score

_Piece = tuple[int, int, int]  # repeat from 1, run, row


class Repetition:
    """Runs whose records are judged `times` times in all: `Work` whose result is the runs with the judge's noise.

    Records, answers and scores of the runs stay as they are; the calls of the repeats are counted with those of the
    run's judge. A judge that is deterministic is asked nothing: its noise is 0.
    """

    def __init__(self, runs: Sequence[Run], plan: Plan, bench: Bench, times: int) -> None:
        if times < 2:
            raise ValueError("A record that was judged once is judged again: times is 2 at least.")
        self._runs, self._plan, self._bench, self._times = tuple(runs), plan, bench, times
        self._metrics = tuple(metric for metric in plan.metrics if "judge" in metric.needs)
        self._pieces: list[_Piece] = []
        self._done: dict[int, dict[str, Score]] = {}
        self._silent = False
        self._calls = tuple(CallCounter() for _ in self._runs)

    def steps(self) -> Iterator[Progress]:
        """Judges record after record again, many at once where the judge waits for its replies.

        Raises UserError if the judge cannot go on; `result` has what was finished.
        """
        judges = [self._open_judge(counter) for counter in self._calls]
        waits = any(getattr(judge, "waits", False) for judge in judges)
        if not self._metrics or all(judge is None or getattr(judge, "deterministic", False) for judge in judges):
            self._silent = True
            return
        self._pieces = [
            (repeat, side, at)
            for repeat in range(1, self._times)
            for at in range(max((len(run.rows) for run in self._runs), default=0))
            for side, run in enumerate(self._runs)
            if at < len(run.rows)
        ]
        again = [[_repeated(judge, repeat) for repeat in range(self._times)] for judge in judges if judge]
        done, count = self._done, len(self._pieces)
        done.clear()
        for _ in make_pieces(lambda at: self._score(again, *self._pieces[at]), count, done, waits=waits):
            calls = total([counter.calls for counter in self._calls])
            yield Progress("repeats", len(done), count, calls or None)

    def _open_judge(self, counter: CallCounter) -> Judge | None:
        """The plan's judge with its calls counted: one for each run, so that each knows its own."""
        return open_plan_judge(self._plan, replace(self._bench, open_chat=counter.counting(self._bench.open_chat)))

    async def _score(self, judges: Sequence[Sequence[Judge]], repeat: int, side: int, at: int) -> dict[str, Score]:
        run = self._runs[side]
        record = run.rows[at].record
        gold = locate_evidence(record.question, self._plan.knowledge)
        ideal = count_gold(gold, run.variant, self._bench)
        return await score_subject(Subject(record, gold, ideal, judges[side][repeat]), self._metrics)

    def result(self) -> tuple[Run, ...]:
        """The runs, with `noise` from the questions that have a score in every repeat, and all calls."""
        return tuple(
            replace(run, noise=self._noise(side, run), calls=replace(run.calls, judge=run.calls.judge + counter.calls))
            for side, (run, counter) in enumerate(zip(self._runs, self._calls, strict=True))
        )

    def _noise(self, side: int, run: Run) -> dict[str, Noise]:
        found = {metric.name: self._noise_of(side, run, metric.name) for metric in self._metrics}
        return {name: noise for name, noise in found.items() if noise is not None}

    def _noise_of(self, side: int, run: Run, name: str) -> Noise | None:
        first: Values = {row.record.question.id: row.scores[name].value for row in run.rows}
        if self._silent:
            scored = sum(value is not None for value in first.values())
            return Noise(self._times, scored, 0.0) if scored else None
        repeats: list[dict[str, float | None]] = [{} for _ in range(self._times)]
        for piece, scores in self._done.items():
            repeat, of, at = self._pieces[piece]
            if of == side:
                repeats[repeat][run.rows[at].record.question.id] = scores[name].value
        return measure_noise([first, *repeats[1:]])

    @property
    def complete(self) -> bool:
        """Whether every record was judged as often as asked."""
        return self._silent or (bool(self._pieces) and len(self._done) == len(self._pieces))


class ComparedAgain:
    """A comparison whose records are judged `times` times in all: `Work` whose result knows the judge's noise."""

    def __init__(self, comparison: Comparison, plan: Plan, bench: Bench, times: int) -> None:
        self._work = Repetition((comparison.a, comparison.b), plan, bench, times)

    def steps(self) -> Iterator[Progress]:
        """Judges record after record again. Raises UserError if the judge cannot go on."""
        return self._work.steps()

    def result(self) -> Comparison | None:
        """The same comparison with a noise floor per metric."""
        return compare_runs(*self._work.result())

    @property
    def complete(self) -> bool:
        """Whether every record was judged as often as asked."""
        return self._work.complete


def _repeated(judge: Judge, repeat: int) -> Judge:
    """The same judge with fresh replies; one that knows no repeats is asked again as it is."""
    again = getattr(judge, "repeated", None)
    return again(repeat) if again and repeat else judge
