"""Both chunk lists, rank by rank; on B's side what entered, left or moved."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.chunk_flow import ChunkFlow, SideName, trace_chunks
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.questions.gold import Mark
from rag_variants.report.expansion_words import expansion_line
from rag_variants.report.flow_words import fate_words, out_words, parts_words
from rag_variants.types import Hit
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed

LONGEST = 900


def draw_chunks(comparison: Comparison, left: ScoredRecord, right: ScoredRecord) -> None:
    """What each side handed to the answer, side by side, and what stayed below the cut."""
    flow = trace_chunks(left, right, comparison.a.variant, comparison.b.variant)
    sides: tuple[SideName, ...] = ("a", "b")
    columns = st.columns(2, gap="medium")
    for column, side, run, row in zip(columns, sides, (comparison.a, comparison.b), (left, right), strict=True):
        with column:
            _draw_side(side, run.variant.scored_as, row, flow)
    st.caption(
        "★ gold: holds evidence · ◐ touches evidence · ⚠ misleads · ▲▼ moved against A's ranking. "
        "Scores of different retrievers cannot be compared."
    )


def _draw_side(side: SideName, score_kind: str, row: ScoredRecord, flow: ChunkFlow) -> None:
    hits = row.record.hits
    plural = "" if len(hits) == 1 else "s"
    st.markdown(f"{BADGES[side]} **{len(hits)} chunk{plural} for the answer** · scores: {as_typed(score_kind)}")
    if line := expansion_line(row.record.expansion):
        with st.container(key=f"quiet expansion {side}"):
            st.text(line)
    if not hits:
        show_note("Nothing was retrieved.", f"nothing {side}", "search_off")
    moves = {change.place.hit.chunk.id: fate_words(change) for change in flow.changes if change.fate != "left"}
    ranked = {hit.chunk.id: hit.rank for hit in row.record.ranking}
    for hit in hits:
        moved = moves.get(hit.chunk.id, "") if side == "b" else ""
        _draw_hit(side, hit, row.marks[hit.chunk.id], moved, ranked.get(hit.chunk.id, hit.rank))
    _draw_below(side, flow)


def _draw_hit(side: str, hit: Hit, mark: Mark, move: str, ranked: int) -> None:
    with st.container(border=True, key=f"chunk-{side}-{hit.rank}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{hit.rank}** {mark_badges(mark)}", width="content")
            with st.container(key=f"quiet place {side} {hit.rank}", width="content"):
                st.text(hit.chunk.document)
            place = "" if ranked == hit.rank else f" · rank {ranked} in the ranking"
            st.caption(f"{hit.score:.4g}{place}", width="content")
            if move:
                st.markdown(f":gray-badge[{move}]", width="content")
        if hit.parts:
            st.caption(as_typed(parts_words(hit)))
        text = hit.chunk.text
        st.text(text if len(text) <= LONGEST else text[:LONGEST] + " …")
        if len(text) > LONGEST:
            with st.expander("The whole chunk"):
                st.text(text)


def mark_badges(mark: Mark) -> str:
    """The marks of a chunk as badges: gold, part of the evidence, trap with its reason."""
    found = []
    if mark.gold:
        found.append(":yellow-badge[★ gold]")
    elif mark.part:
        found.append(":yellow-badge[◐ part of the evidence]")
    if mark.trap:
        found.append(f":gray-badge[⚠ trap: {as_typed(mark.trap)}]")
    return " ".join(found)


def _draw_below(side: SideName, flow: ChunkFlow) -> None:
    lines = [
        f"★ rank {place.hit.rank}, {out_words(place)}: {place.hit.chunk.document}"
        for place in flow.places(side)
        if place.mark.gold and not place.handed
    ]
    if side == "b":
        lines += [
            f"left: {change.place.hit.chunk.document} (A: rank {change.before}; "
            + (f"B: rank {change.after}, {out_words(change.other)})" if change.other else "B did not find it)")
            for change in flow.changes
            if change.fate == "left"
        ]
    if lines:
        with st.container(border=True, key=f"below-{side}"):
            st.text("\n".join(lines))
