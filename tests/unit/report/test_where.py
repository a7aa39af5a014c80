"""Signals, slices, spread and critical questions in words and as charts."""

import json
from dataclasses import replace

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.reasons.critical import ScoreChange, critical_questions
from rag_variants.evaluation.reasons.signals import count_signals, find_signals
from rag_variants.evaluation.statistics.spread import spread_deltas
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.critical import change_cell, critical_lines, critical_sentence
from rag_variants.report.document import comparison_document
from rag_variants.report.export import comparison_markdown
from rag_variants.report.page import comparison_html
from rag_variants.report.reading import ReadComparison, load_result
from rag_variants.report.signals import evidence_words, named, not_told_words, unscored_words
from rag_variants.report.slice_chart import slice_chart
from rag_variants.report.slice_rows import find_cell, slice_cells, slice_sentence, slice_tags
from rag_variants.report.spread_chart import Pair, histogram, pairs_chart, spread_sentences
from rag_variants.storage.run_documents import to_json
from tests.unit.evaluation.reasons.test_critical import tagged
from tests.unit.evaluation.test_compare import make_run

A = {"mrr": {f"q{n}": 1.0 for n in range(1, 8)}}
B = {"mrr": {"q1": 0.5, "q2": 1.0, "q3": 1.0, "q4": 1.0, "q5": 1.0, "q6": 0.5, "q7": 0.5}}


def seven():
    """q1 and q2 are Polish, q3 to q7 English."""
    return compare_runs(make_run(A), make_run(B, "hybrid"))


def test_cells_hold_the_slices_deltas_and_mark_small_ones():
    cells = slice_cells(seven())
    assert [(cell.tag, cell.n, cell.few) for cell in cells] == [
        ("", 7, False), ("language=en", 5, False), ("language=pl", 2, True),
    ]  # fmt: skip
    everything, english, polish = cells
    assert everything.delta == (-0.5 - 0.5 - 0.5) / 7
    assert english.delta == (-0.5 - 0.5) / 5
    assert polish.delta == (-0.5 + 0) / 2
    assert (english.words, english.count) == ("▼\u200a−0.20", "5")
    assert polish.count == "(2)"
    assert slice_sentence(polish).endswith("−0.25 over 2 questions (0 ▲ 1 = 1 ▼). Fewer than 5 questions: one of them "
                                           "can make this number.")  # fmt: skip
    assert find_cell(cells, "language=pl", "mrr") is polish
    assert find_cell(cells, "language=xx", "mrr") is None


def test_a_tag_that_every_question_carries_is_no_part():
    comparison = tagged()
    assert set(comparison.slices) == {"risk=high", "language=pl"}
    everyone = compare_runs(make_run({"mrr": {"q1": 1.0}}), make_run({"mrr": {"q1": 0.5}}, "hybrid"))
    assert set(everyone.slices) == {"language=pl"}
    assert slice_tags(everyone) == ()


def test_no_tag_becomes_part_of_an_expression():
    cells = [replace(cell, label="x='+alert(1)+'") for cell in slice_cells(seven())]
    spec = slice_chart(cells, ("", "mrr")).to_dict()
    assert "alert" in json.dumps(spec["datasets"])
    found = []

    def walk(each):
        if isinstance(each, dict):
            found.extend(value for key, value in each.items() if key in ("labelExpr", "expr", "test", "filter"))
            for value in each.values():
                walk(value)
        elif isinstance(each, list):
            for value in each:
                walk(value)

    walk(spec)
    assert found
    assert not any("alert" in str(each) for each in found)


def test_charts_hold_no_colour_of_a_side_but_for_its_points():
    cells = slice_cells(seven())
    for colours in (LIGHT, DARK):
        heat = json.dumps(slice_chart(cells, ("", "mrr"), colours).to_dict())
        assert colours.a not in heat
        assert colours.b not in heat
        pairs = json.dumps(pairs_chart([Pair("q1", "?", 1.0, 0.5)], "q1", colours).to_dict())
        assert colours.a in pairs
        assert colours.b in pairs


def test_no_difference_has_a_bar_of_its_own():
    deltas = [0.0] * 4 + [0.04, -0.04, -0.5]
    spread = spread_deltas(deltas)
    assert spread is not None
    spec = histogram(deltas, spread).to_dict()
    bars = spec["datasets"][spec["layer"][0]["data"]["name"]]
    # bars of 2 ÷ 20 = 0.1, centred on 0: −0.04, 0 and +0.04 share one
    assert [(round(bar["low"], 3), bar["n"]) for bar in bars] == [(-0.544, 1), (-0.044, 6)], (
        "−0.55 and −0.05, with a gap of 0.006"
    )
    assert sum(bar["n"] for bar in bars) == len(deltas)


