"""A comparison's file holds the comparison."""

import json

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.gates.gates import judge_requirements
from rag_variants.evaluation.gates.requirements import read_requirement
from rag_variants.report.document import comparison_document
from rag_variants.report.export import comparison_csv, comparison_markdown
from rag_variants.report.reading import load_result
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import RunFileError
from tests.unit.storage.test_run_files import make_run

COMPARISON = compare_runs(make_run("keyword"), make_run("hybrid:top_k=1,rrf_k=20"))
FINDINGS = judge_requirements(
    [read_requirement(text) for text in ("B.mrr>=0.5", "mrr not worse", "mrr not worse in language=pl")], COMPARISON
)


def write(document, folder, name="c.json"):
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_a_comparison_reads_back_as_it_was_written(tmp_path):
    document = comparison_document(COMPARISON, FINDINGS)
    read = load_result(write(to_json(document), tmp_path))
    assert to_json(comparison_document(read.comparison, read.findings)) == to_json(document)
    assert comparison_markdown(read.comparison, read.findings) == comparison_markdown(COMPARISON, FINDINGS)
    assert comparison_csv(read.comparison) == comparison_csv(COMPARISON)


def test_a_comparison_of_unlike_runs_keeps_both_judges(tmp_path):
    unlike = compare_runs(make_run("keyword"), make_run("keyword", "retrieval"), anyway=True)
    read = load_result(write(to_json(comparison_document(unlike)), tmp_path)).comparison
    assert unlike.a.judge is not None
    assert read.a.judge == unlike.a.judge
    assert read.b.judge is None
    assert read.warnings == unlike.warnings


def test_a_run_reads_back_as_a_run(tmp_path):
    run = COMPARISON.a
    assert to_json(run_document(load_result(write(to_json(run_document(run)), tmp_path)))) == to_json(run_document(run))


def without(name):
    document = comparison_document(COMPARISON)
    del document[name]
    return document


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not JSON"),
        ("[1]", "has the schema None, so it is no file of RAG Variants"),
        ("[" * 100_000, "is not JSON"),
        ({"schema": "other/1"}, "has the schema 'other/1', so it is no file of RAG Variants"),
        ({"schema": "rag-variants/comparison/2"}, "was written by a newer version (rag-variants/comparison/2). Update"),
        ({"schema": "rag-variants/ladder/1"}, "holds rag-variants/ladder/1, which cannot be shown"),
        ({"schema": "rag-variants/comparison/1"}, "is broken (version: is missing)"),
        (without("rows"), "is broken (rows: is missing)"),
        (without("slices"), "is broken (slices: is missing). Make the comparison again."),
        ({**comparison_document(COMPARISON), "metrics": {"mrr": 3}}, "is broken (metrics.mrr: should be an object)"),
    ],
)
def test_a_file_that_is_none_is_told_in_one_sentence(tmp_path, content, words):
    with pytest.raises(RunFileError) as refused:
        load_result(write(content, tmp_path))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
