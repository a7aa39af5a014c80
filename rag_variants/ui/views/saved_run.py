"""One kept run: its means, its name, the baseline, its variant on the Compare page, and its end."""

from collections.abc import Callable

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.metrics import GROUPS, Metric, all_metrics, label_of
from rag_variants.pipeline import read_variant
from rag_variants.report.saved_run_words import made_words
from rag_variants.report.table import amount_words
from rag_variants.report.words import plain
from rag_variants.storage.saved_runs import SavedNote, SavedRuns
from rag_variants.storage.saved_runs.folder import LONGEST_NAME
from rag_variants.ui.frame import show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, print_selection, select

_PROBLEM = "kept run problem"


def draw_one(kept: SavedRuns, note: SavedNote, selection: Selection) -> None:
    """What the run holds, and what can be done with it."""
    with st.container(border=True):
        with st.container(key="large kept run"):
            st.text(note.title)
        st.text(
            f"{note.variant} · {note.answered} questions of {note.questions.name} ({note.questions.fingerprint}) · "
            f"documents {note.knowledge.name} ({note.knowledge.fingerprint}) · judge {note.judge_spec or 'none'} · "
            f"made {made_words(note)} · id {note.id}"
        )
        if problem := st.session_state.pop(_PROBLEM, None):
            show_problem(problem)
        _draw_actions(kept, note, selection)
        _draw_means(note)


def _draw_actions(kept: SavedRuns, note: SavedNote, selection: Selection) -> None:
    name, baseline, reopen, delete = st.columns([6, 4, 4, 3], vertical_alignment="bottom", gap="small")
    key = f"name {note.id}"
    st.session_state[key] = note.name
    name.text_input(
        "Name",
        key=key,
        max_chars=LONGEST_NAME,
        placeholder="none yet",
        help="A run with a name is kept until you delete it. On the command line: run:NAME.",
        on_change=lambda: _try(lambda: kept.rename(note.id, st.session_state[key])),
    )
    baseline.button(
        "No longer the baseline" if note.baseline else "Mark as the baseline",
        icon=":material/flag:",
        width="stretch",
        help="One run can be the baseline. On the command line: run:baseline.",
        on_click=lambda: _try(lambda: kept.mark_baseline(None if note.baseline else note.id)),
    )
    with reopen:
        _draw_reopen(note, selection)
    with delete.popover("Delete", icon=":material/delete:", width="stretch"):
        st.text(f"Delete {note.title} for good?")
        st.button("Yes, delete it", key=f"delete {note.id}", on_click=lambda: _delete(kept, note.id))


def _draw_reopen(note: SavedNote, selection: Selection) -> None:
    """A link to Compare with the run's variant as A; its settings may be unknown by now."""
    try:
        variant = read_variant(note.variant)
    except UserError as error:
        st.caption(as_typed(str(error)))
        return
    parameters = {**print_selection(selection), "a": note.variant}
    parameters.pop("runs", None)
    st.page_link(
        "app.py",
        label=f"Set {variant.name} as A on Compare",
        icon=":material/open_in_new:",
        query_params=parameters,
    )


def _draw_means(note: SavedNote) -> None:
    known = [metric for name, metric in all_metrics().items() if name in note.means]
    metrics = sorted(known, key=lambda metric: GROUPS.index(metric.group))
    means = [note.means[metric.name][0] for metric in metrics]
    shown = [
        amount_words(mean, metric.unit) if metric.set == "effort" else plain(mean)
        for mean, metric in zip(means, metrics, strict=True)
    ]
    st.table(
        {
            "group": [metric.group for metric in metrics],
            "metric": [as_typed(_label(metric, note.judge_spec)) for metric in metrics],
            "mean": shown,
            "scored": [f"{note.means[metric.name][1]} of {note.answered}" for metric in metrics],
        },
        border="horizontal",
        hide_index=True,
    )


def _label(metric: Metric, judge: str) -> str:
    return label_of(metric, judge) + (f" ({metric.unit})" if metric.unit else "")


def _delete(kept: SavedRuns, key: str) -> None:
    _try(lambda: kept.delete(key))
    select(runs="")


def _try(change: Callable[[], None]) -> None:
    """Does a change; what keeps it from being done is shown once, when the page is drawn again."""
    try:
        change()
    except UserError as error:
        st.session_state[_PROBLEM] = str(error)
