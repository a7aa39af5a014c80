"""Files that spreadsheets and wikis open, and numbers and verdicts in words."""

import csv
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison, Means, MetricComparison, Unscored
from rag_variants.evaluation.runs import Documents, JudgeNote, Provenance, Run, ScoredRecord
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.metrics import METRICS, full_label_of
from rag_variants.pipeline import read_variant
from rag_variants.questions.reader import load_questions
from rag_variants.report.export import (
    COMPARISON_FORMATS,
    ExportError,
    check_targets,
    comparison_csv,
    comparison_markdown,
    run_csv,
    write_text,
)
from rag_variants.report.page import comparison_html
from rag_variants.report.terminal import comparison_view
from rag_variants.report.words import (
    digits_needed,
    digits_that_add_up,
    headline_sentence,
    inside_sentence,
    interval_words,
    plain,
    scored_words,
    settings_sentence,
    signed,
    text_read_sentence,
    trust_sentence,
    verdict_words,
)
from rag_variants.types import Answer, Evidence, Fault, Question, Record, Score

FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1"]


def make_run(texts: list[str], variant: str = "keyword", value: float | None = 0.5) -> Run:
    rows = tuple(
        ScoredRecord(
            Record(Question(f"q{number}", text, tags=(("kind", "=1+1"),))),
            {},
            {"evidence_recall": Score(value, reason="-reason"), "context_characters": Score(100.0)},
        )
        for number, text in enumerate(texts)
    )
    return Run(
        variant=read_variant(variant),
        versions={"rag-variants": "0"},
        knowledge=Documents("my *docs* | <b>", 2, "d"),
        questions=Provenance("qs_1_.csv", len(rows), "q"),
        judge=JudgeNote("embedded", {}, None),
        metrics=("evidence_recall", "context_characters"),
        rows=rows,
        seed=0,
        complete=True,
        seconds=1.0,
        created="2026-01-01T00:00:00+00:00",
    )


def comparison(a: float | None = 0.5, b: float | None = 0.75, questions: int = 8) -> Comparison:
    texts = [f"What {at}?" for at in range(questions)]
    return compare_runs(make_run(texts, value=a), make_run(texts, "hybrid", b))


def delta(**changes: object) -> Delta:
    nothing = Delta(0.1, 20, (-0.02, 0.07), 0.2, 0.4, 8, 8, 4, "not shown", 0.1, False, ())
    return replace(nothing, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text):
    run = make_run([text])
    for shown in (run_csv(run), comparison_csv(compare_runs(run, run))):
        header, *lines = csv.reader(io.StringIO(shown, newline=""))
        assert len(lines) == 1
        for line in lines:
            assert len(line) == len(header)
            assert line[1] == "'" + text
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in line)


def test_numbers_stay_numbers_and_unscored_is_empty():
    (line,) = csv_lines(comparison_csv(comparison(-0.25, None, questions=1)))
    recall = [line[f"evidence_recall_{part}"] for part in ("a", "b", "delta")]
    read = [line[f"context_characters_{part}"] for part in ("a", "b", "delta")]
    assert (recall, read) == (["-0.25", "", ""], ["100.0", "100.0", "0.0"])


def csv_lines(text: str) -> list[dict[str, str]]:
    """The lines of a CSV file by the header; the mark in front is what tells a spreadsheet that it is UTF-8."""
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_the_csv_of_a_comparison_is_a_question_file_too(tmp_path):
    question = Question(
        "q|1", "Ile to kosztuje; 多少钱?\nA second line", "900 EUR", True,
        (Evidence("a.md", "the fee, 900 EUR", 1, "900"),), (("900", "nine hundred"),), ("30",), (),
        (("area", "billing; late"), ("kind", "lookup")),
    )  # fmt: skip
    run = make_run(["x"])
    row = replace(run.rows[0], record=replace(run.rows[0].record, question=question))
    run = replace(run, rows=(row,))
    for text in (comparison_csv(compare_runs(run, run)), run_csv(run)):
        file = tmp_path / "back.csv"
        file.write_text(text, encoding="utf-8", newline="")
        read = load_questions(file)
        assert (read.questions, read.skipped) == ((question,), ())


def test_markdown_shows_foreign_names_as_typed():
    shown = comparison_markdown(comparison())
    assert r"my \*docs\* \| \<b\>: 2 documents" in shown
    assert r"qs\_1\_.csv: 8 questions" in shown
    assert shown.startswith("## `keyword` → `hybrid`\n")
    tables = [line for line in shown.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in tables} == {10, 5}
    assert "| 0.50 | 0.75 | +0.25 |" in shown


def test_json_is_json():
    document = json.loads(COMPARISON_FORMATS[".json"](comparison(None)), parse_constant=lambda _: 1 / 0)
    assert document["schema"] == "rag-variants/comparison/1"
    assert document["metrics"]["evidence_recall"]["a"] == {"mean": None, "n": 0, "all": {"mean": None, "n": 0}}


