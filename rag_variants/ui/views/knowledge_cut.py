"""Whose settings cut the documents, and the two sliders that change them."""

from dataclasses import replace

import streamlit as st

from rag_variants.errors import VariantError
from rag_variants.pipeline import Pipeline, Variant, print_variant, read_variant
from rag_variants.pipeline.pipeline import as_pipeline
from rag_variants.pipeline.setting import settings_of
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, current_selection, select

_PROBLEM = "cut problem"
USUAL = "keyword"


def draw_cut(selection: Selection) -> Pipeline:
    """The variant whose settings cut the documents; its sliders change that variant in the URL.

    A variant that is no pipeline of ours cuts none: then the usual cut is shown, and a note says so.
    """
    st.session_state["side"] = selection.side
    st.radio(
        "Settings of variant",
        ["a", "b"],
        key="side",
        horizontal=True,
        format_func=lambda side: f"{side.upper()}: {as_typed(print_variant(selection.variant(side)))}",
        on_change=lambda: select(side=st.session_state["side"]),
        help="The sliders change this variant, on the Compare page too.",
    )
    variant = selection.variant(selection.side)
    if not isinstance(variant, Pipeline):
        usual = as_pipeline(read_variant(USUAL))
        show_note(
            f"{as_typed(variant.title)} is no pipeline of ours and cuts nothing here: this is the cut of {USUAL}.",
            "cut",
        )
        return usual
    size, overlap = st.columns(2, gap="medium")
    with size:
        _draw_slider(selection.side, variant, "chunk_size")
    with overlap:
        _draw_slider(selection.side, variant, "chunk_overlap", _largest_overlap(variant))
    problem = st.session_state.pop(_PROBLEM, None)
    if problem:
        show_note(as_typed(problem), _PROBLEM)
    return variant


def _draw_slider(side: str, variant: Variant, name: str, most: int | None = None) -> None:
    known = settings_of(variant)[name][1]
    highest = int(known.maximum or 0)
    st.session_state[name] = getattr(variant, name)
    st.slider(
        f"{known.label} ({known.unit})",
        int(known.minimum or 0),
        highest if most is None else min(highest, most),
        step=int(known.step or 1),
        key=name,
        help=known.help,
        on_change=_change_cut,
        args=(side,),
    )


def _largest_overlap(variant: Pipeline) -> int:
    """The last step of the slider below the chunk size; never below what the variant has."""
    step = int(settings_of(variant)["chunk_overlap"][1].step or 1)
    return max(variant.chunk_overlap, (variant.chunk_size - 1) // step * step)


def _change_cut(side: str) -> None:
    """A smaller size takes the overlap down with it, so that no position of a slider is an error."""
    variant = as_pipeline(current_selection().variant(side))
    try:
        cut = replace(variant, chunk_size=st.session_state["chunk_size"], chunk_overlap=0)
        overlap = min(st.session_state["chunk_overlap"], _largest_overlap(cut))
        select(**{side: replace(cut, chunk_overlap=overlap)})
    except VariantError as error:  # a variant from elsewhere may have bounds of its own
        st.session_state[_PROBLEM] = str(error)
