"""What the judge made of the faults planted in simulated answers."""

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.faults import FaultReview, judge_row, review_faults
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.report.faults import KIND_WORDS
from rag_variants.ui.controls import BADGES

MEANING = (
    "Simulated answers are the extract with faults planted on purpose. **Caught**: the judge did not find the faulty "
    "statement supported by the chunks (faithfulness). **Missed**: it did. So the table measures the judge, not the "
    "variant. A **false alarm** is a statement without a fault that the judge refused all the same."
)
_WIDTHS = {"kind": st.column_config.TextColumn("kind", width=230)}


def draw_faults(comparison: Comparison) -> None:
    """A table per side that has simulated answers; nothing where none has."""
    sides = [(side, run, review_faults(run)) for side, run in (("a", comparison.a), ("b", comparison.b))]
    if not any(review for _, _, review in sides):
        return
    with st.container(border=True, key="planted faults"):
        st.markdown("**Simulated**: what the judge made of the planted faults")
        st.caption(MEANING)
        for column, (side, run, review) in zip(st.columns(2, gap="medium"), sides, strict=True):
            with column:
                st.markdown(BADGES[side])
                if review:
                    _draw_review(side, run, review)
                else:
                    st.caption("no simulated answers")


def _draw_review(side: str, run: Run, review: FaultReview) -> None:
    if not review.faults:
        st.caption(f"{review.answers} simulated answers; at this temperature no fault fell to any of their sentences.")
        return
    st.dataframe(_table(review), hide_index=True, column_config=_WIDTHS)
    judge = run.judge.spec if run.judge else "none"
    st.caption(
        f"n = {len(review.faults)} faults in {review.answers} simulated answers · judge {judge} · false alarms: "
        f"{len(review.false_alarms)} of {review.honest} statements without a fault"
    )
    if review.missed:
        with st.expander(f"Missed: {len(review.missed)}"), st.container(key=f"quiet missed {side}"):
            st.text("\n\n".join(f"{each.question} · {key_words(each.fault.kind, each.fault.said, each.fault.source)}"
                                for each in review.missed))  # fmt: skip
    if review.false_alarms:
        with st.expander(f"False alarms: {len(review.false_alarms)}"), st.container(key=f"quiet alarms {side}"):
            st.text("\n\n".join(f"{each.question} · {each.label or 'not supported'}: {each.statement}"
                                for each in review.false_alarms))  # fmt: skip


def _table(review: FaultReview) -> pd.DataFrame:
    """A line per kind, and one for all."""
    counts = [
        (KIND_WORDS[each.kind], each.planted, each.caught, each.missed, each.not_judged) for each in review.counts
    ]
    frame = pd.DataFrame(counts, columns=["kind", "planted", "caught", "missed", "not judged"])
    return pd.concat([frame, pd.DataFrame([{**frame.sum(numeric_only=True), "kind": "all"}])])


def key_words(kind: str, said: str, source: str | None) -> str:
    """A fault in three lines: its kind, what was said, what the source says."""
    return f"{kind}\n    said: {said}\n    source: {source or 'the chunks say nothing of it'}"


def draw_key(side: str, row: ScoredRecord) -> None:
    """The key of one simulated answer: every planted fault, and whether the judge caught it."""
    judged = judge_row(row)
    st.caption("**The key**: what was planted in this answer" if judged else "**The key**: nothing was planted here")
    if judged:
        with st.container(key=f"quiet key {side}"):
            st.text("\n".join(f"{outcome} · {key_words(fault.kind, fault.said, fault.source)}"
                              for fault, outcome in judged))  # fmt: skip
