"""A grid over a plan, batch by batch, so that points share every stage that they can."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from rag_variants.errors import UserError
from rag_variants.evaluation.identity import Key, comparison_key, meant_by
from rag_variants.evaluation.plan import Plan, tuning_plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.tuning.grid import Grid, Impossible
from rag_variants.evaluation.tuning.points import Point, make_point
from rag_variants.evaluation.tuning.sweep import Sweep, sweep_metric
from rag_variants.evaluation.tuning.tuning_log import TuningLog, opened_sentence
from rag_variants.evaluation.work import Progress
from rag_variants.llm.calls import Calls
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.setting import Stage, settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.holdout import tune_questions
from rag_variants.settings import Settings

# Points that are asked each question together. Their records are in memory until the batch is done, and so are their
# indexes: fewer than `Stages` keeps.
BATCH = 16


UNANSWERED = (
    "No metric of this sweep reads answers, so none were made: times are those of retrieval, and nothing was paid for "
    "answers. Add a metric such as key_facts for answers."
)


def sweep_plan(plan: Plan, grid: Grid) -> Plan:
    """What is asked for every point: no held-out question, and no answer that nothing measures or moves."""
    tuned = tuning_plan(plan)
    settings = settings_of(grid.start)
    if any(settings[axis.name][1].stage == "answer" for axis in grid.axes):
        return replace(tuned, spares_answers=False)
    return tuned if tuned.answers else replace(tuned, notes=(*tuned.notes, UNANSWERED))


class SweepWork:
    """`Work` whose result is the sweep over the points measured so far. Reading `steps` again goes on where it stopped,
    in the middle of a batch too.

    Held-out questions stay out. With a log, points are remembered as tried on the questions when their batch begins,
    and a hold-out that was opened before is named. Raises UserError for a metric that the plan does not measure, and
    QuestionsError if all questions are held out.
    """

    def __init__(
        self, grid: Grid, plan: Plan, bench: Bench, *, metric: str | None = None, log: TuningLog | None = None
    ) -> None:
        self.metric = sweep_metric(metric, grid, plan.metrics)
        self._grid, self._bench, self._log = grid, bench, log
        whole = plan.whole or plan.questions
        self._plan = sweep_plan(plan, grid)
        self._tune_part = tune_questions(whole)
        opened = log.opened(whole.questions) if log else None
        if opened:
            self._plan = replace(self._plan, notes=(*self._plan.notes, opened_sentence(opened)))
        self._waiting = list(_in_batches(grid))
        self._points: dict[Variant, Point] = {}
        self._left_out: dict[Variant, Impossible] = {}
        self._head: Run | None = None
        self._running: Experiment | None = None
        self._tried = 0

    def steps(self) -> Iterator[Progress]:
        """Measures batch by batch, each question on all points of a batch. Raises UserError if it cannot go on."""
        asked = len(self._plan.questions.questions)
        while self._waiting:
            if self._running is None:
                possible = self._possible(self._waiting[0])
                self._note_tried(possible)
                self._running = Experiment(possible, self._plan, self._bench)
            batch = self._running.variants
            before, calls = len(self._points), self._calls()
            total = asked * (before + len(batch) + sum(map(len, self._waiting[1:])))
            for step in self._running.steps() if batch else ():
                if step.step == "questions":
                    made = calls + (step.calls or Calls())
                    done = before * asked + step.done * len(batch)
                    yield Progress("answers", done, total, made if made.issued or made.reused else None)
                else:
                    yield step
            self._finish(self._running.runs())

    def result(self) -> Sweep | None:
        """The sweep over the batches that are done; while the first one is going on, over its questions done so far."""
        points, head = self._points, self._head
        if head is None:
            runs = self._running.runs() if self._running else ()
            if not runs or not runs[0].rows:
                return None
            points, head = {run.variant: make_point(run) for run in runs}, replace(runs[0], rows=())
        ordered = [points[each] for each in self._grid.points if each in points]
        return Sweep(
            self._grid,
            self.metric,
            tuple(ordered),
            waiting=sum(map(len, self._waiting)) - (0 if self._points else len(ordered)),
            left_out=(*self._grid.left_out, *self._left_out.values()),
            tried=max(self._tried, len(ordered)),
            head=head,
            warnings=head.notes,
        ).with_statistics()

    @property
    def complete(self) -> bool:
        """Whether every point was measured."""
        return not self._waiting

    def _finish(self, runs: Sequence[Run]) -> None:
        self._points |= {run.variant: make_point(run) for run in runs}
        if self._head is None:
            self._head = replace(runs[0], rows=())
        self._running = None
        self._waiting.pop(0)

    def _possible(self, batch: Sequence[Variant]) -> list[Variant]:
        """The points whose models can be opened; another one is left out with its reason, the start ends the sweep."""
        possible = []
        for each in batch:
            try:
                each.open(self._bench)
            except UserError as error:
                if each == self._grid.start:
                    raise
                self._left_out[each] = Impossible(self._grid.written(each), str(error))
            else:
                possible.append(each)
        return possible

    def _note_tried(self, batch: Sequence[Variant]) -> None:
        if self._log is not None:
            self._log.add_tried(self._tune_part, batch, self._plan.today)
            self._tried = self._log.count_tried(self._tune_part)

    def _calls(self) -> Calls:
        return sum((point.calls.all for point in self._points.values()), Calls())


def _in_batches(grid: Grid) -> Iterator[tuple[Variant, ...]]:
    """The start, then the others so that those follow one another that share the most stages."""
    order = get_args(Stage)
    settings = settings_of(grid.start)
    axes = sorted(grid.axes, key=lambda axis: order.index(settings[axis.name][1].stage))
    places = {axis.name: {value: at for at, value in enumerate(axis.values)} for axis in axes}
    others = sorted(
        grid.points[1:], key=lambda each: tuple(places[axis.name][getattr(each, axis.name)] for axis in axes)
    )
    points = (grid.start, *others)
    return (points[begin : begin + BATCH] for begin in range(0, len(points), BATCH))


def sweep_key(grid: Grid, metric: str, plan: Plan, settings: Settings) -> Key:
    """Of a sweep, but for how many settings were tried before."""
    files = tuple(dict.fromkeys(point.stamp(settings.home) for point in grid.points))
    asked = meant_by(sweep_models(grid, plan), settings)
    return ("sweep", grid.axes, metric, *files, *asked, *comparison_key(grid.start, grid.start, plan, settings))


def sweep_models(grid: Grid, plan: Plan) -> tuple[str, ...]:
    """The specs of endpoints' models that a sweep would ask, once each; nobody is asked for what no metric needs."""
    judged = any(metric.needs & {"judge", "embeddings"} for metric in plan.metrics)
    judges = filter(is_chat_spec, (plan.judge, plan.judge_embeddings) if judged else ())
    points = grid.points if sweep_plan(plan, grid).answers else ()
    answering = [spec for point in points for spec in point.answering_models]
    ranking = [spec for point in grid.points for spec in point.ranking_models]
    return tuple(dict.fromkeys((*judges, *answering, *ranking)))
