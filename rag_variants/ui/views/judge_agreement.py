"""How far the judge agrees with labels: those given here, or those of the sample."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.identity import judge_key
from rag_variants.evaluation.judging.agreement_figures import agreement_figures
from rag_variants.evaluation.judging.label_queue import compare_labels
from rag_variants.evaluation.plan import Plan
from rag_variants.judges import known_agreement
from rag_variants.judges.measured_agreements import SAMPLE, find_agreement, save_agreement
from rag_variants.llm.specs import is_chat_spec
from rag_variants.questions.labels import JudgeLabel, load_labels
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.report.judging import KAPPA, disagreement_words, figure_rows, labels_words
from rag_variants.sample import sample_labels_file
from rag_variants.settings import Settings
from rag_variants.ui.caches import agreements
from rag_variants.ui.endpoints import visit_settings
from rag_variants.ui.frame import show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.work import open_agreement
from rag_variants.ui.workplace import Follow, Workplace, workplace

_OWN, _SAMPLE = "own", "sample"


def draw_agreement(comparison: Comparison, plan: Plan, own: OwnLabels) -> Follow | None:
    """Figures by metric, language and kind, and every disagreement; what follows the measuring."""
    st.markdown(f"**Agreement** of {as_typed(comparison.judge)} with people")
    words = {_OWN: f"your labels ({len(own.given)})", _SAMPLE: "the sample's labels"}
    chosen = st.segmented_control(
        "Labels", list(words), default=_OWN if own.given else _SAMPLE, format_func=lambda each: words[each],
        key="agreement with", label_visibility="collapsed", required=True,
    )  # fmt: skip
    place: Workplace[dict[str, Any]] = workplace("agreement", agreements())
    place.collect()
    try:
        if chosen == _OWN:
            return _draw_own(comparison, plan, own, place)
        return _draw_sample(plan, place)
    except UserError as error:
        show_problem(str(error))
        return None


def _draw_own(comparison: Comparison, plan: Plan, own: OwnLabels, place: Workplace[dict[str, Any]]) -> Follow | None:
    """The labels on this run's verdicts need no call; those about other texts can be put to the judge."""
    judged = compare_labels(comparison, own)
    elsewhere = len(own.given) - len(judged)
    if not own.given:
        st.caption("None yet: label on the left, or bring a file. Twenty tell a good judge from a poor one, roughly.")
        return None
    if judged:
        st.caption(f"{labels_words(len(judged))} on verdicts of this run: no call is needed.")
        _draw_figures(agreement_figures(comparison.judge, judged))
    if not elsewhere:
        return None
    st.caption(f"{labels_words(elsewhere)} on other texts or runs. Put to the judge, all {len(own.given)} count.")
    kept = find_agreement(Settings().home, own.fingerprint, plan.judge)
    return _draw_measuring(own.labels, own.fingerprint, kept, plan, place)


def _draw_sample(plan: Plan, place: Workplace[dict[str, Any]]) -> Follow | None:
    known = known_agreement(plan.judge, Settings().home)
    st.caption("Prepared statements about the sample's documents. They say nothing about yours.")
    return _draw_measuring(load_labels(sample_labels_file()), SAMPLE, known, plan, place)


def _draw_measuring(
    labels: tuple[JudgeLabel, ...],
    name: str,
    kept: Mapping[str, Any] | None,
    plan: Plan,
    place: Workplace[dict[str, Any]],
) -> Follow | None:
    """The figures measured before, and a button that measures them."""
    key = ("agreement", name, len(labels), *judge_key(plan, visit_settings()))
    if place.has(key) and place.shown is not None:
        fresh = place.shown.result
        if fresh != kept:
            save_agreement(Settings().state_folder(), name, fresh)
        kept = fresh
    calls = f" (about {len(labels)} calls; replies at hand are used again)" if is_chat_spec(plan.judge) else ""
    if st.button(
        f"{'Measure again' if kept else 'Measure'}{calls}", key="measure agreement", disabled=place.job is not None
    ):
        place.start(key, open_agreement(labels, plan))
    progress = st.empty()
    place.draw_problem([key])
    if place.shown is not None and place.shown.key == key and not place.shown.complete:
        st.caption("Stopped early: these are the labels judged so far.")
        kept = place.shown.result
    if kept is not None:
        _draw_figures(kept)
    else:
        st.caption(f"{as_typed(plan.judge)} was not measured on these {len(labels)} labels.")
    return partial(place.draw_progress, progress)


def _draw_figures(measured: Mapping[str, Any]) -> None:
    st.dataframe(figure_rows(measured), hide_index=True, height="content")
    st.caption(f"{measured['unsure']} of {measured['n']} verdicts unsure, counted as no. {KAPPA}")
    for each in measured.get("failed", ())[:3]:
        st.text(f"no verdict: {each['error']}")
    lost = measured["disagreements"]
    if lost:
        with st.expander(f"Where they differ: {len(lost)}"), st.container(key=f"quiet differing {measured['n']}"):
            st.text("\n\n".join(disagreement_words(each) for each in lost))
