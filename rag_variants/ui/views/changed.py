"""What changed: one row a metric."""

from collections.abc import Sequence

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.metrics import all_metrics, full_label_of, is_keyless
from rag_variants.report.calls import cost_lines
from rag_variants.report.charts import DARK, LIGHT, ChartRow, delta_rows
from rag_variants.report.page.deltas import HEADS, deltas_html
from rag_variants.report.table import effort_rows, metric_rows
from rag_variants.report.words import inside_sentence
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.glossary import chosen_glossary
from rag_variants.ui.views.needs import draw_need
from rag_variants.wording.glossary import Term


def draw_changed(comparison: Comparison) -> None:
    """The chart of deltas, how to read it, and effort."""
    st.markdown("**What changed**: B minus A, with the interval that the data allow")
    draw_deltas(delta_rows(comparison, chosen_glossary()))
    st.caption(as_typed(_legend(comparison)))
    with st.expander(f"**Effort**, B ÷ A: {as_typed(_effort_words(comparison))}"):
        _draw_effort(comparison)
    draw_need(comparison)


def draw_deltas(rows: Sequence[ChartRow], heads: tuple[str, str, str] = HEADS, *, comma: bool = False) -> None:
    """The table of deltas in the theme's colours."""
    st.html(deltas_html(rows, DARK if st.context.theme.type == "dark" else LIGHT, heads, comma=comma))


def _legend(comparison: Comparison) -> str:
    parts = ["▲ questions where B is better, = equal, ▼ worse."]
    headline = next(iter(comparison.headline.metrics), None)
    detectable = comparison.metrics[headline].delta.detectable if headline else None
    if headline and detectable:
        label = inside_sentence(all_metrics()[headline].label)
        parts.append(f"In {label} a difference under about {detectable:.2f} would not show.")
    shown = [all_metrics()[name] for name in comparison.metrics]
    keyless = [metric for metric in shown if is_keyless(metric, comparison.judge)]
    parts += [f"{full_label_of(each, comparison.judge)}: {each.keyless['en'].help}" for each in keyless]
    return " ".join(parts)


def _effort_words(comparison: Comparison) -> str:
    """What B costs against A, in one line: one ratio a quantity."""
    known = {
        all_metrics()[name].label.lower(): each.ratio
        for name, each in comparison.effort.items()
        if each.ratio is not None and name != "context_tokens"
    }
    return " · ".join(f"{label} × {ratio:.2f}" for label, ratio in known.items()) or "nothing was measured"


def _draw_effort(comparison: Comparison) -> None:
    rows = effort_rows(comparison)
    st.table(
        {
            "mean per question": [f"{row.label} ({row.unit})" if row.unit else row.label for row in rows],
            ":blue-badge[A]": [row.a for row in rows],
            ":orange-badge[B]": [row.b for row in rows],
            "B ÷ A": [row.ratio for row in rows],
        },
        border="horizontal",
        hide_index=True,
    )
    for line in cost_lines([("A", comparison.a), ("B", comparison.b)]):
        st.caption(as_typed(line))


def draw_numbers(comparison: Comparison) -> None:
    """Every number of the metrics with p values, and what each metric means in the chosen language."""
    glossary = chosen_glossary()
    rows = metric_rows(comparison)
    terms = [glossary.metric(row.name, comparison.judge) for row in rows]
    st.table(
        {
            "metric": [_meaning(term, row.remarks) for term, row in zip(terms, rows, strict=True)],
            ":blue-badge[A]": [row.a for row in rows],
            ":orange-badge[B]": [row.b for row in rows],
            "B − A": [row.delta for row in rows],
            "95 % interval": [row.interval for row in rows],
            "verdict": [row.verdict for row in rows],
            "p (adjusted)": [_p(comparison, row.name) for row in rows],
            "scored": [row.scored for row in rows],
        },
        border="horizontal",
        hide_index=True,
    )


def _meaning(term: Term, remarks: Sequence[str]) -> str:
    """What a metric is, and what to know of its row."""
    lines = [f"**{as_typed(term.title)}**", as_typed(term.line), *map(as_typed, remarks)]
    return "  \n".join(lines)


def _p(comparison: Comparison, name: str) -> str:
    delta = comparison.metrics[name].delta
    shown = [f"{each:.3f}" if each is not None else "–" for each in (delta.p, delta.p_adjusted)]
    return f"{shown[0]} ({shown[1]})"
