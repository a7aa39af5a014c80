"""A run on disk is the run."""

import json
from dataclasses import replace

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import run_variant
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.document import comparison_document
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import RunFileError, is_run_file, load_run
from rag_variants.types import Evidence, Question, Score, Trap
from tests.making import bench

TEXTS = {
    "deposit.md": "The deposit is 450 EUR.",
    "old.md": "The deposit was 300 EUR.",
    "zwrot.md": "Zwrot trwa 14 dni.",
}
QUESTIONS = (
    Question(
        "q1",
        "What is the deposit?",
        reference="The deposit is 450 EUR.",
        answerable=True,
        evidence=(Evidence("deposit.md", "450 EUR", 1),),
        traps=(Trap("old.md", "300 EUR", "stale"),),
        tags=(("language", "en"), ("kind", "lookup")),
    ),
    Question("q2", "Ile trwa „zwrot”?\nW dniach <b>", tags=(("language", "pl"),)),
    Question("q3", "押金?"),
)


def make_run(variant="hybrid:top_k=1,rrf_k=20", metrics="retrieval,core,answer,effort"):
    place = bench(TEXTS)
    chosen = choose_metrics(metrics)
    plan = Plan(place.knowledge, QuestionSet("qs", QUESTIONS), chosen, today=place.today, seed=7, slice="a=b")
    return run_variant(read_variant(variant), plan, place)


@pytest.fixture(scope="module")
def run():
    return make_run()


def keep(document, folder):
    path = folder / "run.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_a_run_reads_back_equal(run, tmp_path):
    read = load_run(keep(to_json(run_document(run)), tmp_path))
    assert to_json(run_document(read)) == to_json(run_document(run))
    for name in ("variant", "versions", "knowledge", "questions", "metrics", "seed", "complete", "created", "slice"):
        assert getattr(read, name) == getattr(run, name), name
    for mine, yours in zip(read.rows, run.rows, strict=True):
        assert mine.record.question == yours.record.question
        assert mine.scores == yours.scores
        assert [hit.chunk.id for hit in mine.record.ranking] == [hit.chunk.id for hit in yours.record.ranking]
        assert [hit.parts for hit in mine.record.hits] == [hit.parts for hit in yours.record.hits]
        assert [hit.chunk.text for hit in mine.record.hits] == [hit.chunk.text for hit in yours.record.hits]
        assert [mine.marks[hit.chunk.id] for hit in mine.record.hits] == [
            yours.marks[hit.chunk.id] for hit in yours.record.hits
        ]


@pytest.mark.parametrize("variant", ["vector:mmr=1,top_k=1", "keyword:deduplicate=0.05", "keyword:parent_size=1200"])
def test_what_was_selected_reads_back_with_what_was_passed_over(variant, tmp_path):
    run = make_run(variant, "retrieval")
    read = load_run(keep(to_json(run_document(run)), tmp_path))
    for mine, yours in zip(read.rows, run.rows, strict=True):
        assert mine.record.passed_over == yours.record.passed_over
        assert [mine.marks[hit.chunk.id].gold for hit in mine.record.ranking] == [
            yours.marks[hit.chunk.id].gold for hit in yours.record.ranking
        ]
        assert [mine.marks[hit.chunk.id] for hit in mine.record.hits] == [
            yours.marks[hit.chunk.id] for hit in yours.record.hits
        ]


def test_the_encoder_that_diversity_used_is_recorded():
    assert make_run("keyword:mmr=0.3", "retrieval").versions["embeddings"] == "embedded:words 1"
    assert "embeddings" not in make_run("keyword", "retrieval").versions


def test_a_kept_run_compares_as_the_run(run, tmp_path):
    other = make_run("keyword")
    read = load_run(keep(to_json(run_document(run)), tmp_path))
    assert comparison_document(compare_runs(read, other)) == comparison_document(compare_runs(run, other))
    assert {each.delta.mean for each in compare_runs(read, run).metrics.values()} <= {0, None}


def test_a_run_without_a_judge_has_none(tmp_path):
    run = make_run("keyword", "retrieval")
    assert load_run(keep(to_json(run_document(run)), tmp_path)).judge is None


@pytest.mark.parametrize("score", [Score(float("nan")), Score(None, detail={"claims": [float("inf")]})])
def test_nan_is_refused_and_never_becomes_null(run, score):
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"value": float("nan")})
    row = replace(run.rows[0], scores={**run.rows[0].scores, "mrr": score})
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(run_document(replace(run, rows=(row,))))


