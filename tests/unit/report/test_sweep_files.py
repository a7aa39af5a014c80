"""A sweep as Markdown and as one HTML file: what stands in them, and that foreign text stays text."""

import re
from dataclasses import replace

import pytest

from rag_variants.evaluation.runs import Documents, Provenance
from rag_variants.evaluation.tuning.grid import Impossible
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.report.page import sweep_html
from rag_variants.report.page.frontier import frontier_drawings
from rag_variants.report.sweep_export import SWEEP_FORMATS
from rag_variants.report.sweep_points import missing_rows
from rag_variants.report.sweep_text import sweep_markdown
from tests.sweeps_making import make_sweep, top_k_sweep
from tests.unit.report.test_sweep_report import two_axes

HOSTILE = "<script>alert(1)</script> | `$x$` \\n# [a](http://b)"


def hostile() -> Sweep:
    sweep = top_k_sweep()
    return replace(
        sweep,
        head=replace(sweep.head, questions=Provenance(HOSTILE, 10, "q"), knowledge=Documents(HOSTILE, 1, "k")),
        warnings=(HOSTILE,),
        left_out=(Impossible(HOSTILE, HOSTILE),),
    )


def stopped() -> Sweep:
    """2 × 2 settings and the start, the last one not measured; chunk_size=50 cannot be (overlap 100)."""
    points = [{"ndcg": [value] * 8} for value in (0.5, 0.25)]
    return make_sweep("keyword", ["top_k=1,2", "chunk_size=50,400"], points)


def test_every_format_has_its_writer():
    assert list(SWEEP_FORMATS) == [".json", ".csv", ".md", ".html"]
    for write in SWEEP_FORMATS.values():
        assert "top_k=8" in write(top_k_sweep(), None).replace("\\", "")


def test_markdown_has_the_sentence_the_table_and_where_it_came_from():
    text = sweep_markdown(top_k_sweep(tried=40)).replace("\\", "")
    assert text.startswith("## Sweep of `keyword`, 4 settings\n\n**Recommended: top_k=2 (nDCG 0.780, +0.280 against")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows[0].startswith("| setting | | nDCG | Δ to the start | 95 % interval | verdict | scored | characters")
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| top_k=8", "| **top_k=2**", "| top_k=5", "| top_k=1"]
    assert {row.count("|") for row in rows} == {rows[0].count("|")}
    assert "40 settings were tried on these questions." in text
    assert "base: 1 documents (k) · set: 10 questions (q) · seed 0" in text


def test_foreign_text_in_markdown_is_text():
    text = sweep_markdown(hostile())
    assert "<script>" not in text
    assert r"\<script\>" in text
    assert r"\[a\]" in text
    assert "\n#" not in text.replace("\n## Sweep", "")


def test_html_loads_nothing_and_foreign_text_is_text():
    page = sweep_html(hostile())
    assert page.startswith("<!doctype html>")
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert not re.search(r"(src|href)=", page)


def test_html_draws_every_setting_and_the_frontier():
    page = sweep_html(top_k_sweep())
    assert "<h1>Recommended: top_k=2 (nDCG 0.780" in page
    assert page.count('class="plot strong"') == 2  # top_k=8 and what cannot be told from it, top_k=2
    assert page.count('class="plot faint"') == 2
    assert page.count('class="interval"') >= 3
    (drawing,) = frontier_drawings(top_k_sweep())
    assert [mark["on"] for mark in drawing["marks"]] == [True, True, False, True], "by text read: 100, 200, 500, 800"
    assert re.findall('<circle[^>]* class="(.*?)"', page) == ["on", "on", "off", "on"]
    assert drawing["words"].startswith("Not beaten in both")
    assert "<h2>What it costs</h2>" in page


def grid_cells(page: str) -> list[str]:
    (grid,) = re.findall(r'<table class="crossed">.*?</table>', page, re.DOTALL)
    return re.findall(r"<td[^>]*>(.*?)</td>", grid)


def test_two_settings_are_a_table_of_means():
    cells = grid_cells(sweep_html(two_axes()))
    assert [re.sub("<.*", "", cell.removeprefix("<b>").removeprefix("<span>")) for cell in cells] == [
        "0.250", "0.750", "1.000", "0.000",
    ]  # fmt: skip
    assert '"crossed"' not in sweep_html(top_k_sweep())


def test_what_is_missing_is_told_apart():
    assert missing_rows(stopped()) == (
        (("1", "50"), "impossible"),
        (("2", "50"), "impossible"),
        (("2", "400"), "waiting"),
    )
    assert [cell for cell in grid_cells(sweep_html(stopped())) if "<" not in cell] == ["×", "×", "…"]


@pytest.mark.parametrize("values", [[None] * 8, [0.5] * 8])
def test_settings_without_a_difference_have_no_frontier(values):
    sweep = make_sweep("keyword", ["top_k=3"], [{"ndcg": values, "latency_ms": [1.0 + at] * 8} for at in (0, 1)])
    assert frontier_drawings(sweep) == []
    assert isinstance(sweep_html(sweep), str)
    assert sweep_markdown(sweep)
