"""The work that pages begin: opened in the job's thread, where the libraries load, over what all sessions share."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rag_variants.evaluation.ablation.waypoints import Waypoint
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Work
from rag_variants.lessons.lesson import Lesson
from rag_variants.pipeline.pipeline import as_pipeline
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.labels import JudgeLabel
from rag_variants.settings import Settings
from rag_variants.ui.caches import bench_for
from rag_variants.ui.jobs import Key

if TYPE_CHECKING:
    from rag_variants.evaluation.ablation.ablation_path import AblationPath
    from rag_variants.evaluation.advice.advice import Attempts
    from rag_variants.evaluation.comparison import Comparison
    from rag_variants.evaluation.forecast import CallForecast
    from rag_variants.evaluation.judging.other_judges import VerdictSource
    from rag_variants.evaluation.reasons.attribution import Attribution
    from rag_variants.evaluation.tuning.grid import Grid
    from rag_variants.evaluation.tuning.sweep import Sweep
    from rag_variants.evaluation.tuning.tune import Tuned
    from rag_variants.lessons.course import Taught
    from rag_variants.ui.workplace import GoingOn

# The bench is asked for before the thread begins: Streamlit's caches belong to the page's own thread.


def open_trial(a: Variant, b: Variant, plan: Plan) -> "Callable[[], Work[Comparison]]":
    """What begins the comparison of A and B over a plan."""
    bench = bench_for(plan)

    def begin() -> "Work[Comparison]":
        from rag_variants.evaluation.trial import Trial

        return Trial(a, b, plan, bench)

    return begin


def open_forecast(variants: Sequence[Variant], plan: Plan) -> "Callable[[], Work[CallForecast]]":
    """What begins the forecast of a run of variants: the calls that it still needs."""
    bench = bench_for(plan)

    def begin() -> "Work[CallForecast]":
        from rag_variants.evaluation.forecast import Forecast

        return Forecast(variants, plan, bench)

    return begin


def open_repetition(comparison: "Comparison", plan: Plan, times: int) -> "Callable[[], Work[Comparison]]":
    """What begins to judge the records of a comparison again, `times` times in all."""
    bench = bench_for(plan)

    def begin() -> "Work[Comparison]":
        from rag_variants.evaluation.judging.repeat_work import ComparedAgain

        return ComparedAgain(comparison, plan, bench, times)

    return begin


def open_cached_trial(a: Variant, b: Variant, plan: Plan) -> "Callable[[], Work[Comparison]]":
    """What begins the comparison of A and B over a plan; both runs are kept on disk when they are finished."""
    bench = bench_for(plan)

    def begin() -> "Work[Comparison]":
        from rag_variants.storage.saved_runs.trial import SavedTrial

        return SavedTrial(a, b, plan, bench)

    return begin


def open_ablation(
    waypoints: Sequence[Waypoint], plan: Plan, known: Sequence[Run]
) -> "Callable[[], Work[AblationPath]]":
    """What begins the path of these waypoints over a plan; waypoints with a known run are not run again."""
    bench = bench_for(plan)

    def begin() -> "Work[AblationPath]":
        from rag_variants.evaluation.ablation.ablation_work import AblationWork

        return AblationWork(waypoints, plan, bench, known)

    return begin


def open_swap(a: Variant, b: Variant, plan: Plan, known: Sequence[Run]) -> "Callable[[], Work[Attribution]]":
    """What begins to take a comparison apart; variants with a known run are not run again."""
    bench = bench_for(plan)

    def begin() -> "Work[Attribution]":
        from rag_variants.evaluation.reasons.attribution import Swap

        return Swap(a, b, plan, bench, known)

    return begin


def open_agreement(labels: Sequence[JudgeLabel], plan: Plan) -> "Callable[[], Work[dict[str, Any]]]":
    """What begins to ask the plan's judge about labels."""
    bench = bench_for(plan)

    def begin() -> "Work[dict[str, Any]]":
        from rag_variants.evaluation.judging.agreement import AgreementWork

        return AgreementWork(labels, plan, bench)

    return begin


def open_other_judges(
    comparison: "Comparison", specs: Sequence[str], plan: Plan
) -> "Callable[[], Work[tuple[VerdictSource, ...]]]":
    """What begins to judge a comparison's records again, by each judge of `specs`."""
    bench = bench_for(plan)

    def begin() -> "Work[tuple[VerdictSource, ...]]":
        from rag_variants.evaluation.judging.judge_again import JudgedAgain

        return JudgedAgain(comparison, specs, plan, bench)

    return begin


def open_advice(variant: Variant, plan: Plan) -> "Callable[[], Work[Attempts]]":
    """What begins the search for better settings of a variant over a plan."""
    bench = bench_for(plan)

    def begin() -> "Work[Attempts]":
        from rag_variants.evaluation.advice.advice_work import AdviceWork

        return AdviceWork(variant, plan, bench)

    return begin


def open_course(lessons: Sequence[Lesson], plan: Plan) -> "Callable[[], Work[tuple[Taught, ...]]]":
    """What begins the run of lessons, one after the other, over a plan."""
    bench = bench_for(plan)

    def begin() -> "Work[tuple[Taught, ...]]":
        from rag_variants.lessons.course import Course

        return Course(lessons, plan, bench)

    return begin


def open_tuned(variant: Variant, plan: Plan) -> "Callable[[], Work[Tuned]]":
    """What begins to measure one variant's retrieval over a plan."""
    bench = bench_for(plan)

    def begin() -> "Work[Tuned]":
        from rag_variants.evaluation.tuning.tune import TuneWork

        return TuneWork(as_pipeline(variant), plan, bench)

    return begin


def open_judged(pin: Variant, now: Variant, plan: Plan, known: Sequence[Run]) -> "Callable[[], Work[Comparison]]":
    """What begins to judge a setting against its pin; a variant with a known run is not run again."""
    bench = bench_for(plan)

    def begin() -> "Work[Comparison]":
        from rag_variants.evaluation.tuning.judged_move import JudgedMove

        return JudgedMove(pin, now, plan, bench, known)

    return begin


def open_sweep(
    grid: "Grid", plan: Plan, metric: str, going_on: "GoingOn[Sweep]", key: Key
) -> "Callable[[], Work[Sweep]]":
    """What begins a sweep, or goes on with the one of that key that was stopped."""
    bench = bench_for(plan)

    def begin() -> "Work[Sweep]":
        from rag_variants.evaluation.tuning.sweep_work import SweepWork
        from rag_variants.evaluation.tuning.tuning_log import open_tuning_log

        return SweepWork(grid, plan, bench, metric=metric, log=open_tuning_log(Settings()))

    return lambda: going_on.open(key, begin)


def open_final_check(start: Variant, found: Variant, held: Plan) -> "Callable[[], Work[Comparison]]":
    """What opens the hold-out and compares two variants on it."""
    bench = bench_for(held)

    def begin() -> "Work[Comparison]":
        from rag_variants.evaluation.tuning.final_check import FinalCheck
        from rag_variants.evaluation.tuning.tuning_log import open_tuning_log

        return FinalCheck(start, found, held, bench, open_tuning_log(Settings()))

    return begin
