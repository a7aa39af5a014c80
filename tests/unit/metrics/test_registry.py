"""The contract of every metric, and how they are chosen."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

import rag_variants.metrics as registry
from rag_variants.errors import UserError
from rag_variants.metrics import METRICS, SETS, all_metrics, choose_metrics, label_of
from rag_variants.types import Answer, Score
from tests.scripted import ScriptedJudge, make_subject, score

DESIGN_ORDER = """
hit_rate evidence_recall all_evidence evidence_precision precision mrr ndcg
faithfulness answer_relevancy context_precision context_recall
key_facts avoids abstention reference_coverage
context_utilization context_precision_evidence factual_correctness semantic_similarity
context_characters context_tokens answer_words latency_ms cost_usd
""".split()  # noqa: SIM905

SUBJECTS = {
    "empty": make_subject(),
    "empty with a judge": make_subject(judge=ScriptedJudge()),
    "declined": make_subject("chunk", answer=Answer("No.", declined=True), judge=ScriptedJudge()),
    "no reference": make_subject("chunk", answer="It is 450.", judge=ScriptedJudge()),
    "failed": make_subject(error="It failed.", judge=ScriptedJudge()),
    "judge fails": make_subject("c", answer="A.", reference="R.", judge=ScriptedJudge(failing=frozenset({"q1"}))),
}


@pytest.mark.parametrize("case", SUBJECTS)
@pytest.mark.parametrize("name", all_metrics())
def test_every_metric_gives_a_score_that_says_why(name, case):
    made = score(all_metrics()[name], SUBJECTS[case])

    assert isinstance(made, Score)
    assert made.value is not None or made.reason or made.error


@pytest.mark.parametrize("metric", all_metrics().values(), ids=lambda metric: metric.name)
def test_every_metric_has_its_texts(metric):
    assert metric.label not in ("", metric.name)
    assert metric.help.endswith(".")
    assert 40 < len(metric.help) < 260
    assert metric.higher_is_better is (metric.set != "effort")
    assert (metric.group == "Effort") is (metric.set == "effort")


def test_names_and_labels_are_unique_and_in_order():
    assert list(METRICS) == DESIGN_ORDER
    assert all(name == metric.name for name, metric in METRICS.items())
    assert len({metric.label for metric in METRICS.values()}) == len(METRICS)


def test_what_the_precision_texts_must_say():
    for name in ("context_precision", "context_precision_evidence"):
        assert "oise after the last" in METRICS[name].help
    assert "useful chunks retrieved" in METRICS["context_precision"].help


def names(text):
    return [metric.name for metric in choose_metrics(text)]


def test_choosing():
    assert names("quick") == ["faithfulness", "answer_relevancy"]
    assert names("retrieval,core,answer") == DESIGN_ORDER[:15]
    assert names(" mrr , hit_rate,mrr ") == ["hit_rate", "mrr"]
    assert names("all") == DESIGN_ORDER
    assert names("core,quick") == list(SETS["core"])


@pytest.mark.parametrize("text", ["context", "precisio", "Faithfulness", "all,faithful"])
def test_names_count_whole(text):
    with pytest.raises(UserError, match=r"There is no metric or set called .*Known: all, retrieval"):
        choose_metrics(text)


@pytest.mark.parametrize("text", ["", " , "])
def test_an_empty_choice(text):
    with pytest.raises(UserError, match="No metric is named"):
        choose_metrics(text)


def test_topic_closeness():
    relevancy = METRICS["answer_relevancy"]

    assert label_of(relevancy, "embedded") == "Topic closeness"
    assert label_of(relevancy, "openai:gpt-5") == "Answer relevancy"
    assert label_of(METRICS["mrr"], "embedded") == METRICS["mrr"].label


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("rag_variants.metrics:METRICS", "is no rag_variants.metrics.Metric"),
        ("rag_variants.absent:X", "cannot be loaded"),
        ("tests.unit.metrics.plugin_metric:TAKEN", "which is in use"),
    ],
)
def test_a_broken_plugin_is_named(monkeypatch, target, message):
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("extra", target, group)])
    all_metrics.cache_clear()
    try:
        with pytest.raises(UserError, match=message):
            choose_metrics("all")
    finally:
        all_metrics.cache_clear()


def test_a_plugin_joins_its_set(monkeypatch):
    target = "tests.unit.metrics.plugin_metric:EXTRA"
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("extra", target, group)])
    all_metrics.cache_clear()
    try:
        assert names("answer")[-1] == "extra_fact"
        assert names("extra_fact") == ["extra_fact"]
    finally:
        all_metrics.cache_clear()


def test_importing_metrics_imports_no_ragas():
    code = "import sys, rag_variants, rag_variants.metrics, rag_variants.judges; sys.exit('ragas' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
