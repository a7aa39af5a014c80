"""Where a visit measures settings on the Tune page: what is at hand, what failed and why, and the last good numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from rag_variants.errors import StateError
from rag_variants.evaluation.identity import tuned_key
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.statistics.best_of import luck_of_best
from rag_variants.evaluation.tuning.tune import Move, Tuned
from rag_variants.evaluation.tuning.tuning_log import open_tuning_log
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.holdout import tune_questions
from rag_variants.report.move_tiles import LEADING
from rag_variants.settings import Settings
from rag_variants.ui.caches import tuned
from rag_variants.ui.endpoints import visit_settings
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import CachedResults
from rag_variants.ui.work import open_tuned
from rag_variants.ui.workplace import Workplace, workplace

# A move that takes longer than this many seconds shows its progress, and can be stopped.
PATIENCE = 0.7


@dataclass
class Desk:
    """Everything belongs to one set of documents and questions, `about`. `scores` are those of the leading metric."""

    about: Key
    place: Workplace[Tuned]
    last: Move | None = None
    problems: dict[Key, str] = field(default_factory=dict)
    asked: set[Key] = field(default_factory=set)
    scores: dict[Variant, Mapping[str, float]] = field(default_factory=dict)
    moves: CachedResults[Move] = field(default_factory=CachedResults)
    lucks: dict[tuple[Variant, int, int], float | None] = field(default_factory=dict)

    def measure(self, pin: Variant, now: Variant, plan: Plan) -> Move | None:
        """What the setting at hand did against the pin; None while it is being measured, or if it cannot be.

        What takes long goes on in the place's job; `problem` says why there is nothing.
        """
        self._collect()
        self._leave_others({_key_of(pin, plan), _key_of(now, plan)})
        found = [self._measure(variant, plan) for variant in dict.fromkeys((pin, now))]
        if None in found:
            return None
        move = self._move(found[0], found[-1])  # type: ignore[arg-type]
        self.last = move
        for each in (move.pin, move.now):
            self.scores[each.variant] = each.values[LEADING]
        return move

    def knows(self, variant: Variant, plan: Plan) -> bool:
        """Whether a variant is measured."""
        return self.place.kept.find(_key_of(variant, plan)) is not None

    def problem(self, variant: Variant, plan: Plan) -> str | None:
        """Why a variant could not be measured."""
        return self.problems.get(_key_of(variant, plan))

    def needs_asking(self, variant: Variant, plan: Plan) -> bool:
        """Whether measuring asks models of an endpoint, which waits for a press of a button."""
        key = _key_of(variant, plan)
        return bool(variant.ranking_models) and key not in self.asked and not self.knows(variant, plan)

    def try_again(self, variant: Variant, plan: Plan) -> None:
        """Forgets why a variant could not be measured, and lets its endpoints be asked."""
        key = _key_of(variant, plan)
        self.problems.pop(key, None)
        self.asked.add(key)

    def luck(self, start: Variant, tried: int) -> float | None:
        """How much better the best of `tried` equal settings would look by luck, from those measured in this visit."""
        key = (start, tried, len(self.scores))
        if key not in self.lucks:
            values = {str(at): each for at, each in enumerate((self.scores[start], *self._others(start)))}
            self.lucks[key] = luck_of_best(values, "0", tried)
        return self.lucks[key]

    def note_tried(self, plan: Plan) -> int | None:
        """How many settings were ever measured on these questions, these included; None if nothing can be kept."""
        part, log = tune_questions(plan.whole or plan.questions), open_tuning_log(Settings())
        try:
            log.add_tried(part, self.scores, plan.today)
            return log.count_tried(part)
        except StateError:
            return None

    def _others(self, start: Variant) -> tuple[Mapping[str, float], ...]:
        return tuple(each for variant, each in self.scores.items() if variant != start)

    def _move(self, pin: Tuned, now: Tuned) -> Move:
        """Kept, so that the test behind its deltas is made once."""
        key = (pin.variant, now.variant)
        kept = self.moves.find(key)
        if kept is None or kept.pin is not pin or kept.now is not now:
            kept = Move(pin, now)
            self.moves.keep(key, kept)
        return kept

    def _collect(self) -> None:
        """Takes over what an ended job has made, or why it has not."""
        job = self.place.job
        self.place.collect()
        if job is not None and self.place.job is None and self.place.problem:
            self.problems[job.key] = self.place.problem

    def _leave_others(self, wanted: set[Key]) -> None:
        """Stops measuring what the sliders have left; what was embedded of it stays."""
        job = self.place.job
        if job is not None and job.key not in wanted:
            job.stop()
            self.place.job = None

    def _measure(self, variant: Variant, plan: Plan) -> Tuned | None:
        key = _key_of(variant, plan)
        found = self.place.kept.find(key)
        if found is not None or key in self.problems or self.needs_asking(variant, plan):
            return found
        if self.place.job is None:
            self.place.start(key, open_tuned(variant, plan))
        job = self.place.job
        if job is None or job.key != key or not job.wait(PATIENCE):
            return None
        self._collect()
        return job.result


def desk_for(plan: Plan) -> Desk:
    """This visit's desk for the documents and questions of a plan."""
    about: Key = (plan.knowledge.fingerprint, plan.questions.fingerprint, plan.today)
    found: Desk | None = st.session_state.get("tune desk")
    if found is None or found.about != about:
        found = st.session_state["tune desk"] = Desk(about, workplace("tune", tuned()))
    return found


def asking(desk: Desk, variant: Variant, plan: Plan) -> "partial[None]":
    """A callback that lets a variant be measured, again or at last."""
    return partial(desk.try_again, variant, plan)


def _key_of(variant: Variant, plan: Plan) -> Key:
    return tuned_key(variant, plan, visit_settings())
