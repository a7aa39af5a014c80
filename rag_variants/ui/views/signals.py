"""Signals: what the scores point at, for one question and for the whole run, and the table of rules behind it."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.signal_rules import MEASURES, RULES
from rag_variants.evaluation.reasons.signals import Signal, SignalCount, count_signals, find_signals
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.report.signals import (
    CAVEAT,
    condition_words,
    count_words,
    evidence_words,
    measure_words,
    named,
    not_told_words,
    unscored_words,
)
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select


def draw_question_signals(comparison: Comparison, left: ScoredRecord, right: ScoredRecord) -> None:
    """The signals of one question on each side, with the numbers behind them and what is worth trying."""
    st.markdown("**Signals**: what these scores point at")
    for column, side, row in zip(st.columns(2, gap="medium"), "ab", (left, right), strict=True):
        with column:
            _draw_side(side, find_signals(row), comparison.judge)
    with st.expander("The rules and their thresholds"):
        draw_rules()


def _draw_side(side: str, signals: tuple[Signal, ...], judge: str) -> None:
    shown = [signal for signal in signals if signal.shown]
    unscored = [signal for signal in signals if signal.shown is None]
    if not shown:
        st.markdown(f"{BADGES[side]} No rule holds.")
    for signal in shown:
        st.markdown(
            f"{BADGES[side]} **{signal.rule.title}**: {as_typed(evidence_words(signal, judge))}.  \n"
            f"{signal.rule.points_at}  \n:material/lightbulb: Worth trying: {as_typed(signal.rule.worth_trying)}."
        )
    if unscored:
        words = "; ".join(f"{each.rule.title} ({unscored_words(each, judge)})" for each in unscored)
        st.caption(f"Could not be told: {as_typed(words)}")


def draw_run_signals(comparison: Comparison, selection: Selection) -> None:
    """Every rule with how many questions show it on A and on B, which are new on B, and the choice of one as filter."""
    counts = count_signals(comparison)
    st.caption(CAVEAT)
    found = sorted(counts, key=lambda each: -max(len(each.a.questions), len(each.b.questions)))
    st.table(
        {
            "signal": [f"**{each.rule.title}**  \n{each.rule.points_at}" for each in found],
            BADGES["a"]: [count_words(each.a) for each in found],
            BADGES["b"]: [count_words(each.b) for each in found],
            f"on {BADGES['b']} alone": [as_typed(named(each.appeared)) for each in found],
            f"on {BADGES['a']} alone": [as_typed(named(each.vanished)) for each in found],
            "worth trying": [as_typed(each.rule.worth_trying) for each in found],
            "could not be told": [as_typed(not_told_words(each, comparison.judge)) for each in found],
        },
        border="horizontal",
        hide_index=True,
    )
    _draw_filter(counts, selection.signal)
    with st.expander("The rules and their thresholds"):
        draw_rules()


def draw_rules() -> None:
    """The table of rules as it stands in the code."""
    st.table(
        {
            "signal": [f"**{rule.title}**" for rule in RULES],
            "holds if": [as_typed(" and ".join(map(condition_words, rule.conditions))) for rule in RULES],
            "points at": [rule.points_at for rule in RULES],
            "worth trying": [as_typed(rule.worth_trying) for rule in RULES],
        },
        border="horizontal",
        hide_index=True,
    )
    measures = "; ".join(measure_words(name) for name in MEASURES if MEASURES[name].metrics)
    st.caption(f"{as_typed(measures)}. The first of them that was scored counts.")


def _draw_filter(counts: tuple[SignalCount, ...], signal: str) -> None:
    shown = {each.rule.name: each for each in counts if each.a.questions or each.b.questions}
    st.session_state["signal"] = signal if signal in shown else ""
    st.selectbox(
        "Show the questions with a signal",
        ["", *shown],
        format_func=lambda name: _option(shown[name]) if name else "every question",
        key="signal",
        help="Filters the table of questions above. It changes no number and no verdict.",
        on_change=lambda: select(signal=st.session_state["signal"] or "", shown="all", question=""),
    )


def _option(count: SignalCount) -> str:
    return f"{count.rule.title}: {len({*count.a.questions, *count.b.questions})}"
