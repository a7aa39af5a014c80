"""Sweeps for tests from the scores themselves, without running anything."""

from collections.abc import Mapping, Sequence

from rich.console import Console

from rag_variants.evaluation.runs import Documents, Provenance, Run, RunCalls
from rag_variants.evaluation.tuning.grid import make_grid
from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline import read_variant
from rag_variants.report.sweep_text import sweep_view

WIDE = 400  # columns, so that no sentence is broken

Scores = Mapping[str, Sequence[float | None]]


def make_sweep(
    start: str, over: Sequence[str], points: Sequence[Scores], *, metric: str = "ndcg", tried: int = 0, seed: int = 0
) -> Sweep:
    """A sweep whose points, in the grid's order with the start first, have these scores by metric; None: not scored."""
    grid = make_grid(read_variant(start), over)
    assert len(points) <= len(grid.points)
    made = [
        Point(
            variant,
            {
                name: {f"q{at:02}": value for at, value in enumerate(values) if value is not None}
                for name, values in scores.items()
            },
            asked=len(next(iter(scores.values()))),
            failed=0,
            error=None,
            calls=RunCalls(),
            seconds=0.5,
        )
        for variant, scores in zip(grid.points, points, strict=False)
    ]
    asked = made[0].asked
    head = Run(
        variant=grid.start,
        versions={"rag-variants": "0"},
        knowledge=Documents("base", 1, "k"),
        questions=Provenance("set", asked, "q"),
        judge=None,
        metrics=tuple(points[0]),
        rows=(),
        seed=seed,
        complete=len(made) == len(grid.points),
        seconds=1.0,
        created="2026-06-01T00:00:00+00:00",
    )
    waiting = len(grid.points) - len(made)
    return Sweep(grid, metric, tuple(made), waiting, grid.left_out, tried=tried or len(made), head=head)


def top_k_sweep(**more: int) -> Sweep:
    """Ten questions, top_k 5 (the start), 1, 2 and 8: nDCG .5 on all, 0 on all, .9 on seven, .9 on eight of them."""
    scores = [[0.5] * 10, [0.0] * 10, [0.9] * 7 + [0.5] * 3, [0.9] * 8 + [0.5] * 2]
    read = [500.0, 100.0, 200.0, 800.0]
    points = [{"ndcg": row, "context_characters": [chars] * 10} for row, chars in zip(scores, read, strict=True)]
    return make_sweep("keyword", ["top_k=5,1,2,8"], points, **more)


def shown_in_terminal(sweep: Sweep) -> str:
    """What the command prints of a sweep."""
    console = Console(width=WIDE)
    with console.capture() as shown:
        console.print(sweep_view(sweep))
    return shown.get()
