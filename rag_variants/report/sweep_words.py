"""A sweep in words and rows of text, the same for the terminal and pages."""

from dataclasses import dataclass

from rag_variants.experiment.comparison import Comparison
from rag_variants.experiment.points import Point
from rag_variants.experiment.statistics import Delta
from rag_variants.experiment.sweep import FRONTIER_EFFORTS, Sweep
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.words import inside_sentence, money_words, plain, signed, verdict_words
from rag_variants.variants.spec import print_variant

SAME = "≈"
RECOMMENDED = "recommended"
SIMPLEST = "Simplest is: fewest settings off their default, then least text read, then first in the grid."
_LISTED = 8


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One point as it is shown; all texts. `marks` are start, best, ≈ best, recommended, failures."""

    settings: str
    mean: str
    delta: str
    interval: str
    verdict: str
    scored: str
    read: str
    latency: str
    cost: str
    marks: str


def sweep_rows(sweep: Sweep) -> tuple[SweepRow, ...]:
    """One row per point, the best first; points without a score last, in the grid's order."""
    return tuple(_row(sweep, at) for at in order_of_points(sweep))


def order_of_points(sweep: Sweep) -> tuple[int, ...]:
    """The places of the points, the best first, ties in the grid's order."""
    advantages = [sweep.advantage(point) for point in sweep.points]
    best = None if sweep.best is None else sweep.points.index(sweep.best)
    return tuple(
        sorted(
            range(len(advantages)),
            key=lambda at: (advantages[at] is None, at != best, -round(advantages[at] or 0.0, 9), at),
        )
    )


def _row(sweep: Sweep, at: int) -> SweepRow:
    point, delta = sweep.points[at], sweep.against_start()[at]
    is_start = point is sweep.start
    return SweepRow(
        settings=point_words(sweep, point),
        mean=plain(point.mean(sweep.metric), 3),
        delta="" if is_start else signed(delta.mean, 3),
        interval="" if is_start else _interval(delta),
        verdict="" if is_start else _verdict(delta),
        scored=f"{point.scored(sweep.metric)} of {point.asked}",
        read=amount_words(point, "context_characters"),
        latency=amount_words(point, "latency_ms"),
        cost=amount_words(point, "cost_usd"),
        marks=marks_of(sweep, at),
    )


def marks_of(sweep: Sweep, at: int) -> str:
    """What is to be said of a point, in a few words."""
    point = sweep.points[at]
    found = ["start"] if point is sweep.start else []
    if point is sweep.best:
        found.append("best")
    elif sweep.gaps and sweep.gaps[at].n and not sweep.gaps[at].told_apart:
        found.append(f"{SAME} best")
    found += [RECOMMENDED] if point is sweep.recommended else []
    found += [f"{point.failed} failed"] if point.failed else []
    return ", ".join(found)


def point_words(sweep: Sweep, point: Point) -> str:
    """A point by the settings that the sweep moves."""
    return sweep.grid.written(point.variant)


def metric_label(sweep: Sweep) -> str:
    """The metric that decides, as screens call it."""
    return label_of(all_metrics()[sweep.metric], sweep.head.judge.spec if sweep.head.judge else "")


def amount_words(point: Point, effort: str) -> str:
    """What a point typically takes of an effort, with its unit where it needs one."""
    if effort not in point.scores:
        return ""
    amount = point.amount(effort)
    if effort == "cost_usd":
        return "–" if amount is None else money_words(amount)
    return "–" if amount is None else f"{amount:,.0f}" if amount >= 100 else f"{amount:.1f}"


def sweep_sentences(sweep: Sweep) -> tuple[str, ...]:
    """The recommendation, who cannot be told from the best, the advantage beside luck, what is missing."""
    best, recommended = sweep.best, sweep.recommended
    if best is None or recommended is None:
        return (f"{metric_label(sweep)} was scored on no question, so no setting can be called better.",)
    found = [_recommendation(sweep, best, recommended), _equals(sweep, best), luck_sentence(sweep, best)]
    if not sweep.complete:
        done = f"{sweep.waiting} points were not measured" if sweep.waiting else "not every question was asked"
        found.append(f"Stopped early: {done}. What is missing may change the best.")
    return tuple(filter(None, found))


