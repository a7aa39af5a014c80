"""Widgets for a variant's settings, made from their definitions."""

from collections.abc import Collection, Mapping
from dataclasses import Field, dataclass, field, replace
from itertools import groupby
from typing import Any

import streamlit as st

from rag_variants.errors import VariantError
from rag_variants.ui.endpoints import Kind, own_endpoints
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import current_selection, select
from rag_variants.variants.base import Variant
from rag_variants.variants.setting import Setting, settings_of

STAGES = {
    "chunks": "Cutting documents",
    "index": "Index",
    "query": "Question",
    "rank": "Ranking",
    "rerank": "Reranking",
    "select": "What the answer may read",
    "answer": "Answer",
}
# Which of a visit's models a setting offers; none for one that lists nothing of its kind.
MODEL_KINDS: dict[str, Kind] = {"embeddings": "embeddings", "answerer": "chat", "expander": "chat"}
Named = tuple[str, "Field[Any]", Setting]


@dataclass(frozen=True)
class Refused:
    """Changes that were refused, and the settings that mend it: given one of them, the changes are made with it."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    mended_by: tuple[str, ...] = ()


def draw_settings(side: str, variant: Variant) -> None:
    """The settings of one side by stage, with the reason why the last change could not be made."""
    problem = st.session_state.get(f"{side} problem")
    if problem:
        st.error(as_typed(problem))
    refused: Refused = st.session_state.get(f"{side} refused", Refused())
    for stage, settings in groupby(_shown(variant, refused.mended_by), key=lambda each: each[2].stage):
        st.caption(f"**{STAGES[stage]}**")
        columns = st.columns(2, gap="medium")
        for at, (name, declared, texts) in enumerate(settings):
            with columns[at % 2]:
                _draw_setting(side, variant, name, declared, texts)
    st.button(
        "Reset to defaults", key=f"{side} reset", on_click=_reset, args=(side,), disabled=variant == type(variant)()
    )


def _shown(variant: Variant, wanted: Collection[str]) -> list[Named]:
    """The settings that do something or are `wanted`, and leave a choice, in the order of the stages."""
    ignored = variant.ignored_settings() - set(wanted)
    found = [
        (name, declared, texts)
        for name, (declared, texts) in settings_of(variant).items()
        if name not in ignored and (len(texts.choices) != 1 or texts.beyond)
    ]
    return sorted(found, key=lambda each: list(STAGES).index(each[2].stage))


def _draw_setting(side: str, variant: Variant, name: str, declared: "Field[Any]", texts: Setting) -> None:
    key = f"{side} {variant.name} {name}"
    value = getattr(variant, name)
    st.session_state[key] = value
    label = texts.label + (f" ({texts.unit})" if texts.unit else "")
    about: dict[str, Any] = {
        "key": key,
        "help": f"{texts.help} Default: {_shown_value(declared.default)}.",
        "on_change": _change,
        "args": (side, name, key),
    }
    if isinstance(value, bool):
        st.toggle(label, **about)
    elif texts.choices:
        offered = texts.offered()
        if texts.beyond:
            models = MODEL_KINDS.get(name)
            offered = (*offered, *(own_endpoints().specs(models) if models else ()))
            about["help"] += f" Or type {texts.beyond.form}."
        options = tuple(dict.fromkeys((*offered, value)))
        st.selectbox(label, options, accept_new_options=texts.beyond is not None, **about)
    elif texts.minimum is not None and texts.maximum is not None:
        kind = type(value)
        st.slider(label, kind(texts.minimum), kind(texts.maximum), step=kind(texts.step or 1), **about)
    else:
        st.text_input(label, **about)
    if texts.explain:
        st.caption(texts.explain(variant))


def _shown_value(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else f"{value}"


def _change(side: str, name: str, key: str) -> None:
    variant = current_selection().variant(side)
    value: Any = st.session_state[key]
    if value is None:  # a box whose text was cleared
        return
    if isinstance(value, str):
        value = value.strip()
    refused: Refused = st.session_state.get(f"{side} refused", Refused())
    changes = {**(refused.changes if name in refused.mended_by else {}), name: value}
    try:
        changed = replace(variant, **changes)
    except VariantError as error:
        st.session_state[f"{side} problem"] = f"{error} (It stays at {_shown_value(getattr(variant, name))}.)"
        st.session_state[f"{side} refused"] = Refused(changes, error.mended_by)
    else:
        _forget_problem(side)
        select(**{side: changed})


def _forget_problem(side: str) -> None:
    for name in ("problem", "refused"):
        st.session_state.pop(f"{side} {name}", None)


def _reset(side: str) -> None:
    _forget_problem(side)
    select(**{side: type(current_selection().variant(side))()})
