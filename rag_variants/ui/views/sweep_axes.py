"""The settings that a sweep goes through, and their values as they are typed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.tuning.grid import read_axis
from rag_variants.evaluation.tuning.suggested_values import suggest_values
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.url import current_selection, select

FIRST = "top_k"
FORM = "FROM..TO, FROM..TO:STEP, or values split at commas"
Over = list[tuple[str, str]]


def read_over(text: str, variant: Variant) -> tuple[Over, str | None]:
    """(setting, values) of a link's `top_k=1..10;chunk_size=200,400`, two at most, and what is wrong with the text."""
    pieces = [tuple(each.strip() for each in piece.partition("=")[::2]) for piece in text.split(";") if piece.strip()]
    known = [(name, values) for name, values in pieces if name in settings_of(variant)]
    chosen = known[:2] or [(FIRST, suggest_values(FIRST, variant))]
    if len(chosen) == 2 and chosen[0][0] == chosen[1][0]:
        chosen.pop()
    if len(known) < len(pieces):
        names = ", ".join(name for name, _ in pieces if name not in settings_of(variant))
        return chosen, f"{variant.name} has no setting {names[:80]}, so it is not swept. Choose another setting."
    if len(pieces) > 2:
        return chosen, "The page sweeps two settings at most; the first two are taken. The command line takes more."
    return chosen, None


def draw_axis(columns: Sequence[Any], at: int, over: Over, variant: Variant, running: bool) -> None:
    """The boxes of the first or second setting (`at` 0 or 1)."""
    name, values = over[at] if at < len(over) else ("", "")
    settings = settings_of(variant)
    names = _sweepable(variant, over)
    options = [*([""] if at else []), *(each for each in names if each == name or each not in dict(over))]
    labels = {each: settings[each][1].label for each in names} | {"": "none"}
    key = f"sweep setting {at}"
    st.session_state[key] = name
    columns[0].selectbox(
        "Go through" if at == 0 else "and through", options, key=key, on_change=_choose, args=(at, variant),
        format_func=lambda each: labels[each], disabled=running,
        help=settings[name][1].help if name else "A second setting makes a grid: every value of the one with every "
        "value of the other.",
    )  # fmt: skip
    key = f"sweep values {at}"
    st.session_state[key] = values
    unit = settings[name][1].unit if name else ""
    columns[1].text_input(
        f"Values ({unit})" if unit else "Values", key=key, on_change=_write, args=(at, variant), max_chars=500,
        disabled=running or not name, placeholder="–",
        help=f"{FORM}. Allowed: {settings[name][1].bounds}." if name else None,
    )  # fmt: skip


def _sweepable(variant: Variant, over: Over) -> list[str]:
    """The settings that leave a choice; those that the answerer ignores only where the answerer is swept too."""
    ignored = variant.ignored_settings() if all(name != "answerer" for name, _ in over) else frozenset[str]()
    chosen = [name for name, _ in over]
    return [
        name
        for name, (_, texts) in settings_of(variant).items()
        if name in chosen or (name not in ignored and len(texts.choices) != 1)
    ]


def axis_problem(axis: tuple[str, str], variant: Variant) -> list[str]:
    """What is wrong with a setting's values, in a sentence; nothing if they can be read."""
    name, values = axis
    if not values:
        label = settings_of(variant)[name][1].label
        return [f"{label} has no values yet. Write {FORM}, such as {suggest_values(name, variant)}."]
    try:
        read_axis(f"{name}={values}", variant)
    except UserError as error:
        return [str(error)]
    return []


def _choose(at: int, variant: Variant) -> None:
    """Another setting, with the values that suit it."""
    name = st.session_state[f"sweep setting {at}"]
    over, _ = read_over(current_selection().over, variant)
    _replace(over, at, (name, suggest_values(name, variant)) if name else None)


def _write(at: int, variant: Variant) -> None:
    over, _ = read_over(current_selection().over, variant)
    if at < len(over):
        values = st.session_state[f"sweep values {at}"].replace(";", ",").strip()
        _replace(over, at, (over[at][0], values))


def _replace(over: Over, at: int, axis: tuple[str, str] | None) -> None:
    kept = [*over[:at], *([axis] if axis else []), *over[at + 1 :]]
    select(over=";".join(f"{name}={values}" for name, values in kept))
