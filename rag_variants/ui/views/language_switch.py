"""The switch for all texts that stand in three languages: lessons, and what the words on the screens mean."""

import streamlit as st

from rag_variants.ui.url import Selection, select
from rag_variants.wording.wording import LANGUAGE_NAMES


def draw_language(selection: Selection, label: str) -> None:
    """The switch; `label` is read out, not shown."""
    st.session_state["language"] = selection.language
    st.segmented_control(
        label,
        list(LANGUAGE_NAMES),
        format_func=lambda each: LANGUAGE_NAMES[each],
        key="language",
        required=True,
        label_visibility="collapsed",
        on_change=lambda: select(language=st.session_state["language"]),
    )
