"""The spread of a metric's deltas: every pair of values, a histogram, and both in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from rag_variants.evaluation.statistics.spread import DeltaSpread
from rag_variants.report.charts import LIGHT, Colours, framed
from rag_variants.report.words import signed

PAIR_HEIGHT, HISTOGRAM_HEIGHT = 20, 220
MOST_PAIRS = 30
BINS = 20  # of 0.1 where deltas reach from −1 to 1
_TICK = "replace(format(datum.value, '.2f'), '-', '−')"
_SIGNED = "datum.value == 0 ? '0' : replace(format(datum.value, '+.2f'), '-', '−')"


@dataclass(frozen=True, slots=True)
class Pair:
    """One question's values of a metric on A and on B."""

    id: str
    question: str
    a: float
    b: float

    @property
    def delta(self) -> float:
        """B − A."""
        return self.b - self.a


def pairs_chart(pairs: Sequence[Pair], opened: str | None, colours: Colours = LIGHT) -> alt.LayerChart:
    """A line a question, from A's point to B's, in the order given; the open question's name is bold."""
    values = [
        {"id": pair.id, "question": pair.question, "a": pair.a, "b": pair.b, "delta": signed(pair.delta),
         "side": "b" if pair.delta > 0 else "a", "open": pair.id == opened}
        for pair in pairs
    ]  # fmt: skip
    side = alt.Axis(
        labelColor=colours.text, labelFontSize=12, labelLimit=150, domain=False, ticks=False, labelPadding=8,
        grid=True, gridColor=colours.line,
    )  # fmt: skip
    below: Any = alt.Axis(
        labelExpr=_TICK, title=None, labelColor=colours.quiet, labelFontSize=12, domain=False, ticks=False,
        gridColor=colours.line, orient="top", tickCount=5,
    )  # fmt: skip
    low = min([0.0, *(min(pair.a, pair.b) for pair in pairs)])
    high = max([1.0, *(max(pair.a, pair.b) for pair in pairs)])
    scale = alt.Scale(domain=[low, high], nice=False, padding=8)
    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=alt.Y("id:N", sort=[pair.id for pair in pairs], title=None, axis=side),
        tooltip=[alt.Tooltip("id:N"), alt.Tooltip("question:N"), alt.Tooltip("a:Q", format=".2f", title="A"),
                 alt.Tooltip("b:Q", format=".2f", title="B"), alt.Tooltip("delta:N", title="B − A")],
    )  # fmt: skip
    width = alt.condition("datum.open", alt.value(5), alt.value(2))
    layers = [
        base.mark_rule(color=colours.grey).encode(x=alt.X("a:Q", axis=below, scale=scale), x2="b:Q", strokeWidth=width),
        base.mark_point(filled=True, size=90, opacity=1, color=colours.a).encode(x="a:Q"),
        base.mark_point(filled=True, size=90, opacity=1, color=colours.b, shape="diamond").encode(x="b:Q"),
    ]
    return framed(layers, len(pairs) * PAIR_HEIGHT)


def histogram(deltas: Sequence[float], spread: DeltaSpread, colours: Colours = LIGHT) -> alt.LayerChart:
    """How many questions have which delta; p10, p50 and p90 as lines, no difference as a strong one."""
    reach = max(1.0, *(abs(each) for each in deltas))
    step = 2 * reach / BINS
    bars = _bars(deltas, reach, step)
    axis: Any = alt.Axis(
        labelExpr=_SIGNED, title="B − A", titleColor=colours.quiet, labelColor=colours.quiet, labelFontSize=12,
        grid=False, domainColor=colours.line, tickColor=colours.line, tickCount=9,
    )  # fmt: skip
    up = alt.Axis(title="questions", titleColor=colours.quiet, labelColor=colours.quiet, gridColor=colours.line,
                  domain=False, ticks=False, tickMinStep=1, tickCount=4)  # fmt: skip
    x = alt.X("low:Q", axis=axis, scale=alt.Scale(domain=[-reach - step / 2, reach + step / 2], nice=False))
    marks = [{"at": getattr(spread, name), "name": name} for name in ("p10", "p50", "p90")]
    rules = alt.Chart(alt.InlineData(values=_merged(marks))).encode(x="at:Q")
    layers = [
        alt.Chart(alt.InlineData(values=bars))
        .mark_bar(color=colours.grey, opacity=0.75)
        .encode(
            x=x,
            x2="high:Q",
            y=alt.Y("n:Q", axis=up),
            y2=alt.Y2Datum(0),
            tooltip=[alt.Tooltip("words:N", title="B − A"), "n:Q"],
        ),
        rules.mark_rule(color=colours.text, strokeDash=[4, 3]),
        rules.mark_text(color=colours.text, dy=-8, fontSize=12).encode(y=alt.value(0), text="name:N"),
    ]
    return framed(layers, HISTOGRAM_HEIGHT)


def _bars(deltas: Sequence[float], reach: float, step: float) -> list[dict[str, Any]]:
    """Bars centred on multiples of the step, so that no difference has a bar of its own."""
    counts: dict[int, int] = {}
    for delta in deltas:
        at = round(delta / step)
        counts[at] = counts.get(at, 0) + 1
    gap = step * 0.06
    return [
        {"low": (at - 0.5) * step + gap, "high": (at + 0.5) * step - gap, "n": n,
         "words": f"{signed((at - 0.5) * step)} to {signed((at + 0.5) * step)}"}
        for at, n in sorted(counts.items())
    ]  # fmt: skip


def _merged(marks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Marks at the same place as one, their names joined."""
    places: dict[float, list[str]] = {}
    for mark in marks:
        places.setdefault(round(mark["at"], 3), []).append(mark["name"])
    return [{"at": at, "name": " = ".join(names)} for at, names in places.items()]


def spread_sentences(spread: DeltaSpread, higher_is_better: bool = True) -> tuple[str, ...]:
    """Where the deltas lie, and what became of the worst tenth."""
    lost = spread.worst if higher_is_better else -spread.worst
    count = f"{spread.worst_n} question{'' if spread.worst_n == 1 else 's'}"
    if lost < 0:
        worst = f"The worst tenth lost {abs(spread.worst):.2f} on average ({count})."
    else:
        worst = f"Even the worst tenth lost nothing ({signed(spread.worst)} on average, {count})."
    middle = (
        f"8 of 10 questions lie between {signed(spread.p10)} and {signed(spread.p90)} "
        f"(p10 and p90), half at or below {signed(spread.p50)} (p50); "
        f"the mean is {signed(spread.mean)} (n = {spread.n})."
    )
    return (middle, worst)
