"""Both chunk lists, rank by rank; on B's side what entered, left or moved."""

import streamlit as st

from rag_variants.experiment.compare import Comparison
from rag_variants.experiment.runs import Row
from rag_variants.questions.gold import Mark
from rag_variants.types import Hit
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.moves import below_cut, gone_hits, move_words
from rag_variants.ui.text import as_typed

LONGEST = 900


def draw_chunks(comparison: Comparison, left: Row, right: Row) -> None:
    """What each side handed to the answer, side by side, and what stayed below the cut."""
    columns = st.columns(2, gap="medium")
    for column, side, run, row in zip(columns, "ab", (comparison.a, comparison.b), (left, right), strict=True):
        with column:
            _draw_side(side, run.variant.score_kind, row, left)
    st.caption(
        "★ gold: holds evidence · ◐ touches evidence · ⚠ misleads · ▲▼ moved against A's ranking. "
        "Scores of different retrievers cannot be compared."
    )


def _draw_side(side: str, score_kind: str, row: Row, left: Row) -> None:
    hits = row.record.hits
    plural = "" if len(hits) == 1 else "s"
    st.markdown(f"{BADGES[side]} **{len(hits)} chunk{plural} for the answer** · scores: {as_typed(score_kind)}")
    if not hits:
        show_note("Nothing was retrieved.", f"nothing {side}", "search_off")
    for hit in hits:
        _draw_hit(side, hit, row.marks[hit.chunk.id], move_words(hit, left.record) if side == "b" else "")
    _draw_below(side, row, left)


def _draw_hit(side: str, hit: Hit, mark: Mark, move: str) -> None:
    with st.container(border=True, key=f"chunk-{side}-{hit.rank}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{hit.rank}** {mark_words(mark)}", width="content")
            with st.container(key=f"quiet place {side} {hit.rank}", width="content"):
                st.text(hit.chunk.document)
            st.caption(f"{hit.score:.4g}", width="content")
            if move:
                st.markdown(f":gray-badge[{move}]", width="content")
        if hit.parts:
            st.caption(parts_words(hit))
        text = hit.chunk.text
        st.text(text if len(text) <= LONGEST else text[:LONGEST] + " …")
        if len(text) > LONGEST:
            with st.expander("The whole chunk"):
                st.text(text)


def mark_words(mark: Mark) -> str:
    """The marks of a chunk as badges: gold, part of the evidence, trap with its reason."""
    found = []
    if mark.gold:
        found.append(":yellow-badge[★ gold]")
    elif mark.part:
        found.append(":yellow-badge[◐ part of the evidence]")
    if mark.trap:
        found.append(f":gray-badge[⚠ trap: {as_typed(mark.trap)}]")
    return " ".join(found)


def parts_words(hit: Hit) -> str:
    """How a fused score adds up: `keyword rank 1 (0.0082) + vector rank 3 (0.0079) = 0.0161`."""
    parts = [f"{as_typed(name)} rank {part.rank} ({part.share:.4f})" for name, part in hit.parts]
    return f"{' + '.join(parts)} = {hit.score:.4f}"


def _draw_below(side: str, row: Row, left: Row) -> None:
    gold = frozenset(key for key, mark in row.marks.items() if mark.gold)
    lines = [f"★ rank {hit.rank}, below the cut: {hit.chunk.document}" for hit in below_cut(row.record, gold)]
    if side == "b":
        lines += [
            f"left: {gone.hit.chunk.document} (A: rank {gone.hit.rank}; "
            + (f"B: rank {gone.rank}, below the cut)" if gone.rank else "B did not find it)")
            for gone in gone_hits(left.record, row.record)
        ]
    if lines:
        with st.container(border=True, key=f"below-{side}"):
            st.text("\n".join(lines))
