"""The Runs page: what was run before, one run, two against each other, or several in a row."""

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.report.story import MOST
from rag_variants.settings import Settings
from rag_variants.storage.saved_runs import SavedNote, SavedRuns, open_saved_runs
from rag_variants.ui.frame import open_page, show_note, show_problem
from rag_variants.ui.url import Selection, chosen_runs
from rag_variants.ui.views.saved_list import draw_list
from rag_variants.ui.views.saved_pair import draw_pair
from rag_variants.ui.views.saved_run import draw_one
from rag_variants.ui.views.story import draw_story


def draw_runs_page() -> None:
    """The list, newest first, and below it what the runs chosen in it show."""
    selection = open_page("Runs")
    st.subheader("Runs that were kept", anchor=False)
    try:
        kept = open_saved_runs(Settings())
        notes, problems = kept.notes()
    except UserError as error:
        show_problem(str(error))
        return
    for problem in problems:
        show_problem(problem)
    if not notes:
        show_note("No run is kept yet. Every comparison that is finished puts its two runs here.", "no runs")
        return
    chosen = _chosen(selection, notes)
    draw_list(notes, chosen)
    _draw_chosen(kept, chosen, selection)


def _chosen(selection: Selection, notes: tuple[SavedNote, ...]) -> list[SavedNote]:
    """The runs that the URL names, in its order, as many as fit in a row; those that are left out are told."""
    known = {note.id: note for note in notes}
    wanted = chosen_runs(selection)
    gone = [key for key in wanted if key not in known]
    if gone:
        show_note(f"Not kept any more: {', '.join(gone)}.", "gone")
    chosen = [known[key] for key in wanted if key in known]
    if len(chosen) > MOST:
        show_note(f"{MOST} runs fit in a row; the first {MOST} of {len(chosen)} are shown.", "too many")
    return chosen[:MOST]


def _draw_chosen(kept: SavedRuns, chosen: list[SavedNote], selection: Selection) -> None:
    if not chosen:
        st.caption("Choose one run to open it, two to compare them, up to six to see them in a row.")
    elif len(chosen) == 1:
        draw_one(kept, chosen[0], selection)
    elif len(chosen) == 2:
        draw_pair(chosen[0], chosen[1], selection)
    else:
        draw_story(chosen)
