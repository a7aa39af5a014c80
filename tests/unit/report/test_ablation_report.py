"""A ladder in words, rows, files and a chart, from written scores."""

import csv
import io
import json
from dataclasses import replace

import pytest

from rag_variants.evaluation.ablation.ablation_path import AblationPath, build_path
from rag_variants.evaluation.ablation.waypoints import list_waypoints
from rag_variants.pipeline import read_variant
from rag_variants.report.ablation_chart import ablation_chart
from rag_variants.report.ablation_export import ABLATION_FORMATS, ablation_document
from rag_variants.report.ablation_words import (
    family_sentence,
    path_rows,
    result_sentence,
    sum_sentence,
    waiting_sentence,
    waypoint_words,
)
from rag_variants.report.charts import DARK, LIGHT
from tests.unit.evaluation.ablation.test_ablation_path import walked
from tests.unit.evaluation.test_compare import make_run

FEW = [{"q1": 0.5, "q2": 0.5}, {"q1": 0.1, "q2": 0.5}, {"q1": 0.1, "q2": 0.7}, {"q1": 0.9, "q2": 0.5}]  # −.2, +.1, +.3


def long_path(*means: float) -> AblationPath:
    """20 questions whose deltas differ a little, so that every step has a verdict."""
    return walked([{f"q{at}": mean + 0.001 * (at % 3) * level for at in range(20)} for level, mean in enumerate(means)])


def test_rows_run_from_a_to_b():
    a, first, second, third, b = path_rows(walked(FEW), "faithfulness")
    assert (a.side, a.label, a.so_far, a.delta) == ("a", "A", "0.50", "")
    assert (first.label, first.delta, first.so_far) == ("1  rrf_k 60 → 10", "−0.20", "0.30 (−0.20)")
    assert (second.label, second.delta, second.so_far) == ("2  Coverage vote off → on", "+0.10", "0.40 (−0.10)")
    assert (third.label, third.delta, third.so_far) == ("3  top_k 5 → 3", "+0.30", "0.70 (+0.20)")
    assert (b.side, b.delta, b.so_far) == ("b", "+0.20", "0.70")
    assert [row.start for row in (first, second, third)] == pytest.approx([0.5, 0.3, 0.4])
    assert [row.end for row in (first, second, third)] == pytest.approx([0.3, 0.4, 0.7])
    assert [row.note for row in (a, first, second, third, b)] == ["", "largest loss, not shown", "", "", ""]
    assert first.verdict == "too few: only 1 question differs"


def test_an_interval_stands_where_its_step_starts():
    ladder = long_path(0.5, 0.3, 0.6)
    for row, step in zip(path_rows(ladder, "faithfulness")[1:-1], ladder.steps, strict=True):
        low, high = step.metrics["faithfulness"].delta.ci95
        assert (row.low, row.high) == pytest.approx((row.start + low, row.start + high))
        assert row.low < row.end < row.high
    assert path_rows(ladder, "faithfulness")[-1].low is None, "B is a mean, no step"


def test_the_step_that_hurts_most_is_named_only_with_a_verdict():
    ladder = long_path(0.5, 0.3, 0.6)
    rows = path_rows(ladder, "faithfulness")
    assert [row.note for row in rows] == ["", "▼ hurts most", "", ""]
    assert [row.arrow for row in rows] == ["", "▼", "▲", "▲"]
    assert "What hurts most is step 1, rrf_k 60 → 10: −0.20, worse." in result_sentence(ladder, "faithfulness")
    few = result_sentence(walked(FEW), "faithfulness")
    assert few.startswith("3 steps from A to B. Faithfulness: 0.50 → 0.70, +0.20. The largest loss is step 1,")
    assert "may be chance (too few: only 1 question differs)" in few
    assert result_sentence(long_path(0.1, 0.3, 0.6), "faithfulness").endswith("No step makes it worse.")


def test_one_and_no_step_are_said_in_words():
    assert result_sentence(walked(FEW[:1]), "faithfulness") == ("No setting differs between A and B: there is no step.")
    assert result_sentence(walked(FEW[:2]), "faithfulness") == (
        "One step leads from A to B, so it is the whole difference. Faithfulness: 0.50 → 0.30, −0.20."
    )
    assert sum_sentence(walked(FEW[:2]), "faithfulness") is family_sentence(walked(FEW[:2])) is None
    assert [row.side for row in path_rows(walked(FEW[:1]), "faithfulness")] == ["a", "b"]


