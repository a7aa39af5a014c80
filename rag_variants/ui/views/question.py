"""Why: one question with its reference and evidence, both answers and how they were scored."""

from dataclasses import replace

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import EVERY_QUESTION
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.types import Question
from rag_variants.ui.adviser import Adviser
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import ROOMS, Selection, current_selection, print_selection
from rag_variants.ui.views.advice import draw_question_advice
from rag_variants.ui.views.chunks import draw_chunks
from rag_variants.ui.views.faults import draw_key
from rag_variants.ui.views.scores import draw_scores
from rag_variants.ui.views.signals import draw_question_signals


def draw_question(comparison: Comparison, question: Question, adviser: Adviser | None = None) -> None:
    """A question from its text down to both chunk lists."""
    left, right = next(pair for pair in comparison.pairs if pair[0].record.question.id == question.id)
    with st.container(border=True):
        _draw_heading(comparison, question)
        with st.container(key="large question"):
            st.text(f"{question.id} · {question.user_input}")
        tags = " · ".join(f"{name} {value}" for name, value in question.tags)
        with st.container(key="quiet tags"):
            if tags:
                st.text(tags)
        draw_known(question)
        answers = st.columns(2, gap="medium")
        for column, side, row in zip(answers, "ab", (left, right), strict=True):
            with column:
                _draw_answer(side, row)
        draw_scores(comparison, left, right)
        draw_question_signals(comparison, left, right)
        if adviser is not None:
            draw_question_advice(comparison, question, adviser)
        draw_chunks(comparison, left, right)


def _draw_heading(comparison: Comparison, question: Question) -> None:
    """The heading with a link to the question's own page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown("**Why**: the question that is open", width="content")
        draw_page_link(comparison, question)


def draw_page_link(comparison: Comparison, question: Question) -> None:
    """A link to the page of a question of a comparison."""
    st.page_link(
        "pages/question.py",
        label=f"Open {as_typed(question.id)} on its own page",
        icon=":material/open_in_full:",
        help="The flow of chunks from A to B, the answers word by word, and how each score was made.",
        query_params=print_selection(selection_of(comparison, current_selection(), question)),
    )


def selection_of(comparison: Comparison, selection: Selection, question: Question) -> Selection:
    """The selection that opens a question of a comparison, which may be a lesson's or that of earlier settings."""
    chosen = replace(selection, question=question.id, room=ROOMS[0])
    a, b = comparison.a.variant, comparison.b.variant
    if (selection.a, selection.b) == (a, b) and not selection.lesson:
        return chosen
    return replace(chosen, a=a, b=b, slice=comparison.a.slice or EVERY_QUESTION)


def draw_known(question: Question) -> None:
    """What is known about the right answer."""
    reference, evidence = st.columns(2, gap="medium")
    with reference:
        st.caption("Reference answer")
        if question.reference:
            st.text(question.reference)
        elif question.answerable is False:
            st.text("The documents hold no answer: declining is right.")
        else:
            st.text("none given")
    with evidence:
        st.caption("Evidence")
        if not question.evidence:
            st.text("none given")
        for each in question.evidence[:4]:
            st.text(f"★ {each.document}\n“{each.quote}”" if each.quote else f"★ {each.document} (the whole document)")
        if len(question.evidence) > 4:
            st.caption(f"and {len(question.evidence) - 4} more places")


def _draw_answer(side: str, row: ScoredRecord) -> None:
    with st.container(border=True, key=f"answer-{side}"):
        record, answer = row.record, row.record.answer
        badges = [BADGES[side], "**Answer**"]
        if answer and answer.declined:
            badges.append(":gray-badge[declined]")
        if answer and answer.simulated:
            badges.append(":gray-badge[simulated]")
        st.markdown(" ".join(badges))
        if record.error:
            st.text(f"No answer: {record.error}")
        elif answer is None:
            st.text("No answer was made.")
        else:
            st.text(answer.text)
            if answer.citations:
                documents = {hit.rank: hit.chunk.document for hit in record.hits}
                with st.container(key=f"quiet citations {side}"):
                    st.text("\n".join(f"[{rank}] {documents.get(rank, 'no such chunk')}" for rank in answer.citations))
            if answer.simulated:
                draw_key(side, row)
            if answer.origin:
                with st.container(key=f"quiet origin {side}"):
                    st.text("Recorded · " + " · ".join(f"{name} {value}" for name, value in answer.origin))
