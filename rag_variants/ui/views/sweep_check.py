"""The final check: what opening the hold-out costs, and what it says."""

from functools import partial

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.identity import asked_models
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.tuning.final_check import held_out_plan, opened_before
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.evaluation.tuning.tuning_log import open_tuning_log, opened_sentence
from rag_variants.questions.holdout import holdout_questions, tune_questions
from rag_variants.report.sweep_rows import point_words
from rag_variants.report.sweep_undecided import closed_sentence
from rag_variants.report.sweep_words import final_check_sentence
from rag_variants.report.table import metric_rows
from rag_variants.settings import Settings
from rag_variants.ui.caches import final_checks
from rag_variants.ui.frame import show_note
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import key_of
from rag_variants.ui.text import as_typed
from rag_variants.ui.work import open_final_check
from rag_variants.ui.workplace import Follow, Workplace, workplace

_ONCE = (
    "**It can be done once.** That the hold-out was opened is remembered with the questions' fingerprint and said in "
    "every later sweep: a setting chosen afterwards has seen it. Check when you are done with tuning."
)


def draw_final_check(sweep: Sweep, plan: Plan) -> list[Follow]:
    """The button that opens the hold-out, with what that means, or what it said; what follows its progress.

    Nothing where there is no hold-out; where the start is kept or nothing can be chosen, why it stays closed.
    """
    held, key = _held(sweep, plan)
    if held is None or key is None:
        closed = closed_sentence(sweep) if sweep.complete and _serves(plan, sweep) else ""
        if closed and holdout_questions(plan.whole or plan.questions).questions:
            st.caption(as_typed(closed))
        return []
    found = sweep.recommended
    assert found is not None
    place = _place()
    place.collect()
    check = shown_check(sweep, plan)
    with st.container(key="final check"):
        if check is not None:
            _draw_check(sweep, check)
        if not place.has(key) and sweep.complete:
            _draw_question(place, sweep, held, key)
        slot = st.empty()
        place.draw_problem([key])
    return [partial(place.draw_progress, slot)]


def shown_check(sweep: Sweep, plan: Plan) -> Comparison | None:
    """The check of this sweep's recommendation that is on the screen."""
    _, key = _held(sweep, plan)
    shown = _place().shown
    return shown.result if shown is not None and shown.key == key else None


def _held(sweep: Sweep, plan: Plan) -> tuple[Plan | None, Key | None]:
    found = sweep.recommended
    if found is None or found is sweep.start or not _serves(plan, sweep):
        return None, None
    try:
        held = held_out_plan(plan)
    except UserError:  # no hold-out: the form says what to do
        return None, None
    return held, ("final check", *key_of(sweep.start.variant, found.variant, held))


def _serves(plan: Plan, sweep: Sweep) -> bool:
    """Whether the page's documents and questions are still those of the sweep."""
    of = sweep.head
    questions = tune_questions(plan.questions).fingerprint
    return (plan.knowledge.fingerprint, questions) == (of.knowledge.fingerprint, of.questions.fingerprint)


def _draw_question(place: "Workplace[Comparison]", sweep: Sweep, held: Plan, key: Key) -> None:
    found = sweep.recommended
    assert found is not None
    count = len(held.questions.questions)
    start, other = (as_typed(point_words(sweep, each)) for each in (sweep.start, found))
    opened = opened_before(held, open_tuning_log(Settings()))
    with st.popover(f"Final check on {count} held-out questions", icon=":material/lock_open:", key="open holdout"):
        st.markdown(f"Asks the {count} held-out questions, once with **{start}** and once with **{other}**.")
        st.markdown(as_typed(opened_sentence(opened)) if opened else _ONCE)
        if asked_models((sweep.start.variant, found.variant), held.judge, held.judge_embeddings):
            st.markdown("It asks models of an endpoint, which may cost money.")
        pressed = st.button("Open the hold-out", key="final check now", type="primary", disabled=place.job is not None)
    if pressed and place.job is None:
        place.start(key, open_final_check(sweep.start.variant, found.variant, held))


def _draw_check(sweep: Sweep, check: Comparison) -> None:
    show_note(f"**{as_typed(final_check_sentence(sweep, check))}**", "final check", "lock_open")
    for note in check.warnings:
        if note not in sweep.warnings:
            st.caption(as_typed(note))
    with st.expander("Every metric on the hold-out"):
        names = {"label": "metric", "a": "start", "b": "recommended", "delta": "Δ", "interval": "95 % interval",
                 "verdict": "verdict", "scored": "scored"}  # fmt: skip
        rows = metric_rows(check)
        st.table(
            {words: [as_typed(getattr(row, name)) for row in rows] for name, words in names.items()},
            border="horizontal", hide_index=True,
        )  # fmt: skip


def _place() -> "Workplace[Comparison]":
    return workplace("final check", final_checks())
