"""The items of an example with what the judge says of them: toggles, similarities, order. Every change is a step."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from rag_variants.ui.views.laboratory_setups import Item, has_order, has_readings, room_for
from rag_variants.ui.views.laboratory_state import Setup, change
from rag_variants.wording.wording import Wording

_LONGEST = 200


def draw_items(setup: Setup, wording: Wording) -> None:
    """One row per item, and a field for one more."""
    words = f"metrics.{setup.metric}"
    st.markdown(f"**{wording.say(f'{words}.items')}**")
    for at, item in enumerate(setup.items):
        with st.container(border=True, key=f"laboratory row {setup.metric} {at}", gap="xxsmall"):
            if has_readings(setup.metric):
                _draw_reading(setup, at, item, wording)
            else:
                _draw_judged(setup, at, item, wording)
    if len(setup.items) < room_for(setup.metric):
        _draw_adding(setup, wording.say(f"{words}.add"))


def item_text(item: Item, wording: Wording) -> str:
    """The text of an item: a person's own, or the example's in the language."""
    return item.own or wording.say(f"items.{item.name}")


def _draw_judged(setup: Setup, at: int, item: Item, wording: Wording) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _draw_verdict(setup, at, item, wording)
        with st.container(width="stretch", gap="xxsmall"):
            st.text(item_text(item, wording))
            if has_order(setup.metric):
                _draw_precision_at(setup, at, wording)
        if has_order(setup.metric):
            _draw_moves(setup, at, wording)
        _draw_removal(setup, at, wording)


def _draw_precision_at(setup: Setup, at: int, wording: Wording) -> None:
    found = sum(item.verdict for item in setup.items[: at + 1])
    counts = "counts" if setup.items[at].verdict else "counts_not"
    st.caption(wording.say(f"metrics.{setup.metric}.{counts}", k=at + 1, found=found))


def _draw_reading(setup: Setup, at: int, item: Item, wording: Wording) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"{at + 1} · {item_text(item, wording)}", width="stretch")
        _draw_removal(setup, at, wording)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        _draw_similarity(setup, at, item, wording)
        _draw_verdict(setup, at, item, wording)


def _draw_verdict(setup: Setup, at: int, item: Item, wording: Wording) -> None:
    key = f"laboratory verdict {setup.metric} {at}"
    st.session_state[key] = item.verdict

    def step(now: Setup) -> Setup:
        return now.with_item(at, replace(now.items[at], verdict=st.session_state[key]))

    label = f"{at + 1} · {wording.say(f'metrics.{setup.metric}.verdict')}"
    st.toggle(label, key=key, on_change=change, args=(setup.metric, step))


def _draw_similarity(setup: Setup, at: int, item: Item, wording: Wording) -> None:
    key = f"laboratory similarity {setup.metric} {at}"
    st.session_state[key] = item.similarity

    def step(now: Setup) -> Setup:
        return now.with_item(at, replace(now.items[at], similarity=round(st.session_state[key], 2)))

    label = wording.say(f"metrics.{setup.metric}.similarity", number=at + 1)
    st.slider(label, -1.0, 1.0, step=0.05, key=key, on_change=change, args=(setup.metric, step))


def _draw_moves(setup: Setup, at: int, wording: Wording) -> None:
    for name, by, barred in (("up", -1, at == 0), ("down", 1, at == len(setup.items) - 1)):
        _draw_button(name, setup, at, wording, _moving(at, by), barred)


def _moving(at: int, by: int) -> Callable[[Setup], Setup]:
    return lambda now: now.moved(at, by)


def _draw_removal(setup: Setup, at: int, wording: Wording) -> None:
    _draw_button("remove", setup, at, wording, lambda now: now.without(at))


_ICONS = {"up": "arrow_upward", "down": "arrow_downward", "remove": "close"}


def _draw_button(
    name: str, setup: Setup, at: int, wording: Wording, step: Callable[[Setup], Setup], barred: bool = False
) -> None:
    label = wording.say(name, number=at + 1)
    st.button(
        label,
        key=f"laboratory icon {name} {setup.metric} {at}",
        icon=f":material/{_ICONS[name]}:",
        help=label,
        disabled=barred,
        type="tertiary",
        on_click=change,
        args=(setup.metric, step),
    )


def _draw_adding(setup: Setup, label: str) -> None:
    key = f"laboratory own {setup.metric}"

    def add() -> None:
        typed = st.session_state[key]
        change(setup.metric, lambda now: now.with_own(typed))
        st.session_state[key] = ""

    st.text_input(
        label, key=key, max_chars=_LONGEST, on_change=add, placeholder=f"{label} ↵", label_visibility="collapsed"
    )
