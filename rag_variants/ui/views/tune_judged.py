"""The judged metrics of a move: the embedded judge follows by itself, a judge that is asked over a network waits."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.identity import asked_models
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.tuning.tune import Move
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import print_variant
from rag_variants.report.move_tiles import judged_tiles
from rag_variants.ui.ahead import calls_ahead, draw_calls_ahead
from rag_variants.ui.caches import judged_moves
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import key_of
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import JUDGED, Selection, select
from rag_variants.ui.views.tune_head import Say
from rag_variants.ui.views.tune_tiles import draw_tile_row
from rag_variants.ui.work import open_judged
from rag_variants.ui.workplace import Follow, Workplace, workplace

_SOON = 0.05  # seconds; these numbers follow a move within a moment
_SOURCES = 5  # where, in the key, what both sides share begins


@dataclass(frozen=True)
class Judging:
    """The judged metrics of one move: what decides them, where they are made, and where they stand on the page."""

    place: Workplace[Comparison]
    move: Move
    plan: Plan
    key: Key
    words: Any
    tiles: Any
    say: Say

    def start(self) -> None:
        """Begins, from the runs that are known of the pin or the setting."""
        pin, now = self.move.pin.variant, self.move.now.variant
        self.place.start(self.key, open_judged(pin, now, self.plan, self._known()), calls_ahead(self.key))

    def draw(self) -> None:
        """The tiles: those of the move, or grey ones of an earlier move until they come."""
        shown, judge = self.place.shown, self.plan.judge
        if shown is None or shown.key[_SOURCES:] != self.key[_SOURCES:]:
            self.words.caption(as_typed(f"by the judge {judge}: not judged yet"))
            return
        fresh = shown.key == self.key
        about = f"by the judge {judge}"
        if not fresh:
            about += f", still those of {print_variant(shown.result.b.variant)}"
        elif not shown.complete:
            about += f", stopped after {len(shown.result.b.rows)} questions"
        self.words.caption(as_typed(about))
        with self.tiles.container(key=f"{'fresh' if fresh else 'stale'} judged tiles"):
            draw_tile_row(judged_tiles(shown.result), shown.result.b.variant, judge)
        if fresh and shown.complete:
            self.say(shown.result)

    def follow(self) -> None:
        """Waits for the numbers, and puts them in their place."""
        job = self.place.job
        if job is None:
            return
        while not job.wait(_SOON):
            self.words.caption(as_typed(f"by the judge {self.plan.judge}: {job.snapshot.words} …"))
        self.place.collect()
        if self.place.problem:
            self.words.caption(as_typed(f"not judged: {self.place.problem}"))
        else:
            self.draw()

    def _known(self) -> list[Run]:
        shown = self.place.shown
        if shown is None or shown.key[_SOURCES:] != self.key[_SOURCES:]:
            return []
        return list({run.variant: run for run in (shown.result.a, shown.result.b)}.values())


def draw_judged(selection: Selection, plan: Plan, move: Move, say: Say) -> tuple[Follow, ...]:
    """The switch, the tiles, and for a judge elsewhere how many calls they would take; what is followed at the end."""
    with st.container(key="judged", gap="xxsmall"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.session_state["follow judged"] = selection.judged != JUDGED[1]
            on = st.toggle("Judged metrics", key="follow judged", on_change=_switch, help=_HELP)
            words = st.empty()
        if not on:
            words.caption("off")
            return ()
        judging = _open(plan, move, words, st.empty(), say)
        judging.place.take_cached(judging.key)
        judging.draw()
        if judging.place.has(judging.key):
            return ()
        if _asks(judging):
            return _draw_stale(judging)
    if judging.place.job is None and judging.place.tried != judging.key:
        return (judging.start, judging.follow)
    if judging.place.problem:
        words.caption(as_typed(f"not judged: {judging.place.problem}"))
    return (judging.follow,)


_HELP = (
    "Faithfulness, topic closeness, context precision and recall: they need an answer to every question, and a judge. "
    "The embedded judge follows every move; a model that is asked over a network waits for a press."
)


def _open(plan: Plan, move: Move, words: Any, tiles: Any, say: Say) -> Judging:
    """What stands for this move; what was begun for another one is stopped."""
    place: Workplace[Comparison] = workplace("judged", judged_moves())
    judged = replace(plan, metrics=choose_metrics("core"))
    key = ("judged", *key_of(move.pin.variant, move.now.variant, judged))
    place.collect()
    if place.job is not None and place.job.key != key:
        place.job.stop()
        place.job = place.tried = None
    return Judging(place, move, judged, key, words, tiles, say)


def _asks(judging: Judging) -> bool:
    move, plan = judging.move, judging.plan
    return bool(asked_models((move.pin.variant, move.now.variant), plan.judge, plan.judge_embeddings))


def _draw_stale(judging: Judging) -> tuple[Follow, ...]:
    """How many calls bring the numbers up to date, and the button that makes them."""
    if judging.place.job is not None:
        slot = st.empty()
        return (partial(judging.place.draw_progress, slot),)
    pair = [judging.move.pin.variant, judging.move.now.variant]
    ahead = draw_calls_ahead(pair, judging.plan, judging.key, "**Stale.** Judging this move asks models.", "")
    calls = calls_ahead(judging.key)
    label = f"Refresh: {calls:,} call{'' if calls == 1 else 's'}" if calls else "Refresh the judged metrics"
    st.button(label, key="refresh judged", icon=":material/refresh:", on_click=judging.start)
    judging.place.draw_problem([judging.key])
    return (ahead.draw_progress,)


def _switch() -> None:
    select(judged=JUDGED[0] if st.session_state["follow judged"] else JUDGED[1])
