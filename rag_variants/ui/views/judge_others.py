"""Would the winner change under another judge? The same records under every source of verdicts at hand."""

from dataclasses import replace
from functools import partial

import streamlit as st

from rag_variants.errors import ModelError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.label_queue import run_labels
from rag_variants.evaluation.judging.other_judges import (
    VerdictSource,
    calls_needed,
    gold_source,
    judged_metrics,
    label_source,
    run_source,
)
from rag_variants.evaluation.plan import Plan
from rag_variants.judges import JUDGES, check_judge
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.metrics import all_metrics
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.report import judging
from rag_variants.ui.caches import other_sources
from rag_variants.ui.endpoints import own_endpoints
from rag_variants.ui.frame import show_problem
from rag_variants.ui.labelling import score_verdicts, session_labels
from rag_variants.ui.results import key_of
from rag_variants.ui.text import as_typed
from rag_variants.ui.work import open_other_judges
from rag_variants.ui.workplace import Follow, Workplace, workplace

BASELINE = "overlap"  # the judge that others have to beat


def draw_others(comparison: Comparison, plan: Plan, own: OwnLabels) -> Follow | None:
    """One table per metric with a row per source; what follows the judging."""
    st.markdown("**Would the winner change under another judge?** The same records, no new answers")
    names = judged_metrics(comparison)
    if not names:
        st.caption("It needs context precision or faithfulness among the metrics of the run.")
        return None
    place: Workplace[tuple[VerdictSource, ...]] = workplace("other judges", other_sources())
    place.collect()
    specs = _choose(comparison)
    a, b = comparison.a.variant, comparison.b.variant
    key = ("other judges", specs, *(key_of(a, b, replace(plan, judge=spec)) for spec in (plan.judge, *specs)))
    place.take_cached(key)
    progress = _draw_button(comparison, specs, plan, place, key)
    sources = [run_source(comparison), gold_source(comparison)]
    said = run_labels(comparison, own, session_labels())
    if said.given:
        sources.append(label_source(comparison, said, score_verdicts))
    if place.shown is not None and place.shown.key == key:
        sources += place.shown.result
        if not place.shown.complete:
            st.caption("Stopped early: the judges below saw the records judged so far.")
    for name in names:
        shown = comparison.metrics[name].delta.shown
        words = judging.winner_sentence(sources, name, shown)
        st.markdown(f"**{as_typed(all_metrics()[name].label)}** · {as_typed(words)}")
        st.dataframe(judging.source_rows(sources, name), hide_index=True, height="content")
    notes = [judging.NOT_ALIKE, judging.OVERLAP if BASELINE in specs else ""]
    if said.given:
        notes.append(f"{judging.labels_words(len(said.given))} of yours in the place of the judge's verdicts.")
    st.caption(as_typed(" ".join(filter(None, notes))))
    return partial(place.draw_progress, progress)


def _choose(comparison: Comparison) -> tuple[str, ...]:
    """The judges to ask besides the run's own."""
    offered = [spec for spec in (*JUDGES, *own_endpoints().specs("chat")) if spec != comparison.judge]
    chosen = st.multiselect(
        "Other judges",
        offered,
        default=[spec for spec in (BASELINE, "embedded") if spec in offered],
        key="other judges",
        accept_new_options=True,
        help=f"overlap counts words. Choose one, or type {CHAT_FORM} for a model of an endpoint.",
    )
    found = []
    for spec in chosen:
        try:
            check_judge(spec)
        except ModelError as error:
            show_problem(str(error))
        else:
            found.append(spec)
    return tuple(spec for spec in found if spec != comparison.judge)


def _draw_button(
    comparison: Comparison,
    specs: tuple[str, ...],
    plan: Plan,
    place: Workplace[tuple[VerdictSource, ...]],
    key: tuple[object, ...],
) -> st.delta_generator.DeltaGenerator:
    asked = sum(is_chat_spec(spec) for spec in specs)
    calls = f" (at most about {asked * calls_needed(comparison, judged_metrics(comparison)):,} calls)" if asked else ""
    pressed = st.button(
        f"Judge the records again{calls}",
        key="judge again",
        disabled=not specs or place.has(key) or place.job is not None,
    )
    if pressed:
        place.start(key, open_other_judges(comparison, specs, plan))
    progress = st.empty()
    place.draw_problem([key])
    return progress
