"""The metric laboratory: each core metric with its formula and an example whose verdicts move the score."""

import streamlit as st

from rag_variants.ui.views.laboratory_items import draw_items
from rag_variants.ui.views.laboratory_score import draw_contrast, draw_edges, draw_score
from rag_variants.ui.views.laboratory_setups import PRESETS, has_readings
from rag_variants.ui.views.laboratory_state import Setup, begin, can_undo, change, current, undo
from rag_variants.wording.wording import Wording, read_wording

_METRIC = "laboratory metric"
# Numbers that can be read from the back of a room; buttons that show their icon and say their name.
_CSS = """
.st-key-laboratory-score [data-testid="stText"] { font-size: 4rem; font-weight: 700; line-height: 1.1; }
.st-key-laboratory-sum [data-testid="stText"] { font-size: 1.6rem; font-weight: 600; line-height: 1.3; }
[class*="st-key-laboratory-small-score"] [data-testid="stText"],
[class*="st-key-laboratory-fact"] [data-testid="stText"] { font-size: 1.35rem; font-weight: 600; line-height: 1.3; }
[class*="st-key-laboratory-row"] { padding: 0.45rem 0.8rem; }
[class*="st-key-laboratory-icon"] button p { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
"""


@st.fragment
def draw_laboratory(language: str) -> None:
    """The laboratory in a language (en, pl, zh). Its state lives in the session; only it is drawn again on a change."""
    wording = read_wording("laboratory", language)
    st.html(f"<style>{_CSS}</style>")
    st.subheader(wording.say("title"))
    st.markdown(wording.say("intro"))
    metric = _choose_metric(wording)
    setup = current(metric)
    _draw_presets(setup, wording)
    left, right = st.columns([11, 9], gap="large")
    with left:
        _draw_example(setup, wording)
        draw_items(setup, wording)
        _draw_steps(setup, wording)
    with right, st.spinner(wording.say("loading")):
        with st.container(border=True, key="laboratory result"):
            draw_score(setup, wording)
        _draw_meaning(metric, wording)
        draw_edges(metric, wording)
    with left:
        draw_contrast(metric, wording)


def _choose_metric(wording: Wording) -> str:
    """The metric on the bench. It outlives a page change, so it is kept apart from the widget."""
    kept = f"{_METRIC} kept"
    st.session_state[_METRIC] = st.session_state.get(kept, next(iter(PRESETS)))
    chosen = st.segmented_control(
        wording.say("metric"),
        list(PRESETS),
        required=True,
        key=_METRIC,
        format_func=lambda name: wording.say(f"metrics.{name}.name"),
        on_change=lambda: st.session_state.update({kept: st.session_state[_METRIC]}),
        label_visibility="collapsed",
    )
    return str(chosen)


def _draw_presets(setup: Setup, wording: Wording) -> None:
    """The examples to choose from, and what the chosen one shows as long as it stands as it began."""
    key = f"laboratory preset {setup.metric}"
    st.session_state[key] = setup.preset
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{wording.say('try')}**", width="content")
        st.pills(
            wording.say("try"),
            [preset.name for preset in PRESETS[setup.metric]],
            required=True,
            key=key,
            format_func=lambda name: wording.say(f"presets.{setup.metric}.{name}.title"),
            on_change=lambda: change(setup.metric, lambda now: begin(now.metric, st.session_state[key])),
            label_visibility="collapsed",
        )
    shows = wording.say(f"presets.{setup.metric}.{setup.preset}.shows")
    with st.container(key="note laboratory"):
        st.markdown(wording.say("changed") if setup.changed else shows)


def _draw_example(setup: Setup, wording: Wording) -> None:
    for part, name in setup.origin.shown.items():
        with st.container(gap=None):
            st.caption(wording.say(f"parts.{part}"))
            st.text(wording.say(f"shown.{part}.{name}"))


def _draw_steps(setup: Setup, wording: Wording) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            wording.say("undo"),
            key="laboratory undo",
            icon=":material/undo:",
            disabled=not can_undo(setup.metric),
            on_click=undo,
            args=(setup.metric,),
        )
        st.button(
            wording.say("reset"),
            key="laboratory reset",
            icon=":material/restart_alt:",
            disabled=not setup.changed,
            on_click=change,
            args=(setup.metric, lambda now: begin(now.metric, now.preset)),
        )


def _draw_meaning(metric: str, wording: Wording) -> None:
    words = f"metrics.{metric}"
    st.markdown(f"**{wording.say('formula')}**")
    st.latex(wording.say(f"{words}.formula"))
    st.markdown(f"**{wording.say('words')}**")
    st.markdown(wording.say(f"{words}.words"))
    st.markdown(wording.say(f"{words}.terms"))
    if has_readings(metric):
        st.caption(wording.say(f"{words}.note"))
