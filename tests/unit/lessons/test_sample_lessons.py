"""Every lesson of the sample holds: direction and verdict, on its own questions."""

import pytest

from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.trial import Trial
from rag_variants.lessons.lesson import Lesson
from rag_variants.lessons.outcome import find_outcome, lesson_plan
from rag_variants.lessons.reader import load_lessons
from rag_variants.llm import resolve_model
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.questions.reader import load_questions
from rag_variants.sample import sample_lessons_file, sample_questions_file
from rag_variants.text.language import LANGUAGES

LOADED = load_lessons(sample_lessons_file(), load_questions(sample_questions_file()))
LESSONS = pytest.mark.parametrize("lesson", LOADED.lessons, ids=lambda lesson: lesson.id)
FEWEST_QUESTIONS = 12
LONGEST_TITLE = 60


@pytest.fixture(scope="module")
def place() -> tuple[Plan, Bench]:
    plan = make_plan()
    return plan, open_bench(plan.knowledge, plan.today)


@LESSONS
def test_a_lesson_holds(lesson: Lesson, place: tuple[Plan, Bench]) -> None:
    plan, bench = place
    trial = Trial(lesson.a, lesson.b, lesson_plan(lesson, plan), bench)
    for _ in trial.steps():
        pass
    comparison = trial.result()
    assert comparison is not None and trial.complete
    outcome = find_outcome(lesson, comparison)
    assert len(comparison.pairs) >= FEWEST_QUESTIONS
    if outcome.lesson.other_encoder():
        pytest.skip(f"verified with {lesson.encoder}, here {resolve_model('embedded').name}: its page says so")
    assert {each.metric: each.found for each in outcome.findings} == dict(lesson.expected)


def test_nothing_is_left_out() -> None:
    assert LOADED.skipped == ()


@LESSONS
def test_every_text_stands_in_every_language(lesson: Lesson) -> None:
    for texts in (lesson.chapter, lesson.title, lesson.story, lesson.ask, lesson.takeaway, lesson.explain):
        said = dict(texts.by_language)
        assert tuple(said) == LANGUAGES
        assert len(set(said.values())) == len(LANGUAGES)
    assert all(len(text) <= LONGEST_TITLE for _, text in lesson.title.by_language)


@LESSONS
def test_a_lesson_shows_a_question_and_names_its_encoder(lesson: Lesson) -> None:
    assert lesson.show
    assert (lesson.encoder is not None) == lesson.uses_encoder()


def test_every_chapter_has_two_pairs_or_more() -> None:
    assert len(LOADED.chapters) == 14
    assert all(len(chapter.lessons) >= 2 for chapter in LOADED.chapters)


def test_a_lesson_changes_one_thing_unless_it_is_about_several() -> None:
    from rag_variants.pipeline.spec import differing_settings

    several = [each.id for each in LOADED.lessons if len(differing_settings(each.a, each.b)) > 1]
    assert several == ["ladder-three", "ladder-rest"]
