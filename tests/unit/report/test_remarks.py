"""What is said about a row besides its verdict."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.comparison import Comparison, Means, MetricComparison, Unscored
from rag_variants.evaluation.judging.band import Band, Ends
from rag_variants.evaluation.judging.judge_error import JudgeError
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.report.charts import LIGHT, delta_rows
from rag_variants.report.export import comparison_markdown
from rag_variants.report.page.deltas import deltas_html
from rag_variants.report.remarks import remarks_on, verdict_in_noise
from rag_variants.report.table import metric_rows
from rag_variants.report.words import headline_sentence
from tests.unit.report.test_export import comparison

SHOWN = Delta(0.02, 20, (0.01, 0.03), 0.01, 0.02, 9, 8, 3, "better", 0.01, False, (), 2.1)


def compared(carried_by: tuple[str, ...] = (), **changes: object) -> MetricComparison:
    delta = replace(SHOWN, carried_by=carried_by, fragile=bool(carried_by))
    side = Means(0.5, 20, 0.5, 20)
    return MetricComparison(side, side, delta, Unscored(0, 0, 0), **changes)  # type: ignore[arg-type]


def test_an_ordinary_row_needs_no_remark():
    assert remarks_on(compared()) == ()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("q7",), "question q7 carries it. Without it the difference would not be shown."),
        (("q1", "q2"), "without any single one of these questions the difference would not be shown: q1, q2."),
        (tuple(f"q{at}" for at in range(1, 8)), "shown: q1, q2, q3, q4, q5 and 2 more."),
    ],
)
def test_a_fragile_row_names_what_carries_it(names, words):
    (remark,) = remarks_on(compared(names))
    assert remark.startswith("Fragile: ") and remark.endswith(words)


def test_a_band_says_both_ends():
    band = Band(Ends(0.5, 0.6), Ends(0.52, 0.7), Ends(0.02, 0.1), 12, 90)
    assert remarks_on(compared(band=band)) == (
        "The judge is unsure in 12 of 90 verdicts; they count as no. Counted as yes: "
        "A 0.60, B 0.70, difference +0.10 in place of +0.02.",
    )


def test_a_delta_inside_the_judge_s_noise_says_so():
    inside, beyond, none = compared(noise_floor=0.03), compared(noise_floor=0.01), compared(noise_floor=0.0)
    assert verdict_in_noise(inside) == "inside the judge's own noise ±0.03"
    assert verdict_in_noise(beyond) == verdict_in_noise(none) == "better"
    assert remarks_on(inside) == (
        "Judged again, the same records gave differences up to ±0.03 in 95 of 100 cases. This delta is inside that.",
    )
    assert remarks_on(none) == ("Judged again, the same records got the same scores: the judge adds no noise.",)


def test_a_judge_s_error_is_carried_into_the_delta():
    (remark,) = remarks_on(compared(judge_error=JudgeError(0.31, 0.05, 0.11)))
    assert "about 31 would flip" in remark and remark.endswith("this delta could be +0.05 to +0.11.")


def in_noise(floor: float) -> Comparison:
    shown = comparison()
    metrics = {name: replace(each, noise_floor=floor) for name, each in shown.metrics.items()}
    return replace(shown, metrics=metrics)


def test_a_row_inside_the_noise_is_grey_everywhere():
    (row,) = metric_rows(in_noise(0.3))
    assert row.verdict == "inside the judge's own noise ±0.30"
    chart_row = next(each for each in delta_rows(in_noise(0.3)) if each.label)
    assert (chart_row.winner, chart_row.verdict, chart_row.noise) == ("grey", row.verdict, 0.3)
    assert headline_sentence(in_noise(0.3)).startswith("No difference beyond the judge's own noise: evidence recall")
    beyond = next(each for each in delta_rows(in_noise(0.1)) if each.label)
    assert beyond.winner == "b"
    assert 'class="noise"' in deltas_html([beyond], LIGHT)


def test_markdown_holds_the_remarks_below_the_table():
    shown = comparison_markdown(in_noise(0.3))
    assert "- Evidence recall: Judged again, the same records gave differences up to ±0.30" in shown
    assert "<details>" not in comparison_markdown(comparison())
