"""What a reader of a metric's row should know besides its verdict, one sentence each."""

from collections.abc import Sequence

from rag_variants.evaluation.comparison import MetricComparison
from rag_variants.evaluation.judging.band import Band
from rag_variants.evaluation.judging.judge_error import JudgeError
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.report.words import plain, signed, verdict_words

MOST_NAMED = 5


def verdict_in_noise(compared: MetricComparison) -> str:
    """The verdict in words; a delta that the judge alone could have made says so instead."""
    if compared.inside_noise:
        return f"inside the judge's own noise ±{plain(compared.noise_floor)}"
    return verdict_words(compared.delta)


def remarks_on(compared: MetricComparison) -> tuple[str, ...]:
    """Sentences about a row: which questions carry it, the band, the judge's noise and its error; none without need."""
    found = [
        _carried(compared.delta),
        _noise(compared),
        _band(compared.band) if compared.band else None,
        _judge_error(compared.judge_error) if compared.judge_error else None,
    ]
    return tuple(each for each in found if each)


def _carried(delta: Delta) -> str | None:
    """The questions without one of which the verdict would be another."""
    names = delta.carried_by
    if not names:
        return None
    if len(names) == 1:
        return f"Fragile: question {names[0]} carries it. Without it the difference would not be shown."
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    return f"Fragile: without any single one of these questions the difference would not be shown: {shown}."


def _noise(compared: MetricComparison) -> str | None:
    floor = compared.noise_floor
    if floor is None:
        return None
    if floor == 0:
        return "Judged again, the same records got the same scores: the judge adds no noise."
    rest = " This delta is inside that." if compared.inside_noise else ""
    return f"Judged again, the same records gave differences up to ±{plain(floor)} in 95 of 100 cases.{rest}"


def _band(band: Band) -> str:
    a, b, delta = (each.lenient for each in (band.a, band.b, band.delta))
    return (
        f"The judge is unsure in {band.unsure} of {band.verdicts} verdicts; they count as no. Counted as yes: "
        f"A {plain(a)}, B {plain(b)}, difference {signed(delta)} in place of {signed(band.delta.strict)}."
    )


def _judge_error(error: JudgeError) -> str:
    return (
        f"Of 100 verdicts of this judge about {error.rate * 100:.0f} would flip in the eyes of those who labelled the "
        f"sample; if they flip alike here, this delta could be {signed(error.low)} to {signed(error.high)}."
    )


def remark_lines(rows: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """`label: sentence` for every remark of some rows (label, remarks)."""
    return [f"{label}: {each}" for label, remarks in rows for each in remarks]
