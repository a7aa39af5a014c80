"""The switch for all texts of lessons."""

import streamlit as st

from rag_variants.lessons.words import LessonWords
from rag_variants.ui.url import Selection, select
from rag_variants.wording import LANGUAGE_NAMES


def draw_language(selection: Selection, say: LessonWords) -> None:
    """The switch for all texts of lessons."""
    st.session_state["language"] = selection.language
    st.segmented_control(
        say("language"),
        list(LANGUAGE_NAMES),
        format_func=lambda each: LANGUAGE_NAMES[each],
        key="language",
        required=True,
        label_visibility="collapsed",
        on_change=lambda: select(language=st.session_state["language"]),
    )
