"""A metric's mean as a tile: numbers that add up as they are shown, a sign, and a direction in words."""

import pytest

from rag_variants.report.tiles import Tile, metric_tile


def shown(tile: Tile) -> tuple[str, ...]:
    return tile.before, tile.change, tile.value, tile.direction, tile.said


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (0.79, 0.83, ("0.79", "+0.04", "0.83", "up", "higher")),
        (0.29, 0.24, ("0.29", "−0.05", "0.24", "down", "lower")),
        (0.5, 0.5, ("0.50", "0.00", "0.50", "same", "as pinned")),
        (0.314, 0.366, ("0.314", "+0.052", "0.366", "up", "higher")),  # 0.31 + 0.05 is not 0.37
        (0.502, 0.503, ("0.502", "+0.001", "0.503", "up", "higher")),  # 0.00 would hide it
        (0.5, 0.5001, ("0.5000", "+0.0001", "0.5001", "up", "higher")),
        (0.375, 0.3, ("0.38", "−0.08", "0.30", "down", "lower")),  # −0.075, as on the Compare page
        (None, 0.5, ("–", "–", "0.50", "", "not scored when pinned")),
        (0.5, None, ("0.50", "–", "–", "", "not scored")),
    ],
)
def test_quality(before: float | None, now: float | None, expected: tuple[str, ...]) -> None:
    assert shown(metric_tile("evidence_recall", before, now)) == expected


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (475.4, 654.6, ("475", "+180", "655", "up", "more, × 1.38")),  # 654.6 ÷ 475.4; 475 + 180 = 655
        (2400.0, 1200.0, ("2,400", "−1,200", "1,200", "down", "less, × 0.50")),
        (475.1, 475.4, ("475.1", "+0.3", "475.4", "up", "more, × 1.00")),
        (475.1, 475.1, ("475", "0", "475", "same", "as pinned")),
        (0.0, 30.0, ("0.0", "+30.0", "30.0", "up", "more")),  # no ratio to nothing
        (1.25, 4.5, ("1.25", "+3.25", "4.50", "up", "more, × 3.60")),
    ],
)
def test_efforts_are_described(before: float, now: float, expected: tuple[str, ...]) -> None:
    tile = metric_tile("context_characters", before, now)
    assert shown(tile) == expected
    assert (tile.label, tile.unit) == ("Text read", "characters")


def test_money_carries_its_own_unit() -> None:
    tile = metric_tile("cost_usd", 0.0021, 0.0035)
    assert shown(tile) == ("$0.0021", "+$0.0014", "$0.0035", "up", "more, × 1.67")
    assert tile.unit == ""
    assert shown(metric_tile("cost_usd", 0.0, 0.0)) == ("$0.00", "$0.00", "$0.00", "same", "as pinned")
    assert shown(metric_tile("cost_usd", 0.1, None))[1:] == ("–", "–", "", "not scored")


def test_the_label_is_that_under_the_judge() -> None:
    assert metric_tile("answer_relevancy", 0.5, 0.5, "embedded").label == "Topic closeness"
    assert metric_tile("answer_relevancy", 0.5, 0.5, "openai:m").label == "Answer relevancy"
