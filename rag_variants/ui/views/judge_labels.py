"""Labelling in place: one statement with its text, the judge's verdict hidden until a label is given."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.label_queue import (
    QUEUE_LENGTH,
    Offered,
    choose_queue,
    offer_verdicts,
    offered_metrics,
    without_shreds,
)
from rag_variants.metrics import all_metrics
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.ui.frame import show_errors
from rag_variants.ui.own_labels import give, labelling, undo
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.judge_files import draw_label_files

HOW = (
    f"{QUEUE_LENGTH} verdicts of this run, drawn by a fixed seed, by turns from the judge's yes and no and from each "
    "language. So the share of equal ones here is not that of the whole run. The judge's own word is hidden until you "
    "have given yours."
)


def draw_labels(comparison: Comparison, own: OwnLabels) -> None:
    """Which verdicts, how many are labelled, the next one with its buttons, then files."""
    st.markdown("**Label here**: is the judge right about your documents?")
    names = [name for name in offered_metrics() if name in comparison.a.metrics]
    knowledge = comparison.a.knowledge.fingerprint
    which, spoken, unsure, more = st.columns([3, 1.8, 2.9, 2], vertical_alignment="bottom")
    metric = which.selectbox(
        "Verdicts of", names, format_func=lambda name: all_metrics()[name].label, key="label metric", help=HOW
    )
    first = unsure.toggle("Unsure ones first", key="label unsure", help="Where the judge itself was in doubt.")
    sets = more.number_input(
        f"Sets of {QUEUE_LENGTH}", 1, 25, 1, key="label sets", help="More sets continue where the first ended."
    )
    if metric is None:
        st.caption("No metric of this run gives verdicts that can be labelled.")
        return
    every = offer_verdicts(comparison, metric)
    languages = sorted({each.language for each in every if each.language})
    language = spoken.selectbox("Language", [None, *languages], format_func=_language, key="label language")
    offered = without_shreds(every, language)
    shreds = len(every) - len(without_shreds(every))
    if shreds:
        st.caption(
            f"Not offered: {shreds} single {'cell' if shreds == 1 else 'cells'} of tables, which say nothing alone."
        )
    queue = choose_queue(offered, seed=comparison.a.seed, unsure_first=first, most=QUEUE_LENGTH * int(sets))
    done = sum(each.key in own.given for each in queue)
    if queue:
        st.progress(done / len(queue), text=f"{done} of {len(queue)} labelled · {len(offered)} verdicts to choose from")
    waiting = _next(queue, own, knowledge)
    if waiting is None:
        st.text("All of these are labelled." if queue else "The judge gave no verdict of this kind.")
    else:
        _draw_one(waiting)
    _draw_buttons(waiting, knowledge)
    _draw_last(queue, own, knowledge)
    draw_label_files(knowledge, own)


def _language(code: str | None) -> str:
    return code or "all"


def _next(queue: tuple[Offered, ...], own: OwnLabels, knowledge: str) -> Offered | None:
    """The first without a label; skipped ones come last, in the order in which they were skipped."""
    open_ = {each.key: each for each in queue if each.key not in own.given}
    skipped = labelling(knowledge).skipped
    return next((each for key, each in open_.items() if key not in skipped), None) or next(
        (open_[key] for key in skipped if key in open_), None
    )


def _draw_one(each: Offered) -> None:
    case = each.case
    with st.container(key="quiet label question"):
        st.text(f"{case.question_id} · {case.question}")
    verdicts = all_metrics()[case.metric].verdicts
    st.caption(as_typed(verdicts.question if verdicts else ""))
    with st.container(key="large label statement"):
        st.text(case.statement)
    with st.container(height=300, key="label context"):
        st.text(case.context)


def _draw_buttons(each: Offered | None, knowledge: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for words, supported, key in (("Yes", True, "Y"), ("No", False, "N")):
            st.button(
                words, key=f"label {words.lower()}", shortcut=key, disabled=each is None, width=120,
                on_click=_give, args=(each, supported, knowledge),
            )  # fmt: skip
        st.button("Skip", key="label skip", shortcut="S", disabled=each is None, on_click=_skip, args=(each, knowledge))
        st.button(
            "Undo", key="label undo", icon=":material/undo:", shortcut="U", on_click=_undo, args=(knowledge,),
            disabled=not labelling(knowledge).given, help="Takes the last label of this visit back.",
        )  # fmt: skip


def _draw_last(queue: tuple[Offered, ...], own: OwnLabels, knowledge: str) -> None:
    """The label given last, and now the judge's word on it."""
    given = labelling(knowledge).given
    last = next((each for each in queue if given and each.key == given[-1][0] and each.key in own.given), None)
    if last is None:
        return
    mine, judged = own.given[last.key].supported, last.verdict.judged
    doubt = " (unsure)" if last.unsure else ""
    word = "agrees" if mine == judged else f"says {'yes' if judged else 'no'}{doubt}"
    with st.container(key="note last label"):
        st.markdown(f"Your last label: **{'yes' if mine else 'no'}** · the judge **{word}**")
        with st.container(key="quiet last label"):
            st.text("\n".join(filter(None, (last.case.statement, last.reason))))


def _give(each: Offered, supported: bool, knowledge: str) -> None:
    with show_errors():
        give(knowledge, each.labelled(supported))


def _skip(each: Offered, knowledge: str) -> None:
    skipped = labelling(knowledge).skipped
    skipped.pop(each.key, None)
    skipped[each.key] = None


def _undo(knowledge: str) -> None:
    with show_errors():
        undo(knowledge)
