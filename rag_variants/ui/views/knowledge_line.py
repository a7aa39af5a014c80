"""A sentence of the document → a question line; the lines of a session are collected and can be downloaded."""

import streamlit as st

from rag_variants.questions.sets import QuestionSet
from rag_variants.questions.writer import as_lines
from rag_variants.text.as_read import as_read
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Document, Question
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.knowledge_draft import KINDS, LONGEST_QUOTE, Draft, find_hints, next_id

_COLLECTED = "collected questions"
_TYPED = ("line question", "line reference", "line key", "line quote", "line id", "line sentence")


def draw_line_maker(document: Document, questions: QuestionSet) -> str:
    """The fields, the line or what is missing, and the lines collected. The quote as it stands now."""
    if st.session_state.get("line document") != document.path:
        _forget()
        st.session_state["line document"] = document.path
    collected: list[Question] = st.session_state.setdefault(_COLLECTED, [])
    taken = {question.id for question in (*questions.questions, *collected)}
    draft = _draw_fields(document, taken)
    hints = find_hints(draft, taken)
    if hints:
        for at, hint in enumerate(hints):
            show_note(as_typed(hint), f"hint {at}", "edit")
    else:
        st.code(next(as_lines([draft.question()])), language=None, wrap_lines=True)
    st.button(
        "Add to the collected lines", disabled=bool(hints), on_click=_collect, args=(draft,), icon=":material/add:"
    )
    _draw_collected(collected)
    return draft.quote


def _draw_fields(document: Document, taken: set[str]) -> Draft:
    sentences = split_sentences(document.text, as_language(document.language))
    st.selectbox(
        "Sentence",
        range(len(sentences)),
        index=None,
        key="line sentence",
        placeholder="Choose a sentence, or type to search",
        format_func=lambda at: " ".join(sentences[at].text.split()),
        on_change=_take_sentence,
        args=([sentence.text for sentence in sentences],),
    )
    quote = st.text_area(
        f"Quote, at most {LONGEST_QUOTE} characters", key="line quote", height=96,
        help="The words that answer the question, exactly as they stand. Shorten a long sentence here.",
    )  # fmt: skip
    user_input = st.text_input("Question", key="line question")
    reference = st.text_input("Reference answer (optional)", key="line reference")
    left, middle, right = st.columns(3, gap="small")
    key = left.text_input(
        "Key (optional)", key="line key", help="The part of the quote without which an answer is wrong: 14 days."
    )
    kind = middle.selectbox("Kind (optional)", KINDS, index=None, key="line kind", placeholder="none")
    name = right.text_input("Id", key="line id", placeholder=next_id(taken))
    typed = as_read(name or next_id(taken)), as_read(quote), as_read(user_input), as_read(reference), as_read(key)
    return Draft(document, *typed, kind or "")


def _take_sentence(texts: list[str]) -> None:
    at = st.session_state["line sentence"]
    st.session_state["line quote"] = "" if at is None else texts[at]
    st.session_state["line key"] = ""


def _collect(draft: Draft) -> None:
    st.session_state[_COLLECTED] = [*st.session_state[_COLLECTED], draft.question()]
    _forget()


def _forget() -> None:
    """Empties the fields; called before they are drawn."""
    for key in _TYPED:
        st.session_state[key] = None if key == "line sentence" else ""


def _draw_collected(collected: list[Question]) -> None:
    if not collected:
        st.caption("Lines that you add are kept until you close this browser tab. Nothing is written to your files.")
        return
    lines = "".join(f"{line}\n" for line in as_lines(collected))
    st.markdown(f"**Collected lines: {len(collected)}**")
    st.code(lines.rstrip("\n"), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.download_button(
            "Download questions.jsonl", lines, "questions.jsonl", "application/jsonl", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
        st.button("Remove the last", on_click=_remove_last, icon=":material/undo:")


def _remove_last() -> None:
    st.session_state[_COLLECTED] = st.session_state[_COLLECTED][:-1]
