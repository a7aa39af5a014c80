"""The Tune page: one variant, every setting a slider, and what each move does for all questions at once."""

from functools import partial

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.plan import Plan, tuning_plan
from rag_variants.pipeline.variant import lacking
from rag_variants.questions.holdout import HOLDOUT_PART, tune_questions
from rag_variants.report.gold_moves import cut_of, gold_moves
from rag_variants.ui.compare import read_plans
from rag_variants.ui.desk import Desk, desk_for
from rag_variants.ui.frame import PAGES, draw_page_link, open_page, show_note, show_problem
from rag_variants.ui.moves import move_to
from rag_variants.ui.sweeping import draw_sweeps
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection
from rag_variants.ui.views.tune_borders import draw_borders
from rag_variants.ui.views.tune_head import Say, draw_title, open_status
from rag_variants.ui.views.tune_judged import draw_judged
from rag_variants.ui.views.tune_panel import CSS as PANEL_CSS
from rag_variants.ui.views.tune_panel import draw_panel
from rag_variants.ui.views.tune_ranks import draw_ranks
from rag_variants.ui.views.tune_sources import draw_tune_sources
from rag_variants.ui.views.tune_tiles import CSS as TILES_CSS
from rag_variants.ui.views.tune_tiles import draw_tiles
from rag_variants.ui.views.tune_waiting import Waiting, draw_waiting
from rag_variants.ui.workplace import Follow


def draw_tune_page() -> None:
    """The whole page. Widgets write to the URL; the last good numbers stay until those of the setting are there."""
    selection = open_page("Tune")
    if why := lacking((selection.pinned, selection.tuned), "sliders"):
        show_note(as_typed(why), "tune")
        draw_page_link(PAGES["Compare"], "Compare page", selection)
        return
    st.html(f"<style>{PANEL_CSS}{TILES_CSS}</style>")
    plan, problem = read_tuning_plan(selection)
    if plan is None:
        show_problem(problem or "The questions cannot be read.")
        if problem and HOLDOUT_PART in problem:
            draw_page_link(PAGES["Compare"], "Compare page: choose which questions are asked", selection)
        draw_tune_sources(selection, None)
        return
    desk = desk_for(plan)
    head = st.container(key="tune head", gap="xxsmall")
    left, right = st.columns([3, 8], gap="small")
    with left, st.container(border=True, key="tune panel", gap="xsmall"):
        draw_panel(selection, plan)
    move = desk.measure(selection.pinned, selection.tuned, plan)
    stale = "" if move is not None else " stale"  # what stays of the last good setting is grey
    with head, st.container(key=f"tune said{stale}", gap="xxsmall"):
        say = draw_title(desk.last, selection)
        status = open_status(desk, plan)
    with right:
        with st.container(key="tune waiting"):
            waiting = draw_waiting(desk, selection, plan) if move is None else Waiting()
        with st.container(key=f"tune numbers{stale}"):
            follow = _draw_numbers(desk, selection, plan, say)
        draw_tune_sources(selection, plan)
    tried = desk.note_tried(plan)
    sweeping = draw_sweeps(selection.tuned, plan, partial(move_to, "tune"))
    if move is not None and tried is not None:
        status.draw(desk, tried)
    waiting.follow()
    for each in (*(follow if move is not None else ()), *sweeping):
        each()


def read_tuning_plan(selection: Selection) -> tuple[Plan | None, str | None]:
    """The plan that settings are chosen on, without held-out questions; or the sentence that says why there is none."""
    whole, plan, problem = read_plans(selection)
    try:
        if whole is not None and not tune_questions(whole.questions).questions:
            tuning_plan(whole)  # says why there is nothing to choose on, whatever the slice
        return (tuning_plan(plan), None) if plan else (None, problem)
    except UserError as error:
        return None, str(error)


def _draw_numbers(desk: Desk, selection: Selection, plan: Plan, say: Say) -> tuple[Follow, ...]:
    """Tiles, ranks and borders; what follows the judged metrics. Where nothing was measured yet, the room for it."""
    move = desk.last
    if move is None:
        for height in (120, 320):
            st.skeleton(height)
        return ()
    moves = gold_moves(move)
    draw_tiles(move)
    judged = draw_judged(selection, plan, move, say)
    draw_ranks(move, moves, cut_of(move), selection)
    draw_borders(selection, plan, moves, cut_of(move))
    return judged
