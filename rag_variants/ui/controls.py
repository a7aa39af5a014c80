"""The top of the Compare page: A, B, documents, questions, slice, metrics, presets. Every change goes to the URL."""

from pathlib import Path
from typing import Any

import streamlit as st

from rag_variants.corpus.loaders import LOADERS
from rag_variants.errors import UserError
from rag_variants.evaluation.plan import EVERY_QUESTION, Plan
from rag_variants.metrics import DEFAULT_METRICS
from rag_variants.pipeline import Variant
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_value
from rag_variants.questions.holdout import holdout_questions
from rag_variants.questions.importers import IMPORTERS
from rag_variants.ui.caches import read_sample_lessons
from rag_variants.ui.frame import show_errors
from rag_variants.ui.judge_panel import draw_judge
from rag_variants.ui.presets import Preset, make_presets
from rag_variants.ui.settings_panel import draw_kind, draw_reset, draw_settings
from rag_variants.ui.sources import bare, draw_left_out, draw_paths, select_sources
from rag_variants.ui.text import as_typed
from rag_variants.ui.uploads import is_upload, safe_name, save_uploads
from rag_variants.ui.url import Selection, current_selection, select

BADGES = {"a": ":blue-badge[**A**]", "b": ":orange-badge[**B**]"}
METRIC_CHOICES = {
    DEFAULT_METRICS: "the usual ones",
    "retrieval": "retrieval only",
    "quick": "two quick ones",
    "all": "all there are",
}


def draw_variants(selection: Selection, running: bool, wanted: bool) -> bool:
    """A and B with their settings, the swap and the run button; True if it was pressed."""
    left, middle, right, run = st.columns([10, 1.1, 10, 4], vertical_alignment="bottom", gap="small")
    with left:
        _draw_side("a", selection.a)
    middle.button("", icon=":material/swap_horiz:", key="swap", help="Swap A and B", on_click=_swap, width="stretch")
    with right:
        _draw_side("b", selection.b)
    pressed = run.button(
        "Run comparison", key="run", type="primary" if wanted else "secondary", disabled=running, width="stretch"
    )
    left, _, right, _ = st.columns([10, 1.1, 10, 4], gap="small")
    left.caption(as_typed(settings_words(selection.a)))
    right.caption(as_typed(settings_words(selection.b)))
    return pressed or bool(st.session_state.pop("run now", False))


def _draw_side(side: str, variant: Variant) -> None:
    with st.container(key=f"kind row {side}"):
        kind, settings = st.columns([3, 1.3], vertical_alignment="bottom", gap="small")
    with kind:
        draw_kind(side, variant, f"{BADGES[side]} Variant")
    with settings.popover("Settings", width="stretch", key=f"{side} settings"):
        st.markdown(f"{BADGES[side]} **{as_typed(variant.title)}**: {as_typed(variant.summary)}")
        draw_settings(side, variant)
        draw_reset(side, variant)


def settings_words(variant: Variant) -> str:
    """What differs from the defaults, in words."""
    changed = [
        f"{texts.label} {print_value(getattr(variant, name))}"
        for name, (declared, texts) in settings_of(variant).items()
        if getattr(variant, name) != declared.default
    ]
    if changed:
        return " · ".join(changed) + " · the rest at defaults"
    size = ""
    if isinstance(variant, Pipeline):
        size = f"top_k {variant.top_k} · chunks {variant.chunk_size}/{variant.chunk_overlap} · "
    return f"{size}all settings at their defaults"


def draw_sources(selection: Selection, plan: Plan | None) -> None:
    """Presets, documents and questions, slice, metrics and judge in one row. `plan` is None if it is not readable."""
    with st.container(key="sources row"):
        columns = st.columns([5, 6, 6.5, 5, 4.5], vertical_alignment="bottom", gap="small")
    preset, sources, part, metrics, judge = columns
    preset.selectbox(
        "Examples", list(_presets(selection)), index=None, key="preset", placeholder="Run an example pair …",
        label_visibility="collapsed", on_change=_choose_preset,
    )  # fmt: skip
    with sources:
        _draw_paths(selection, plan)
    with part:
        _draw_slice(selection, plan)
    with metrics:
        choices = dict(METRIC_CHOICES)
        choices.setdefault(selection.metrics, selection.metrics)
        _bound("metrics", selection.metrics, st.selectbox, "Metrics", list(choices), label_visibility="collapsed",
               format_func=lambda each: f"Metrics: {choices[each]}")  # fmt: skip
    with judge:
        draw_judge(selection)


