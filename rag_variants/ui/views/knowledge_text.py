"""The chosen document: its text with borders and evidence, the settings that cut it, what they did."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag_variants.pipeline.chunks import chunks_of, reads_current, searched_cut
from rag_variants.report.marked_text import LEGEND, SHOW_FIRST, mark_up
from rag_variants.settings import Settings
from rag_variants.types import Chunk, Document, Question
from rag_variants.ui.caches import shared_bench
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.knowledge_cut import draw_cut
from rag_variants.ui.views.knowledge_facts import (
    Sources,
    chunk_rows,
    chunk_statistics,
    evidence_fates,
    state_of,
    superseded_by,
    validity_of,
)
from rag_variants.ui.views.knowledge_marks import find_highlights

MARKS_HELP = (
    "gold: the chunk holds the key whole, or without a key half of the quote, or is half quote itself. "
    "part: it only touches the evidence. trap: its document misleads, and why."
)
SHOWN_AT_ONCE = 150  # chunks; a page with more becomes slow
HEIGHT = 720


def draw_document(
    selection: Selection,
    sources: Sources,
    document: Document,
    quote: str,
    places: tuple[DeltaGenerator, DeltaGenerator],
) -> None:
    """The text in the first place, settings and marks in the second. `quote` is what the line maker has marked."""
    text, controls = places
    with controls:
        variant, today = draw_cut(selection), Settings().today()
        every = chunks_of(searched_cut(variant), shared_bench(sources.knowledge, today))
        chunks = [chunk for chunk in every if chunk.document == document.path]
        state = state_of(document, sources.knowledge, today)
        if reads_current(variant) and state != "current":
            show_note(f"Variant {selection.side.upper()} leaves this document out: it is {state}.", "left out")
        question = _draw_question_choice(selection, sources, document)
        if question:
            _draw_fates(question, sources, document, chunks, every)
        _draw_statistics(chunks, every, variant.chunk_overlap if len(chunks) > 1 else 0)
        _draw_chunk_table(sources, document, question, chunks)
    with text:
        _draw_facts(sources, document)
        st.html(LEGEND)
        _draw_text(sources, document, question, chunks, quote)


def _draw_question_choice(selection: Selection, sources: Sources, document: Document) -> Question | None:
    """The question whose evidence is shown; those that this document holds evidence of come first."""
    asked = {question.id: question for question in sources.questions.questions}
    here = [key for key, question in asked.items() if sources.located.touches(question, document.path)]
    elsewhere = [key for key in asked if key not in set(here)]
    chosen = selection.question if selection.question in asked else ""
    st.session_state["knowledge question"] = chosen
    every = f"every question with evidence or a trap here ({len(here)})" if here else "no question has evidence here"
    st.selectbox(
        "Evidence of question",
        ["", *here, *elsewhere],
        key="knowledge question",
        format_func=lambda key: (
            f"{key} · {asked[key].user_input}" + " · elsewhere" * (key not in here) if key else every
        ),
        on_change=lambda: select(question=st.session_state["knowledge question"]),
        help=MARKS_HELP,
    )
    return asked.get(chosen)


def _draw_fates(
    question: Question, sources: Sources, document: Document, chunks: list[Chunk], every: tuple[Chunk, ...]
) -> None:
    """What the borders do to each piece of the question's evidence, and where else it stands."""
    gold = sources.located.golds[question.id]
    st.text(question.user_input)
    if document.path in gold.documents:
        st.html(SHOW_FIRST)
    for fate in evidence_fates(gold, document.path, chunks):
        st.text(fate)
    for missing in gold.missing:
        st.text(f"{missing.name}: {missing.reason}")
    if not question.evidence:
        words = "The documents hold no answer." if question.answerable is False else "This question names no evidence."
        st.caption(words)
    for path in sorted(gold.documents - {document.path}):
        held = len(gold.gold_chunks(chunk for chunk in every if chunk.document == path))
        label = f"Open {as_typed(path)}: {held} gold chunk{'' if held == 1 else 's'}"
        st.button(label, key=f"open {path}", on_click=_open, args=(path,), icon=":material/arrow_forward:")


def _open(path: str) -> None:
    select(document=path)


def _draw_statistics(chunks: list[Chunk], every: tuple[Chunk, ...], wanted: int) -> None:
    here, whole = chunk_statistics(chunks), chunk_statistics(every)
    frame = pd.DataFrame({"this document": here, "all documents": whole}).reindex(list(whole)).fillna("–")
    st.table(frame)
    if wanted and not here.get("Repeated by overlap", "").strip("0%"):
        st.caption(
            "No overlap here: cuts fall between paragraphs and sentences, and a piece longer than the overlap is not "
            "repeated."
        )


def _draw_chunk_table(sources: Sources, document: Document, question: Question | None, chunks: list[Chunk]) -> None:
    rows = chunk_rows(chunks, sources, document.path, question)
    st.dataframe(pd.DataFrame(rows), key="chunk table", hide_index=True, height=min(300, 38 + 35 * len(rows)))


def _draw_facts(sources: Sources, document: Document) -> None:
    """What the document says of itself, in one line."""
    newer = superseded_by(sources.knowledge).get(document.path, ())
    said = [
        document.title,
        document.language,
        f"version {document.version}" if document.version else "",
        f"valid {validity_of(document)}" if validity_of(document) else "",
        f"superseded by {', '.join(newer)}" if newer else "",
        f"supersedes {', '.join(document.supersedes)}" if document.supersedes else "",
        f"{len(document.text):,} characters",
    ]
    st.text(" · ".join(filter(None, said)))


def _draw_text(
    sources: Sources, document: Document, question: Question | None, chunks: list[Chunk], quote: str
) -> None:
    highlights = find_highlights(sources, document, question, chunks, quote)
    start, end = 0, len(document.text)
    if len(chunks) > SHOWN_AT_ONCE:
        evidence = [each.start for each in highlights if each.kind == "evidence"] if question else []
        shown = _choose_window(chunks, f"from {document.path} {question and question.id}", min(evidence, default=0))
        start, end = shown[0].start, shown[-1].end
    lines = sum(1 + len(line) // 70 for line in document.text[start:end].splitlines())
    with st.container(height=HEIGHT if lines * 28 > HEIGHT else "content", border=True, key="document text"):
        st.html(mark_up(document.text, highlights, start, end))


def _choose_window(chunks: list[Chunk], key: str, place: int) -> list[Chunk]:
    """The chunks that are shown of a long document, at first from the one that holds a place."""
    first = next((number for number, chunk in enumerate(chunks, start=1) if chunk.end > place), 1)
    st.session_state[key] = min(st.session_state.get(key, first), len(chunks))
    label = f"Show {SHOWN_AT_ONCE} of {len(chunks):,} chunks, from number"
    number = int(st.number_input(label, 1, len(chunks), step=SHOWN_AT_ONCE, key=key))
    return chunks[number - 1 : number - 1 + SHOWN_AT_ONCE]
