"""The flow of chunks as a drawing in the file: the rows, words and lines of the page's chart, and its sentences."""

from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.chunk_flow import trace_chunks
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.report.flow_rows import FlowCut, FlowRows, flow_rows
from rag_variants.report.flow_words import flow_sentences

# Units of the drawing; it is scaled to the width that there is.
_WIDTH, _ROW, _TOP = 720, 36, 34
_AT = {"a": 280, "b": 440}
_LABEL_GAP = 13
_WIDEST = 7  # of a line, where both chunks are the same text


def flow_part(comparison: Comparison, left: ScoredRecord, right: ScoredRecord) -> dict[str, Any] | None:
    """The rankings side by side with what links them, and why evidence was found or missed; None without chunks."""
    flow = trace_chunks(left, right, comparison.a.variant, comparison.b.variant)
    if not (flow.a or flow.b):
        return None
    titles = (f"A · {comparison.a.variant.name}", f"B · {comparison.b.variant.name}")
    return {"drawing": draw_rows(flow_rows(flow), titles), "sentences": flow_sentences(left, right, flow)}


def draw_rows(rows: FlowRows, titles: tuple[str, str]) -> dict[str, Any]:
    """Where everything of the drawing lies."""
    return {
        "width": _WIDTH,
        "height": round(_TOP + rows.rows * _ROW),
        "left": _AT["a"],
        "right": _AT["b"],
        "lines": [
            {
                "start": _y(line.start),
                "end": _y(line.end),
                "width": f"{1 + (_WIDEST - 1) * line.share:.2g}",
                "gold": line.gold,
            }
            for line in rows.lines
        ],
        "cuts": [_cut(cut) for cut in rows.cuts],
        "sides": [_side(rows, side, title) for side, title in zip("ab", titles, strict=True)],
    }


def _y(row: float) -> int:
    return round(_TOP + (row + 0.4) * _ROW)


def _cut(cut: FlowCut) -> dict[str, Any]:
    """A dashed line under what was handed to the answer, with the setting that drew it."""
    begin, end = (0, _AT["a"]) if cut.side == "a" else (_WIDTH, _AT["b"])
    return {"side": cut.side, "begin": begin, "end": end, "y": _y(cut.row), "words": cut.words}


def _side(rows: FlowRows, side: str, title: str) -> dict[str, Any]:
    points = [
        {"y": _y(point.row), "name": point.name, "note": point.note, "state": point.state}
        for point in rows.points
        if point.side == side
    ]
    beside = _AT[side] - _LABEL_GAP if side == "a" else _AT[side] + _LABEL_GAP
    return {"side": side, "x": _AT[side], "beside": beside, "title": title, "points": points}
