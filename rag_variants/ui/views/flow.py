"""Chunk flow: both rankings with what links them, why the evidence was found or missed, and how scores add up."""

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.chunk_flow import trace_chunks
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline.select.parents import is_read
from rag_variants.pipeline.variant import Variant
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.flow_chart import flow_chart
from rag_variants.report.flow_rows import flow_rows, flow_table
from rag_variants.report.flow_words import flow_sentences, mark_words, parts_lines, sums_sentences
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed

_LEGEND = (
    "Filled diamond: gold, holds evidence. Hollow diamond: a part of it. Triangle: a trap. A line joins the same text, "
    "the wider the more of it. ▲▼ in B's list: moved against A. Under a dashed line: ranked, not handed to the answer."
)


def draw_flow(comparison: Comparison, left: ScoredRecord, right: ScoredRecord) -> None:
    """The chart, what it shows in sentences, and the same as a table."""
    a, b = comparison.a.variant, comparison.b.variant
    for why in dict.fromkeys(each.why_not("depth") for each in (a, b)):
        if why:
            st.caption(as_typed(why))
    flow = trace_chunks(left, right, a, b)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Chunk flow**: from A's ranking to B's")
            whole = st.toggle(
                "Whole rankings", key="whole rankings", help="Every rank that was kept, also below the cut."
            )
        if not (flow.a or flow.b):
            st.text("Neither side retrieved anything.")
            return
        sentences = flow_sentences(left, right, flow)
        dark = st.context.theme.type == "dark"
        titles = (f"A · {a.name}", f"B · {b.name}")
        chart = flow_chart(flow_rows(flow, whole=whole), titles, DARK if dark else LIGHT)
        st.altair_chart(chart, width="stretch", theme=None, alt=" ".join(sentences) or "Two rankings without evidence.")
        if sentences:
            st.text("\n".join(sentences))
        st.caption(_LEGEND)
        _draw_sums("a", left, a)
        _draw_sums("b", right, b)
        with st.expander("The same as a table"):
            table = [{name: as_typed(text) for name, text in row.items()} for row in flow_table(flow, whole=whole)]
            st.table(pd.DataFrame(table).set_index("chunk"))


def _draw_sums(side: str, row: ScoredRecord, variant: Variant) -> None:
    """How each score came about, for the chunks that the answer could read and the gold ones."""
    fused = [
        hit
        for hit in row.record.ranking
        if hit.parts and (row.marks[hit.chunk.id].gold or is_read(hit.chunk, row.record.hits))
    ]
    if not fused:
        return
    with st.expander(f"{BADGES[side]} How the scores came about"):
        for line in sums_sentences(variant):
            st.caption(as_typed(line))
        for hit in fused:
            mark = mark_words(row.marks[hit.chunk.id])
            place = f"rank {hit.rank} · {hit.chunk.document} {hit.chunk.start}–{hit.chunk.end}"
            lines = [f"{place}{f' · {mark}' if mark else ''}", *(f"    {line}" for line in parts_lines(hit, variant))]
            st.text("\n".join(lines))
