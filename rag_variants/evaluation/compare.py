"""Two runs → paired deltas with verdicts."""

import statistics as means
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypedDict

import numpy as np

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import (
    Comparison,
    EffortComparison,
    Means,
    MetricComparison,
    SliceDelta,
    Spread,
    Unscored,
)
from rag_variants.evaluation.differences import count_once, name_differences, name_repeats, pair_rows, with_metrics_of
from rag_variants.evaluation.judging.band import Band, band_of
from rag_variants.evaluation.judging.judge_error import JudgeError, carry_judge_error
from rag_variants.evaluation.judging.repeats import noise_floor
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.evaluation.statistics.families import Deltas, compare_families, partly_measured
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.statistics.signflips import TOLERANCE
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.idle import idle_sentences


class _Judged(TypedDict, total=False):
    band: Band | None
    judge_error: JudgeError | None
    noise_floor: float | None


class ComparisonError(UserError):
    """Two runs that cannot be compared."""


def compare_runs(a: Run, b: Run, *, anyway: bool = False) -> Comparison:
    """The comparison of two runs.

    Raises ComparisonError if they share no question or differ in judge, questions, documents or metrics. `anyway`
    compares what such runs share: the questions that both ask alike. The first warnings then name the differences.
    """
    if anyway:
        comparison = _compare_in_turn((with_metrics_of(a, b), with_metrics_of(b, a)))[0]
        named = tuple(f"Different {each.what}: {each.sentence}." for each in name_differences(a, b))
        return replace(comparison, warnings=(*named, *comparison.warnings))
    return compare_in_turn((a, b))[0]


def compare_in_turn(runs: Sequence[Run]) -> tuple[Comparison, ...]:
    """The comparison of each run with the one before it, in order; empty for a single run.

    The metrics of a family are tested together over all these comparisons (see `compare_families`): verdicts and
    intervals hold together for every one of them. Raises ComparisonError as `compare_runs` does.
    """
    for a, b in pairwise(runs):
        _refuse_unlike(a, b)
    return _compare_in_turn(runs)


def _compare_in_turn(runs: Sequence[Run]) -> tuple[Comparison, ...]:
    steps = list(pairwise(runs))
    pairs = [count_once(pair_rows(a, b)) for a, b in steps]
    if not all(pairs):
        raise ComparisonError("The two runs share no answered question. Run both variants again on the same questions.")
    quality = [name for name in runs[0].metrics if name in all_metrics() and all_metrics()[name].set != "effort"]
    deltas = [{name: paired_deltas(found, name) for name in quality} for found in pairs]
    tested = compare_families(deltas, seed=runs[0].seed)
    return tuple(
        _compare(a, b, found, before, after)
        for (a, b), found, before, after in zip(steps, pairs, deltas, tested, strict=True)
    )


def _compare(
    a: Run, b: Run, pairs: Sequence[tuple[ScoredRecord, ScoredRecord]], deltas: Deltas, tested: Mapping[str, Delta]
) -> Comparison:
    described = [name for name in a.metrics if name in all_metrics() and all_metrics()[name].set == "effort"]
    return Comparison(
        a=a,
        b=b,
        metrics={name: _compare_metric(a, b, pairs, name, delta) for name, delta in tested.items()},
        effort={name: _compare_effort(pairs, name) for name in described},
        slices=_slices(pairs, deltas),
        warnings=_warnings(a, b),
    )


def _refuse_unlike(a: Run, b: Run) -> None:
    found = name_differences(a, b)
    if found:
        what = " and ".join(each.what for each in found)
        named = "; ".join(f"{each.what}: {each.sentence}" for each in found)
        raise ComparisonError(
            f"The two runs differ in {what}, so their numbers cannot be compared ({named}). "
            f"Run both variants again on the same {what}, or ask to compare them anyway (--anyway)."
        )


def _value(row: ScoredRecord, name: str) -> float | None:
    score = row.scores.get(name)
    return score.value if score else None


def paired_deltas(pairs: Sequence[tuple[ScoredRecord, ScoredRecord]], name: str) -> dict[str, float]:
    """B − A of a metric by question id, for pairs scored on both sides; |delta| < 1e-9 is 0."""
    found = {}
    for left, right in pairs:
        before, after = _value(left, name), _value(right, name)
        if before is not None and after is not None:
            delta = after - before
            found[left.record.question.id] = 0.0 if abs(delta) < TOLERANCE else delta
    return found


