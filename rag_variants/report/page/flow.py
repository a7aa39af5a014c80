"""The flow of chunks as a drawing in the file: the rows, words and lines of the page's chart, and its sentences."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from rag_variants.experiment.chunk_flow import trace_chunks
from rag_variants.experiment.compare import Comparison
from rag_variants.experiment.runs import Row
from rag_variants.report.flow_rows import FlowCut, FlowLine, FlowPoint, FlowRows, flow_rows
from rag_variants.report.flow_words import flow_sentences
from rag_variants.report.page.elements import node

# Units of the drawing; it is scaled to the width that there is.
_WIDTH, _ROW, _TOP = 720, 36, 34
_AT = {"a": 280, "b": 440}
_LABEL_GAP = 13
_WIDEST = 7  # of a line, where both chunks are the same text


def flow_part(comparison: Comparison, left: Row, right: Row) -> Element | None:
    """The rankings side by side with what links them, and why evidence was found or missed; None without chunks."""
    flow = trace_chunks(left, right, comparison.a.variant, comparison.b.variant)
    if not (flow.a or flow.b):
        return None
    sentences = flow_sentences(left, right, flow)
    titles = (f"A · {comparison.a.variant.name}", f"B · {comparison.b.variant.name}")
    return node(
        "div",
        node("p", "Chunk flow: from A's ranking to B's", class_="quiet"),
        _drawing(flow_rows(flow), titles, sentences),
        *(node("p", sentence) for sentence in sentences),
    )


def _drawing(rows: FlowRows, titles: tuple[str, str], sentences: Sequence[str]) -> Element:
    height = round(_TOP + rows.rows * _ROW)
    parts = [
        *(_line(line) for line in rows.lines),
        *(each for cut in rows.cuts for each in _cut(cut)),
        *(_title(side, words) for side, words in zip("ab", titles, strict=True)),
        *(each for point in rows.points for each in _point(point)),
    ]
    words = " ".join(sentences) or "Two rankings without evidence."
    return node("svg", *parts, viewBox=f"0 0 {_WIDTH} {height}", class_="flow", role="img", aria_label=words)


def _y(row: float) -> float:
    return round(_TOP + (row + 0.4) * _ROW, 1)


def _line(line: FlowLine) -> Element:
    ends = {"x1": _AT["a"], "y1": _y(line.start), "x2": _AT["b"], "y2": _y(line.end)}
    kind = "same gold" if line.gold else "same"
    return node("line", class_=kind, stroke_width=round(1 + (_WIDEST - 1) * line.share, 1), **ends)


def _cut(cut: FlowCut) -> tuple[Element, Element]:
    """A dashed line under what was handed to the answer, with the setting that drew it."""
    begin, end = (0, _AT["a"]) if cut.side == "a" else (_WIDTH, _AT["b"])
    y = _y(cut.row)
    anchor = "start" if cut.side == "a" else "end"
    return (
        node("line", class_="cut", x1=begin, y1=y, x2=end, y2=y),
        node("text", cut.words, class_="small", x=begin, y=y - 4, text_anchor=anchor),
    )


def _title(side: str, words: str) -> Element:
    return node("text", words, class_=f"over {side}", y=16, **_beside(side))


def _point(point: FlowPoint) -> list[Element]:
    y, beside = _y(point.row), _beside(point.side)
    drawn = [_mark(point, _AT[point.side], y)]
    drawn.append(node("text", point.name, class_="name gold" if point.state == "gold" else "name", y=y, **beside))
    if point.note:
        drawn.append(node("text", point.note, class_="small", y=y + 14, **beside))
    return drawn


def _mark(point: FlowPoint, x: float, y: float) -> Element:
    """A circle in the side's colour, a diamond for evidence (hollow for a part of it), a triangle for a trap."""
    if point.state in ("gold", "part"):
        return node("path", d=f"M{x} {y - 8}l8 8-8 8-8-8z", class_=point.state)
    if point.state == "trap":
        return node("path", d=f"M{x - 7} {y - 6}h14l-7 12z", class_=f"dot {point.side}")
    return node("circle", cx=x, cy=y, r=5, class_=f"dot {point.side}")


def _beside(side: str) -> dict[str, object]:
    """Where a text beside a point begins or ends."""
    if side == "a":
        return {"x": _AT["a"] - _LABEL_GAP, "text_anchor": "end"}
    return {"x": _AT["b"] + _LABEL_GAP, "text_anchor": "start"}
