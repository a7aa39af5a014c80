"""One pair of variants has one verdict and one interval, wherever it is shown: twelve pairs over the sample."""

import io
import json
from collections.abc import Callable
from functools import cache
from itertools import permutations

import pytest
from rich.console import Console

from rag_variants.evaluation.ablation.ablation_path import build_path
from rag_variants.evaluation.ablation.waypoints import list_waypoints
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import make_plan
from rag_variants.evaluation.run import run_variant
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.tuning.tune import Move, Tuned, tune, tuned_metrics
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.variant import Variant
from rag_variants.report.document import comparison_document
from rag_variants.report.export import comparison_markdown
from rag_variants.report.move_tiles import retrieval_tiles
from rag_variants.report.page import comparison_html
from rag_variants.report.terminal import comparison_view
from rag_variants.report.words import interval_words, verdict_words

VARIANTS = ("keyword", "keyword:top_k=2", "keyword:tokens=words,top_k=3", "keyword:top_k=8,b=0.2")


@pytest.fixture(scope="module")
def made() -> tuple[Callable[[Variant], Run], Callable[[Variant], Tuned]]:
    """Runs and tuned settings by variant, each made once."""
    plan = make_plan(metrics="retrieval").restricted(None, 60)
    place = open_bench(plan.knowledge, plan.today)

    @cache
    def run(variant: Variant) -> Run:
        return run_variant(variant, plan, place)

    @cache
    def tuned(variant: Variant) -> Tuned:
        return tune(variant, plan, place)

    return run, tuned


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(("a", "b"), list(permutations(VARIANTS, 2)))
def test_verdict_and_interval_are_the_same_on_every_surface(a: str, b: str, made) -> None:
    run, tuned = made
    left, right = read_variant(a), read_variant(b)
    comparison = compare_runs(run(left), run(right))
    deltas = {name: each.delta for name, each in comparison.metrics.items()}
    assert set(deltas) == {metric.name for metric in tuned_metrics() if metric.tested}

    move = Move(tuned(left), tuned(right), seed=run(left).seed)
    assert move.deltas == deltas
    waypoints = list_waypoints(left, right)
    total = build_path(waypoints, [run(each.variant) for each in waypoints]).total
    assert {name: each.delta for name, each in total.metrics.items()} == deltas

    out = io.StringIO()
    Console(file=out, width=400).print(comparison_view(comparison))
    terminal, markdown = squeezed(out.getvalue()), comparison_markdown(comparison).replace("\\", "")
    page, document = squeezed(comparison_html(comparison)), comparison_document(comparison)
    tiles = {each.name: each.verdict for each in retrieval_tiles(move)}
    for name, delta in deltas.items():
        verdict, interval = verdict_words(delta), interval_words(delta)
        label = full_label_of(all_metrics()[name], comparison.judge)
        (row,) = [line for line in markdown.splitlines() if f"| {label} |" in line]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert interval in cells and any(verdict == cell.strip("*▲▼ ") for cell in cells)
        assert f"{interval} {verdict}" in terminal
        assert interval in page and verdict in page
        written = document["metrics"][name]["delta"]
        assert (written["verdict"], written["ci95"]) == (delta.verdict, delta.ci95)
        if delta.shown and name in tiles:
            assert tiles[name].startswith(delta.verdict)


def test_twelve_pairs_hold_every_kind_of_verdict(made) -> None:
    """Else the test above would say little."""
    run, _ = made
    found = {
        each.delta.verdict
        for a, b in permutations(VARIANTS, 2)
        for each in compare_runs(run(read_variant(a)), run(read_variant(b))).metrics.values()
    }
    assert {"better", "worse", "more", "less", "not shown"} <= found


def test_the_command_says_the_same(made, tmp_path, monkeypatch, capsys) -> None:
    from rag_variants.cli import main

    run, _ = made
    a, b = VARIANTS[:2]
    expected = compare_runs(run(read_variant(a)), run(read_variant(b)))
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    assert main(["compare", a, b, "--metrics", "retrieval", "--limit", "60", "--json", "--quiet"]) == 0
    document = json.loads(capsys.readouterr().out)
    written = comparison_document(expected)
    assert {name: each["delta"] for name, each in document["metrics"].items()} == {
        name: each["delta"] for name, each in json.loads(json.dumps(written))["metrics"].items()
    }
