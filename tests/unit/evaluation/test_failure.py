"""A run of which every answer or every judgement failed says so before anything else, and ends with its own code."""

import json
from dataclasses import replace

import pytest

from rag_variants.cli import main
from rag_variants.cli.exits import UNDECIDED
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.runs import Run
from rag_variants.judges import JUDGES
from rag_variants.report.export import comparison_markdown
from rag_variants.report.page import comparison_html
from rag_variants.types import Score
from tests.unit.evaluation.test_compare import make_run

ALL = {"q1": None, "q2": None, "q3": None}
JUDGEMENT = "Every judgement failed, so there is nothing to compare. 3 of 3 times: judge failed (HTTP 500)"


def unanswered(run: Run, *errors: str | None) -> Run:
    rows = [replace(row, record=replace(row.record, error=error)) for row, error in zip(run.rows, errors, strict=True)]
    return replace(run, rows=tuple(rows))


def test_every_judgement_failed():
    assert make_run({"faithfulness": ALL}).failure == JUDGEMENT
    both = make_run({"faithfulness": ALL, "context_recall": {"q1": None, "q2": None, "q3": None}})
    assert both.failure == JUDGEMENT.replace("3 of 3", "6 of 6")
    assert make_run({"faithfulness": ALL, "mrr": dict.fromkeys(ALL, 1.0)}).failure == JUDGEMENT, "mrr asks no judge"


@pytest.mark.parametrize(
    "scores",
    [
        {"faithfulness": {**ALL, "q3": 0.5}},
        {"faithfulness": ALL, "context_recall": {**ALL, "q1": 1.0}},
        {"mrr": ALL, "hit_rate": ALL},  # no judge was asked
        {"mrr": ALL, "faithfulness": dict.fromkeys(ALL, 1.0)},
        {"faithfulness": {}},
    ],
)
def test_where_one_was_given_or_no_judge_was_asked_it_is_no_failure(scores):
    assert make_run(scores).failure is None


def test_what_does_not_apply_is_no_failed_judgement():
    run = make_run({"faithfulness": dict.fromkeys(ALL, 1.0)})
    rows = [replace(row, scores={"faithfulness": Score(None, "no claims")}) for row in run.rows]
    assert replace(run, rows=tuple(rows)).failure is None
    broken = replace(rows[0], scores={"faithfulness": Score(None, error="HTTP 500")})
    one = replace(run, rows=(broken, *rows[1:]))
    assert one.failure == "Every judgement failed, so there is nothing to compare. 1 of 1 times: HTTP 500"


def test_every_answer_failed_with_the_commonest_reason():
    run = make_run({"key_facts": ALL})
    assert unanswered(run, "timed out", "refused", "timed out").failure == (
        "Every answer failed, so there is nothing to compare. 2 of 3 times: timed out"
    )
    assert unanswered(run, "timed out", None, "timed out").failure is None


@pytest.mark.parametrize(
    ("a", "b", "first"),
    [
        (ALL, ALL, JUDGEMENT),
        (ALL, dict.fromkeys(ALL, 1.0), f"A: {JUDGEMENT}"),
        (dict.fromkeys(ALL, 1.0), ALL, f"B: {JUDGEMENT}"),
    ],
)
def test_it_is_the_first_warning(a, b, first):
    runs = [
        make_run({"faithfulness": each}, name, notes=("A note of the run.",))
        for each, name in ((a, "keyword"), (b, "hybrid"))
    ]
    comparison = compare_runs(*runs)
    assert comparison.warnings[0] == first
    markdown, page = comparison_markdown(comparison), comparison_html(comparison)
    assert "Every judgement failed" in markdown and "Every judgement failed" in page


@pytest.fixture
def command(install, tmp_path, monkeypatch, capsys):
    """What a command with a judge that always fails ends with, and what it printed."""
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    install(JUDGES, extra="tests.unit.judges.plugin_judge:BREAKS")

    def call(*options: str) -> tuple[int, str]:
        code = main([*options, "--limit", "3", "--quiet", "--judge", "extra"])
        return code, capsys.readouterr().out

    return call


@pytest.mark.parametrize("call", [("run", "keyword"), ("compare", "keyword", "keyword:top_k=2")])
def test_a_judge_that_always_fails_ends_with_3(command, call):
    code, shown = command(*call, "--metrics", "context_precision,hit_rate")
    assert code == UNDECIDED == 3
    assert "Every judgement failed, so there is nothing to compare." in " ".join(shown.split())
    code, shown = command(*call, "--metrics", "context_precision,hit_rate", "--json")
    assert code == 3
    if call[0] == "compare":
        assert json.loads(shown)["warnings"][0].startswith("Every judgement failed")
    assert command(*call, "--metrics", "hit_rate")[0] == 0, "without a judge there is nothing that failed"


def test_a_requirement_that_is_met_changes_nothing_of_it(command):
    code, _ = command(
        "compare", "keyword", "keyword", "--metrics", "context_precision,hit_rate", "--require", "B.hit_rate>=0"
    )
    assert code == 3
