"""Advice with proof: single changes that were run, with what each did to a question and to all."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from rag_variants.evaluation.advice.advice import Attempts, advise_all, advise_question
from rag_variants.evaluation.advice.advice_work import estimate_seconds
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.evaluation.statistics.signflips import TOLERANCE
from rag_variants.pipeline.variant import Variant
from rag_variants.report.advice import overall_sentence
from rag_variants.types import Question
from rag_variants.ui.adviser import Adviser, Spot
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.jobs import seconds_words
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.advice_lines import draw_all_tried, draw_lines


def draw_question_advice(comparison: Comparison, question: Question, adviser: Adviser) -> None:
    """For each side that lacks evidence of the question or has it low: the search, or what it found."""
    sides = [(side, run) for side, run in zip("ab", (comparison.a, comparison.b), strict=True) if adviser.serves(run)]
    wants = {side: what_is_wanting(question, _row(run, question)) for side, run in sides}
    wanting = [(side, run) for side, run in sides if wants[side]]
    if not wanting:
        return
    st.markdown("**Advice**: one setting changed, shown only with what it did")
    for side, run in wanting:
        found = adviser.found(run.variant)
        if found is not None:
            _draw_for_question(side, found, question)
        if found is None or found.waiting:
            verb = "finds it" if wants[side] == "missing" else "brings it higher"
            _draw_button(adviser, side, run, "question", f"Look for a setting of {BADGES[side]} that {verb}")
    _draw_slot(adviser, "question", [run.variant for _, run in wanting])


def draw_overall_advice(comparison: Comparison, adviser: Adviser) -> None:
    """For each side: the search for the change that helps most on all questions, or what it found."""
    sides = [(side, run) for side, run in zip("ab", (comparison.a, comparison.b), strict=True) if adviser.serves(run)]
    if not sides or not any(row.record.question.evidence for row in comparison.b.rows):
        return
    title = "**Advice**: which single change would help most on these questions"
    with st.expander(title, expanded=adviser.is_asked_at("result")):
        for side, run in sides:
            found = adviser.found(run.variant)
            if found is not None:
                _draw_for_all(side, found)
            if found is None or found.waiting:
                _draw_button(adviser, side, run, "result", f"Try every single change of {BADGES[side]}")
        _draw_slot(adviser, "result", [run.variant for _, run in sides])


def what_is_wanting(question: Question, row: ScoredRecord) -> Literal["missing", "low"] | None:
    """Whether evidence that is known is not handed over whole, or only some ranks below the best possible."""
    groups = {each.group for each in question.evidence}
    score = row.scores.get("evidence_recall")
    if not groups or (score is not None and score.value is None):
        return None
    firsts: dict[int, int] = {}
    for hit in row.record.hits:
        for group in row.marks[hit.chunk.id].gold:
            firsts.setdefault(group, hit.rank)
    if firsts.keys() != groups or (score is not None and score.value is not None and score.value < 1 - TOLERANCE):
        return "missing"
    return "low" if max(firsts.values()) > len(groups) + 1 else None


def _row(run: Run, question: Question) -> ScoredRecord:
    return next(row for row in run.rows if row.record.question.id == question.id)


def _draw_button(adviser: Adviser, side: str, run: Run, spot: Spot, words: str) -> None:
    if adviser.runs_for(run.variant):
        st.caption(f"{BADGES[side]} is being tried …")
        return
    st.button(
        f"{words} (about {seconds_words(estimate_seconds(run))})",
        key=f"advice {spot} {side}",
        icon=":material/tune:",
        on_click=adviser.start,
        args=(run.variant, spot),
        disabled=adviser.place.job is not None,
        help="Changes one setting at a time and retrieves for every question that has evidence. Nothing is answered.",
    )


def _draw_slot(adviser: Adviser, spot: Spot, variants: Sequence[Variant]) -> None:
    """The place of the progress bar, and of a failure, where the search was asked for."""
    if adviser.is_asked_at(spot):
        adviser.draw_problem(variants)
        adviser.slot = st.empty()


def _draw_for_question(side: str, attempts: Attempts, question: Question) -> None:
    present = attempts.present.get(question.id)
    if present is None or present.value is None:
        reason = present.reason if present else "the question names no evidence"
        show_note(f"{BADGES[side]} No advice: {as_typed(reason or '')}", f"advice {side}", "search_off")
        return
    found = advise_question(attempts, question.id)
    missing = present.value < 1 - TOLERANCE
    verbs = ("finds more of it", "find more of it") if missing else ("brings it higher", "bring it higher")
    words = f"of {len(attempts.tried)} single changes {verbs[len(found) > 1]}.{_stopped(attempts)}"
    if found:
        st.markdown(f"{BADGES[side]} {len(found)} {words}")
    else:
        show_note(f"{BADGES[side]} None {words}", f"advice {side}", "search_off")
    draw_lines(side, attempts, found, question)
    draw_all_tried(side, attempts, question)


def _draw_for_all(side: str, attempts: Attempts) -> None:
    st.markdown(f"{BADGES[side]} {as_typed(overall_sentence(attempts))}{_stopped(attempts)}")
    draw_lines(side, attempts, advise_all(attempts), None)
    draw_all_tried(side, attempts, None)


def _stopped(attempts: Attempts) -> str:
    return f" Stopped early: {attempts.waiting} were not tried." if attempts.waiting else ""
