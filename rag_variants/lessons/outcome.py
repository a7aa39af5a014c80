"""What came of a lesson: whether its documents, questions and models still show what it was written for."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.statistics.paired import Delta, Verdict
from rag_variants.lessons.lesson import Direction, Lesson
from rag_variants.metrics import choose_metrics


@dataclass(frozen=True, slots=True)
class MetricFinding:
    """A metric's expected direction beside what was found."""

    metric: str
    expected: Direction
    found: Direction

    @property
    def holds(self) -> bool:
        """Whether what was found is what the lesson says."""
        return self.expected == self.found


@dataclass(frozen=True)
class LessonOutcome:
    """A lesson with its comparison and, the watched metric first, what each metric did."""

    lesson: Lesson
    comparison: Comparison
    findings: tuple[MetricFinding, ...]

    @property
    def holds(self) -> bool:
        """Whether the watched metric and all others did what the lesson says."""
        return all(finding.holds for finding in self.findings)

    @property
    def broken(self) -> tuple[MetricFinding, ...]:
        """What the lesson says and its questions no longer show."""
        return tuple(finding for finding in self.findings if not finding.holds)

    @property
    def watched(self) -> Delta:
        """What B did to the watched metric."""
        return self.comparison.metrics[self.lesson.metric].delta

    @property
    def changed(self) -> int:
        """How many questions differ in the watched metric."""
        return self.watched.wins + self.watched.losses


def lesson_plan(lesson: Lesson, plan: Plan) -> Plan:
    """The plan of a lesson: its own questions, and a metric from elsewhere if it watches one.

    `plan` is over all questions with the metrics that every comparison has. Raises QuestionsError if the questions are
    not there.
    """
    names = [name for name, _ in lesson.expected]
    return plan.restricted(lesson.part).measuring(choose_metrics(",".join([*names, *lesson.choose])))


def find_outcome(lesson: Lesson, comparison: Comparison) -> LessonOutcome:
    """What a comparison of the lesson's variants over its questions says of the lesson."""
    findings = tuple(
        MetricFinding(name, expected, direction_of(comparison.metrics[name].delta))
        for name, expected in lesson.expected
    )
    return LessonOutcome(lesson, comparison, findings)


_AS_DIRECTION: Mapping[Verdict, Direction] = {"better": "better", "worse": "worse", "more": "better", "less": "worse"}


def direction_of(delta: Delta) -> Direction:
    """A verdict as one of three words: whatever is neither better nor worse is not shown."""
    return _AS_DIRECTION.get(delta.verdict, "not shown")
