"""How metrics are chosen, and metrics of other packages."""

import subprocess
import sys

import pytest

from rag_variants.errors import UserError
from rag_variants.metrics import (
    DEFAULT_METRICS,
    METRICS,
    SETS,
    choose_metrics,
    full_label_of,
    is_keyless,
    label_of,
    leading_metrics,
)
from rag_variants.registry import Registry

OWN = [metric.name for metric in METRICS.built_in]


def names(text):
    return [metric.name for metric in choose_metrics(text)]


def of_sets(*sets):
    return [name for name in METRICS if METRICS[name].set in sets]


def test_the_sets_are_those_of_the_metrics():
    assert [name for members in SETS.values() for name in members if name in OWN][: len(OWN)] == OWN, "by set, in order"
    assert set(SETS) - {metric.set for metric in METRICS.values()} == {"quick"}
    assert len({metric.label for metric in METRICS.built_in}) == len(OWN)
    assert all(name == metric.name for name, metric in METRICS.items())


def test_choosing():
    assert names("quick") == [name for name in OWN if METRICS[name].quick]
    assert names(DEFAULT_METRICS) == of_sets("retrieval", "core", "answer")
    assert names(" mrr , hit_rate,mrr ") == ["hit_rate", "mrr"]
    assert names("all") == OWN
    assert names("core,quick") == list(SETS["core"])


@pytest.mark.parametrize("text", ["context", "precisio", "Faithfulness", "all,faithful"])
def test_names_count_whole(text):
    with pytest.raises(UserError, match=r"There is no metric or set called .*Known: all, retrieval"):
        choose_metrics(text)


@pytest.mark.parametrize("text", ["", " , "])
def test_an_empty_choice(text):
    with pytest.raises(UserError, match="No metric is named"):
        choose_metrics(text)


def test_who_leads_is_fixed():
    assert leading_metrics("retrieval") == ("evidence_recall", "context_recall")
    assert leading_metrics("answers") == ("key_facts", "faithfulness")


def test_topic_closeness():
    relevancy = METRICS["answer_relevancy"]

    assert label_of(relevancy, "embedded") == "Topic closeness"
    assert label_of(relevancy, "openai:gpt-5") == "Answer relevancy"
    assert label_of(METRICS["mrr"], "embedded") == METRICS["mrr"].label


def test_the_term_of_the_field_stands_beside_our_word():
    relevancy = METRICS["answer_relevancy"]

    assert full_label_of(relevancy, "embedded") == "Topic closeness (answer relevancy without a key)"
    assert full_label_of(relevancy, "openai:gpt-5") == "Answer relevancy"
    assert full_label_of(METRICS["mrr"]) == "Reciprocal rank (MRR)"
    assert full_label_of(METRICS["precision"]) == "Gold share of chunks (precision)"
    for metric in METRICS.values():
        beside = full_label_of(metric, "embedded").removeprefix(label_of(metric, "embedded"))
        assert bool(beside) is bool(metric.term or is_keyless(metric, "embedded"))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("rag_variants.metrics:METRICS", "is no rag_variants.metrics.metric.Metric"),
        ("rag_variants.absent:X", "cannot be loaded"),
        ("tests.unit.metrics.plugin_metric:TAKEN", "takes the name 'mrr', which is in use"),
        ("tests.unit.metrics.plugin_metric:A_SET", "takes the name 'core', which is in use"),
        ("tests.unit.metrics.plugin_metric:ALL", "takes the name 'all', which is in use"),
        ("tests.unit.metrics.plugin_metric:LEADING", "wants to lead the headline, which is fixed"),
        ("tests.unit.metrics.plugin_metric:NO_ENGLISH", "has no English label and line"),
        ("tests.unit.metrics.plugin_metric:NO_SET", "is in the set 'mine'; there is retrieval, core"),
        ("tests.unit.metrics.plugin_metric:NO_GROUP", "is in the group 'Liked it?', which no table has"),
        ("tests.unit.metrics.plugin_ends:METRIC", "cannot be loaded (SystemExit: bye)"),
    ],
)
def test_a_broken_plugin_is_named_and_left_out(install, target, message):
    """It costs its own metric and no other, and takes nobody's place."""
    mrr = METRICS["mrr"]
    install(METRICS, extra=target)
    assert names("all") == OWN
    assert METRICS["mrr"] is mrr
    [sentence] = METRICS.left_out
    assert sentence.startswith("The metric 'extra' of an installed package ")
    assert message in sentence
    assert sentence.endswith("so it is left out. Update or uninstall that package.")


def test_a_plugin_joins_its_set(install):
    install(METRICS, extra="tests.unit.metrics.plugin_metric:EXTRA")
    assert names("answer")[-1] == "extra_fact"
    assert names("extra_fact") == ["extra_fact"]
    assert METRICS.left_out == ()


def test_one_of_two_that_want_a_name_gets_it(install):
    target = "tests.unit.metrics.plugin_metric:EXTRA"
    install(METRICS, extra=target, other=target)
    assert names("all") == [*OWN, "extra_fact"]
    [sentence] = METRICS.left_out
    assert sentence.startswith("The metric 'other' of an installed package takes the name 'extra_fact'")


def test_importing_metrics_imports_no_ragas():
    code = "import sys, rag_variants, rag_variants.metrics, rag_variants.judges; sys.exit('ragas' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_importing_metrics_imports_no_other_package(install):
    """What packages bring is looked at when it is asked for: whoever imports a module waits for none of them."""
    made = Registry("metric", METRICS.group, METRICS.form, METRICS.name_of)
    install(made, extra="tests.unit.metrics.plugin_ends:METRIC")
    assert "_found" not in vars(made)
