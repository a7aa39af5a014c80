"""One step at a time: when it is offered, what it runs, what a link and a stop keep."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.errors import ModelError
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline import print_variant
from tests.app.conftest import OpenPage


def texts(page: AppTest) -> str:
    """Everything that the page says in words, as typed."""
    kinds = ("markdown", "text", "caption", "error")
    return "\n".join(str(each.value) for kind in kinds for each in getattr(page, kind)).replace("\\", "")


def keys(page: AppTest) -> set[str]:
    return {button.key for button in page.button if button.key}


def every_metric(page: AppTest) -> Any:
    """The table of every metric step by step."""
    return next(table.value for table in page.table if "total" in table.value.columns)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The variants of each experiment that was run."""
    made: list[list[str]] = []
    steps = Experiment.steps

    def counted(self: Experiment) -> Any:
        made.append([print_variant(variant) for variant in self.variants])
        return steps(self)

    monkeypatch.setattr(Experiment, "steps", counted)
    return made


@pytest.mark.parametrize("b", ["keyword", "hybrid", "keyword:top_k=1"])
def test_one_or_no_change_has_no_ladder(open_page: OpenPage, base: dict[str, str], b: str) -> None:
    page = open_page({**base, "a": "keyword", "b": b})
    assert "One step at a time" not in texts(page)
    assert "climb" not in keys(page)


def test_the_rungs_between_are_run_and_nothing_else(
    open_page: OpenPage, base: dict[str, str], runs: list[list[str]]
) -> None:
    page = open_page({**base, "b": "hybrid:top_k=1"})
    assert "2 changes lead from A to B" in texts(page)
    assert page.button(key="climb").label.startswith("Climb the ladder (1 more run, about")
    page.button(key="climb").click().run()
    assert not page.exception
    assert runs == [["keyword", "hybrid:top_k=1"], ["hybrid"]]
    assert "2 steps from A to B. Evidence recall" in texts(page)
    assert list(every_metric(page).columns) == ["metric", "1 Variant keyword → hybrid", "2 top\\_k 5 → 1", "total"]
    assert len(every_metric(page)) == 7
    assert (page.button(key="climb").label, page.button(key="climb").disabled) == ("All steps are done", True)
    page.selectbox(key="ladder metric").select("mrr").run()
    assert "2 steps from A to B. Reciprocal rank" in texts(page)
    assert page.selectbox(key="metric").value == "mrr", "the page looks at one metric"
    assert len(runs) == 2


def test_another_order_runs_only_what_is_new_and_stands_in_the_link(
    open_page: OpenPage, base: dict[str, str], runs: list[list[str]]
) -> None:
    page = open_page({**base, "b": "keyword:k1=2,b=0.5,top_k=1"})
    page.button(key="climb").click().run()
    assert runs[1:] == [["keyword:k1=2", "keyword:k1=2,b=0.5"]]
    page.button(key="ladder downward k1").click().run()
    assert page.query_params["order"] == "b,k1,top_k"
    assert "3 steps from A to B" not in texts(page), "the old order's ladder is not shown for the new order"
    assert "1 more run" in page.button(key="climb").label
    page.button(key="climb").click().run()
    assert runs[2:] == [["keyword:b=0.5"]]
    assert list(every_metric(page).columns)[1].startswith("1 BM25 b")
    page.button(key="ladder reset").click().run()
    assert "order" not in page.query_params
    assert list(every_metric(page).columns)[1].startswith("1 BM25 k1"), "the kept ladder is back at once"
    assert page.button(key="ladder upward k1").disabled
    assert page.button(key="ladder downward top_k").disabled
    assert len(runs) == 3


def test_a_failure_is_shown_under_the_ladder_that_failed_alone(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page({**base, "b": "hybrid:top_k=1"})

    def fail(self: Experiment) -> Iterator[Progress]:
        raise ModelError("The disk is full. Make room.")

    monkeypatch.setattr(Experiment, "steps", fail)
    page.button(key="climb").click().run()
    assert "The disk is full" in texts(page)
    page.button(key="ladder downward variant").click().run()
    assert "The disk is full" not in texts(page), "another order has not been tried"


def test_a_ladder_whose_rungs_are_all_known_needs_no_run(
    open_page: OpenPage, base: dict[str, str], runs: list[list[str]]
) -> None:
    page = open_page({**base, "b": "keyword:k1=2,b=0.5,top_k=1"})
    page.button(key="climb").click().run()
    page.slider(key="b keyword top_k").set_value(5).run()
    assert "run the comparison first" in texts(page)
    assert "climb" not in keys(page)
    page.button(key="run").click().run()
    assert runs[2:] == [["keyword", "keyword:k1=2,b=0.5"]]
    assert "2 steps from A to B" in texts(page)


def test_an_order_in_a_link(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "b": "hybrid:top_k=1", "order": "top_k,variant"})
    page.button(key="climb").click().run()
    assert list(every_metric(page).columns)[1:3] == ["1 top\\_k 5 → 1", "2 Variant keyword → hybrid"]
    page.selectbox(key="b variant").select("vector").run()
    assert "order" not in page.query_params, "an order belongs to its two variants"


def test_an_order_that_is_none_is_named_and_the_stages_stand_in(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "b": "hybrid:top_k=1", "order": "top_k,<b>"})
    assert "'top_k,<b>' does not name each change once" in texts(page)
    page.button(key="climb").click().run()
    assert list(every_metric(page).columns)[1] == "1 Variant keyword → hybrid"
    assert not page.exception


def test_an_impossible_order_is_mended(open_page: OpenPage, base: dict[str, str]) -> None:
    b = "keyword:chunk_size=100,chunk_overlap=20"
    page = open_page({**base, "b": b, "order": "chunk_size,chunk_overlap"})
    assert "so the order is chunk_overlap, chunk_size." in texts(page)


def test_a_stop_keeps_what_is_done(open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page({**base, "b": "hybrid:top_k=1"})
    steps = Experiment.steps
    monkeypatch.setattr(Experiment, "steps", lambda self: islice((p for p in steps(self) if p.step == "questions"), 2))
    page.button(key="climb").click().run()
    assert "2 steps from A to B" in texts(page)
    assert "Stopped early: 2 of 3 questions" in texts(page)
    monkeypatch.setattr(Experiment, "steps", steps)
    assert "1 more run" in page.button(key="climb").label
    page.button(key="climb").click().run()
    assert "Stopped early" not in texts(page)


def test_a_failing_climb_is_one_sentence(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page({**base, "b": "hybrid:top_k=1"})

    def fail(self: Experiment) -> Any:
        raise ModelError("The model is away. Come back later.")

    monkeypatch.setattr(Experiment, "steps", fail)
    page.button(key="climb").click().run()
    assert [each.value for each in page.error] == ["The model is away\\. Come back later\\."]
    assert page.subheader, "the comparison stays"