def test_the_spread_in_words():
    spread = spread_deltas([-1.0] + [0.0] * 8 + [0.5])
    assert spread is not None
    middle, worst = spread_sentences(spread)
    # p10 at rank 0.9 from 0: −1 + 0.9 × 1; p90 at rank 8.1: 0 + 0.1 × 0.5; mean (−1 + 0.5) / 10
    assert "between −0.10 and +0.05" in middle
    assert "the mean is −0.05 (n = 10)" in middle
    assert worst == "The worst tenth lost 1.00 on average (1 question)."
    spread = spread_deltas([0.0, 0.5])
    assert spread is not None
    assert spread_sentences(spread)[1] == "Even the worst tenth lost nothing (0.00 on average, 1 question)."


def test_critical_questions_in_words_files_and_data():
    comparison = tagged()
    critical = critical_questions(comparison)
    assert critical is not None
    assert critical_sentence(critical) == "2 critical questions (risk=high): 1 is worse on B: q1."
    assert critical_lines(critical) == [
        "▼ q1: evidence recall 1.00 → 0.50  −0.50 ▼",
        "▲ q3: evidence recall 0.00 → 1.00  +1.00 ▲",
        "0 of 2 without a change.",
    ]
    assert "1 is worse on B: q1." in comparison_markdown(comparison)
    kept = comparison_document(comparison)["critical"]
    assert kept["regressed"] == ["q1"]
    assert kept["questions"]["q3"]["evidence_recall"] == {"a": 0.0, "b": 1.0, "delta": 1.0, "worse": False}
    nobody = critical_questions(tagged("kind=x"))
    assert nobody is not None
    assert critical_sentence(nobody) == "No question carries kind=x, so none is critical."


def test_a_lost_score_says_so():
    assert change_cell(ScoreChange("key_facts", 1.0, None)) == "1.00 → not scored ▼"
    assert change_cell(ScoreChange("key_facts", None, None)) == "not scored"


def test_signals_with_their_numbers():
    scores = {"evidence_recall": {"q1": 1.0, "q2": None}, "mrr": {"q1": 0.25, "q2": 0.25}}
    comparison = compare_runs(make_run(scores), make_run(scores, "hybrid"))
    first, second = (find_signals(row)[0] for row, _ in comparison.pairs)
    assert evidence_words(first, "embedded") == "evidence recall 1.00 (at least 0.8), reciprocal rank 0.25 (below 0.5)"
    assert unscored_words(second, "embedded") == "evidence recall not scored: judge failed (HTTP 500)"
    noise = count_signals(comparison)[0]
    assert not_told_words(noise, "embedded") == "evidence recall not scored: judge failed (HTTP 500) (1)"
    document = comparison_document(comparison)
    assert document["signals"]["noise"]["a"] == {
        "questions": ["q1"],
        "n": 1,
        "unscored": [{"what": "evidence_recall", "reason": "judge failed (HTTP 500)", "n": 1}],
    }
    states = [row["a"]["signals"]["noise"]["shown"] for row in document["rows"]]
    assert states == [True, None]
    assert document["rows"][0]["b"]["signals"]["coverage"] == {"shown": False, "why": None}


def test_names_are_few():
    assert named([]) == "none"
    assert named([f"q{n}" for n in range(1, 9)]) == "q1, q2, q3, q4, q5, q6 and 2 more"


def test_the_report_in_one_file_names_them():
    page = comparison_html(tagged())
    assert "<h2>2 critical questions (risk=high): 1 is worse on B: q1.</h2>" in page
    assert "1.00 → 0.50  −0.50 ▼" in page
    assert "Signals: what the scores point at" in page
    assert "recall at least 0.8 and precision below 0.5" in page
    assert "critical question" not in comparison_html(seven())


def test_a_comparison_file_keeps_which_are_critical(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text(to_json(comparison_document(tagged("language=pl"))), encoding="utf-8")
    read = load_result(path)
    assert isinstance(read, ReadComparison)
    assert read.comparison.critical == "language=pl"
    assert critical_questions(read.comparison) == critical_questions(tagged("language=pl"))
