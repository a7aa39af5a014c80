"""The choice of the judge and of the encoder it compares with, in the Compare page's row of sources."""

from collections.abc import Callable

import streamlit as st

from rag_variants.errors import ModelError, UserError
from rag_variants.judges import check_judge, known_agreement, known_judges
from rag_variants.llm import check_encoder
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.retrieve.passages import VectorSettings
from rag_variants.pipeline.setting import settings_of
from rag_variants.report.judging import labels_words
from rag_variants.report.words import agreement_words
from rag_variants.settings import Settings
from rag_variants.ui.caches import read_knowledge
from rag_variants.ui.endpoints import Kind, own_endpoints
from rag_variants.ui.frame import PAGES, draw_page_link, show_errors, show_problem
from rag_variants.ui.own_labels import own_labels
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select

_CHECKS: dict[str, Callable[[str], None]] = {"judge": check_judge, "judge_embeddings": check_encoder}
_PROBLEM = "judge problem"


def draw_judge(selection: Selection) -> None:
    """A popover with the judge's name; inside, how far it can be trusted, and both specs to choose or type."""
    with st.popover(f"Judge: {as_typed(_short(selection.judge))}", width="stretch", key="judge panel"):
        st.caption(
            "Who gives the verdicts behind faithfulness, context precision and recall, and answer relevancy. "
            "Both sides have the same judge."
        )
        _draw_choice(selection.judge, "judge", "Judge", ("embedded",), "chat")
        with show_errors():
            st.caption(as_typed(judge_sentence(selection.judge)))
        if count := _own_count(selection.documents):
            st.caption(f"{labels_words(count)} of your own on these documents: the Judge page compares them.")
        draw_page_link(PAGES["Judge"], "How far to believe it", selection)
        offered = settings_of(VectorSettings)["embeddings"][1].choices
        _draw_choice(selection.judge_embeddings, "judge_embeddings", "Its embeddings", offered, "embeddings")
        st.caption("What the scores that compare vectors use: answer relevancy, reference coverage, similarity.")
        if problem := st.session_state.get(_PROBLEM):
            show_problem(problem)
        draw_page_link(PAGES["Settings"], "Add a model endpoint", selection)


def judge_sentence(spec: str) -> str:
    """What a judge is, and its agreement with people's labels in true words."""
    what = known_judges()[CHAT_FORM if is_chat_spec(spec) else spec]
    agreement = agreement_words(known_agreement(spec, Settings().home))
    return f"{spec}: {what}. Agreement: {agreement}."


def _own_count(documents: str) -> int:
    """How many labels are kept on the documents; 0 where documents or labels cannot be read, which others say."""
    try:
        return len(own_labels(read_knowledge(documents).fingerprint).given)
    except UserError:
        return 0


def _draw_choice(value: str, field: str, label: str, offered: tuple[str, ...], kind: Kind) -> None:
    key = f"selected {field}"
    st.session_state[key] = value
    st.selectbox(
        label,
        tuple(dict.fromkeys((*offered, *own_endpoints().specs(kind), value))),
        key=key,
        accept_new_options=True,
        help=f"Choose one, or type {CHAT_FORM} for a model of an endpoint.",
        on_change=_change,
        args=(field, key),
    )


def _change(field: str, key: str) -> None:
    spec = (st.session_state[key] or "").strip()
    st.session_state.pop(_PROBLEM, None)
    if not spec:  # its text was cleared
        return
    try:
        _CHECKS[field](spec)
    except ModelError as error:
        st.session_state[_PROBLEM] = str(error)
    else:
        select(**{field: spec})


def _short(spec: str, most: int = 22) -> str:
    return spec if len(spec) <= most else spec[: most - 1] + "…"
