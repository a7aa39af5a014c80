"""A sweep in sentences, table, files and charts."""

import csv
import io
import json
from typing import Any

import pytest

from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.report.charts import LIGHT
from rag_variants.report.frontier_chart import frontier_chart
from rag_variants.report.sweep_chart import heat_map, line_chart, sweep_chart
from rag_variants.report.sweep_export import sweep_csv, sweep_document
from rag_variants.report.sweep_rows import sweep_rows
from rag_variants.report.sweep_words import frontier_lines, sweep_sentences
from rag_variants.storage.run_documents import to_json
from tests.sweeps_making import make_sweep, top_k_sweep


def two_axes() -> Sweep:
    points = [{"ndcg": [value] * 8} for value in (0.5, 0.25, 0.75, 1.0, 0.0)]
    return make_sweep("keyword", ["top_k=1,2", "chunk_size=200,400"], points)


def test_the_sentences_say_what_to_take_and_beside_what_luck():
    advice, equals, luck = sweep_sentences(top_k_sweep(tried=40))
    assert advice.startswith("Recommended: top_k=2 (nDCG 0.780, +0.280 against the start, could be ")
    assert equals.startswith("The best mean has top_k=8; 1 of 3 others cannot be told from it: top_k=2.")
    assert luck.startswith("40 settings were tried on these questions. The best of 40 equal ones would be ahead")
    expected = top_k_sweep(tried=40).luck
    assert expected is not None
    assert f"by {expected:.3f} on average by luck alone; this best one is ahead by 0.320" in luck
    assert luck.endswith("not more than that." if expected >= 0.32 else ", more than that.")


def test_a_start_that_nothing_beats_is_kept():
    sweep = make_sweep("keyword", ["top_k=3"], [{"ndcg": [1.0] * 8}, {"ndcg": [0.0] * 8}])
    assert sweep_sentences(sweep)[0] == "Stay with top_k=5 (nDCG 1.000): it is the best of those tried."
    assert "every other setting is shown to be worse" in sweep_sentences(sweep)[1]


def test_a_metric_without_a_score_and_a_stop_are_said():
    nothing = make_sweep("keyword", ["top_k=3"], [{"ndcg": [None]}, {"ndcg": [None]}])
    assert sweep_sentences(nothing) == ("nDCG was scored on no question, so no setting can be called better.",)
    stopped = make_sweep("keyword", ["top_k=1..3"], [{"ndcg": [1.0] * 3}])
    assert sweep_sentences(stopped)[-1].startswith("Stopped early: 3 settings were not measured. ")


def test_the_table_has_the_best_first_and_marks_its_equals():
    rows = sweep_rows(top_k_sweep())
    assert [(row.settings, row.mean, row.delta, row.marks) for row in rows] == [
        ("top_k=8", "0.820", "+0.320", "best"),  # (8 · .9 + 2 · .5) ÷ 10
        ("top_k=2", "0.780", "+0.280", "≈ best, recommended"),
        ("top_k=5", "0.500", "", "start"),
        ("top_k=1", "0.000", "−0.500", ""),
    ]
    assert [row.read for row in rows] == ["800", "200", "500", "100"]


def test_the_frontier_is_a_line_from_cheap_to_good():
    (line,) = frontier_lines(top_k_sweep())
    assert line.endswith(
        "top_k=1 (0.000 at 100 characters) → top_k=2 (0.780 at 200 characters) → top_k=8 (0.820 at 800 characters)"
    )


def test_the_document_is_plain_data_with_its_schema():
    document: dict[str, Any] = json.loads(to_json(sweep_document(top_k_sweep(tried=9))))
    assert document["schema"] == "rag-variants/sweep/1"
    assert (document["best"], document["recommended"]) == ("keyword:top_k=8", "keyword:top_k=2")
    assert document["not_told_apart"] == ["keyword:top_k=2", "keyword:top_k=8"]
    assert document["over"] == {"top_k": [5, 1, 2, 8]}
    assert document["frontier"] == {"context_characters": ["keyword:top_k=1", "keyword:top_k=2", "keyword:top_k=8"]}
    assert (document["tried"], document["advantage"], document["final_check"]) == (9, pytest.approx(0.32), None)
    worst = document["points"][1]
    assert (worst["settings"], worst["off_default"], worst["against_best"]["told_apart"]) == ({"top_k": 1}, 1, True)
    assert worst["metrics"]["ndcg"]["against_start"]["verdict"] == "worse"
    assert (worst["metrics"]["ndcg"]["mean"], worst["metrics"]["ndcg"]["n"]) == (0.0, 10)
    assert worst["effort"]["context_characters"] == {
        "mean": 100.0, "typical": 100.0, "statistic": "mean", "unit": "characters", "n": 10,
    }  # fmt: skip