def test_the_sum_is_written_out_or_what_is_missing():
    assert sum_sentence(walked(FEW), "faithfulness") == (
        "The steps add up to the total: −0.20 + 0.10 + 0.30 = +0.20 (rounded)."
    )
    part = walked([{"q1": 0.0, "q2": 0.4}, {"q1": 0.2, "q2": None}, {"q1": 0.6, "q2": 0.4}])
    assert sum_sentence(part, "faithfulness") == (  # q1: .2 + .4; total: (.6 + 0) ÷ 2
        "The steps add up to +0.60, the total is +0.30: of 2 questions that have faithfulness on some rung, "
        "1 have it on every one."
    )


def test_what_was_not_scored_leaves_no_number():
    rows = path_rows(walked([{"q1": None}, {"q1": None}, {"q1": None}]), "faithfulness")
    assert [row.so_far for row in rows] == ["–"] * 4
    assert {row.verdict for row in rows[1:]} == {"not scored"}
    assert {row.end for row in rows} == {None}


def test_a_change_of_kind_and_a_joined_step_are_named_whole():
    waypoints = list_waypoints(read_variant("keyword:min_score=20"), read_variant("vector:min_score=0.8"))
    assert [waypoint_words(waypoint) for waypoint in waypoints[1:]] == [
        "Variant keyword → vector, Least score 20 → 0.8"
    ]
    asked = ["chunk_size", "chunk_overlap"]
    mended = list_waypoints(read_variant("keyword"), read_variant("keyword:chunk_size=100,chunk_overlap=20"), asked)
    assert waiting_sentence(asked, mended).endswith("so the order is chunk_overlap, chunk_size.")
    assert waiting_sentence(asked[::-1], mended) is None


def test_files_hold_every_step():
    ladder = walked(FEW)
    document = json.loads(ABLATION_FORMATS[".json"](ladder, None), parse_constant=lambda _: 1 / 0)
    assert document == json.loads(json.dumps(ablation_document(ladder)))
    assert (document["schema"], document["order"]) == ("rag-variants/ladder/1", ["rrf_k", "coverage", "top_k"])
    assert document["steps"][0]["changes"] == [{"name": "rrf_k", "before": "60", "after": "10"}]
    sums = document["sums"]["faithfulness"]
    assert sums["running"] == pytest.approx([-0.2, -0.2 + 0.1, -0.2 + 0.1 + 0.3])
    assert (sums["gap"], sums["scored"], sums["worst"]) == (0, {"every_rung": 2, "some_rung": 2}, 1)
    assert document["rows"][0]["scores"]["faithfulness"] == [0.5, 0.1, 0.1, 0.9]
    lines = list(csv.DictReader(io.StringIO(ABLATION_FORMATS[".csv"](ladder, None).removeprefix("\ufeff"))))
    assert [(line["step"], float(line["delta"])) for line in lines] == [
        ("1", pytest.approx(-0.2)), ("2", pytest.approx(0.1)), ("3", pytest.approx(0.3)), ("total", pytest.approx(0.2)),
    ]  # fmt: skip
    markdown = ABLATION_FORMATS[".md"](ladder, "faithfulness")
    assert markdown.startswith("## `hybrid` → `hybrid:top_k=3,rrf_k=10,coverage=on`, one step at a time\n")
    assert "| 1 rrf\\_k 60 → 10 **largest loss, not shown** | 0.30 (−0.20) | −0.20 |" in markdown


def test_foreign_text_does_nothing_in_markdown():
    ladder = walked(FEW)
    noted = replace(ladder, total=replace(ladder.total, warnings=("A: <b>line 3</b> | left out",)))
    markdown = ABLATION_FORMATS[".md"](noted, "faithfulness")
    assert "> A: \\<b\\>line 3\\</b\\> \\| left out\n" in markdown


def test_a_ladder_without_metrics_has_files_too():
    runs = [make_run({"latency_ms": {"q1": 5.0}}, name) for name in ("hybrid", "hybrid:top_k=3")]
    ladder = build_path(list_waypoints(*(run.variant for run in runs)), runs)
    assert all(write(ladder, None) for write in ABLATION_FORMATS.values())


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_only_a_and_b_have_colours(colours):
    chart = ablation_chart(long_path(0.5, 0.3, 0.6), "faithfulness", colours).to_dict()
    (values,) = chart["datasets"].values()
    assert [row["side"] for row in values] == ["a", "", "", "b"]
    sided = [layer for layer in chart["layer"] if layer["encoding"].get("color", {}).get("field") == "side"]
    assert sided
    for layer in sided:
        assert layer["encoding"]["color"]["scale"] == {"domain": ["a", "b"], "range": [colours.a, colours.b]}
        assert layer["transform"][0] == {"filter": "datum.side != ''"}
    others = json.dumps([layer for layer in chart["layer"] if layer not in sided])
    assert colours.a not in others
    assert colours.b not in others
