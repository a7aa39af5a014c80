"""A sweep in sentences, the same for the terminal and pages."""

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING
from rag_variants.evaluation.tuning.grid import Grid
from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import FRONTIER_EFFORTS, Sweep
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.sweep_rows import amount_words, fine_interval_words, metric_label, point_words, unit_of
from rag_variants.report.sweep_undecided import questions_words, undecided_sentence
from rag_variants.report.words import inside_sentence, plain, signed, verdict_words

SIMPLEST = "Simplest is: fewest settings off their default, then least text read, then first in the grid."
_LISTED = 8


def size_words(grid: Grid, questions: int, held: int, tried: int | None) -> str:
    """What a sweep comes to before it begins: settings, questions, what stays out, what was tried so far."""
    parts = [f"{settings_words(len(grid.points))} × {questions_words(questions)}"]
    if grid.left_out:
        count = len(grid.left_out)
        parts.append(f"{count:,} impossible combination{'' if count == 1 else 's'} left out")
    if held:
        parts.append(f"{held:,} held-out question{'s stay' if held > 1 else ' stays'} out")
    if tried is not None:
        parts.append(f"{settings_words(tried)} tried on these questions so far")
    return " · ".join(parts)


def settings_words(count: int) -> str:
    """`1 setting`, `4,770 settings`."""
    return f"{count:,} setting{'' if count == 1 else 's'}"


def sweep_sentences(sweep: Sweep) -> tuple[str, ...]:
    """The recommendation, who cannot be told from the best, the advantage beside luck, what is missing."""
    best, recommended = sweep.best, sweep.recommended
    if best is None:
        return (f"{metric_label(sweep)} was scored on no question, so no setting can be called better.",)
    if recommended is None:
        return tuple(filter(None, (undecided_sentence(sweep, best), tried_sentence(sweep), stopped_sentence(sweep))))
    found = [_recommendation(sweep, best, recommended), _equals(sweep, best), luck_sentence(sweep, best)]
    found.append(stopped_sentence(sweep))
    return tuple(filter(None, found))


def stopped_sentence(sweep: Sweep) -> str:
    """What a sweep that was stopped lacks; "" for a complete one."""
    if sweep.complete:
        return ""
    asked, of, waiting = sweep.start.asked, sweep.head.questions.count, sweep.waiting
    missing = f"{waiting:,} setting{'s were' if waiting > 1 else ' was'} not measured" if waiting else ""
    part = f"{asked:,} of {of:,} questions"
    if asked < of:
        missing = f"{missing}, and the others on {part}" if missing else f"{part} were asked"
    return f"Stopped early: {missing}. What is missing may change the best."


def _recommendation(sweep: Sweep, best: Point, recommended: Point) -> str:
    label = inside_sentence(metric_label(sweep))
    mean = f"{label} {plain(recommended.mean(sweep.metric), 3)}"
    if recommended is sweep.start:
        more = "nothing tried is shown to be better" if best is not sweep.start else "it is the best of those tried"
        return f"Stay with {point_words(sweep, recommended)} ({mean}): {more}."
    at = sweep.points.index(recommended)
    delta = sweep.against_start()[at]
    could = f"could be {fine_interval_words(delta)}" if delta.ci95 else "no interval"
    return (
        f"Recommended: {point_words(sweep, recommended)} ({mean}, {signed(delta.mean, 3)} against the start, {could})."
    )


def _equals(sweep: Sweep, best: Point) -> str:
    others = [each for each in sweep.not_told_apart if each is not best]
    name = f"The best mean has {point_words(sweep, best)}"
    if not others:
        return f"{name}; every other setting is shown to be worse than it."
    shown = "; ".join(point_words(sweep, each) for each in others[:_LISTED])
    rest = f" and {len(others) - _LISTED:,} more" if len(others) > _LISTED else ""
    count = f"{len(others):,} of {len(sweep.points) - 1:,} others"
    return f"{name}; {count} cannot be told from it: {shown}{rest}. {SIMPLEST}"


def tried_sentence(sweep: Sweep) -> str:
    """How many settings were ever tried on the questions; "" for one alone."""
    return f"{sweep.tried:,} settings were tried on these questions." if sweep.tried > 1 else ""


def luck_sentence(sweep: Sweep, best: Point) -> str:
    """The best one's advantage beside what luck alone would give to the best of as many equal settings."""
    advantage, luck = sweep.advantage(best), sweep.luck
    if luck is None or advantage is None:
        return ""
    more = "more than" if advantage > luck else "not more than"
    return (
        f"{tried_sentence(sweep)} The best of {sweep.tried:,} equal ones would be ahead of the start by "
        f"{plain(luck, 3)} on average by luck alone; this best one is ahead by {plain(advantage, 3)}, {more} that."
    )


