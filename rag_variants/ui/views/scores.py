"""The scores of one question on both sides, and how each was made."""

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.report.score_words import band_words, detail_lists, entry_words
from rag_variants.report.table import format_amount
from rag_variants.report.words import plain, signed
from rag_variants.types import Score
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed

_NARROW = {name: st.column_config.TextColumn(name, width=60) for name in ("A", "B", "Δ")}
_WIDE = {name: st.column_config.TextColumn(name, width=330) for name in ("why A", "why B")}


def draw_scores(comparison: Comparison, left: ScoredRecord, right: ScoredRecord) -> None:
    """Every metric on both sides with the reason behind it, then the verdicts."""
    judge = comparison.judge
    names = [name for name in comparison.a.metrics if name in all_metrics()]
    with st.expander("Scores of this question, and how they were made"):
        st.dataframe(
            pd.DataFrame([_score_row(name, judge, left, right) for name in names]),
            hide_index=True,
            height=38 + 35 * len(names),
            column_config={**_NARROW, **_WIDE},
        )
        made = [name for name in names if any(detail_lists(row.scores[name]) for row in (left, right))]
        for name in made:
            st.markdown(f"**{as_typed(full_label_of(all_metrics()[name], judge))}**")
            for column, side, row in zip(st.columns(2, gap="medium"), "ab", (left, right), strict=True):
                with column:
                    _draw_detail(side, name, row.scores[name])


def _score_row(name: str, judge: str, left: ScoredRecord, right: ScoredRecord) -> dict[str, str]:
    metric = all_metrics()[name]
    a, b = left.scores[name], right.scores[name]
    shown = format_amount if metric.set == "effort" else plain
    delta = None if a.value is None or b.value is None or metric.set == "effort" else b.value - a.value
    return {
        "metric": full_label_of(metric, judge),
        "A": shown(a.value),
        "B": shown(b.value),
        "Δ": signed(delta),
        "why A": _why(a),
        "why B": _why(b),
    }


def _why(score: Score) -> str:
    words = score.error or score.reason or ""
    return f"not scored: {words}" if score.value is None else words


def _draw_detail(side: str, name: str, score: Score) -> None:
    st.markdown(f"{BADGES[side]} {plain(score.value)}")
    if score.value is None:
        st.text(_why(score))
    band = band_words(score)
    if band:
        st.caption(band)
    with st.container(key=f"quiet detail {side} {name}"):
        for rows in detail_lists(score):
            st.text("\n".join(entry_words(row) for row in rows))
