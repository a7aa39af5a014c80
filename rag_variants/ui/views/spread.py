"""Spread: one metric question by question, as points of A and B and as a histogram of deltas."""

from collections.abc import Sequence

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.spread import spread_deltas
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.spread_chart import MOST_PAIRS, Pair, histogram, pairs_chart, spread_sentences
from rag_variants.types import Question
from rag_variants.ui.rows import QuestionRow, question_rows
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection
from rag_variants.ui.views.where import draw_metric_choice


def draw_spread(comparison: Comparison, selection: Selection, metric: str, opened: Question | None) -> None:
    """Both charts over every question of the run, whatever the table shows, with their numbers in words."""
    chosen = all_metrics()[metric]
    rows = [row for row in question_rows(comparison, metric) if row.delta is not None]
    spread = spread_deltas([row.delta for row in rows if row.delta is not None], chosen.higher_is_better)
    left, right = st.columns([3, 2], gap="medium")
    with right:
        draw_metric_choice(comparison, metric, "spread metric")
        if spread is None:
            st.caption(f"{as_typed(label_of(chosen, comparison.judge))} was scored on no question of both sides.")
            return
        for sentence in spread_sentences(spread, chosen.higher_is_better):
            st.markdown(as_typed(sentence))
        deltas = [row.delta for row in rows if row.delta is not None]
        st.altair_chart(
            histogram(deltas, spread, DARK if _dark() else LIGHT), width="stretch", theme=None,
            alt=" ".join(spread_sentences(spread, chosen.higher_is_better)),
        )  # fmt: skip
    with left:
        _draw_pairs(rows, opened)


def _draw_pairs(rows: Sequence[QuestionRow], opened: Question | None) -> None:
    moved = [row for row in rows if row.state != "ties"]
    if not moved:
        st.caption(f"All {len(rows)} questions have the same value on A and B.")
        return
    shown = _outermost(moved)
    pairs = [Pair(row.question.id, row.question.user_input, row.a or 0.0, row.b or 0.0) for row in shown]
    st.altair_chart(
        pairs_chart(pairs, opened.id if opened else None, DARK if _dark() else LIGHT), width="stretch", theme=None,
        alt="; ".join(f"{pair.id} {pair.a:.2f} to {pair.b:.2f}" for pair in pairs),
    )  # fmt: skip
    hidden = f" The {len(moved) - len(shown)} with the smallest differences are left out." * (len(shown) < len(moved))
    st.caption(
        f":blue[●] A, :orange[◆] B, worst for B on top: {len(moved)} of {len(rows)} questions differ, "
        f"the other {len(rows) - len(moved)} are equal.{hidden} The table of questions opens one."
    )


def _outermost(rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """The rows with the largest differences, in their order; of equal ones the first."""
    largest = sorted(rows, key=lambda row: -abs(row.delta or 0.0))[:MOST_PAIRS]
    return [row for row in rows if row in largest]


def _dark() -> bool:
    return st.context.theme.type == "dark"
