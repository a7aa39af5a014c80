"""What the eye meets first on the Tune page: one sentence, its verdict, and how far to trust it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.tuning.tune import Move
from rag_variants.evaluation.tuning.tuning_log import open_tuning_log, opened_sentence
from rag_variants.pipeline import print_variant
from rag_variants.questions.holdout import holdout_questions
from rag_variants.report.gold_moves import gold_moves
from rag_variants.report.move_words import (
    evidence_sentence,
    holdout_words,
    luck_sentence,
    title_sentence,
    verdict_sentence,
)
from rag_variants.settings import Settings
from rag_variants.ui.desk import Desk
from rag_variants.ui.frame import show_errors, show_note
from rag_variants.ui.sources import draw_left_out_above
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection

_TITLE_HELP = (
    "Evidence recall: how much of the quoted evidence the chunks that the answer may read cover, 0 to 1. Gained: a "
    "gold chunk (one that holds evidence) now reaches the answer and did not at the pin; lost: the other way round."
)
_LUCK_HELP = (
    "Whoever tries many settings keeps the best, and the best of many looks good even if all are equal. So much better "
    "it would look on average; an advantage below that proves nothing. Every setting that was ever measured on these "
    "questions counts, on this page, in sweeps, and by others."
)


Say = Callable[[Comparison | None], None]


@dataclass
class Status:
    """The quiet line below the sentence; it is filled when all numbers are on the screen."""

    slot: Any
    words: str

    def draw(self, desk: Desk, tried: int) -> None:
        """How many settings were tried and what luck gives; that takes a moment, and no number waits for it."""
        if desk.last is None:
            return
        luck = desk.luck(desk.last.pin.variant, tried)
        words = luck_sentence(tried, len(desk.scores), luck)
        self.slot.caption(as_typed(f"{self.words} · {words}"), help=_LUCK_HELP)


def draw_title(move: Move | None, selection: Selection) -> Say:
    """The sentence and its verdict; where no question names evidence, what to add.

    Returned is what says the verdict again with the move's judged metrics, once they are known.
    """
    if move is None:
        st.subheader(f"Tune {as_typed(selection.tuned.name)}", anchor=False)
        return lambda judged: None
    st.subheader(as_typed(title_sentence(move, gold_moves(move))), anchor=False, help=_TITLE_HELP)
    slot = st.empty()
    pin = f"Pinned: {print_variant(move.pin.variant)}."
    if move.pin.variant == move.now.variant:
        pin += " Move a slider."

    def say(judged: Comparison | None) -> None:
        verdict = verdict_sentence(move, judged)
        first, colon, rest = verdict.partition(":")
        said = f"**{as_typed(first)}:** {as_typed(rest.strip())}" if colon else as_typed(verdict)
        slot.markdown(f"{said} {as_typed(pin)}".strip())

    say(None)
    missing = evidence_sentence(move.now)
    if missing:
        show_note(as_typed(missing), "no evidence", "data_alert")
    return say


def open_status(desk: Desk, plan: Plan) -> Status:
    """The line as far as it is known without counting; and a word of warning where the hold-out was opened."""
    held = holdout_questions(plan.whole or plan.questions).questions
    opened = None
    with show_errors():
        opened = open_tuning_log(Settings()).opened(held) if held else None
    words = holdout_words(len(plan.questions.questions), len(held), opened)
    slot = st.empty()
    slot.caption(as_typed(words))
    draw_left_out_above(plan)
    if opened:
        show_note(as_typed(opened_sentence(opened)), "opened", "lock_open")
    return Status(slot, words)
