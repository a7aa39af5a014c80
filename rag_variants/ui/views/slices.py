"""By tag: a heat map of deltas, the same as a table, and what the chosen cell says."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.slice_chart import MOST_ROWS, PICKED, slice_chart
from rag_variants.report.slice_rows import FEW, SliceCell, find_cell, slice_cells, slice_sentence, slice_tags
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select

_CHART, _TABLE = "slice chart", "slice table"


def draw_slices(comparison: Comparison, selection: Selection, metric: str) -> None:
    """The heat map of all tags and metrics. A cell chosen there or in the table filters the table of questions."""
    tags = slice_tags(comparison)
    if not tags:
        st.caption("No tag tells these questions apart. Give questions tags, such as kind or language, to see parts.")
        return
    cells = slice_cells(comparison)
    dark = st.context.theme.type == "dark"
    with st.container(key="wide slices"):  # a phone scrolls sideways rather than read a smear
        st.altair_chart(
            slice_chart(cells, (selection.tag, metric), DARK if dark else LIGHT),
            width="stretch",
            theme=None,
            key=_CHART,
            on_select=_pick_in_chart,
            selection_mode=[PICKED],
            alt="Mean differences by tag and metric; the table below holds the same numbers.",
        )
    _draw_chosen(cells, selection.tag, metric)
    st.caption(_legend(comparison, len(tags)))
    with st.expander("The same as a table, for the keyboard"):
        _draw_table(cells)


def _draw_chosen(cells: Sequence[SliceCell], tag: str, metric: str) -> None:
    cell = find_cell(cells, tag, metric)
    if cell is None:
        return
    rest = " The table of questions above shows these alone." if tag else " Choose a cell to see its questions above."
    st.markdown(f":material/crop_free: **{as_typed(slice_sentence(cell))}**{rest}")


def _legend(comparison: Comparison, count: int) -> str:
    parts = [
        "▲ B better, ▼ worse; the small number is n, the questions scored on both sides. "
        f"Pale, with n in brackets: fewer than {FEW} questions. Tags are looked at after the fact, so there is no "
        "verdict: the more cells, the surer that one stands out by luck. For a verdict run on that tag alone (above)."
    ]
    whole = [tag for tag in comparison.slices if tag not in slice_tags(comparison)]
    if whole:
        parts.append(f"Every question carries {as_typed(', '.join(whole))}.")
    if count > MOST_ROWS:
        parts.append(f"The chart shows the first {MOST_ROWS} of {count} tags, the table all.")
    return " ".join(parts)


def _draw_table(cells: Sequence[SliceCell]) -> None:
    """One row a tag, one column a metric; a chosen cell filters as in the chart."""
    tags = list(dict.fromkeys(cell.tag for cell in cells))
    labels = list(dict.fromkeys(cell.metric_label for cell in cells))
    rows: dict[str, dict[str, str]] = {tag: {"questions": ""} for tag in tags}
    for cell in cells:
        rows[cell.tag]["questions"] = cell.label
        rows[cell.tag][cell.metric_label] = f"{cell.words} · n {cell.count}" if cell.n else "–"
    frame = pd.DataFrame(list(rows.values()), columns=["questions", *labels])
    names = {cell.metric_label: cell.metric for cell in cells}
    st.dataframe(
        frame,
        hide_index=True,
        height=min(38 + 35 * len(frame), 400),
        column_config={"questions": st.column_config.TextColumn("questions", pinned=True)},
        key=_TABLE,
        on_select=lambda: _pick_in_table(tags, names),
        selection_mode="single-cell",
    )


def _pick_in_chart() -> None:
    picked: list[dict[str, Any]] = st.session_state[_CHART]["selection"].get(PICKED, [])
    if picked:
        _pick(str(picked[0]["tag"]), str(picked[0]["metric"]))


def _pick_in_table(tags: Sequence[str], names: dict[str, str]) -> None:
    for row, column in st.session_state[_TABLE]["selection"]["cells"]:
        _pick(tags[row], names.get(column))


def _pick(tag: str, metric: str | None) -> None:
    """Filters the questions by a tag (all of them, worst first) and looks at a metric."""
    select(tag=tag, shown="all" if tag else "", question="", **({"metric": metric} if metric else {}))
