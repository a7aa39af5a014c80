"""The kept runs in a table, newest first, and the choice of up to six of them."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import HEADLINE_ANSWERS, HEADLINE_RETRIEVAL
from rag_variants.metrics import all_metrics
from rag_variants.report.saved_run_words import BASELINE_MARK, asked_words, made_words, mean_words
from rag_variants.report.story import MOST
from rag_variants.storage.saved_runs import SavedNote
from rag_variants.ui.url import select

_HEADLINE = (*HEADLINE_RETRIEVAL, *HEADLINE_ANSWERS)
_KEY = "runs chosen"


def draw_list(notes: Sequence[SavedNote], chosen: Sequence[SavedNote]) -> None:
    """One row a run with its headline means; rows are chosen in the table or in the field below it."""
    ids = [note.id for note in notes]
    wanted = [note.id for note in chosen]
    key = f"kept runs {'|'.join(ids)} {'|'.join(wanted)}"  # a new table when the choice is another one
    st.dataframe(
        pd.DataFrame([_row(note) for note in notes]),
        hide_index=True,
        height=min(38 + 35 * len(notes), 388),
        key=key,
        on_select=lambda: _choose_rows(key, ids, wanted),
        selection_mode="multi-row",
        selection_default={"selection": {"rows": [ids.index(each) for each in wanted]}},
    )
    titles = {note.id: f"{note.title} · {made_words(note)}" for note in notes}
    st.session_state[_KEY] = wanted
    st.multiselect(
        "Runs chosen",
        ids,
        format_func=lambda each: titles[each],
        key=_KEY,
        max_selections=MOST,
        placeholder="Choose one to six runs",
        on_change=lambda: _select(st.session_state[_KEY]),
    )


def _row(note: SavedNote) -> dict[str, str]:
    return {
        "name": f"{note.name} {BASELINE_MARK}".strip() if note.baseline else note.name,
        "variant": note.variant,
        "made": made_words(note),
        "documents": f"{note.knowledge.name} ({note.knowledge.count})",
        "questions": asked_words(note),
        "judge": note.judge_spec or "none",
        **{all_metrics()[name].label: mean_words(note, name) for name in _HEADLINE},
    }


def _choose_rows(key: str, ids: Sequence[str], before: Sequence[str]) -> None:
    """The rows marked now: those chosen before keep their order, new ones come after."""
    marked = [ids[row] for row in st.session_state[key]["selection"]["rows"]]
    _select([*(each for each in before if each in marked), *(each for each in marked if each not in before)])


def _select(ids: Sequence[str]) -> None:
    select(runs=",".join(ids[:MOST]), question="", metric="", shown="", tag="")
