"""The numbers of a sweep mean the same, by the same name and unit, in the terminal, Markdown, HTML and CSV."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from rag_variants.evaluation.tuning.grid import Impossible
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.report.page import sweep_html
from rag_variants.report.sweep_export import sweep_csv, sweep_document
from rag_variants.report.sweep_text import sweep_markdown
from rag_variants.storage.run_documents import to_json
from tests.sweeps_making import make_sweep, shown_in_terminal, top_k_sweep


def _lines(sweep: Sweep) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sweep_csv(sweep).removeprefix("\ufeff"))))


def test_a_latency_is_the_median_by_name_in_every_table():
    """1,000, 1 and 1 ms: the median is 1, the mean 334."""
    points = [{"ndcg": [1.0] * 3, "latency_ms": [1000.0, 1.0, 1.0]}, {"ndcg": [0.0] * 3, "latency_ms": [2.0] * 3}]
    sweep = make_sweep("keyword", ["chunk_size=200"], points)
    found = next(row for row in _lines(sweep) if row["metric"] == "latency_ms")
    assert (found["statistic"], found["value"], found["unit"]) == ("median", "1.0", "ms")
    assert found["chunk_size (characters)"] == "600"
    for text in (shown_in_terminal(sweep), sweep_markdown(sweep), sweep_html(sweep)):
        assert "ms, median" in text
        assert "334" not in re.sub("[0-9a-f]{8,}", "", text)


@pytest.mark.parametrize(("count", "words"), [(3, "3 combinations"), (4, "4 combinations"), (2221, "2,221 combin")])
def test_of_what_is_left_out_three_are_shown_and_all_are_in_the_data(count, words):
    other = Impossible("expansion=hyde", "No model is named.")
    left_out = (*(Impossible(f"candidates={at}", f"{at} is below 50.") for at in range(1, count)), other)
    sweep = replace(top_k_sweep(), left_out=left_out)
    for text in (shown_in_terminal(sweep), sweep_markdown(sweep).replace("\\", ""), sweep_html(sweep)):
        assert words in text
        assert len(set(re.findall(r"candidates=\d+", text))) == 2
        assert "No model is named." in text, "another reason is among the examples"
        assert (f"{count - 3:,} more: all of them stand in the .json and .csv files" in text) is (count > 3)
    assert len(json.loads(to_json(sweep_document(sweep)))["left_out"]) == count
    lines = [row for row in _lines(sweep) if row["marks"] == "left out"]
    assert [(row["variant"], row["left out because"]) for row in lines] == [(x.settings, x.reason) for x in left_out]


def test_large_numbers_are_grouped_in_threes():
    """401 · 3 = 1,203 settings, one of them the start's beside the grid (b=0.75)."""
    points = [{"ndcg": [at / 2000] * 8} for at in range(1204)]
    sweep = make_sweep("keyword", ["k1=0..4:0.01", "b=0,0.5,1"], points, tried=4770)
    for text in (shown_in_terminal(sweep), sweep_markdown(sweep)):
        assert "4,770 settings were tried" in text
        assert "1,204 settings" in text
        assert not re.search(r"(?<![\d.,:-])[1-9]\d{3}(?![\d-])", text)
