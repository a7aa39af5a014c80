"""The frontier of quality against what it takes, as drawings in the file."""

from typing import Any

from rag_variants.evaluation.tuning.sweep import FRONTIER_EFFORTS, Sweep
from rag_variants.metrics import all_metrics
from rag_variants.report.sweep_points import frontier_labels, short_words, taken_words
from rag_variants.report.sweep_rows import metric_label, unit_of
from rag_variants.report.sweep_words import frontier_line
from rag_variants.report.words import plain

# Units of the drawing; it is scaled to the width that there is.
_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 130, 30, 24, 44


def frontier_drawings(sweep: Sweep) -> list[dict[str, Any]]:
    """For each effort that the settings differ in: where everything lies, and the settings on the frontier in words."""
    return [_draw(sweep, effort, line) for effort in FRONTIER_EFFORTS if (line := frontier_line(sweep, effort))]


def _draw(sweep: Sweep, effort: str, words: str) -> dict[str, Any]:
    known = [
        (taken, mean, point)
        for point in sweep.points
        if (taken := point.amount(effort)) is not None and (mean := point.mean(sweep.metric)) is not None
    ]
    xs, ys = _Span([taken for taken, _, _ in known]), _Span([mean for _, mean, _ in known])
    up = all_metrics()[sweep.metric].higher_is_better
    on = {id(point) for point in sweep.frontier(effort)}
    labels = frontier_labels(sweep, effort)
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    marks = [
        {
            "x": round(_LEFT + xs.share(taken) * (right - _LEFT)),
            "y": round(bottom - (ys.share(mean) if up else 1 - ys.share(mean)) * (bottom - _TOP)),
            "on": id(point) in on,
            "words": f"{short_words(sweep, point)}: {plain(mean, 3)} at {taken_words(point, effort)}",
            "label": labels.get(id(point), ""),
        }
        for taken, mean, point in sorted(known, key=lambda each: each[0])
    ]
    ends = (ys.least, ys.most) if up else (ys.most, ys.least)
    edge = [(mark["x"], mark["y"]) for mark in marks if mark["on"]]
    return {
        "words": words,
        "width": _WIDTH,
        "height": _HEIGHT,
        "bottom": bottom,
        "right": right,
        "up": metric_label(sweep),
        "across": f"{all_metrics()[effort].label}{unit_of(effort) and f' ({unit_of(effort).strip()})'} →",
        "beside": [(y + 4, plain(value, 3)) for value, y in dict(zip(ends, (bottom, _TOP), strict=True)).items()],
        "below": [(x, _amount(value)) for value, x in {xs.least: _LEFT, xs.most: right}.items()],
        "edge": "".join(f"M{x} {y}" if at == 0 else f"H{x}V{y}" for at, (x, y) in enumerate(edge)) or "M0 0",
        "marks": marks,
    }


def _amount(value: float) -> str:
    return f"{value:,.4g}" if value < 100 else f"{value:,.0f}"


class _Span:
    """Values from the least to the largest as shares 0…1."""

    def __init__(self, values: list[float]) -> None:
        self.least, self.most = min(values), max(values)

    def share(self, value: float) -> float:
        """Where a value is; in the middle if all are equal."""
        return 0.5 if self.most == self.least else (value - self.least) / (self.most - self.least)