def _mean(values: Sequence[float]) -> float | None:
    return means.fmean(values) if values else None


def _compare_metric(
    a: Run, b: Run, pairs: Sequence[tuple[ScoredRecord, ScoredRecord]], name: str, delta: Delta
) -> MetricComparison:
    values = [(_value(left, name), _value(right, name)) for left, right in pairs]
    both = [(before, after) for before, after in values if before is not None and after is not None]
    before_all, after_all = ([value for row in run.rows if (value := _value(row, name)) is not None] for run in (a, b))
    return MetricComparison(
        a=Means(_mean([before for before, _ in both]), len(both), _mean(before_all), len(before_all)),
        b=Means(_mean([after for _, after in both]), len(both), _mean(after_all), len(after_all)),
        delta=delta,
        unscored=Unscored(
            a=sum(before is None and after is not None for before, after in values),
            b=sum(before is not None and after is None for before, after in values),
            both=sum(before is None and after is None for before, after in values),
        ),
        **_judged(a, b, pairs, name),
    )


def _judged(a: Run, b: Run, pairs: Sequence[tuple[ScoredRecord, ScoredRecord]], name: str) -> _Judged:
    """What is known of the judge behind a metric's delta."""
    scores = [(left.scores[name], right.scores[name]) for left, right in pairs if name in left.scores]
    floor = noise_floor(a.noise.get(name), b.noise.get(name))
    verdicts = all_metrics()[name].verdicts
    if verdicts is None or not verdicts.share:  # only of a share a yes more never lowers the value
        return {"noise_floor": floor}
    agreement = a.judge.agreement if a.judge else None
    error = carry_judge_error(scores, agreement["accuracy"]) if agreement else None
    return {"band": band_of(scores), "judge_error": error, "noise_floor": floor}


def _compare_effort(pairs: Sequence[tuple[ScoredRecord, ScoredRecord]], name: str) -> EffortComparison:
    a, b = (_spread([_value(pair[side], name) for pair in pairs]) for side in (0, 1))
    return EffortComparison(a, b, b.mean / a.mean if a.mean and b.mean is not None else None)


def _spread(found: Sequence[float | None]) -> Spread:
    values = [value for value in found if value is not None]
    if not values:
        return Spread(None, None, None, 0)
    return Spread(means.fmean(values), float(np.median(values)), float(np.percentile(values, 95)), len(values))


def _slices(pairs: Sequence[tuple[ScoredRecord, ScoredRecord]], deltas: Deltas) -> dict[str, dict[str, SliceDelta]]:
    members: dict[str, set[str]] = {}
    for left, _ in pairs:
        for tag, value in left.record.question.tags:
            members.setdefault(f"{tag}={value}", set()).add(left.record.question.id)
    return {
        label: {
            name: _slice_delta([delta for key, delta in of_metric.items() if key in members[label]], name)
            for name, of_metric in deltas.items()
        }
        for label in sorted(members)
    }


def _slice_delta(found: Sequence[float], name: str) -> SliceDelta:
    sign = 1 if all_metrics()[name].higher_is_better else -1
    wins = sum(sign * delta > 0 for delta in found)
    losses = sum(sign * delta < 0 for delta in found)
    return SliceDelta(_mean(found), len(found), wins, len(found) - wins - losses, losses)


def _warnings(a: Run, b: Run) -> tuple[str, ...]:
    """What both sides say once, what one says alone, which settings do nothing, whether questions are missing.

    That everything failed comes first.
    """
    said = [(*filter(None, [run.failure]), *run.notes) for run in (a, b)]
    found = [note for note in said[0] if note in said[1]]
    found += [f"A: {note}" for note in said[0] if note not in said[1]]
    found += [f"B: {note}" for note in said[1] if note not in said[0]]
    found.sort(key=lambda note: not any(run.failure and run.failure in note for run in (a, b)))
    found += idle_sentences(a.variant, b.variant)
    if not (a.complete and b.complete):
        found.append(
            f"Stopped early: {min(len(a.rows), len(b.rows))} of {a.questions.count} questions. "
            f"The questions left out may differ from those answered."
        )
    found += partly_measured(a.metrics)
    found += name_repeats(row.record.question for row in a.rows)
    return tuple(found)
