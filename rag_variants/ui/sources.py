"""Where documents and questions come from: paths on this computer."""

from collections.abc import Iterable
from typing import Any

import streamlit as st

from rag_variants.corpus.loaders import LOADERS
from rag_variants.evaluation.plan import Plan
from rag_variants.questions.importers import IMPORTERS
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select


def bare(endings: Iterable[str]) -> list[str]:
    """Endings without their dots, as file choosers take them."""
    return [ending.removeprefix(".") for ending in endings]


def select_sources(**sources: str) -> None:
    """Other documents or questions: what was chosen of the old ones means nothing any more."""
    select(**sources, slice="", tag="", question="", document="")


def draw_left_out_above(plan: Plan | None) -> None:
    """Above a result, what it does not rest on, counted, with the list behind it; nothing if all was read."""
    if plan is not None and plan.left_out:
        with st.popover(
            f"**{as_typed(plan.left_out)}**: which, and why", icon=":material/data_alert:", type="tertiary"
        ):
            draw_left_out(plan)


def draw_left_out(plan: Plan | None) -> None:
    """Documents and question lines that were left out, each with its reason, and how columns were read."""
    if plan is None:
        return
    for each in (*plan.knowledge.skipped, *plan.questions.skipped):
        st.text(f"Left out: {each.name}: {each.reason}")
    for note in (*plan.knowledge.notes, *plan.questions.notes):
        st.text(note)


def draw_paths(selection: Selection, key: str, no_questions: str) -> None:
    """A folder and a question file, read together when they are sent: half of a new pair is never run.

    `no_questions` says what an empty question file means.
    """
    read = " and ".join(LOADERS.endings), ", ".join(IMPORTERS.endings)
    st.caption(f"A folder of {read[0]} files, and a question file ({read[1]}) on this computer.")
    with st.form(key, border=False):
        documents = _draw_path("Folder of documents", selection.documents, "the sample", "Empty: the sample.")
        asked = f"One question a row; only user_input is needed. Empty: {no_questions}."
        questions = _draw_path("Question file", selection.questions, no_questions, asked)
        sent = st.form_submit_button("Read these")
    if sent and (documents, questions) != (selection.documents, selection.questions):
        select_sources(documents=documents, questions=questions)
        st.rerun()


def _draw_path(label: str, value: str, placeholder: str, text: str) -> Any:
    # Without a key, another value is another field, which begins with it; what was typed in the old one is gone.
    return st.text_input(label, value=value, placeholder=placeholder, help=text).strip()
