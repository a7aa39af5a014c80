"""The home page: what it shows, what a change does, and what survives a click."""

import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.errors import ModelError
from rag_variants.evaluation.run import Experiment
from tests.app.conftest import QUESTIONS, OpenPage, write_base
from tests.stub import Stub, filled


def texts(page: AppTest) -> str:
    """Everything that the page says in words."""
    kinds = ("markdown", "text", "caption", "subheader", "error")
    return "\n".join(str(each.value) for kind in kinds for each in getattr(page, kind))


def numbers(page: AppTest) -> Any:
    """The table of numbers, by metric."""
    frame = next(table.value for table in page.table if "verdict" in table.value.columns)
    return frame.set_index(frame["metric"].str.extract(r"\*\*(.*?)\*\*")[0])


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The pairs of variants that were run, one entry a run."""
    made: list[tuple[Any, ...]] = []
    steps = Experiment.steps

    def counted(self: Experiment) -> Any:
        made.append(self.variants)
        return steps(self)

    monkeypatch.setattr(Experiment, "steps", counted)
    return made


def test_the_first_visit_shows_a_result_of_the_default_pair(open_page: OpenPage) -> None:
    page = open_page({"metrics": "retrieval"})
    assert "retrieval" in page.subheader[0].value
    assert "variant keyword → hybrid" in texts(page)
    assert "76 questions, paired" in texts(page)
    assert len(numbers(page)) == 7
    assert not page.error


def test_questions_needed_follow_the_change_and_the_metric_and_change_no_number(
    open_page: OpenPage, runs: list[tuple[Any, ...]]
) -> None:
    page = open_page({"metrics": "retrieval", "a": "keyword", "b": "keyword:top_k=1"})
    before = numbers(page)

    def count(words: str) -> int:
        said = [each.value.replace("\\", "") for each in page.markdown]
        (sentence,) = [each for each in said if words in each]
        return int(re.search(r"about ([\d,]+) questions; you have 76", sentence)[1].replace(",", ""))  # type: ignore[index]

    usual = count("To show a change of 0.05 in evidence recall")
    page.selectbox(key="need change").select(0.02).run()
    # (.05 ÷ .02)² times as many, but for t_c and for rounding to two digits.
    assert count("To show a change of 0.02 in evidence recall") == pytest.approx(usual * 2.5**2, rel=0.1)
    page.selectbox(key="need metric").select("ndcg").run()
    assert count("To show a change of 0.02 in nDCG") > 0
    assert numbers(page).equals(before) and len(runs) == 1


def test_the_embedded_judge_is_said_to_add_no_noise(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "metrics": "faithfulness"})
    assert "it adds no noise to a difference" in texts(page)
    assert not [each for each in page.button if each.key == "measure noise"]


def test_top_k_of_b_changes_b_alone(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page(base)
    before = numbers(page)
    page.slider(key="b hybrid top_k").set_value(1).run()
    assert page.query_params["b"] == "hybrid:top_k=1"
    assert "Settings changed: run to update" in texts(page)
    assert numbers(page).equals(before), "the old result keeps its own numbers"
    page.button(key="run").click().run()
    after = numbers(page)
    assert "Settings changed" not in texts(page)
    assert list(after[":blue-badge[A]"]) == list(before[":blue-badge[A]"])
    assert list(after[":orange-badge[B]"]) != list(before[":orange-badge[B]"])
    assert not page.exception


def test_other_variants_do_not_relabel_the_old_result(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page(base)
    page.selectbox(key="a variant").select("vector").run()
    assert "Below is the result of :blue-badge[**A**] keyword and" in texts(page)


def test_an_impossible_combination_is_explained_and_changes_nothing(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page(base)
    page.slider(key="b hybrid chunk_overlap").set_value(700).run()
    assert "cannot repeat all of the one before" in page.error[0].value
    assert page.slider(key="b hybrid chunk_overlap").value == 100
    page.slider(key="b hybrid chunk_overlap").set_value(50).run()
    assert not page.error
    assert page.query_params["b"] == "hybrid:chunk_overlap=50"


def test_settings_that_the_answerer_ignores_are_not_shown(open_page: OpenPage, base: dict[str, str]) -> None:
    keys = {slider.key for slider in open_page(base).slider}
    assert "b hybrid top_k" in keys
    assert not any("temperature" in key for key in keys if key)


def test_swap_and_reset(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "a": "keyword:top_k=3", "b": "vector"})
    page.button(key="swap").click().run()
    assert (page.query_params["a"], page.query_params["b"]) == ("vector", "keyword:top_k=3")
    page.button(key="b reset").click().run()
    assert page.query_params["b"] == "keyword"


def test_another_kind_keeps_the_settings_that_both_have(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "b": "hybrid:top_k=2,rrf_k=10"})
    page.selectbox(key="b variant").select("keyword").run()
    assert page.query_params["b"] == "keyword:top_k=2"


def test_a_preset_runs_at_once(open_page: OpenPage, base: dict[str, str], runs: list[Any]) -> None:
    page = open_page(base)
    page.selectbox(key="preset").select("Keyword → vector").run()
    assert page.query_params["b"] == "vector"
    assert len(runs) == 2
    assert "variant keyword → vector" in texts(page)


def test_a_result_survives_clicks_without_another_run(
    open_page: OpenPage, base: dict[str, str], runs: list[Any]
) -> None:
    page = open_page({**base, "b": "keyword:k1=1.4"})  # both sides retrieve the same chunks
    sentence = page.subheader[0].value
    for state in ("all", "ties", "unscored", "regressions"):
        page.segmented_control(key="shown").set_value(state).run()
    page.segmented_control(key="shown").set_value("all").run()
    page.selectbox(key="question").select("q3").run()
    page.selectbox(key="metric").select("mrr").run()
    page.selectbox(key="tag").select("kind=lookup").run()
    assert page.subheader[0].value == sentence
    assert len(runs) == 1
    assert not page.exception
    assert {"q1"} == {each.split(" ")[0] for each in page.selectbox(key="question").options}


def test_running_again_with_the_same_settings_computes_nothing(
    open_page: OpenPage, base: dict[str, str], runs: list[Any]
) -> None:
    page = open_page(base)
    page.button(key="run").click().run()
    page.slider(key="b hybrid top_k").set_value(1).run()
    page.button(key="run").click().run()
    page.slider(key="b hybrid top_k").set_value(5).run()
    assert "Settings changed" not in texts(page), "the kept result is shown at once"
    assert len(runs) == 2


def test_an_empty_filter_says_so_and_keeps_the_question(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "b": "keyword", "show": "regressions"})
    assert "No regressions here" in texts(page)
    assert "same variant" in page.subheader[0].value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kb": "/nowhere/at/all"}, "There is no folder"),
        ({"questions": "/nowhere.jsonl"}, "nowhere"),
        ({"slice": "kind=nothing"}, "No question of"),
    ],
)
def test_bad_sources_give_one_box(
    open_page: OpenPage, base: dict[str, str], change: dict[str, str], words: str
) -> None:
    page = open_page({**base, **change})
    assert len(page.error) == 1
    assert words in page.error[0].value.replace("\\", "")
    assert not page.exception


def test_bad_values_in_a_link_are_named_and_defaults_stand_in(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "b": "hybrid:top_k=900", "show": "nonsense"})
    assert "out of bounds" in texts(page)
    assert "cannot be used" in texts(page)
    assert page.selectbox(key="b variant").value == "hybrid"
    assert page.subheader, "there is a result all the same"


def test_a_slice_restricts_the_run(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "slice": "kind=exact_id"})
    assert "1 question, paired" in texts(page)


def test_a_stopped_run_is_shown_as_incomplete(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Experiment.steps
    monkeypatch.setattr(Experiment, "steps", lambda self: islice((p for p in steps(self) if p.step == "questions"), 2))
    page = open_page(base)
    assert "Stopped early: 2 of 3 questions" in texts(page)
    assert len(numbers(page)) == 7
    monkeypatch.setattr(Experiment, "steps", steps)
    page.button(key="run").click().run()
    assert "Stopped early" not in texts(page)


def test_a_failing_run_is_one_sentence_and_is_not_repeated(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def fail(self: Experiment) -> Any:
        begun.append(self)
        raise ModelError("The model is away. Come back later.")

    monkeypatch.setattr(Experiment, "steps", fail)
    page = open_page(base)
    page.run()
    assert [each.value for each in page.error] == ["The model is away\\. Come back later\\."]
    assert len(begun) == 1


def test_changing_a_file_reads_it_again(open_page: OpenPage, tmp_path: Path) -> None:
    base = write_base(tmp_path / "other", questions=QUESTIONS[:2])
    page = open_page(base)
    assert "2 questions, paired" in texts(page)
    (tmp_path / "other" / "questions.jsonl").write_text('{"user_input": "What does ERR-4031 mean?"}\n')
    page.button(key="run").click().run()
    assert "1 question" in texts(page)


SIMULATED = "keyword:answerer=embedded:inventive,prompt=free,temperature=1"


def test_simulated_answers_are_marked_with_their_key_and_counted(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "metrics": "faithfulness", "a": "keyword", "b": SIMULATED})
    shown = texts(page)
    assert ":gray-badge[simulated]" in shown
    assert "**The key**: what was planted in this answer" in shown
    assert "    said: " in shown
    assert "    source: " in shown
    counts = next(frame.value for frame in page.dataframe if "planted" in frame.value.columns)
    assert list(counts.columns) == ["kind", "planted", "caught", "missed", "not judged"]
    total = counts[counts["kind"] == "all"].iloc[0]
    assert total["planted"] == total["caught"] + total["missed"] + total["not judged"] >= 1
    assert "no simulated answers" in shown, "A has none"


def test_without_simulated_answers_nothing_is_said_of_faults(open_page: OpenPage, base: dict[str, str]) -> None:
    shown = texts(open_page({**base, "metrics": "faithfulness", "a": "keyword", "b": "keyword:top_k=1"}))
    assert "simulated" not in shown.lower()


def test_the_settings_of_an_answerer_follow_it(open_page: OpenPage, base: dict[str, str], tmp_path: Path) -> None:
    kept = tmp_path / "home" / "recorded" / "replies.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_text('{"user_input": "What does ERR-4013 mean?", "answer": "A clock."}\n', encoding="utf-8")
    page = open_page({**base, "a": "keyword", "b": "keyword:top_k=1"})
    answerer = page.selectbox(key="b keyword answerer")
    assert answerer.options == [
        "embedded",
        "embedded:digest",
        "embedded:inventive",
        "recorded:replies",
        "recorded:smollm2",
    ]
    page = answerer.set_value("embedded:inventive").run()
    assert page.selectbox(key="b keyword prompt").options == ["grounded", "free"]
    assert page.slider(key="b keyword temperature").max == 2
    assert any("planted faults" in caption.value for caption in page.caption)
    page = page.selectbox(key="b keyword answerer").set_value("recorded:replies").run()
    assert "recorded:replies" in page.query_params["b"]
    assert not any("temperature" in (each.key or "") for each in page.slider)


@pytest.mark.parametrize(
    ("spec", "missing"),
    [
        ("keyword:answerer=openai:gpt-x", "OPENAI_API_KEY"),
        ("vector:embeddings=gateway:embed-x", "RAG_VARIANTS_ENDPOINTS__GATEWAY"),
    ],
)
def test_a_link_to_an_unknown_endpoint_says_what_is_missing(
    base: dict[str, str], open_page: OpenPage, spec: str, missing: str
) -> None:
    page = open_page({**base, "a": spec})
    assert any("may cost money" in each.value for each in page.markdown)
    assert not page.subheader
    assert [missing in each.value.replace("\\", "") for each in page.error] == [True]


def test_opening_a_link_says_what_it_would_cost_and_spends_nothing(
    base: dict[str, str], open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stub(filled) as stub:
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL", stub.url)
        page = open_page({**base, "a": "keyword:answerer=stub:small"})
        assert stub.requests == []
        forecast = next(each.value for each in page.markdown if "may cost money" in each.value)
        count = int(re.search(r"about (\d+) calls", forecast)[1])  # type: ignore[index]
        assert not page.subheader
        page.button(key="run").click().run()
        assert len(stub.requests) == count


def test_a_folder_and_its_questions_count_together_when_they_are_sent(
    base: dict[str, str], open_page: OpenPage
) -> None:
    page = open_page({"metrics": "retrieval", "slice": "set=general", "a": "keyword", "b": "keyword:top_k=1"})
    for label, path in (("Folder of documents", base["kb"]), ("Question file", base["questions"])):
        next(each for each in page.text_input if each.label == label).set_value(path)
    page.button(key="run").click().run()
    assert "kb" not in page.query_params, "what was typed and not sent is not run"
    for label, path in (("Folder of documents", base["kb"]), ("Question file", base["questions"])):
        next(each for each in page.text_input if each.label == label).set_value(path)
    next(each for each in page.button if each.label == "Read these").click().run()
    assert not page.exception
    assert (page.query_params["kb"], page.query_params["questions"]) == (base["kb"], base["questions"])
    assert "slice" not in page.query_params
