"""The Knowledge page: documents, one of them with its chunks and evidence, questions, and a line for a new one."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from rag_variants.errors import UserError
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.marked_text import CSS
from rag_variants.settings import Settings
from rag_variants.types import Document
from rag_variants.ui.caches import read_knowledge, read_questions, stage_cache
from rag_variants.ui.frame import open_page, show_note, show_problem
from rag_variants.ui.sources import draw_paths
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.knowledge_facts import Sources, default_document, document_rows, locate_all
from rag_variants.ui.views.knowledge_line import draw_line_maker
from rag_variants.ui.views.knowledge_questions import draw_left_out, draw_questions
from rag_variants.ui.views.knowledge_text import draw_document

NO_QUESTIONS = QuestionSet("no questions", ())
WIDTHS = {
    "Document": 215,
    "Language": 75,
    "Title": 215,
    "Version": 62,
    "Validity": 185,
    "Superseded by": 165,
    "Today": 85,
}


def draw_knowledge_page() -> None:
    """The whole page. Widgets write to the URL; the page is drawn from it."""
    selection = open_page("Knowledge")
    st.html(f"<style>{CSS}</style>")
    try:
        sources = _read(selection)
    except UserError as error:
        _draw_sources(selection, None)
        show_problem(str(error))
        return
    _draw_sources(selection, sources)
    if sources.problem:
        show_problem(sources.problem)
    document = _draw_documents(selection, sources)
    _draw_chosen(selection, sources, document)
    draw_questions(selection, sources.questions, sources.located)


def _read(selection: Selection) -> Sources:
    """Documents and questions; questions that cannot be read do not take the documents down. Raises KnowledgeError."""
    knowledge = read_knowledge(selection.documents)
    questions, problem = NO_QUESTIONS, None
    if selection.questions or not selection.documents:
        try:
            questions = read_questions(selection.questions)
        except UserError as error:
            problem = str(error)
    key = (knowledge, questions)
    located = stage_cache().get("evidence", key, lambda: locate_all(questions, knowledge))
    return Sources(knowledge, questions, located, problem)


def _draw_sources(selection: Selection, sources: Sources | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(key="large knowledge", width="stretch"):
            st.text(_summary(selection, sources))
        with st.popover("Documents and questions", key="knowledge sources", width="content"):
            unsaid = "none yet" if selection.documents else "the sample's questions"
            draw_paths(selection, "knowledge paths", unsaid)
            st.caption("Documents alone will do here: write the first questions for them below.")


def _summary(selection: Selection, sources: Sources | None) -> str:
    if sources is None:
        return "No documents"
    name = sources.knowledge.name
    documents, questions = len(sources.knowledge.documents), len(sources.questions.questions)
    characters = sum(len(document.text) for document in sources.knowledge.documents)
    return f"{name}: {_count(documents, 'document')}, {characters:,} characters, {_count(questions, 'question')}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _draw_documents(selection: Selection, sources: Sources) -> Document:
    """The list, what was left out of it, and the document that is chosen."""
    st.subheader("Documents")
    rows = document_rows(sources.knowledge, sources.questions, sources.located, Settings().today())
    paths = [document.path for document in sources.knowledge.documents]
    if selection.document and selection.document not in paths:
        show_note(f"There is no document {as_typed(selection.document)} here; another is shown.", "no document")
    asked = [question for question in sources.questions.questions if question.id == selection.question]
    first = default_document(sources.located, asked or sources.questions.questions) or paths[0]
    chosen = selection.document if selection.document in paths else first
    _draw_table(rows, paths, chosen)
    draw_left_out("Files left out, and what was guessed", sources.knowledge.skipped, sources.knowledge.notes)
    titles = {row["Document"]: row["Title"] for row in rows}
    st.session_state["document"] = chosen
    st.selectbox(
        "Document",
        paths,
        key="document",
        format_func=lambda path: f"{path} · {titles[path]}",
        on_change=lambda: select(document=st.session_state["document"]),
        help="Type to search by path or title. A click on the left edge of a row above chooses too.",
    )
    return sources.knowledge.by_path[chosen]


def _draw_table(rows: list[dict[str, Any]], paths: Sequence[str], chosen: str) -> None:
    """The list as a table without columns that no document fills; a click chooses, the select beside it too."""
    frame = pd.DataFrame(rows)
    for column in ("Version", "Validity", "Superseded by"):
        if not frame[column].any():
            frame = frame.drop(columns=column)
    turn = st.session_state.setdefault("documents turn", 0)
    key = f"documents table {turn}"

    def choose() -> None:
        picked = st.session_state[key].selection.rows
        if picked and picked[0] < len(paths):
            select(document=paths[picked[0]])
            st.session_state["documents turn"] = turn + 1

    config = {
        **{name: st.column_config.TextColumn(width=width) for name, width in WIDTHS.items()},
        **{name: st.column_config.NumberColumn(format="localized") for name in ("Characters", "Questions")},
    }
    st.dataframe(
        frame, key=key, hide_index=True, height=min(246, 38 + 35 * len(rows)), column_config=config,
        on_select=choose, selection_mode="single-row",
    )  # fmt: skip


def _draw_chosen(selection: Selection, sources: Sources, document: Document) -> None:
    left, right = st.columns([11, 8], gap="medium")
    text, panel = left.container(), right.container(border=True)
    with panel:
        chunks, line = st.tabs(["Chunks and evidence", "New question line"])
        with line:
            quote = draw_line_maker(document, sources.questions)
        with chunks:
            controls = st.container()
    draw_document(selection, sources, document, quote, (text, controls))