def _draw_paths(selection: Selection, plan: Plan | None) -> None:
    count = f" ({len(plan.knowledge.documents)} documents)" if plan else ""
    name = selection.documents or "sample"
    if is_upload(name):
        name = Path(name).name
    with st.popover(f"Documents: {as_typed(_short(name))}{count}", width="stretch", key="sources"):
        _draw_uploads()
        draw_paths(selection, "paths", "the sample's questions")
        draw_left_out(plan)


def _draw_uploads() -> None:
    """Files of one's own: documents and questions together, because questions belong to their documents."""
    with st.form("uploads", border=False):
        documents = st.file_uploader(
            "Send documents", type=bare(LOADERS.endings), accept_multiple_files=True, max_upload_size=20
        )
        folder = st.file_uploader(
            "or their folder", type=bare(LOADERS.endings), accept_multiple_files="directory", max_upload_size=20
        )
        questions = st.file_uploader("and a question file", type=bare(IMPORTERS.endings), max_upload_size=20)
        sent = st.form_submit_button("Use these files")
        if sent and not ((documents or folder) and questions):
            st.caption("Choose documents and a question file: questions belong to their documents.")
        elif sent and questions:
            with show_errors():
                file = save_uploads([questions]) / safe_name(questions.name)
                select_sources(documents=str(save_uploads([*documents, *folder])), questions=str(file))
                st.rerun()


def _draw_slice(selection: Selection, plan: Plan | None) -> None:
    values = plan.questions.tag_values() if plan else {}
    words = slice_words(plan)
    options = list(words)
    options += [f"{tag}={value}" for tag, each in values.items() for value in each]
    if selection.slice and selection.slice not in options:
        options.append(selection.slice)
    words = {selection.slice: selection.slice, **words}
    _bound("slice", selection.slice, st.selectbox, "Questions", options, label_visibility="collapsed",
           format_func=lambda each: f"Run on questions: {words.get(each, each)}")  # fmt: skip


def slice_words(plan: Plan | None) -> dict[str, str]:
    """The usual part of the questions, and the whole where that is more, in words with their counts."""
    if plan is None:
        return {"": "all"}
    count = len(plan.questions.questions)
    held = len(holdout_questions(plan.questions).questions)
    if plan.usual is None and 0 < held < count:
        return {"": f"the {count - held} that are not held out", EVERY_QUESTION: f"all {count}, held-out ones too"}
    if plan.usual is None:
        return {"": f"all {count}"}
    usual = len(plan.restricted(None).questions.questions)
    return {"": f"the {usual} general ones", EVERY_QUESTION: f"all {count}, those of the lessons too"}


def _bound(field: str, value: str, widget: Any, *arguments: Any, **options: Any) -> None:
    """A widget that shows a field of the selection and writes it back when it changes."""
    key = f"selected {field}"
    st.session_state[key] = value
    widget(*arguments, key=key, on_change=_write, args=(field, key), **options)


def _write(field: str, key: str) -> None:
    select(**{field: (st.session_state[key] or "").strip()})


def _swap() -> None:
    selection = current_selection()
    select(a=selection.b, b=selection.a)


def _choose_preset() -> None:
    chosen = st.session_state["preset"]
    st.session_state["preset"] = None
    if chosen:
        preset = _presets(current_selection())[chosen]
        select(a=preset.a, b=preset.b, slice=preset.slice, question="")
        st.session_state["run now"] = True


def _presets(selection: Selection) -> dict[str, Preset]:
    """The pairs on offer; those of the lessons belong to the sample, and the Lessons page says what is wrong there."""
    if selection.documents or selection.questions:
        return make_presets()
    try:
        return make_presets(read_sample_lessons().lessons)
    except UserError:
        return make_presets()


def _short(name: str, most: int = 28) -> str:
    return name if len(name) <= most else "…" + name[1 - most :]
