"""What moved it: other chunks, or another way of answering?"""

from functools import partial

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.reasons.attribution import Attribution, missing_swaps, only_part
from rag_variants.pipeline.variant import lacking
from rag_variants.report.attribution import (
    COLUMNS,
    METHOD,
    attribution_rows,
    attribution_sentence,
    one_part_sentence,
    unattributed_sentence,
)
from rag_variants.report.words import plain
from rag_variants.ui.caches import attributions
from rag_variants.ui.jobs import seconds_words
from rag_variants.ui.results import key_of
from rag_variants.ui.text import as_typed
from rag_variants.ui.work import open_swap
from rag_variants.ui.workplace import Follow, workplace


def draw_attribution(comparison: Comparison, plan: Plan | None) -> Follow | None:
    """Retrieval and answers taken apart; what follows the progress.

    A sentence, and None, where A and B differ in one of the two alone: then nothing is to be found out. `plan` is None
    if the settings have changed since.
    """
    a, b = comparison.a.variant, comparison.b.variant
    if why := lacking((a, b), "swaps"):
        st.caption(f"**What moved it**: {as_typed(why)}")
        return None
    if part := only_part(a, b):
        st.caption(f"**What moved it**: {as_typed(one_part_sentence(part))}")
        return None
    if a == b:
        return None
    known = [comparison.a, comparison.b]
    missing = missing_swaps(a, b, known)
    place = workplace("attribution", attributions())
    place.collect()
    with st.container(border=True, key="attribution"):
        st.markdown("**What moved it**: other chunks, or another way of answering?")
        if plan is None:
            st.caption("Settings changed: run the comparison first, then take it apart here.")
            return None
        key = ("attribution", *key_of(a, b, plan))
        place.take_cached(key)
        about = seconds_words(missing * sum(run.seconds for run in known) / len(known))
        pressed = st.button(
            "Taken apart" if place.has(key) else f"Take it apart ({missing} more runs, about {about})",
            key="attribute",
            disabled=place.has(key) or place.job is not None,
            help=METHOD,
        )
        if pressed and place.job is None:
            place.start(key, open_swap(a, b, plan, known))
        progress = st.empty()
        place.draw_problem([key])
        if place.shown is not None and place.shown.key == key:
            _draw(comparison, place.shown.result)
    return partial(place.draw_progress, progress)


def _draw(comparison: Comparison, found: Attribution) -> None:
    leading = comparison.headline.answers or comparison.headline.retrieval
    if leading:
        st.markdown(as_typed(attribution_sentence(found, leading)))
    rows = attribution_rows(found, comparison.judge)
    table = {"metric": [row.label for row in rows]}
    floors = [comparison.metrics[row.name].noise_floor for row in rows]
    table |= {words: [row.cells[at] for row in rows] for at, words in enumerate(COLUMNS.values())}
    if any(floor is not None for floor in floors):  # the same records were judged again
        table["the judge alone"] = ["–" if floor is None else f"± {plain(floor)}" for floor in floors]
    st.table(table, border="horizontal", hide_index=True)
    notes = [METHOD, unattributed_sentence(found)]
    st.caption(as_typed(" ".join(note for note in notes if note)))
