"""Advice on the Compare page: the buttons, what they show, and that every line is a proof."""

import re
from itertools import islice
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.errors import ModelError
from rag_variants.evaluation.advice.advice_work import AdviceWork
from rag_variants.evaluation.run import run_variant
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.questions.gold import Mark
from rag_variants.types import Chunk, Evidence, Hit, Question, Record, Score
from rag_variants.ui.caches import bench_for, read_plan
from rag_variants.ui.views.advice import what_is_wanting
from tests.app.conftest import QUESTIONS, OpenPage, write_base

PAIR = {"a": "keyword:tokens=words,top_k=1", "b": "keyword:top_k=1", "q": "q3"}


def words(page: AppTest) -> str:
    return "\n".join(str(each.value) for kind in ("markdown", "caption", "text") for each in getattr(page, kind))


def keys(page: AppTest) -> set[str]:
    return {str(button.key) for button in page.button}


def lines(page: AppTest) -> list[str]:
    """The suggestions on the page, as typed (escapes taken out)."""
    found = [re.sub(r"\\(.)", r"\1", str(each.value)) for each in page.markdown]
    return [each for each in found if re.match(r"\*\*.* → .*\*\* · ", each)]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The variants that were searched, one entry a search."""
    made: list[str] = []
    steps = AdviceWork.steps

    def counted(self: AdviceWork) -> Any:
        made.append(self._variant.tokens)  # type: ignore[attr-defined]
        return steps(self)

    monkeypatch.setattr(AdviceWork, "steps", counted)
    return made


def test_a_side_that_has_everything_is_offered_no_advice(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "a": "keyword", "b": "keyword", "q": "q2"})
    assert not any(key.startswith("advice question") for key in keys(page))
    assert {"advice result a", "advice result b"} <= keys(page)


def test_advice_for_a_question_is_what_the_variant_does_when_run(
    open_page: OpenPage, base: dict[str, str], searches: list[str]
) -> None:
    page = open_page({**base, **PAIR, "q": "q1", "a": "keyword:b=0,top_k=1", "b": "keyword:top_k=1,context_budget=20"})
    assert "advice question b" in keys(page)
    page.button(key="advice question b").click().run()
    assert searches == ["language"]
    shown = [each for each in lines(page) if "this question" in each]
    assert shown[0].startswith("**Context budget 20 → ")
    assert "this question: gold at rank 1, no longer below the cut" in shown[0]
    # By hand: the same variant without the limit.
    plan = read_plan(base["kb"], base["questions"], "retrieval")
    run = run_variant(read_variant("keyword:top_k=1"), plan, bench_for(plan))
    values = [row.scores["evidence_recall"].value or 0.0 for row in run.rows]
    gained = sum(value > 0 for value in values)
    assert f"all 3: evidence recall +{sum(values) / 3:.2f} ({gained} gained, none lost)" in shown[0]


def test_nothing_that_helps_is_said_with_the_list(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, **PAIR})  # no word of q3 stands in its passage
    page.button(key="advice question b").click().run()
    found = re.search(r"None of (\d+) single changes finds more of it", words(page))
    assert found
    table = next(frame.value for frame in page.dataframe if "verdict" in frame.value.columns)
    assert len(table) == int(found[1])
    assert "Left out:" in words(page)
    assert "the best of so many looks better than it is" in words(page).replace("\\", "")
    assert "try question b 0" not in keys(page)


def test_one_search_serves_every_question_and_the_result(
    open_page: OpenPage, base: dict[str, str], searches: list[str]
) -> None:
    page = open_page({**base, **PAIR})
    page.button(key="advice result b").click().run()
    assert len(searches) == 1
    assert "advice result b" not in keys(page)
    assert "advice question b" not in keys(page)
    page.selectbox(key="question").select("q1").run()
    page.selectbox(key="question").select("q3").run()
    assert searches == ["language"]
    page.button(key="advice result a").click().run()
    assert searches == ["language", "words"]
    assert not page.exception


def test_try_it_as_b_compares_the_present_with_the_changed(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "a": "vector", "b": "keyword:top_k=1,context_budget=20", "q": "q1"})
    page.button(key="advice question b").click().run()
    page.button(key="try question b 0").click().run()
    assert page.query_params["a"] == "keyword:top_k=1,context_budget=20"
    assert page.query_params["b"] == "keyword:top_k=1"
    assert page.query_params["q"] == "q1"
    assert "1 setting differs: Context budget 20 → 0" in words(page).replace("\\", "")
    assert "Settings changed" not in words(page), "it was run at once"


def test_a_search_that_fails_says_so_and_can_be_asked_again(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Any:
        raise ModelError("The encoder is gone. Install it again.")

    page = open_page({**base, **PAIR})
    monkeypatch.setattr(AdviceWork, "steps", broken)
    page.button(key="advice question b").click().run()
    assert "The encoder is gone" in page.error[0].value
    assert "advice question b" in keys(page)


def test_questions_without_evidence_are_offered_nothing(open_page: OpenPage, tmp_path: Any) -> None:
    bare = [{"id": each["id"], "user_input": each["user_input"], "answerable": True} for each in QUESTIONS]
    page = open_page({**write_base(tmp_path / "bare", questions=bare), "metrics": "all", **PAIR})
    assert not any(key.startswith("advice") for key in keys(page))


def test_a_stopped_search_keeps_what_it_has_and_can_go_on(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = AdviceWork.steps
    monkeypatch.setattr(AdviceWork, "steps", lambda self: islice(steps(self), 3))
    page = open_page({**base, **PAIR})
    page.button(key="advice question b").click().run()
    assert re.search(r"None of 2 single changes .* Stopped early: \d+ were not tried", words(page))
    monkeypatch.setattr(AdviceWork, "steps", steps)
    page.button(key="advice question b").click().run()
    assert "Stopped early" not in words(page)


def row(*gold: tuple[int, ...], value: float | None = 1.0) -> ScoredRecord:
    """A row whose hits, in order, are gold for these groups."""
    chunks = [Chunk("a.md", at, at + 1, "x", "en") for at in range(len(gold))]
    hits = tuple(Hit(rank, chunk, 1.0 / rank) for rank, chunk in enumerate(chunks, start=1))
    marks = {chunk.id: Mark(groups) for chunk, groups in zip(chunks, gold, strict=True)}
    return ScoredRecord(Record(Question("q", "?"), hits, hits), marks, {"evidence_recall": Score(value)})


@pytest.mark.parametrize(
    ("groups", "given", "expected"),
    [
        (1, row((1,)), None),
        (1, row((), (1,)), None),  # rank 2 of one piece is as good as it needs to be
        (1, row((), (), (1,)), "low"),
        (1, row((), (), value=0.0), "missing"),
        (1, row((1,), value=0.6), "missing"),  # a chunk holds the key, but not the whole quote
        (2, row((1,), (), (2,)), None),
        (2, row((1,), (), (), (2,)), "low"),
        (2, row((1,), value=0.5), "missing"),
        (1, row((), value=None), None),  # the evidence stands in no document: no setting finds it
        (0, row(()), None),
    ],
)
def test_who_is_offered_advice(groups: int, given: ScoredRecord, expected: str | None) -> None:
    evidence = tuple(Evidence("a.md", "x", group) for group in range(1, groups + 1))
    assert what_is_wanting(Question("q", "?", evidence=evidence), given) == expected
