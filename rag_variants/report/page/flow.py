"""The flow of chunks as a drawing in the file: the rows, words and lines of the page's chart, and its sentences."""

from xml.etree.ElementTree import Element

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.chunk_flow import trace_chunks
from rag_variants.evaluation.runs import Row
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
        draw_rows(flow_rows(flow), titles),
        *(node("p", sentence) for sentence in sentences),
    )


def draw_rows(rows: FlowRows, titles: tuple[str, str]) -> Element:
    """The drawing: lines beneath, then each side's marks and texts, moved as a group, which keeps the file small."""
    height = round(_TOP + rows.rows * _ROW)
    sides = [each for side, title in zip("ab", titles, strict=True) for each in _side(rows, side, title)]
    lines = node("g", *(_line(line) for line in rows.lines), class_="same", **_moved(_AT["a"]))
    cuts = [each for cut in rows.cuts for each in _cut(cut)]
    words = "Both rankings, with lines where they hold the same text."
    return node(
        "svg", lines, *cuts, *sides, viewBox=f"0 0 {_WIDTH} {height}", class_="flow", role="img", aria_label=words
    )


def _moved(x: int) -> dict[str, object]:
    return {"transform": f"translate({x})"}


def _y(row: float) -> int:
    return round(_TOP + (row + 0.4) * _ROW)


def _line(line: FlowLine) -> Element:
    look: dict[str, object] = {"class_": "gold"} if line.gold else {}
    width = f"{1 + (_WIDEST - 1) * line.share:.2g}"
    return node("line", x2=_AT["b"] - _AT["a"], y1=_y(line.start), y2=_y(line.end), stroke_width=width, **look)


def _cut(cut: FlowCut) -> tuple[Element, Element]:
    """A dashed line under what was handed to the answer, with the setting that drew it."""
    begin, end = (0, _AT["a"]) if cut.side == "a" else (_WIDTH, _AT["b"])
    y = _y(cut.row)
    return (
        node("line", class_="cut", x1=begin, y1=y, x2=end, y2=y),
        node("text", cut.words, class_=f"cut-{cut.side}", x=begin, y=y - 4),
    )


def _side(rows: FlowRows, side: str, title: str) -> tuple[Element, Element]:
    points = [point for point in rows.points if point.side == side]
    texts = [node("text", title, class_="over", y=16), *(text for point in points for text in _texts(point))]
    beside = _AT[side] - _LABEL_GAP if side == "a" else _AT[side] + _LABEL_GAP
    return (
        node("g", *map(_mark, points), class_=f"dots {side}", **_moved(_AT[side])),
        node("g", *texts, class_=f"names {side}", **_moved(beside)),
    )


def _texts(point: FlowPoint) -> list[Element]:
    name = node("text", point.name, class_="gold" if point.state == "gold" else "name", y=_y(point.row))
    return [name, node("text", point.note, y=_y(point.row) + 14)] if point.note else [name]


def _mark(point: FlowPoint) -> Element:
    """A circle in the side's colour, a diamond for evidence (hollow for a part of it), a triangle for a trap."""
    y = _y(point.row)
    if point.state in ("gold", "part"):
        return node("path", d=f"M0 {y - 8}l8 8-8 8-8-8z", class_=point.state)
    if point.state == "trap":
        return node("path", d=f"M-7 {y - 6}h14l-7 12z")
    return node("circle", cy=y, r=5)