def test_keys_that_a_later_version_adds_are_left_alone(run, tmp_path):
    document = run_document(run)
    later = placed({**document, "new": {"x": 1}, "judge": {**document["judge"], "new": 1}}, "new", [1])
    assert to_json(run_document(load_run(keep(later, tmp_path)))) == to_json(document)


def without(document, name):
    return {key: value for key, value in document.items() if key != name}


def placed(document, name, value):
    """The document with another value in the first hit of the first row."""
    (hit, *hits), (row, *rows) = document["rows"][0]["a"]["hits"], document["rows"]
    return {**document, "rows": [{**row, "a": {**row["a"], "hits": [{**hit, name: value}, *hits]}}, *rows]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: "{", "is not JSON"),
        (lambda whole: "[]", "has the schema None"),
        (
            lambda whole: {**whole, "schema": "rag-variants/run/2"},
            r"was written by a newer version \(rag",
        ),
        (lambda whole: without(whole, "rows"), r"is broken \(rows: is missing\)"),
        (lambda whole: {**whole, "rows": [{"id": "q1"}]}, r"is broken \(rows\[0\].question: is missing\)"),
        (lambda whole: {**whole, "rows": 3}, r"is broken \(rows: should be a list\)"),
        (lambda whole: {**whole, "judge": "me"}, r"is broken \(judge: should be an object\)"),
        (lambda whole: {**whole, "seed": "7"}, r"is broken \(seed: should be a whole number\)"),
        (lambda whole: {**whole, "complete": 1}, r"is broken \(complete: should be a boolean\)"),
        (
            lambda whole: placed(whole, "rank", "first"),
            r"is broken \(rows.0.\.a\.hits.0.\.rank: should be a whole number\)",
        ),
        (
            lambda whole: placed(whole, "score", "high"),
            r"is broken \(rows\[0\].a.hits\[0\].score: should be a num",
        ),
        (lambda whole: placed(whole, "score", True), r"is broken \(rows\[0\].a.hits\[0\].score: should be a num"),
        (lambda whole: {**whole, "a": {**whole["a"], "variant": "x:y=1"}}, "holds a run of 'x:y=1': .*"),
        (lambda whole: {**whole, "seconds": float("nan")}, "is not JSON .*NaN"),
    ],
)
def test_what_is_no_run_is_refused_in_a_sentence(change, said, run, tmp_path):
    path = keep(change(run_document(run)), tmp_path)
    with pytest.raises(RunFileError, match=f"run.json {said}.*(again|Make it|Update)"):
        load_run(path)


def test_a_missing_file_and_bytes_are_refused(tmp_path):
    with pytest.raises(RunFileError, match=r"cannot be read .*Give a variant or a kept run"):
        load_run(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunFileError, match="is not JSON"):
        load_run(tmp_path / "bytes.json")


def test_what_is_taken_for_a_kept_run():
    assert is_run_file("runs/a.json")
    assert not is_run_file("keyword:top_k=3")


def test_simulated_answers_notes_and_faults_read_back(tmp_path):
    run = make_run("hybrid:top_k=1,answerer=embedded:inventive,prompt=free,temperature=2", "faithfulness")
    run = replace(run, notes=("A line was left out.",))
    read = load_run(keep(to_json(run_document(run)), tmp_path))
    answers = [row.record.answer for row in run.rows]
    assert any(answer.faults for answer in answers)
    assert [(each.simulated, each.faults) for each in answers] == [
        (row.record.answer.simulated, row.record.answer.faults) for row in read.rows
    ]
    assert read.notes == run.notes
    assert "A line was left out." in compare_runs(read, read).warnings
    assert "A: A line was left out." in compare_runs(read, replace(read, notes=())).warnings


@pytest.mark.parametrize("cost", [0.0, 0.0125, None])
def test_what_an_answer_cost_reads_back(run, tmp_path, cost):
    first = run.rows[0]
    priced = replace(first, record=replace(first.record, answer=replace(first.record.answer, cost_usd=cost)))
    read = load_run(keep(to_json(run_document(replace(run, rows=(priced,)))), tmp_path))
    assert read.rows[0].record.answer == priced.record.answer


def test_a_run_kept_before_answers_could_be_simulated_is_read(run, tmp_path):
    document = run_document(run)
    old = {name: value for name, value in document.items() if name != "notes"}
    old["rows"] = [
        {**row, "a": {k: v for k, v in row["a"].items() if k not in ("simulated", "faults", "origin")}}
        for row in document["rows"]
    ]
    assert to_json(run_document(load_run(keep(old, tmp_path)))) == to_json(document)
