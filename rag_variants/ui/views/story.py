"""Several kept runs in a row: the story of a tuning week."""

from collections.abc import Sequence

import streamlit as st

from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.saved_run_words import BASELINE_MARK, made_words
from rag_variants.report.story import Story, tell_story
from rag_variants.report.story_chart import story_chart
from rag_variants.storage.saved_runs import SavedNote
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import select


def draw_story(chosen: Sequence[SavedNote]) -> None:
    """Which runs could not be lined up, the runs by number, and a panel per metric."""
    story = tell_story(chosen)
    for at, sentence in enumerate(story.left_out):
        show_note(as_typed(sentence), f"left out {at}", "rule")
    if len(story.runs) < 2:
        st.caption("One run alone has no story. Choose runs over the same questions, documents and judge.")
        return
    with st.container(border=True):
        st.markdown("**In a row**: the mean of every metric, run by run, oldest first")
        st.text("\n".join(f"{step}. {_run_words(note)}" for step, note in enumerate(story.runs, start=1)))
        _draw_chart(story)
        first, last = story.runs[0].id, story.runs[-1].id
        st.button("Compare the first with the last", on_click=lambda: select(runs=f"{first},{last}"))
        st.caption(
            "All panels have axes of one length. A line that moves is no verdict: compare two of the runs for one."
        )


def _run_words(note: SavedNote) -> str:
    parts = [note.name, note.variant, made_words(note), BASELINE_MARK if note.baseline else ""]
    return " · ".join(part for part in parts if part)


def _draw_chart(story: Story) -> None:
    if not story.points:
        st.caption("No metric was measured in every one of these runs.")
        return
    dark = st.context.theme.type == "dark"
    words = "; ".join(f"{point.label}, {point.run}: {point.shown} {point.change}".strip() for point in story.points)
    st.altair_chart(story_chart(story, DARK if dark else LIGHT), theme=None, alt=words)