def family_sentence(sweep: Sweep) -> str:
    """What the intervals hold for; "" for one setting alone."""
    if len(sweep.points) == 1:
        return ""
    return (
        f"Δ and interval are against the start; they hold together for all {len(sweep.points):,} settings in "
        f"{inside_sentence(metric_label(sweep))}. Who cannot be told from the best is tested over all pairs."
    )


def chart_title(sweep: Sweep) -> str:
    """What the chart shows, and on how many questions."""
    names = " and ".join(axis.name for axis in sweep.grid.axes)
    counts = {point.scored(sweep.metric) for point in sweep.points}
    scored = (
        f"{counts.pop():,} of {sweep.start.asked:,} questions scored" if len(counts) == 1 else "n differs, see below"
    )
    return f"What {names} {'do' if len(sweep.grid.axes) > 1 else 'does'} · {scored}"


def chart_legend(sweep: Sweep) -> str:
    """How the chart of a sweep is read."""
    if len(sweep.grid.axes) == 2:
        return (
            f"A cell: {inside_sentence(metric_label(sweep))}, below it Δ to the start; green is better, violet worse. "
            f"Bold: the best, and what cannot be told from it. Frame: recommended; dashed: the start. "
            f"× cannot be, … not measured.{_outside(sweep)}"
        )
    return (
        "● the best, and what cannot be told from it · ○ worse than the best · ◆ the start · ring: recommended. "
        "On top the means; a bar is what Δ could be, "
        f"none where fewer than {MIN_DIFFERING} questions differ."
    )


def frontier_legend(sweep: Sweep) -> str:
    """How the chart of the frontier is read."""
    names = " / ".join(axis.name for axis in sweep.grid.axes)
    return (
        f"Dashed: the settings that no other one beats in both. One below the line costs as much as one on it or more, "
        f"and is not better. Labels: {names}."
    )


def _outside(sweep: Sweep) -> str:
    inside = all(getattr(sweep.start.variant, axis.name) in axis.values for axis in sweep.grid.axes)
    mean = plain(sweep.start.mean(sweep.metric), 3)
    return "" if inside else f" The start, {point_words(sweep, sweep.start)} ({mean}), lies outside."


def frontier_line(sweep: Sweep, effort: str) -> str:
    """The settings that no other one beats in both quality and an effort, least effort first; "" if either is equal."""
    points = sweep.frontier(effort) if effort in sweep.effort else ()
    takes = {point.amount(effort) for point in sweep.points} if points else set()
    if len(takes) < 2 or len({point.mean(sweep.metric) for point in sweep.points}) < 2:
        return ""
    steps = [
        f"{point_words(sweep, each)} ({plain(each.mean(sweep.metric), 3)} at {amount_words(each, effort)}"
        f"{unit_of(effort)})"
        for each in points
    ]
    return f"Not beaten in both {inside_sentence(all_metrics()[effort].label)} and quality: {' → '.join(steps)}"


def frontier_lines(sweep: Sweep) -> tuple[str, ...]:
    """One line per effort: the settings that no other one beats in both, least effort first."""
    return tuple(filter(None, (frontier_line(sweep, effort) for effort in FRONTIER_EFFORTS)))


def final_check_sentence(sweep: Sweep, check: Comparison) -> str:
    """What the hold-out says of the recommended setting against the start."""
    compared = check.metrics[sweep.metric]
    label = inside_sentence(metric_label(sweep))
    asked = f"{compared.delta.n:,} held-out question{'' if compared.delta.n == 1 else 's'}"
    return (
        f"Final check on {asked}: {print_variant(check.b.variant)} against "
        f"{print_variant(check.a.variant)}, {label} {signed(compared.delta.mean, 3)} "
        f"({plain(compared.a.mean, 3)} → {plain(compared.b.mean, 3)}), {verdict_words(compared.delta)}."
    )


def origin_line(sweep: Sweep) -> str:
    """Documents, questions, seed and version that a sweep came from."""
    run = sweep.head
    return (
        f"{run.knowledge.name}: {run.knowledge.count:,} documents ({run.knowledge.fingerprint}) · "
        f"{run.questions.name}: {run.questions.count:,} questions ({run.questions.fingerprint}) · seed {run.seed} · "
        f"made {run.created} with RAG Variants {run.versions['rag-variants']}"
    )
