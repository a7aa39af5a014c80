"""Fixed families: a metric's verdict is one whatever other families hold, and what was read wins nothing."""

import numpy as np
import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.statistics.families import FAMILIES, compare_families, partly_measured
from rag_variants.evaluation.statistics.paired import compare_paired
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING
from rag_variants.metrics import GROUPS, METRICS, choose_metrics
from rag_variants.report.words import headline_sentence, trust_sentence, verdict_words
from tests.unit.evaluation.test_compare import make_run


def pairs(values: object) -> dict[str, float]:
    return {f"q{at:02}": float(each) for at, each in enumerate(values)}  # type: ignore[call-overload]


def test_seven_is_the_least_that_a_third_of_five_percent_can_show() -> None:
    assert 2 / 2**MIN_DIFFERING <= 0.05 / 3 < 2 / 2 ** (MIN_DIFFERING - 1)
    assert MIN_DIFFERING == 7


def test_every_metric_has_its_family() -> None:
    families = {name: metric.family for name, metric in METRICS.items() if metric.tested}
    assert {name for name, family in families.items() if family == "read"} == {"evidence_precision", "precision"}
    for family, chosen in (("judged", "core"), ("answer", "answer"), ("more", "more")):
        assert {name for name, each in families.items() if each == family} == {
            metric.name for metric in choose_metrics(chosen)
        }
    assert set(FAMILIES) == {"retrieval", "judged", "answer"}
    assert {METRICS[name].group for name in ("evidence_precision", "precision")} == {"What was read"}
    assert GROUPS.index("What was read") > GROUPS.index("Answered it?")


def test_families_know_nothing_of_each_other() -> None:
    rng = np.random.default_rng(31)
    retrieval = {name: pairs(rng.normal(0.3, 0.4, 30).clip(-1, 1)) for name in ("mrr", "ndcg", "hit_rate")}
    judged = {name: pairs(rng.normal(0.2, 0.4, 30).clip(-1, 1)) for name in ("faithfulness", "context_recall")}
    read = {"precision": pairs(rng.normal(0.5, 0.4, 30).clip(-1, 1))}
    alone = {name: each for family in (retrieval, judged, read) for name, each in compare_families([family])[0].items()}
    together = compare_families([{**read, **judged, **retrieval}])[0]
    assert together == alone
    assert list(together) == ["precision", "faithfulness", "context_recall", "mrr", "ndcg", "hit_rate"]
    expected = compare_paired(retrieval, dict.fromkeys(retrieval, True), span=dict.fromkeys(retrieval, 1.0))
    assert {name: together[name] for name in retrieval} == expected


def test_relevancy_may_fall_by_two() -> None:
    assert (METRICS["answer_relevancy"].span, METRICS["faithfulness"].span) == (2.0, 1.0)
    wins = {name: pairs([1.0] * 15) for name in ("answer_relevancy", "faithfulness")}
    found = compare_families([wins])[0]
    unseen = 1 - 0.05 ** (1 / 15)
    # 1 − .18 · (1 + 2) and 1 + .18 · (2 − 1); 1 − .18 · (1 + 1) and 1
    assert found["answer_relevancy"].ci95 == pytest.approx((1 - 3 * unseen, 1 + unseen))
    assert found["faithfulness"].ci95 == pytest.approx((1 - 2 * unseen, 1.0))


@pytest.mark.parametrize(("sign", "verdict"), [(1, "more"), (-1, "less")])
def test_what_was_read_is_more_or_less_and_no_win(sign: int, verdict: str) -> None:
    ids = [f"q{at}" for at in range(9)]
    a = {name: dict.fromkeys(ids, 0.5) for name in ("precision", "mrr")}
    b = {"precision": dict.fromkeys(ids, 0.5 + sign / 4), "mrr": dict.fromkeys(ids, 0.75)}
    found = compare_runs(make_run(a), make_run(b, "hybrid"))
    delta = found.metrics["precision"].delta
    assert (delta.verdict, verdict_words(delta), delta.shown) == (verdict, verdict, True)
    assert "of 1 metric B is better on 1, worse on 0, undecided on 0" in trust_sentence(found)
    read = compare_runs(make_run({"precision": a["precision"]}), make_run({"precision": b["precision"]}, "hybrid"))
    assert headline_sentence(read).startswith("What was read: gold share of chunks ")
    assert "of 0 metrics B is better on 0, worse on 0, undecided on 0" in trust_sentence(read)


def test_a_family_measured_in_part_is_said() -> None:
    core = [metric.name for metric in choose_metrics("core")]
    rest = [name for name in core if name != "faithfulness"]
    (sentence,) = partly_measured(["faithfulness"])
    assert sentence == (
        f"1 of {len(core)} judged metrics measured: tested together with the others ({', '.join(rest)}), "
        f"a verdict may differ."
    )
    assert partly_measured([*core, "precision", "latency_ms"]) == ()
    run = make_run({"faithfulness": {"q1": 1.0}})
    assert compare_runs(run, run).warnings == (sentence,)


def test_false_alarms_of_all_three_families_together_stay_within_five_percent() -> None:
    rng = np.random.default_rng(32)
    names = [metric.name for metric in METRICS.values() if metric.family in FAMILIES]
    alarms = 0
    for at in range(200):
        shared = rng.normal(0, 1, 12)  # exact: 2¹² flips
        deltas = {name: pairs((0.3 * (shared + rng.normal(0, 1, 12))).clip(-1, 1)) for name in names}
        alarms += any(delta.shown for delta in compare_families([deltas], seed=at)[0].values())
    # Binomial(200, .05): mean 10, standard deviation √(200·.05·.95) = 3.1; 10 + 3 of these is 19.
    assert 0 < alarms <= 19