def test_not_scored_is_null_in_json_and_empty_in_csv():
    sweep = make_sweep("keyword", ["top_k=3"], [{"ndcg": [0.5] * 8}, {"ndcg": [None] * 8}])
    point = json.loads(to_json(sweep_document(sweep)))["points"][1]["metrics"]["ndcg"]
    assert (point["mean"], point["n"], point["against_start"]["mean"]) == (None, 0, None)
    rows = list(csv.DictReader(io.StringIO(sweep_csv(sweep).removeprefix("\ufeff"))))
    assert (rows[1]["value"], rows[1]["n"], rows[1]["delta"]) == ("", "0", "")


def test_the_csv_has_a_line_for_each_point_and_metric():
    rows = list(csv.DictReader(io.StringIO(sweep_csv(top_k_sweep()).removeprefix("\ufeff"))))
    assert len(rows) == 4 * 2
    assert [rows[0][name] for name in ("variant", "top_k (chunks)", "marks", "metric", "n")] == [
        "keyword:top_k=8", "8", "best", "ndcg", "10",
    ]  # fmt: skip
    assert float(rows[0]["delta"]) == pytest.approx(0.32)
    assert (rows[1]["metric"], rows[1]["value"], rows[1]["verdict"]) == ("context_characters", "800.0", "")


@pytest.mark.parametrize("differing", [0, 1, 6, 7])
def test_the_csv_has_the_verdicts_of_the_table(differing):
    points = [{"ndcg": [0.0] * 8}, {"ndcg": [1.0] * differing + [0.0] * (8 - differing)}]
    sweep = make_sweep("keyword", ["top_k=3"], points)
    lines = {
        row["top_k (chunks)"]: row["verdict"]
        for row in csv.DictReader(io.StringIO(sweep_csv(sweep).removeprefix("\ufeff")))
    }
    assert lines == {row.settings.partition("=")[2]: row.verdict for row in sweep_rows(sweep)}
    assert lines["3"] == {0: "no question differs", 7: "better (fragile)"}.get(differing, "too few")


def data_of(chart: Any) -> list[dict[str, Any]]:
    """The rows of points of a chart that its library finds valid."""
    found: list[dict[str, Any]] = max(chart.to_dict()["datasets"].values(), key=len)
    return found


def test_one_setting_is_a_line_with_intervals():
    rows = data_of(line_chart(top_k_sweep()))
    assert [(row["value0"], row["kind"], row["start"]) for row in rows] == [
        (5, "worse", True), (1, "worse", False), (2, "near", False), (8, "near", False),
    ]  # fmt: skip
    expected = top_k_sweep().against_start()[3].ci95
    assert expected == pytest.approx((rows[3]["low"], rows[3]["high"]))


def test_two_settings_are_a_heat_map_and_three_no_chart():
    chart = heat_map(two_axes())
    rows = data_of(chart)
    assert [(row["text0"], row["text1"], row["mean"]) for row in rows] == [
        ("1", "200", 0.25), ("1", "400", 0.75), ("2", "200", 1.0), ("2", "400", 0.0),
    ]  # fmt: skip
    three = make_sweep("keyword", ["top_k=1", "chunk_size=200", "b=0.5"], [{"ndcg": [1.0] * 3}] * 2)
    assert sweep_chart(three) is None
    assert data_of(sweep_chart(two_axes())) == rows
    assert data_of(sweep_chart(top_k_sweep())) == data_of(line_chart(top_k_sweep()))


def test_the_frontier_chart_marks_its_points():
    rows = data_of(frontier_chart(top_k_sweep()))
    assert [(row["effort"], row["frontier"]) for row in rows] == [(500, False), (100, True), (200, True), (800, True)]


def test_texts_stand_in_their_own_order():
    points = [{"ndcg": [0.5] * 8}, {"ndcg": [1.0] * 8}]
    chart = line_chart(make_sweep("keyword", ["tokens=words,language"], points)).to_dict()
    assert '"sort": ["words", "language"]' in json.dumps(chart)


@pytest.mark.parametrize("make", [line_chart, frontier_chart])
def test_the_colours_of_a_and_b_are_not_used(make):
    drawn = json.dumps(make(top_k_sweep()).to_dict()) + json.dumps(heat_map(two_axes()).to_dict())
    assert LIGHT.a not in drawn
    assert LIGHT.b not in drawn
