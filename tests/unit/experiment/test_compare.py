"""Pairs, means and refusals of a comparison: the cases H-02 and H-03."""

import pytest

from rag_variants.experiment.compare import ComparisonError, compare_runs
from rag_variants.experiment.runs import Row, Run, Source
from rag_variants.types import Question, Record, Score
from rag_variants.variants import read_variant


def run(spec: str, faithfulness: dict[str, float | None], metrics: tuple[str, ...] = ("faithfulness",)) -> Run:
    rows = tuple(
        Row(
            Record(Question(name, f"{name}?", tags=(("language", "en" if name < "q3" else "pl"),))),
            {},
            {"faithfulness": Score(value, error=None if value is not None else "judge failed (HTTP 500)")},
        )
        for name, value in faithfulness.items()
    )
    source = Source("test", len(rows), "same")
    return Run(read_variant(spec), {"rag-variants": "0"}, source, source, None, metrics, rows, 0, True, 1.0, "now")


A = {"q1": 1.0, "q2": 0.2, "q3": 0.0}


@pytest.mark.parametrize("failing", ["q1", "q2", "q3"])
def test_a_failed_row_takes_its_pair_out_on_both_sides(failing: str) -> None:
    found = compare_runs(run("keyword", A), run("hybrid", {**A, failing: None})).metrics["faithfulness"]
    kept = [value for name, value in A.items() if name != failing]
    assert found.delta.mean == 0
    assert found.delta.n == found.a.n == found.b.n == 2
    assert found.a.mean == found.b.mean == sum(kept) / 2
    assert found.a.all_mean == pytest.approx((1.0 + 0.2 + 0.0) / 3)
    assert (found.a.all_n, found.b.all_n) == (3, 2)
    assert (found.unscored.a, found.unscored.b, found.unscored.both) == (0, 1, 0)


def test_pairs_are_formed_by_id_not_by_position() -> None:
    shuffled = {name: A[name] for name in ("q3", "q1", "q2")}
    assert compare_runs(run("keyword", A), run("hybrid", shuffled)).metrics["faithfulness"].delta.mean == 0


def test_a_hair_is_a_tie() -> None:
    found = compare_runs(run("keyword", {"q1": 1.0}), run("hybrid", {"q1": 0.99999999995})).metrics["faithfulness"]
    assert (found.delta.mean, found.delta.ties) == (0, 1)


def test_the_means_add_up_to_the_delta() -> None:
    found = compare_runs(run("keyword", A), run("hybrid", {"q1": 0.5, "q2": 0.6, "q3": 0.4})).metrics["faithfulness"]
    assert found.delta.mean == pytest.approx(((0.5 - 1.0) + (0.6 - 0.2) + (0.4 - 0.0)) / 3)
    assert found.b.mean is not None
    assert found.a.mean is not None
    assert found.delta.mean == pytest.approx(found.b.mean - found.a.mean)


def test_slices_carry_means_and_counts() -> None:
    found = compare_runs(run("keyword", A), run("hybrid", {"q1": 0.5, "q2": 0.6, "q3": 0.4})).slices
    assert found["language=en"]["faithfulness"].mean == pytest.approx(((0.5 - 1.0) + (0.6 - 0.2)) / 2)
    assert found["language=pl"]["faithfulness"].n == 1
    assert (found["language=en"]["faithfulness"].wins, found["language=en"]["faithfulness"].losses) == (1, 1)


def test_a_variant_against_itself_differs_nowhere() -> None:
    found = compare_runs(run("keyword", A), run("keyword", A)).metrics["faithfulness"]
    assert (found.delta.mean, found.delta.p, found.delta.verdict) == (0, 1, "too few")


def test_runs_with_unlike_metrics_are_refused() -> None:
    with pytest.raises(ComparisonError, match="metrics"):
        compare_runs(run("keyword", A), run("hybrid", A, ("mrr",)))