def test_targets_are_checked_beforehand(tmp_path, monkeypatch):
    check_targets([tmp_path / "a.json", tmp_path / "b.CSV", tmp_path / "c.md"])
    (tmp_path / "folder.json").mkdir()
    for target, said in (
        (tmp_path / "a.xlsx", r"a\.xlsx has no known ending\. Use one of: \.json, \.csv, \.md, \.html\."),
        (tmp_path / "none" / "a.json", r"does not exist\. Make it first\."),
        (tmp_path / "folder.json", r"is a folder\. Name a file\."),
    ):
        with pytest.raises(ExportError, match=said):
            check_targets([target])
    monkeypatch.setattr("rag_variants.report.export.os.access", lambda *_: False)
    with pytest.raises(ExportError, match=r"cannot be written\. Choose another place\."):
        check_targets([tmp_path / "a.json"])


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    write_text(tmp_path / "a.csv", "zażółć\r\n")
    assert (tmp_path / "a.csv").read_bytes() == "zażółć\r\n".encode()
    (tmp_path / "folder").mkdir()
    with pytest.raises(ExportError, match="cannot be written"):
        write_text(tmp_path / "folder", "text")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.csv", "folder"]


def test_signed_numbers():
    assert [signed(each) for each in (0.125, -0.03, 0.0, -0.0, 0.004, -0.004, None)] == [
        "+0.13", "−0.03", "0.00", "0.00", "+0.004", "−0.004", "–",
    ]  # fmt: skip
    assert signed(-0.0004, 3) == "−0.0004"
    assert [signed(each) for each in (0.00006, 0.00004, -0.00004, 1e-17)] == ["+0.0001", "+<0.0001", "−<0.0001", "0.00"]
    assert [plain(each) for each in (0.74, -0.02, -0.004, 0.99999999995, None)] == [
        "0.74",
        "−0.02",
        "0.00",
        "1.00",
        "–",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"verdict": "better"}, "better"),
        ({"verdict": "worse", "fragile": True}, "worse (fragile)"),
        ({}, "not shown: could be −0.02 to +0.07"),
        ({"ci95": None}, "not shown"),
        ({"n": 0, "wins": 0, "losses": 0, "ties": 0, "mean": None, "verdict": "too few"}, "not scored"),
        ({"wins": 0, "losses": 0, "verdict": "too few"}, "no question differs"),
        ({"wins": 1, "losses": 0, "verdict": "too few"}, "too few: only 1 question differs"),
        ({"wins": 3, "losses": 2, "verdict": "too few"}, "too few: only 5 questions differ"),
    ],
)
def test_verdict_words(changes, words):
    assert verdict_words(delta(**changes)) == words


@pytest.mark.parametrize("delta", [-0.075, 0.3 - 0.375, 0.1 + 0.2 - 0.375, -0.07500000000000001, -0.07499999999999998])
def test_a_delta_is_rounded_half_away_from_zero_however_it_was_added_up(delta):
    """Exactly −0.075: float sums of it lie on either side, and the page must not show −0.07 here and −0.08 there."""
    assert signed(delta) == "−0.08"
    assert signed(-delta) == "+0.08"
    assert plain(-delta) == "0.08"


def test_a_delta_that_is_not_0_has_the_decimals_that_show_it():
    assert digits_that_add_up(0.5, 0.504, 0.504 - 0.5) == 3
    assert digits_that_add_up(0.5, 0.5004, 0.5004 - 0.5) == 4
    assert digits_that_add_up(0.1 + 0.2, 0.3, 0.3 - (0.1 + 0.2)) == 2  # float noise is no delta


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"verdict": "better", "ci95": (0.004, 0.12)}, "+0.004 … +0.120"),
        ({"verdict": "worse", "ci95": (-0.12, -0.0003)}, "−0.1200 … −0.0003"),
        ({"verdict": "better", "ci95": (0.006, 0.12)}, "+0.01 … +0.12"),  # 0.006 is 0.01, which is not 0
        ({"verdict": "better", "ci95": (0.0, 0.12)}, "0.000000 … +0.120000"),  # no digit tells it from 0
        ({"ci95": (0.004, 0.12)}, "+0.004 … +0.12"),  # not shown: each end has the digits that show it
        ({"ci95": None}, "–"),
    ],
)
def test_the_interval_of_a_shown_difference_does_not_look_as_if_it_held_0(changes, words):
    assert interval_words(delta(**changes)) == words


