"""Many lessons, one after the other."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_variants.errors import UserError
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.trial import Trial
from rag_variants.evaluation.work import Progress
from rag_variants.lessons.lesson import Lesson
from rag_variants.lessons.outcome import LessonOutcome, find_outcome, lesson_plan
from rag_variants.pipeline.bench import Bench


@dataclass(frozen=True, slots=True)
class Taught:
    """A lesson that was run: its outcome, or the sentence that says why there is none; seconds on the clock."""

    lesson: Lesson
    outcome: LessonOutcome | None
    problem: str | None
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether it shows what it was written for."""
        return self.outcome is not None and self.outcome.holds


class Course:
    """Lessons over one plan: `Work` whose result is what each of them came to. One that fails takes no other down."""

    def __init__(self, lessons: Sequence[Lesson], plan: Plan, bench: Bench) -> None:
        self._lessons, self._plan, self._bench = tuple(lessons), plan, bench
        self._taught: list[Taught] = []

    def steps(self) -> Iterator[Progress]:
        """Runs lesson after lesson; `questions` counts those of all lessons."""
        sizes = [sum(map(lesson.part.holds, self._plan.questions.questions)) for lesson in self._lessons]
        done = 0
        for lesson, size in zip(self._lessons, sizes, strict=True):
            for progress in self._teach(lesson):
                counted = progress.step == "questions"
                yield Progress("questions", done + progress.done, sum(sizes)) if counted else progress
            done += size

    def result(self) -> tuple[Taught, ...] | None:
        """The lessons that are done, in order; None before the first."""
        return tuple(self._taught) or None

    @property
    def complete(self) -> bool:
        """Whether every lesson was run."""
        return len(self._taught) == len(self._lessons)

    def _teach(self, lesson: Lesson) -> Iterator[Progress]:
        begin = time.perf_counter()
        outcome, problem = None, None
        try:
            plan = lesson_plan(lesson, self._plan)
            trial = Trial(lesson.a, lesson.b, plan, self._bench)
            yield from trial.steps()
            comparison = trial.result()
            outcome = find_outcome(lesson, comparison) if comparison else None
        except UserError as error:
            problem = str(error)
        except Exception as error:  # a variant or metric may come from any package; it must not take the others down
            problem = f"The lesson failed ({type(error).__name__}: {error}). Update the package that it comes from."
        self._taught.append(Taught(lesson, outcome, problem, time.perf_counter() - begin))
