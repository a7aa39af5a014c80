"""What metrics and judges of other packages may do wrong: it costs their own scores, by name, and nothing else."""

import json

import pytest

from rag_variants.cli import main
from rag_variants.judges import JUDGES
from rag_variants.metrics import METRICS


@pytest.fixture
def scores(tmp_path, monkeypatch, capsys):
    """The scores of `run keyword` over three questions, row by row, and what went to standard error."""
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))

    def run(*options, code=0):
        assert main(["run", "keyword", "--limit", "3", "--json", *options]) == code
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        return [row["a"]["scores"] for row in json.loads(shown.out)["rows"]]

    return run


@pytest.mark.parametrize(
    ("target", "name", "said"),
    [
        ("BREAKING", "breaking", "breaking failed: KeyError: 'gone'"),
        ("NO_SCORE", "no_score", "no_score failed: TypeError: it gave '0.5', which is no Score"),
        ("NO_NUMBER", "no_number", "no_number failed: TypeError: must be real number, not str"),
    ],
)
def test_a_metric_that_breaks_is_a_failed_score_and_no_failed_judgement(install, scores, target, name, said):
    install(METRICS, extra=f"tests.unit.metrics.plugin_metric:{target}")
    for row in scores("--metrics", f"{name},hit_rate"):
        assert (row[name]["value"], row[name]["error"]) == (None, said)
        assert row["hit_rate"]["error"] is None


@pytest.mark.parametrize("target", ["OPENS_NOTHING", "REPLIES_NOTHING", "BREAKS"])
def test_a_judge_that_breaks_is_a_failed_score_and_where_every_one_failed_nothing_is_decided(install, scores, target):
    install(JUDGES, extra=f"tests.unit.judges.plugin_judge:{target}")
    rows = scores("--metrics", "faithfulness,context_precision,hit_rate", "--judge", "extra", code=3)
    asked = [row[name] for row in rows for name in ("faithfulness", "context_precision")]
    failed = [each for each in asked if each["error"]]
    assert failed
    assert all(each["value"] is None for each in asked)
    assert all(" failed under the judge extra: " in each["error"] for each in failed)
    assert all(row["hit_rate"]["error"] is None for row in rows)


def test_a_judge_that_cannot_be_opened_is_a_sentence(install, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    install(JUDGES, extra="tests.unit.judges.plugin_judge:CLOSED")
    assert main(["run", "keyword", "--limit", "3", "--metrics", "core", "--judge", "extra", "--quiet"]) == 2
    assert "The judge 'extra' cannot be opened (KeyError: 'key'). Choose another one." in capsys.readouterr().err
