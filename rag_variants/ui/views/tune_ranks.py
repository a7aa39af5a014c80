"""Where each question's gold chunk stands, pinned and now, and in words which questions were gained and lost."""

from collections.abc import Sequence

import streamlit as st

from rag_variants.evaluation.tuning.tune import Move
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.gold_moves import GoldMove, Swing, TopK, bound_sentence, find_swings, moves_sentence
from rag_variants.ui.frame import PAGES
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, print_selection, select_pair

LISTED = 4  # of each kind at once; the rest behind a click
HEIGHT = 300


def draw_ranks(move: Move, moves: Sequence[GoldMove], top_k: TopK, selection: Selection) -> None:
    """The chart and the questions it is about; nothing where no question names evidence."""
    if not moves:
        return
    with st.container(border=True, key="ranks", gap="small"):
        st.markdown(
            "**Where the first gold chunk stands**: one column a question, from the pinned rank to the new one",
            help="A gold chunk holds evidence of the answer. The dashed line is top_k: where it alone decides what is "
            "read, what stands above the line reaches the answer. The stem begins at the pinned rank.",
        )
        _draw_chart(move, moves, top_k)
        st.caption(as_typed(f"{moves_sentence(moves, top_k)}."))
        bound = bound_sentence(top_k)
        if bound:
            st.caption(as_typed(bound))
        swings = find_swings(moves, top_k)
        for kind, heading in (("lost", "Lost"), ("gained", "Gained")):
            _draw_swings(heading, [each for each in swings if each.kind == kind], selection, move)


def _draw_chart(move: Move, moves: Sequence[GoldMove], top_k: TopK) -> None:
    from rag_variants.report.gold_rank_chart import gold_rank_chart

    colours = DARK if st.context.theme.type == "dark" else LIGHT
    depth = max(move.pin.variant.candidates, move.now.variant.candidates)
    # A specification is not checked against the schema at every move: that takes longer than all numbers together.
    spec = gold_rank_chart(moves, top_k, depth, colours, HEIGHT).to_dict(validate=False)
    st.vega_lite_chart(spec=spec, width="stretch", theme=None, alt=moves_sentence(moves, top_k))


def _draw_swings(heading: str, swings: Sequence[Swing], selection: Selection, move: Move) -> None:
    if not swings:
        return
    st.markdown(f"**{heading}**: {len(swings)}")
    for each in swings[:LISTED]:
        _draw_link(each, selection, move)
    if len(swings) > LISTED:
        with st.expander(f"{len(swings) - LISTED} more"):
            for each in swings[LISTED:]:
                _draw_link(each, selection, move)


def _draw_link(swing: Swing, selection: Selection, move: Move) -> None:
    """The question with its ranks; it opens on the Question page, with the pin as A and the new setting as B."""
    chosen = select_pair(selection, move.pin.variant, move.now.variant, swing.id)
    st.page_link(
        PAGES["Question"],
        label=f"{as_typed(swing.id)} · rank {swing.before} → {swing.after} · {as_typed(swing.question)}",
        query_params=print_selection(chosen),
        help="Opens the question: both chunk lists, answers and scores.",
    )
