"""A lesson file: what is wrong is named, and the other lessons work."""

from pathlib import Path
from typing import Any

import pytest

from rag_variants.errors import LessonsError, QuestionsError
from rag_variants.lessons.reader import LessonSet, load_lessons
from rag_variants.questions.reader import load_questions
from rag_variants.text.language import LANGUAGES
from tests.lessons_making import lesson_line, texts_of, write_lesson_base, write_lessons

WITHOUT_TITLE = {name: value for name, value in lesson_line("bad").items() if name != "title"}


def read(folder: Path, *lines: object) -> LessonSet:
    questions = load_questions(write_lesson_base(folder)[1])
    return load_lessons(write_lessons(folder, lines), questions)


def test_a_lesson_is_read_whole(tmp_path: Path) -> None:
    (lesson,) = read(tmp_path, lesson_line()).lessons
    assert lesson.expected == (("evidence_recall", "better"), ("hit_rate", "not shown"))
    assert (lesson.a.top_k, lesson.b.top_k, str(lesson.part)) == (1, 2, "lesson=two")
    assert [lesson.title.say(language) for language in LANGUAGES] == list(texts_of("One more chunk").values())
    assert not lesson.uses_encoder()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (lesson_line("bad", a="bm25"), "no variant called 'bm25'"),
        (lesson_line("bad", b="keyword:topk=2"), "no setting of keyword called 'topk'"),
        (lesson_line("bad", metric="recal"), "no metric with a verdict called 'recal'"),
        (lesson_line("bad", metric="latency_ms"), "no metric with a verdict called 'latency_ms'"),
        (lesson_line("bad", others={"presision": "worse"}), "no metric with a verdict called 'presision'"),
        (lesson_line("bad", others={"evidence_recall": "worse"}), "others names evidence_recall, the watched metric"),
        (lesson_line("bad", questions={"ids": ["amber", "nobody"]}), "has id=nobody"),
        (lesson_line("bad", questions={"tags": {"lesson": "three"}}), "has lesson=three"),
        (lesson_line("bad", questions={}), "questions names none"),
        (lesson_line("bad", choose=["mrr", "hit_rate"]), "choose lacks evidence_recall, the watched metric"),
        (lesson_line("bad", choose=["evidence_recall", "recal"]), "no metric with a verdict called 'recal'"),
        (lesson_line("bad", questions={"ids": ["birch"]}), "show is 'amber', which is no question of the lesson"),
        (lesson_line("bad", story={"de": "Eine Geschichte."}), "use en, pl or zh"),
        (lesson_line("bad", story={}), "story"),
        (lesson_line("bad", story={"en": "  "}), "story.en"),
        (lesson_line("bad", direction="up"), "direction is 'up'; use better, not shown or worse"),
        (lesson_line("bad", minutes=0), "minutes is 0"),
        (lesson_line("bad", colour="red"), "colour"),
        (WITHOUT_TITLE, "title is missing"),
        (lesson_line("good"), "its id 'good' is there already"),
        ('{"id": "bad", ', "write one object a line"),
        ('["bad"]', "it is not an object"),
    ],
)
def test_a_bad_line_is_named_and_the_others_work(tmp_path: Path, line: Any, words: str) -> None:
    loaded = read(tmp_path, lesson_line("good"), line, lesson_line("better"))
    assert [lesson.id for lesson in loaded.lessons] == ["good", "better"]
    (skipped,) = loaded.skipped
    assert skipped.name == "line 2"
    assert words in skipped.reason


def test_a_file_without_a_usable_lesson_says_why(tmp_path: Path) -> None:
    with pytest.raises(LessonsError, match=r"line 1: .*bm25.*Mend these lines"):
        read(tmp_path, lesson_line(a="bm25"))
    with pytest.raises(QuestionsError, match="There is no file"):
        load_lessons(tmp_path / "none.jsonl", load_questions(tmp_path / "questions.jsonl"))


def test_chapters_join_neighbours_of_one_title(tmp_path: Path) -> None:
    other = texts_of("Other words")
    loaded = read(tmp_path, lesson_line("1"), lesson_line("2", minutes=6), lesson_line("3", chapter=other))
    assert [[lesson.id for lesson in chapter.lessons] for chapter in loaded.chapters] == [["1", "2"], ["3"]]
    assert [chapter.minutes for chapter in loaded.chapters] == [4 + 6, 4]


def test_lessons_are_found_by_id(tmp_path: Path) -> None:
    loaded = read(tmp_path, lesson_line("one"), lesson_line("two"))
    assert loaded.only([]) is loaded
    assert [lesson.id for lesson in loaded.only(["two", "one"]).lessons] == ["one", "two"]
    with pytest.raises(LessonsError, match=r"no lesson called 'tow'\. Did you mean two\?"):
        loaded.only(["tow"])


def test_a_text_is_said_in_a_language_that_it_is_written_in(tmp_path: Path) -> None:
    (lesson,) = read(tmp_path, lesson_line(story={"pl": "Historia.", "zh": "背景。"})).lessons
    assert [lesson.story.say(language) for language in LANGUAGES] == ["Historia.", "Historia.", "背景。"]
