"""What the scores of a question, and of a run, point at by the rules of thumb."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.signal_rules import MEASURES, RULES, Rule
from rag_variants.evaluation.runs import ScoredRecord

MISLEADING = ("stale", "contradicts")


@dataclass(frozen=True, slots=True)
class ObservedValue:
    """The value that a condition looked at, and the metric or fact it came from; without a value, the reason."""

    source: str
    value: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """A rule on one side of a question, with a reading for each of its conditions."""

    rule: Rule
    readings: tuple[ObservedValue, ...]

    @property
    def shown(self) -> bool | None:
        """Whether all conditions hold; None if that hangs on something that was not scored.

        One condition known not to hold is enough for False, whatever else is unknown.
        """
        held = [
            None if reading.value is None else condition.holds(reading.value)
            for condition, reading in zip(self.rule.conditions, self.readings, strict=True)
        ]
        if False in held:
            return False
        return None if None in held else True

    @property
    def unscored(self) -> ObservedValue | None:
        """The first reading without a value, if it cannot be told without it whether the signal is there; else None."""
        return next((each for each in self.readings if each.value is None), None) if self.shown is None else None


@dataclass(frozen=True, slots=True)
class SideCount:
    """The questions of one side that show a signal, in file order, of `n` that could be told; and why others not.

    `unscored` holds what was not scored and its reason with the number of questions, the most frequent first.
    """

    questions: tuple[str, ...]
    n: int
    unscored: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class SignalCount:
    """A rule over all pairs of a comparison, on both sides."""

    rule: Rule
    a: SideCount
    b: SideCount

    @property
    def appeared(self) -> tuple[str, ...]:
        """The questions that show the signal on B alone."""
        return tuple(each for each in self.b.questions if each not in self.a.questions)

    @property
    def vanished(self) -> tuple[str, ...]:
        """The questions that show the signal on A alone."""
        return tuple(each for each in self.a.questions if each not in self.b.questions)


def find_signals(row: ScoredRecord) -> tuple[Signal, ...]:
    """Every rule on one side of a question, in the order of the table."""
    readings = {name: _read(row, name) for name in MEASURES}
    return tuple(Signal(rule, tuple(readings[each.measure] for each in rule.conditions)) for rule in RULES)


def count_signals(comparison: Comparison) -> tuple[SignalCount, ...]:
    """How many questions of a comparison show each signal on A and on B, in the order of the table."""
    a, b = ([(pair[side].record.question.id, find_signals(pair[side])) for pair in comparison.pairs] for side in (0, 1))
    return tuple(SignalCount(rule, _count(a, at), _count(b, at)) for at, rule in enumerate(RULES))


def _count(rows: Sequence[tuple[str, tuple[Signal, ...]]], at: int) -> SideCount:
    found = [(question, signals[at]) for question, signals in rows]
    reasons = Counter((each.source, each.reason or "") for _, signal in found if (each := signal.unscored))
    return SideCount(
        questions=tuple(question for question, signal in found if signal.shown),
        n=sum(signal.shown is not None for _, signal in found),
        unscored=tuple((source, reason, count) for (source, reason), count in reasons.most_common()),
    )


def _read(row: ScoredRecord, measure: str) -> ObservedValue:
    """A measure of a row: the first of its metrics that has a score, or a fact of the record."""
    names = MEASURES[measure].metrics
    if not names:
        return _fact(row, measure)
    known = [(name, row.scores[name]) for name in names if name in row.scores]
    for name, score in known:
        if score.value is not None:
            return ObservedValue(name, score.value)
    if not known:
        return ObservedValue(names[0], None, "the run did not measure it")
    name, score = known[0]
    return ObservedValue(name, None, score.error or score.reason or "no reason was given")


def _fact(row: ScoredRecord, measure: str) -> ObservedValue:
    question, answer = row.record.question, row.record.answer
    if measure == "declined":
        if answer is None:
            return ObservedValue(measure, None, row.record.error or "there is no answer")
        return ObservedValue(measure, float(answer.declined))
    if measure == "answerable":
        if question.answerable is None:
            return ObservedValue(measure, None, "it is not said whether the documents hold an answer")
        return ObservedValue(measure, float(question.answerable))
    if not any(trap.why in MISLEADING for trap in question.traps):
        return ObservedValue(measure, None, "the question names no stale or contradicting document")
    return ObservedValue(measure, float(sum(row.marks[hit.chunk.id].trap in MISLEADING for hit in row.record.hits)))