def test_three_decimals_where_two_do_not_add_up():
    def compared(a: float, b: float) -> MetricComparison:
        return MetricComparison(Means(a, 1, a, 1), Means(b, 1, b, 1), delta(mean=b - a), Unscored(0, 0, 0))

    assert digits_needed(compared(0.5, 0.75)) == 2
    assert digits_needed(compared(0.854, 0.876)) == 3  # 0.85 + 0.02 is not 0.88
    assert scored_words(compared(0.5, 0.75)) == "20 of 20"


def test_sentences():
    shown = comparison()
    assert headline_sentence(shown) == "B retrieves better: evidence recall +0.25 (0.50 → 0.75)."
    assert headline_sentence(comparison(0.5, 0.5)) == "Retrieval: no question differs in evidence recall."
    assert headline_sentence(comparison(None)) == "Retrieval: evidence recall was not scored."
    assert headline_sentence(comparison(questions=2)).startswith(
        "No difference shown in retrieval: evidence recall +0.25"
    )
    run = make_run(["What?"])
    assert headline_sentence(compare_runs(run, run)) == "A and B are the same variant: every difference is 0."
    assert text_read_sentence(shown) is None
    assert trust_sentence(shown) == (
        "8 questions, paired · of 1 metric B is better on 1, worse on 0, undecided on 0 · "
        "judge: embedded, not measured against labels"
    )


def test_simulated_answers_are_marked_in_files():
    run = make_run(["Why?"], "keyword:answerer=embedded:inventive,prompt=free,temperature=1")
    fault = Fault("number", "It takes 9 days.", "It takes 7 days.")
    answer = Answer("It takes 9 days. [1]", simulated=True, faults=(fault,))
    claims = {"claims": [{"statement": "It takes 9 days.", "verdict": 0, "label": "contradicted"}]}
    row = replace(run.rows[0], record=replace(run.rows[0].record, answer=answer),
                  scores={**run.rows[0].scores, "faithfulness": Score(0.0, detail=claims)})  # fmt: skip
    simulated = replace(run, rows=(row,))
    (line,) = csv_lines(run_csv(simulated))
    assert (line["answer"], line["kind_of_answer"]) == ("It takes 9 days. [1]", "simulated")
    compared = compare_runs(make_run(["Why?"]), simulated)
    (line,) = csv_lines(comparison_csv(compared))
    assert [line[name] for name in ("a_kind", "b_kind", "b_answer")] == ["", "simulated", "It takes 9 days. [1]"]
    assert "> B: simulated answers: 1, with planted faults: 1. The judge caught 1 of 1" in comparison_markdown(compared)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("keyword", "keyword", "No setting differs."),
        ("keyword", "hybrid", "1 setting differs: variant keyword → hybrid."),
        ("vector", "vector:rerank_depth=10", "No setting that does anything differs."),
        ("vector", "vector:rerank_depth=10,top_k=3", "1 setting differs: top_k 5 → 3."),
        (
            "keyword",
            "hybrid:coverage=on",
            "2 settings differ (variant keyword → hybrid, Coverage vote on (only B has it))",
        ),
        (
            "keyword:min_score=2",
            "hybrid",
            "2 settings differ (variant keyword → hybrid, Least score 2 (only A has it))",
        ),
        ("keyword", "keyword:top_k=3,k1=2", "2 settings differ (top_k 5 → 3, BM25 k1 1.5 → 2)"),
    ],
)
def test_every_setting_that_can_matter_is_named(a, b, words):
    assert settings_sentence(compare_runs(make_run(["?"], a), make_run(["?"], b))).startswith(words)


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.tested])
def test_every_surface_leads_with_the_metric_that_was_asked_for(name):
    def run(value: float) -> Run:
        rows = tuple(ScoredRecord(Record(Question(f"q{at}", f"{at}?")), {}, {name: Score(value)}) for at in range(8))
        given = ("2026-01-01T00:00:00+00:00", Documents("kb", 1, "d"), Provenance("qs", 8, "q"))
        return Run(
            variant=read_variant("keyword" if value else "vector"), versions={"rag-variants": "0"}, knowledge=given[1],
            questions=given[2], judge=JudgeNote("scripted", {}, None), metrics=(name,), rows=rows, seed=0,
            complete=True, seconds=1.0, created=given[0],
        )  # fmt: skip

    comparison = compare_runs(run(0.5), run(0.0))
    said = headline_sentence(comparison)
    assert f"{inside_sentence(METRICS[name].label)} \u22120.50 (0.50 \u2192 0.00)." in said
    assert said.startswith("What was read: ") if METRICS[name].family == "read" else " worse: " in said
    out = io.StringIO()
    Console(file=out, width=80).print(comparison_view(comparison))
    assert said in " ".join(out.getvalue().split())
    assert f"**{said}**" in comparison_markdown(comparison)
    assert f"| {full_label_of(METRICS[name])} |" in comparison_markdown(comparison)
    assert said in comparison_html(comparison)