def _recommendation(sweep: Sweep, best: Point, recommended: Point) -> str:
    label = inside_sentence(metric_label(sweep))
    mean = f"{label} {plain(recommended.mean(sweep.metric), 3)}"
    if recommended is sweep.start:
        more = "nothing tried is shown to be better" if best is not sweep.start else "it is the best of those tried"
        return f"Stay with {point_words(sweep, recommended)} ({mean}): {more}."
    at = sweep.points.index(recommended)
    delta = sweep.against_start()[at]
    could = f"could be {_interval(delta)}" if delta.ci95 else "no interval"
    return (
        f"Recommended: {point_words(sweep, recommended)} ({mean}, {signed(delta.mean, 3)} against the start, {could})."
    )


def _interval(delta: Delta) -> str:
    """Three decimals, as settings of a sweep are near to one another."""
    return f"{signed(delta.ci95[0], 3)} … {signed(delta.ci95[1], 3)}" if delta.ci95 else "–"


def _verdict(delta: Delta) -> str:
    """The verdict alone: what the delta could be stands beside it."""
    return verdict_words(delta).partition(":")[0]


def _equals(sweep: Sweep, best: Point) -> str:
    others = [each for each in sweep.not_told_apart if each is not best]
    name = f"The best mean has {point_words(sweep, best)}"
    if not others:
        return f"{name}; every other setting is shown to be worse than it."
    shown = "; ".join(point_words(sweep, each) for each in others[:_LISTED])
    rest = f" and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
    return f"{name}; {len(others)} of {len(sweep.points) - 1} others cannot be told from it: {shown}{rest}. {SIMPLEST}"


def luck_sentence(sweep: Sweep, best: Point) -> str:
    """The best one's advantage beside what luck alone would give to the best of as many equal settings."""
    advantage, luck = sweep.advantage(best), sweep.luck
    if luck is None or advantage is None:
        return ""
    more = "more than" if advantage > luck else "not more than"
    return (
        f"{sweep.tried} settings were tried on these questions. The best of {sweep.tried} equal ones would be ahead of "
        f"the start by {plain(luck, 3)} on average by luck alone; this best one is ahead by {plain(advantage, 3)}, "
        f"{more} that."
    )


def family_sentence(sweep: Sweep) -> str:
    """What the intervals hold for."""
    return (
        f"Δ and interval are against the start; they hold together for all {len(sweep.points)} settings in "
        f"{inside_sentence(metric_label(sweep))}. Who cannot be told from the best is tested over all pairs."
    )


def frontier_lines(sweep: Sweep) -> tuple[str, ...]:
    """One line per effort: the settings that no other one beats in both, least effort first."""
    found = []
    for effort in FRONTIER_EFFORTS:
        points = sweep.frontier(effort) if effort in sweep.effort else ()
        if len({point.amount(effort) for point in points}) > 1:
            steps = [
                f"{point_words(sweep, each)} ({plain(each.mean(sweep.metric), 3)} at {amount_words(each, effort)}"
                f"{unit_of(effort)})"
                for each in points
            ]
            found.append(
                f"Not beaten in both {inside_sentence(all_metrics()[effort].label)} and quality: {' → '.join(steps)}"
            )
    return tuple(found)


def unit_of(effort: str) -> str:
    """The unit of an effort with the blank before it; nothing where the number carries its own."""
    unit = all_metrics()[effort].unit
    return "" if effort == "cost_usd" or not unit else f" {unit}"


def final_check_sentence(sweep: Sweep, check: Comparison) -> str:
    """What the hold-out says of the recommended setting against the start."""
    compared = check.metrics[sweep.metric]
    label = inside_sentence(metric_label(sweep))
    return (
        f"Final check on {compared.delta.n} held-out questions: {print_variant(check.b.variant)} against "
        f"{print_variant(check.a.variant)}, {label} {signed(compared.delta.mean, 3)} "
        f"({plain(compared.a.mean, 3)} → {plain(compared.b.mean, 3)}), {verdict_words(compared.delta)}."
    )
