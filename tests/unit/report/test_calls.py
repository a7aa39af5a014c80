"""Calls and money in words."""

import pytest

from rag_variants.evaluation.forecast import CallForecast, Need
from rag_variants.llm.calls import Calls
from rag_variants.report.calls import calls_words, forecast_lines
from rag_variants.report.words import money_words


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (0.0, "$0.00"),
        (12.4, "$12.40"),
        (1234.5, "$1,234.50"),
        (0.0214, "$0.021"),
        (0.6, "$0.60"),
        (0.0000082, "$0.0000082"),
        (None, "price not known"),
    ],
)
def test_small_amounts_keep_two_digits(cost: float | None, words: str) -> None:
    assert money_words(cost) == words


@pytest.mark.parametrize(
    ("calls", "words"),
    [(Calls(1), "1 call made"), (Calls(1_412, 38, 2), "1,412 calls made, 38 reused, 2 failed"),
     (Calls(reused=3), "0 calls made, 3 reused")],
)  # fmt: skip
def test_calls_are_told_by_how_they_ended(calls: Calls, words: str) -> None:
    assert calls_words(calls) == words


def test_calls_are_told_beside_those_of_the_forecast() -> None:
    assert calls_words(Calls(412, 38), 1_050) == "412 of about 1,050 calls made, 38 reused"


def test_a_forecast_rounds_what_it_estimates() -> None:
    found = CallForecast({"x:m": Need(1_050, 143_154, 157_500, 0.0342)}, {"x:e": Need(12, 1_234, 0, None)}, 38, True)
    assert forecast_lines(found) == [
        "x:m: about 1,050 calls · ≈ 140,000 tokens read, 160,000 written · about $0.034",
        "x:e: about 12 texts to embed · ≈ 1,200 tokens read · price not known",
        "38 replies are at hand and cost nothing.",
        "The chunks are guessed with the embedded encoder until the other one has embedded them.",
    ]


def test_nothing_needed_is_said() -> None:
    assert forecast_lines(CallForecast({}, {}, 0, False)) == ["Nothing is asked of a model elsewhere."]
