"""The frontier of quality against what it takes, as drawings in the file."""

from xml.etree.ElementTree import Element

from rag_variants.evaluation.tuning.sweep import FRONTIER_EFFORTS, Sweep
from rag_variants.metrics import all_metrics
from rag_variants.report.page.elements import node
from rag_variants.report.sweep_points import frontier_labels, short_words, taken_words
from rag_variants.report.sweep_rows import metric_label, unit_of
from rag_variants.report.sweep_words import frontier_line
from rag_variants.report.words import plain

# Units of the drawing; it is scaled to the width that there is.
_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 130, 30, 24, 44


def frontier_parts(sweep: Sweep) -> list[Element]:
    """For each effort that the settings differ in: the drawing, and the settings on the frontier in words."""
    found = [(effort, line) for effort in FRONTIER_EFFORTS if (line := frontier_line(sweep, effort))]
    parts = [part for effort, line in found for part in (_draw(sweep, effort), node("p", f"{line}.", class_="quiet"))]
    return [node("h2", "What it costs"), *parts] if parts else []


def _draw(sweep: Sweep, effort: str) -> Element:
    """Better is up and less effort left; a dashed line joins the settings that no other one beats in both."""
    known = [
        (taken, mean, point)
        for point in sweep.points
        if (taken := point.amount(effort)) is not None and (mean := point.mean(sweep.metric)) is not None
    ]
    xs, ys = _Axis([taken for taken, _, _ in known]), _Axis([mean for _, mean, _ in known])
    up = all_metrics()[sweep.metric].higher_is_better
    on = {id(point) for point in sweep.frontier(effort)}
    labels = frontier_labels(sweep, effort)

    def place(taken: float, mean: float) -> tuple[int, int]:
        share = ys.share(mean) if up else 1 - ys.share(mean)
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        return round(_LEFT + xs.share(taken) * (right - _LEFT)), round(bottom - share * (bottom - _TOP))

    marks: list[Element] = []
    steps: list[tuple[int, int]] = []
    for taken, mean, point in sorted(known, key=lambda each: each[0]):
        x, y = place(taken, mean)
        words = f"{short_words(sweep, point)}: {plain(mean, 3)} at {taken_words(point, effort)}"
        kind = "on" if id(point) in on else "off"
        marks.append(node("circle", node("title", words), cx=x, cy=y, r=6 if kind == "on" else 5, class_=kind))
        if kind == "on":
            steps.append((x, y))
            marks.append(node("text", labels.get(id(point), ""), x=x - 10, y=y - 8, text_anchor="end"))
    title = f"{all_metrics()[effort].label}{unit_of(effort) and f' ({unit_of(effort).strip()})'} →"
    return node("svg", *_frame(sweep, title, xs, ys, up), _line(steps), *marks, viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
                class_="frontier", role="img", aria_label=frontier_line(sweep, effort))  # fmt: skip


class _Axis:
    """Values from the least to the largest as shares 0…1."""

    def __init__(self, values: list[float]) -> None:
        self.least, self.most = min(values), max(values)

    def share(self, value: float) -> float:
        """Where a value is; in the middle if all are equal."""
        return 0.5 if self.most == self.least else (value - self.least) / (self.most - self.least)


def _line(steps: list[tuple[int, int]]) -> Element:
    path = "".join(f"M{x} {y}" if at == 0 else f"H{x}V{y}" for at, (x, y) in enumerate(steps))
    return node("path", d=path or "M0 0", class_="edge")


def _frame(sweep: Sweep, title: str, xs: _Axis, ys: _Axis, up: bool) -> list[Element]:
    bottom = _HEIGHT - _BOTTOM
    ends = (ys.least, ys.most) if up else (ys.most, ys.least)
    sides = [
        node("text", plain(value, 3), x=0, y=y + 4) for value, y in dict(zip(ends, (bottom, _TOP), strict=True)).items()
    ]
    below = [
        node("text", f"{value:,.4g}" if value < 100 else f"{value:,.0f}", x=x, y=bottom + 20, text_anchor="middle")
        for value, x in {xs.least: _LEFT, xs.most: _WIDTH - _RIGHT}.items()
    ]
    return [
        node("line", class_="grid", x1=60, y1=bottom + 6, x2=_WIDTH, y2=bottom + 6),
        *sides,
        *below,
        node("text", f"↑ {metric_label(sweep)}", x=0, y=10),
        node("text", title, x=_WIDTH - _RIGHT, y=_HEIGHT - 6, text_anchor="end"),
    ]
