"""The lines of advice, and the table of everything that was tried."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from rag_variants.evaluation.advice.advice import Advice, Attempts, every_outcome
from rag_variants.pipeline.variant import Variant
from rag_variants.report.advice import advice_words, effect_words, text_words, tried_words, tries_sentence
from rag_variants.report.words import signed, verdict_words
from rag_variants.types import Question
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import select

SHOWN = 3


def draw_lines(side: str, attempts: Attempts, found: Sequence[Advice], question: Question | None) -> None:
    """The first suggestions, one line each, with what makes a comparison of it."""
    spot = "question" if question else "result"
    for at, advice in enumerate(found[:SHOWN]):
        with st.container(border=True, key=f"advice line {spot} {side} {at}"):
            words, button = st.columns([8, 1.4], vertical_alignment="center")
            name = as_typed(tried_words(attempts.variant, advice.change))
            warning = " :gray-badge[⚠ hurts the other questions]" if question and advice.hurts_others else ""
            words.markdown(f"**{name}** · {as_typed(advice_words(advice, attempts.metric))}{warning}")
            button.button(
                "Try it as B",
                key=f"try {spot} {side} {at}",
                on_click=_try_as_b,
                args=(attempts.variant, advice.change.variant, question.id if question else ""),
                width="stretch",
                help="Compares the present settings, as A, with the changed ones, as B.",
            )


def _try_as_b(present: Variant, changed: Variant, question: str) -> None:
    select(a=present, b=changed, question=question)
    st.session_state["run now"] = True


def draw_all_tried(side: str, attempts: Attempts, question: Question | None) -> None:
    """Every change tried and what it did, what was left out, and what many tries mean."""
    left_out = f", {len(attempts.left_out)} left out" if attempts.left_out else ""
    with st.expander(f"All {len(attempts.tried)} changes tried{left_out}, and how far to believe them"):
        st.caption(as_typed(tries_sentence(attempts)))
        outcomes = every_outcome(attempts, question.id if question else None)
        st.dataframe(
            pd.DataFrame([_outcome_row(attempts, each, question) for each in outcomes]),
            hide_index=True,
            height=38 + 35 * min(len(outcomes), 12),
            key=f"advice table {'question' if question else 'result'} {side}",
        )
        with st.container(key=f"quiet left out {'question' if question else 'result'} {side}"):
            for each in attempts.left_out:
                st.text(f"Left out: {tried_words(attempts.variant, each)}. {each.reason}")


def _outcome_row(attempts: Attempts, advice: Advice, question: Question | None) -> dict[str, str]:
    row = {"change": tried_words(attempts.variant, advice.change)}
    if question and advice.before and advice.after:
        row["this question"] = effect_words(advice.before, advice.after)
    return row | {
        "Δ over all": signed(advice.overall.mean),
        "n": f"{advice.overall.n}",
        "gained, lost": f"{len(advice.gained)} ▲ {len(advice.lost)} ▼",
        "verdict": verdict_words(advice.overall),
        "text": text_words(advice) or "as much",
        "lost": ", ".join(advice.lost),
    }
