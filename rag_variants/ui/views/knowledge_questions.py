"""The questions of the Knowledge page: a table, and what of their evidence does not fit the documents."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from rag_variants.corpus.knowledge import Skipped
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.knowledge_facts import Located, question_rows


def draw_questions(selection: Selection, questions: QuestionSet, located: Located) -> None:
    """Problems first, then the table with its filter."""
    st.subheader("Questions")
    if not questions.questions:
        show_note(
            "No questions yet. Name a question file under **Documents and questions**, or write the first lines with "
            "**New question line** above.",
            "no questions",
        )
        return
    draw_left_out("Rows left out, and how columns were read", questions.skipped, questions.notes)
    _draw_problems(located.problems)
    if located.folded:
        st.caption(f"{located.folded}.")
    tag = _draw_filter(selection, questions)
    kept = [each for each in questions.questions if not tag or _has(each, tag)]
    st.dataframe(
        pd.DataFrame(question_rows(kept, located)),
        key="questions table",
        hide_index=True,
        height=min(420, 38 + 35 * len(kept)),
        column_config={
            "Id": st.column_config.TextColumn(width=80),
            "Question": st.column_config.TextColumn(width=480),
            "Kind": st.column_config.TextColumn(width=100),
            "Evidence": st.column_config.TextColumn(width=110),
        },
    )


def draw_left_out(what: str, skipped: Sequence[Skipped], notes: Sequence[str]) -> None:
    """Files or rows left out with the reason, and what was guessed; nothing if there is none."""
    if skipped or notes:
        with st.expander(f"{what}: {len(skipped) + len(notes)}", expanded=bool(skipped), icon=":material/rule:"):
            for each in skipped:
                st.text(f"{each.name}: {each.reason}")
            for note in notes:
                st.text(note)


def _draw_problems(problems: Sequence[Skipped]) -> None:
    if not problems:
        st.caption("Every quote, key and trap stands in the documents.")
        return
    with (
        st.expander(
            f"Evidence that does not fit the documents: {len(problems)}", expanded=True, icon=":material/rule:"
        ),
        st.container(height=min(260, 30 + 42 * len(problems)), border=False),
    ):
        for each in problems:
            st.text(f"{each.name}: {each.reason}")


def _draw_filter(selection: Selection, questions: QuestionSet) -> str:
    """The tag that the table is filtered by, `kind=stale`; empty for all."""
    options = ["", *(f"{tag}={value}" for tag, values in questions.tag_values().items() for value in values)]
    chosen = selection.tag if selection.tag in options else ""
    if selection.tag and not chosen:
        show_note(f"No question has {as_typed(selection.tag)}; all are shown.", "no tag")
    st.session_state["tag filter"] = chosen
    count = {tag: sum(1 for each in questions.questions if not tag or _has(each, tag)) for tag in options}
    st.selectbox(
        "Filter by tag",
        options,
        key="tag filter",
        format_func=lambda tag: f"{tag.replace('=', ': ', 1) or 'all questions'} ({count[tag]})",
        on_change=lambda: select(tag=st.session_state["tag filter"]),
        width=320,
    )
    return chosen


def _has(question: Question, tag: str) -> bool:
    name, _, value = tag.partition("=")
    return question.tag(name) == value
