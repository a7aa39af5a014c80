"""Two kept runs against each other, in the views of the Compare page."""

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.report.saved_run_words import made_words
from rag_variants.storage.saved_runs import SavedNote
from rag_variants.ui.caches import compare_saved
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.changed import draw_changed, draw_numbers
from rag_variants.ui.views.downloads import draw_downloads
from rag_variants.ui.views.faults import draw_faults
from rag_variants.ui.views.headline import draw_headline
from rag_variants.ui.views.question import draw_question
from rag_variants.ui.views.where import draw_where


def draw_pair(a: SavedNote, b: SavedNote, selection: Selection) -> None:
    """What came out, with whatever the two do not share named first; the same rows and files as on Compare."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for side, note in (("a", a), ("b", b)):
            st.markdown(f"{BADGES[side]} {as_typed(note.title)} · {made_words(note)}", width="content")
        st.button("Swap", icon=":material/swap_horiz:", on_click=lambda: select(runs=f"{b.id},{a.id}"))
    try:
        comparison = compare_saved((a.id, b.id), (a.created, b.created))
    except UserError as error:
        show_problem(str(error))
        return
    draw_headline(comparison)
    left, right = st.columns([3, 2], gap="small")
    with left.container(border=True):
        draw_changed(comparison)
    with right.container(border=True):
        opened = draw_where(comparison, selection)
    draw_faults(comparison)
    with st.expander("The numbers, and what each metric means"):
        draw_numbers(comparison)
    if opened:
        draw_question(comparison, opened)
    draw_downloads(comparison)
