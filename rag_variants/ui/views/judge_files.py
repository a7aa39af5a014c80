"""Labels as files: to take away, to bring along, to forget."""

from functools import partial

import streamlit as st

from rag_variants.questions.importers import IMPORTERS
from rag_variants.questions.label_lines import labels_csv, labels_jsonl
from rag_variants.questions.labels import read_labels
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.questions.rows import first_reasons
from rag_variants.report.judging import labels_words
from rag_variants.ui.frame import show_errors, show_note
from rag_variants.ui.own_labels import add, remove_all
from rag_variants.ui.sources import bare
from rag_variants.ui.text import as_typed
from rag_variants.ui.uploads import Uploaded, safe_name, save_uploads
from rag_variants.ui.views.downloads import draw_files

_SAID = "labels brought"
COLUMNS = (
    "id, metric, question, context, statement, supported (0 or 1), language, kind; metric and question may be left out"
)


def draw_label_files(knowledge: str, own: OwnLabels) -> None:
    """Download, upload and removal of the labels on these documents."""
    count = len(own.given)
    if said := st.session_state.pop(_SAID, None):  # outside: the box below closes when its count changes
        show_note(as_typed(said), "labels brought", "label")
    with st.expander(f"Labels as files ({count} kept on these documents)"):
        if count:
            formats = {".jsonl": partial(labels_jsonl, own.labels), ".csv": partial(labels_csv, own.labels)}
            draw_files("Download", "judge-labels", formats, key="labels")
        with st.form("bring labels", clear_on_submit=True, border=False):
            sent = st.file_uploader("Bring labels", bare(IMPORTERS.endings), max_upload_size=20, help=COLUMNS)
            if st.form_submit_button("Add these labels") and sent is not None:
                with show_errors():
                    st.session_state[_SAID] = _bring(knowledge, sent)
                    st.rerun()
        if count:
            with st.popover("Remove all", icon=":material/delete:"):
                st.text(f"Removes {labels_words(count)} on these documents from this computer for good.")
                st.button("Remove them", key="remove labels", on_click=_remove, args=(knowledge,))


def _bring(knowledge: str, sent: Uploaded) -> str:
    """Adds what can be used, and says what that was. Raises UserError if nothing can."""
    found = read_labels(save_uploads([sent]) / safe_name(sent.name))
    add(knowledge, found.labels)
    left = f" Left out: {len(found.skipped)}. {first_reasons(found.skipped)}" if found.skipped else ""
    return f"{labels_words(len(found.labels))} added.{left}"


def _remove(knowledge: str) -> None:
    with show_errors():
        remove_all(knowledge)
