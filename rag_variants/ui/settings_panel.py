"""Widgets for a variant's kind and settings, made from their definitions. A side is `a`, `b`, or `tune`."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import Field, dataclass, field, replace
from itertools import groupby
from typing import Any

import streamlit as st

from rag_variants.errors import VariantError
from rag_variants.pipeline import VARIANTS
from rag_variants.pipeline.setting import Setting, settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.endpoints import Kind, own_endpoints, visit_settings
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import current_selection, select

STAGES = {
    "documents": "Documents",
    "chunks": "Cutting documents",
    "index": "Index",
    "query": "Question",
    "rank": "Ranking",
    "rerank": "Reranking",
    "select": "What the answer may read",
    "answer": "Answer",
}
# What people ask about first, in a panel that has no room for everything at once.
FIRST = ("top_k", "chunk_size", "chunk_overlap", "keyword_weight", "rrf_k", "mmr")
# Which of a visit's models a setting offers; none for one that lists nothing of its kind.
MODEL_KINDS: dict[str, Kind] = {"embeddings": "embeddings", "answerer": "chat", "expander": "chat"}
Named = tuple[str, "Field[Any]", Setting]
# Puts a variant in the place of a side's, in the URL.
Write = Callable[[str, Variant], None]


@dataclass(frozen=True)
class Refused:
    """Changes that were refused, and the settings that mend it: given one of them, the changes are made with it.

    `name` is the setting that was changed, `sentence` why it could not be.
    """

    name: str = ""
    sentence: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    mended_by: tuple[str, ...] = ()


def write_side(side: str, variant: Variant) -> None:
    """What a change of A or B does."""
    select(**{side: variant})


def draw_kind(
    side: str, variant: Variant, label: str, write: Write = write_side, label_visibility: Any = "visible"
) -> None:
    """The kind of variant; another one takes over the settings that both have."""
    variants = VARIANTS
    key = f"{side} variant"
    st.session_state[key] = variant.name
    st.selectbox(
        label,
        list(variants),
        format_func=lambda name: variants[name].title,
        key=key,
        help=variant.summary,
        on_change=_change_kind,
        args=(side, key, write),
        label_visibility=label_visibility,
    )


def draw_settings(side: str, variant: Variant, write: Write = write_side, compact: bool = False) -> None:
    """The settings of one side by stage; where the last change could not be made, the reason below its widget.

    `compact` is one narrow column: what is moved first stands open, the rest of each stage is behind a click, and what
    a value means is behind its question mark.
    """
    mended_by = _refused(side).mended_by
    shown = _shown(variant, mended_by)
    if compact:
        for each in sorted((each for each in shown if each[0] in FIRST), key=lambda each: FIRST.index(each[0])):
            _draw_setting(side, variant, each, write, compact)
        shown = [each for each in shown if each[0] not in FIRST]
    for stage, named in groupby(shown, key=lambda each: each[2].stage):
        settings = list(named)
        wanted = any(name in mended_by for name, _, _ in settings)
        with st.expander(STAGES[stage], expanded=wanted) if compact else st.container():
            if not compact:
                st.caption(f"**{STAGES[stage]}**")
            cells = [st.container()] if compact else st.columns(2, gap="medium")
            for at, each in enumerate(settings):
                with cells[at % len(cells)]:
                    _draw_setting(side, variant, each, write, compact)


def draw_reset(side: str, variant: Variant, label: str = "Reset to defaults", write: Write = write_side) -> None:
    """A button that puts every setting at its default."""
    st.button(label, key=f"{side} reset", on_click=_reset, args=(side, write), disabled=variant == type(variant)())


def _shown(variant: Variant, wanted: Collection[str]) -> list[Named]:
    """The settings that do something or are `wanted`, and leave a choice, in the order of the stages."""
    ignored = variant.ignored_settings() - set(wanted)
    found = [
        (name, declared, texts)
        for name, (declared, texts) in settings_of(variant).items()
        if name not in ignored and (len(texts.choices) != 1 or texts.beyond)
    ]
    return sorted(found, key=lambda each: list(STAGES).index(each[2].stage))


def _draw_setting(side: str, variant: Variant, named: Named, write: Write, compact: bool) -> None:
    name, declared, texts = named
    explained = texts.explain(variant) if texts.explain else ""
    key = f"{side} {variant.name} {name}"
    value = getattr(variant, name)
    st.session_state[key] = value
    label = texts.label + (f" ({texts.unit})" if texts.unit else "")
    about: dict[str, Any] = {
        "key": key,
        "help": f"{texts.help} Default: {_shown_value(declared.default)}."
        + (f"\n\n{explained}" if explained and compact else ""),
        "on_change": _change,
        "args": (side, name, key, write),
    }
    if isinstance(value, bool):
        st.toggle(label, **about)
    elif texts.choices:
        offered = texts.offered(visit_settings())
        if texts.beyond:
            models = MODEL_KINDS.get(name)
            offered = (*offered, *(own_endpoints().specs(models) if models else ()))
            about["help"] += f" Or type {texts.form}." if texts.form else ""
        options = tuple(dict.fromkeys((*offered, value)))
        st.selectbox(label, options, accept_new_options=bool(texts.form), **about)
    elif texts.above:
        # A slider of even steps would stop at the values between off and the first that can be.
        grid = {type(value)(each) for each in texts.possible(variant)}
        st.select_slider(label, sorted({*grid, value}), **about)
    elif texts.minimum is not None and texts.maximum is not None:
        kind = type(value)
        st.slider(label, kind(texts.minimum), kind(texts.maximum), step=kind(texts.step or 1), **about)
    else:
        st.text_input(label, **about)
    if explained and not compact:
        st.caption(explained)
    _draw_problem(side, name)


def _refused(side: str) -> Refused:
    """What was refused last on a side, if nothing was changed since."""
    found: Refused = st.session_state.get(f"{side} refused", Refused())
    return found


def _draw_problem(side: str, name: str) -> None:
    refused = _refused(side)
    if refused.name == name:
        st.error(as_typed(refused.sentence))


def _shown_value(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else f"{value}"


def _change(side: str, name: str, key: str, write: Write) -> None:
    variant = current_selection().variant(side)
    value: Any = st.session_state[key]
    if value is None:  # a box whose text was cleared
        return
    if isinstance(value, str):
        value = value.strip()
    before = _refused(side)
    changes = {**(before.changes if name in before.mended_by else {}), name: value}
    try:
        changed = replace(variant, **changes)
    except VariantError as error:
        sentence = f"{error} (It stays at {_shown_value(getattr(variant, name))}.)"
        st.session_state[f"{side} refused"] = Refused(name, sentence, changes, error.mended_by)
    else:
        _write(side, changed, write)


def _change_kind(side: str, key: str, write: Write) -> None:
    """Another kind of variant, with the settings that both have."""
    before = current_selection().variant(side)
    chosen = VARIANTS[st.session_state[key]]
    shared = {name: getattr(before, name) for name in settings_of(chosen) if name in settings_of(before)}
    _write(side, chosen(**shared), write)


def _reset(side: str, write: Write) -> None:
    _write(side, type(current_selection().variant(side))(), write)


def _write(side: str, variant: Variant, write: Write) -> None:
    forget_refused(side)
    write(side, variant)


def forget_refused(side: str) -> None:
    """What was refused on a side is not said any more."""
    st.session_state.pop(f"{side} refused", None)
