"""The left of the Tune page: the kind of variant, pin and undo, every setting, and what to do with the one found."""

import shlex

import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.pipeline import print_variant
from rag_variants.ui.commands import source_options
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import PAGES
from rag_variants.ui.moves import move_to, moves, pin_this, redo, send, undo
from rag_variants.ui.settings_panel import draw_kind, draw_reset, draw_settings
from rag_variants.ui.url import Selection, print_selection, select_pair

# The settings stay in view while the numbers scroll; sliders stand close together.
CSS = """
:has(> .st-key-tune-panel) { position: sticky; top: 0.5rem; }
.st-key-tune-panel { max-height: calc(100vh - 1rem); overflow-y: auto; padding-top: 0.6rem; }
@media (max-width: 640px) { :has(> .st-key-tune-panel) { position: static; } .st-key-tune-panel { max-height: none; } }
.st-key-tune-panel [data-testid="stSlider"] label { min-height: 0; }
.st-key-tune-panel [data-testid="stSlider"] > div > div { padding: 1.7rem 0 0.25rem; }
.st-key-tune-panel [data-testid="stSliderTickBar"] { display: none; }
.st-key-tune-ways button { padding: 0.1rem 0.5rem; min-height: 2rem; }
.st-key-tune-ways button p { font-size: 0.85rem; }
[class*="st-key-tune-"][class*="-stale"] { opacity: 0.5; }
.st-key-tune-waiting:empty { display: none; }
.st-key-tune-head h3 { padding: 0 0 1.1rem; font-size: clamp(1.3rem, 1.9vw, 1.75rem); }
"""


def draw_panel(selection: Selection, plan: Plan) -> None:
    """Everything that can be moved."""
    now = selection.tuned
    draw_kind("tune", now, "Variant", move_to, label_visibility="collapsed")
    _draw_ways(selection)
    draw_settings("tune", now, move_to, compact=True)
    _draw_written(selection, plan)


def _draw_ways(selection: Selection) -> None:
    """Pin, back and forth, defaults."""
    known, same = moves(), selection.tuned == selection.pinned
    with st.container(horizontal=True, gap="xsmall", key="tune ways"):
        st.button(
            "Pin this", icon=":material/keep:", key="pin", on_click=pin_this, disabled=same,
            help="Measure from here: every delta is against the pinned setting.",
        )  # fmt: skip
        st.button(
            "Undo", key="undo", on_click=undo, disabled=not known.back,
            help="Back to the setting and pin before the last move.",
        )  # fmt: skip
        st.button("Redo", key="redo", on_click=redo, disabled=not known.forward)
        draw_reset("tune", selection.tuned, "Defaults", move_to)


def _draw_written(selection: Selection, plan: Plan) -> None:
    """The setting as it is written, the command that compares it, and the way to the Compare page."""
    now, pin = selection.tuned, selection.pinned
    st.caption("**Take it along**")
    st.code(print_variant(now), language=None, wrap_lines=True)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        for side in "ab":
            st.button(
                f"Send as {BADGES[side]}", key=f"send {side}", on_click=send, args=(side,),
                disabled=selection.variant(side) == now, help="On every page; the sliders stay here.",
            )  # fmt: skip
    st.page_link(
        PAGES["Compare"],
        label="Compare with the pin",
        icon=":material/compare_arrows:",
        help=f"Opens the Compare page: {BADGES['a']} the pin, {BADGES['b']} this setting.",
        query_params=print_selection(select_pair(selection, pin, now)),
    )
    with st.expander("As a command line"):
        st.code(compare_command(selection, plan), language="shell", wrap_lines=True)


def compare_command(selection: Selection, plan: Plan) -> str:
    """What compares the pin with the setting at hand, quoted for a shell."""
    sides = (print_variant(selection.pinned), print_variant(selection.tuned))
    return shlex.join(["rag-variants", "compare", *sides, *source_options(plan, selection)])
