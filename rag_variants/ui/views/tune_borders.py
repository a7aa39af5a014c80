"""A document with its chunk borders over the evidence; it follows the chunk-size slider before anything is embedded."""

from collections.abc import Mapping, Sequence

import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.rows import located_questions
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of, whole_cut
from rag_variants.pipeline.pipeline import as_pipeline
from rag_variants.questions.gold import Gold, Occurrence
from rag_variants.report.border_choice import first_cut
from rag_variants.report.border_words import cut_words, piece_of
from rag_variants.report.chunk_borders import borders_html, view_borders
from rag_variants.report.gold_moves import GoldMove, TopK, find_swings
from rag_variants.report.marked_text import CSS, SHORT_LEGEND
from rag_variants.types import Question
from rag_variants.ui.caches import bench_for
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select

Located = Mapping[str, tuple[Question, Gold]]


def draw_borders(selection: Selection, plan: Plan, moves: Sequence[GoldMove], top_k: TopK) -> None:
    """The question's evidence and where what the setting on the left reads is cut; nothing without evidence.

    Without a question chosen it is the first lost, else the first whose evidence is cut, else the first.
    """
    bench, tuned = bench_for(plan), as_pipeline(selection.tuned)
    located = {question.id: (question, gold) for question, gold in located_questions(plan, bench) if gold.occurrences}
    if not located:
        return
    chunks = chunks_of(whole_cut(selection.tuned), bench)
    with st.container(border=True, key="borders", gap="small"):
        piece = piece_of(tuned)
        st.markdown(f"**{piece.capitalize()} borders over the evidence** {as_typed(cut_words(tuned))}")
        chosen = _choose_question(located, _proposed(selection, located, moves, top_k, bench))
        gold = located[chosen][1]
        place = _choose_place(chosen, gold)
        document = next(each for each in plan.knowledge.documents if each.path == place.document)
        view = view_borders(document, chunks, gold, place, piece=piece)
        for sentence in view.sentences:
            st.text(sentence)
        st.html(f"<style>{CSS}</style>{SHORT_LEGEND}")
        st.html(borders_html(view))


def _proposed(selection: Selection, located: Located, moves: Sequence[GoldMove], top_k: TopK, bench: Bench) -> str:
    if selection.question in located:
        return selection.question
    lost = next((each.id for each in find_swings(moves, top_k) if each.kind == "lost"), None)
    if lost in located:
        return str(lost)
    cut = first_cut(located.values(), chunks_of(whole_cut(selection.tuned), bench))
    return cut.id if cut else next(iter(located))


def _choose_question(located: Located, proposed: str) -> str:
    st.session_state["border question"] = proposed
    return st.selectbox(
        "Question whose evidence is shown",
        list(located),
        format_func=lambda key: f"{key} · {located[key][0].user_input}",
        key="border question",
        on_change=lambda: select(question=st.session_state["border question"]),
        help="Without a choice: the first question lost, else the first whose evidence a border cuts.",
    )


def _choose_place(question: str, gold: Gold) -> Occurrence:
    """One place of the evidence; a choice where there are several."""
    places = [place for path in dict.fromkeys(each.document for each in gold.occurrences) for place in _in(path, gold)]
    if len(places) == 1:
        st.caption(as_typed(places[0].document))
        return places[0]
    at = st.selectbox(
        "Place",
        range(len(places)),
        format_func=lambda at: (
            f"{places[at].document}, from character {places[at].start:,} · evidence {places[at].group}"
        ),
        key=f"border place {question}",
    )
    return places[at]


def _in(path: str, gold: Gold) -> list[Occurrence]:
    return sorted((each for each in gold.occurrences if each.document == path), key=lambda each: (each.start, each.end))
