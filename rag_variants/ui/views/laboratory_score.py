"""A score of the laboratory: large, with its sum written out; two examples side by side; what happens at the edges."""

import streamlit as st

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.metrics.laboratory import write_sum
from rag_variants.report.words import plain
from rag_variants.types import Score
from rag_variants.ui.caches import entered_score, key_fact_score
from rag_variants.ui.views.laboratory_items import item_text
from rag_variants.ui.views.laboratory_setups import (
    CONTRASTS,
    EDGES,
    Item,
    Preset,
    has_readings,
    readings_of,
    verdicts_of,
)
from rag_variants.ui.views.laboratory_state import Setup, begin
from rag_variants.wording.wording import Wording


def draw_score(setup: Setup, wording: Wording) -> None:
    """The value in large type, the sum, what was counted, and the key fact where the example has one."""
    words = f"metrics.{setup.metric}"
    value = _score(setup.metric, setup.items).value
    st.markdown(f"**{wording.say(f'{words}.name')}**")
    with st.container(key="laboratory score", gap="xxsmall"):
        st.text(_value_words(value, wording))
        st.progress(min(1.0, max(0.0, value or 0.0)))
    written = sum_words(setup.metric, setup.items, value)
    if written:
        with st.container(key="laboratory sum"):
            st.text(written)
    st.text(_explanation(setup, value, wording))
    _draw_fact(setup.origin, wording, "bench")


def draw_contrast(metric: str, wording: Wording) -> None:
    """Two examples of a metric as they begin, with both values, and why they teach."""
    st.markdown(f"**{wording.say('side_by_side')}**")
    for column, name in zip(st.columns(2, gap="small"), CONTRASTS[metric], strict=True):
        with column, st.container(border=True, key=f"laboratory card {name}", height="stretch"):
            _draw_card(begin(metric, name), wording)
    st.markdown(wording.say(f"metrics.{metric}.contrast"))


def draw_edges(metric: str, wording: Wording) -> None:
    """The cases at the edges with their values."""
    st.markdown(f"**{wording.say('edges')}**")
    lines = [
        f"**{_value_words(_score(metric, items).value, wording)}** · {wording.say(f'metrics.{metric}.{name}')}"
        for name, items in EDGES[metric].items()
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.caption(wording.say(f"metrics.{metric}.empty"))


def sum_words(metric: str, items: tuple[Item, ...], value: float | None) -> str:
    """The sum with its result, `(1/1 + 2/3) / 2 ≈ 0.83`; `""` if there is none."""
    written = write_sum(metric, *_moved(metric, items))
    if not written or value is None:
        return ""
    exact = abs(round(value, 2) - value) < 1e-9
    return f"{written} {'=' if exact else '≈'} {plain(value)}"


def _score(metric: str, items: tuple[Item, ...]) -> Score:
    """ragas' score."""
    return entered_score(metric, *_moved(metric, items))


def _moved(metric: str, items: tuple[Item, ...]) -> tuple[tuple[bool, ...], tuple[GeneratedQuestion, ...]]:
    return ((), readings_of(items)) if has_readings(metric) else (verdicts_of(items), ())


def _value_words(value: float | None, wording: Wording) -> str:
    return wording.say("unscored") if value is None else plain(value)


def _explanation(setup: Setup, value: float | None, wording: Wording) -> str:
    """What was counted; at an edge, why the value is what it is."""
    words = f"metrics.{setup.metric}"
    if value is None:
        return wording.say(f"{words}.empty")
    verdicts = verdicts_of(setup.items)
    counted = wording.say(f"{words}.count", yes=sum(verdicts), total=len(verdicts))
    at_zero = all(verdicts) if has_readings(setup.metric) else not any(verdicts)
    return f"{counted}\n{wording.say(f'{words}.zero')}" if at_zero else counted


def _draw_fact(shown: Preset, wording: Wording, place: str) -> None:
    """Key facts of the example's answer, measured as on the Compare page."""
    if not shown.fact:
        return
    fact = wording.say(f"shown.fact.{shown.fact}")
    score = key_fact_score(wording.say(f"shown.answer.{shown.shown['answer']}"), fact)
    found = wording.say("fact_found" if score.value else "fact_missing", fact=fact)
    with st.container(key=f"laboratory fact {place} {shown.name}", gap="xxsmall"):
        st.text(f"{wording.say('key_fact')} {plain(score.value)}")
        st.caption(found)


def _draw_card(setup: Setup, wording: Wording) -> None:
    st.markdown(f"**{wording.say(f'presets.{setup.metric}.{setup.preset}.title')}**")
    if "answer" in setup.origin.shown:
        st.text(wording.say(f"shown.answer.{setup.origin.shown['answer']}"))
    else:
        st.text("\n".join(_line(setup.metric, at, item, wording) for at, item in enumerate(setup.items, start=1)))
    value = _score(setup.metric, setup.items).value
    with st.container(key=f"laboratory small score {setup.preset}", gap="xxsmall"):
        st.text(f"{wording.say(f'metrics.{setup.metric}.name')} {_value_words(value, wording)}")
        st.caption(sum_words(setup.metric, setup.items, value))
    _draw_fact(setup.origin, wording, "card")


def _line(metric: str, at: int, item: Item, wording: Wording) -> str:
    return f"{at} {'✓' if item.verdict else '–'} {item_text(item, wording)}"
