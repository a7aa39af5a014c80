"""Lessons as work of a page: their comparisons are kept with those of the Compare page."""

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.lessons.course import Taught
from rag_variants.lessons.lesson import Lesson
from rag_variants.lessons.outcome import LessonOutcome, find_outcome, lesson_plan
from rag_variants.lessons.reader import LessonSet
from rag_variants.ui.caches import courses, finished
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import key_of
from rag_variants.ui.work import open_course, open_trial
from rag_variants.ui.workplace import Workplace, workplace


def lesson_key(lesson: Lesson, plan: Plan) -> Key:
    """What decides a lesson's numbers. Raises QuestionsError if its questions are gone."""
    return key_of(lesson.a, lesson.b, lesson_plan(lesson, plan))


def follow_lesson(lesson: Lesson, plan: Plan) -> Workplace[Comparison]:
    """The place of the lesson's comparison, begun if it is neither kept nor being made; another lesson's job ends."""
    place = workplace("lesson", finished())
    key = lesson_key(lesson, plan)
    if place.job is not None and place.job.key != key:
        place.job.stop()
        place.job = None
    place.collect()
    place.take_cached(key)
    if place.job is None and not (place.shown and place.shown.key == key) and place.tried != key:
        place.start(key, open_trial(lesson.a, lesson.b, lesson_plan(lesson, plan)))
    return place


def shown_outcome(lesson: Lesson, plan: Plan, place: Workplace[Comparison]) -> LessonOutcome | None:
    """The lesson's outcome, if all its questions are done."""
    done = place.has(lesson_key(lesson, plan)) and place.shown is not None
    return find_outcome(lesson, place.shown.result) if done and place.shown else None


def cached_outcome(lesson: Lesson, plan: Plan) -> LessonOutcome | None:
    """The outcome of a lesson that was run before."""
    kept = finished().find(lesson_key(lesson, plan))
    return find_outcome(lesson, kept) if kept else None


def course_place(lessons: LessonSet, plan: Plan) -> Workplace[tuple[Taught, ...]]:
    """The place where all lessons are run; what it has finished is kept lesson by lesson.

    Nothing is kept of a course over files that have changed since it began.
    """
    place = workplace("course", courses())
    running = place.job is not None
    place.collect()
    ended = running and place.job is None and place.shown is not None
    if ended and place.shown and place.shown.key == _course_key(lessons, plan):
        for taught in place.shown.result:
            if taught.outcome and taught.outcome.comparison.a.complete:
                finished().keep(lesson_key(taught.lesson, plan), taught.outcome.comparison)
    return place


def start_course(place: Workplace[tuple[Taught, ...]], lessons: LessonSet, plan: Plan) -> None:
    """Runs all lessons, one after the other."""
    place.start(_course_key(lessons, plan), open_course(lessons.lessons, plan))


def _course_key(lessons: LessonSet, plan: Plan) -> Key:
    return ("course", plan.knowledge.fingerprint, plan.questions.fingerprint, plan.today, lessons)
