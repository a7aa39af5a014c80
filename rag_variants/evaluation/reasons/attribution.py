"""What moved a metric: the chunks that were retrieved, or the way they were answered?

Retrieval and answer settings are swapped between A and B, which gives two more variants: A's chunks answered as B
does, and B's chunks answered as A does. What each of the two changes did is averaged over both orders in which they
can be made, as in a two-factor design (and a Shapley value of two players), so that both add up to the delta.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from rag_variants.errors import VariantError
from rag_variants.evaluation.known_runs import KnownRuns, missing_variants
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant, lacking

Part = Literal["retrieval", "answering"]


@dataclass(frozen=True, slots=True)
class Moved:
    """The delta of one metric (B − A, its own unit) over the `n` questions that all four variants have a score for.

    `retrieval` + `answering` = `total`. `interaction` is how much more the two did together than apart: half of it is
    in each part. A part is the mean of its effect before and after the other change.
    """

    total: float
    retrieval: float
    answering: float
    interaction: float
    n: int


@dataclass(frozen=True)
class Attribution:
    """What moved each quality metric, by name; None where no question is scored on all four variants.

    `one_stage` names the part that differs, where only one does: then it is the whole delta, and nothing was run.
    """

    a: Variant
    b: Variant
    metrics: Mapping[str, Moved | None]
    one_stage: Part | None
    complete: bool


def swap_answers(a: Variant, b: Variant) -> tuple[Variant, Variant]:
    """A's retrieval with B's answer settings, and B's retrieval with A's.

    Raises VariantError for a variant whose chunks cannot be answered as another one answers.
    """
    if why := lacking((a, b), "swaps"):
        raise VariantError(why)
    return _answering_as(a, b), _answering_as(b, a)


def only_part(a: Variant, b: Variant) -> Part | None:
    """The one part in which two variants differ; None if they differ in both or in none."""
    swapped_a, swapped_b = swap_answers(a, b)
    if a == b or a not in (swapped_a, swapped_b):
        return None
    return "retrieval" if a == swapped_a else "answering"


def missing_swaps(a: Variant, b: Variant, known: Sequence[Run]) -> int:
    """How many variants would have to be run."""
    return len(missing_variants([a, b, *swap_answers(a, b)], known))


class Swap:
    """A, B and both swaps over a plan: `Work` whose result is the attribution over the questions done so far."""

    def __init__(self, a: Variant, b: Variant, plan: Plan, bench: Bench, known: Sequence[Run] = ()) -> None:
        self._corners = (a, *swap_answers(a, b), b)
        self._runs = KnownRuns(self._corners, plan, bench, known)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question what has no run. Raises UserError if it cannot start."""
        return self._runs.steps()

    def result(self) -> Attribution | None:
        """The attribution; None before the first question."""
        runs = self._runs.runs()
        found = [runs[corner] for corner in self._corners]
        return attribute(*found) if found[0].rows else None

    @property
    def complete(self) -> bool:
        """Whether every question is done on every variant."""
        return self._runs.complete


def attribute(a: Run, swapped_a: Run, swapped_b: Run, b: Run) -> Attribution:
    """What moved each metric. `swapped_a` has A's retrieval and B's answers, `swapped_b` B's retrieval and A's."""
    corners = (a, swapped_a, swapped_b, b)
    names = [name for name in a.metrics if name in all_metrics() and all_metrics()[name].set != "effort"]
    return Attribution(
        a=a.variant,
        b=b.variant,
        metrics={name: _moved(corners, name) for name in names},
        one_stage=only_part(a.variant, b.variant),
        complete=all(run.complete for run in corners),
    )


def _moved(corners: Sequence[Run], name: str) -> Moved | None:
    values = [_values(run, name) for run in corners]
    shared = [question for question in values[0] if all(question in each for each in values[1:])]
    if not shared:
        return None
    a, swapped_a, swapped_b, b = (fmean(each[question] for question in shared) for each in values)
    return Moved(
        total=b - a,
        retrieval=((swapped_b - a) + (b - swapped_a)) / 2,
        answering=((swapped_a - a) + (b - swapped_b)) / 2,
        interaction=b - swapped_a - swapped_b + a,
        n=len(shared),
    )


def _values(run: Run, name: str) -> dict[str, float]:
    scores = {row.record.question.id: row.scores.get(name) for row in run.rows}
    return {question: score.value for question, score in scores.items() if score and score.value is not None}


def _answering_as(variant: Variant, other: Variant) -> Variant:
    """The variant with the other's settings of the answer stage."""
    mine = settings_of(variant)
    answers = {name: getattr(other, name) for name, (_, each) in mine.items() if each.stage == "answer"}
    return replace(variant, **answers)
