"""The command line: exit codes, and one sentence for everything that cannot start."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from rag_variants.checks import _check_files
from rag_variants.cli import main
from rag_variants.errors import ModelError
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.work import Progress
from tests.making import WordVectors

ROOT = Path(__file__).parents[2]
QUESTIONS = [
    {
        "id": "deposit",
        "user_input": "What is the deposit for a studio?",
        "reference": "The deposit for a studio is 450 EUR.",
        "evidence": [{"document": "deposit.md", "quote": "450 EUR", "group": 1}],
        "tags": {"kind": "lookup"},
    },
    {
        "id": "refund",
        "user_input": "How many days does a refund take?",
        "reference": "A refund takes 14 days.",
        "evidence": [{"document": "refund.md", "quote": "14 days", "group": 1}],
        "tags": {"kind": "exact_id"},
    },
    {"id": "zwrot", "user_input": "Ile trwa zwrot?", "tags": {"kind": "lookup"}},
]


class Shown(NamedTuple):
    code: int
    out: str
    err: str


class Place(NamedTuple):
    """A folder with a small base, its questions and a home; `call` runs a command."""

    folder: Path
    call: Callable[..., Shown]

    @property
    def kb(self) -> Path:
        return self.folder / "kb"

    @property
    def questions(self) -> Path:
        return self.folder / "questions.jsonl"

    def own(self, *arguments: object) -> Shown:
        command, *rest = arguments
        given = ("--kb", self.kb, "--questions", self.questions, "--metrics", "retrieval", "--quiet")
        return self.call(command, *rest, *given)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Place:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("rag_variants.llm.resolve_model", lambda spec: WordVectors())
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "deposit.md").write_text("# Deposit\n\nThe deposit for a studio is 450 EUR.\n", encoding="utf-8")
    (tmp_path / "kb" / "refund.md").write_text("# Refund\n\nA refund takes 14 days.\n", encoding="utf-8")
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in QUESTIONS)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")

    def call(*arguments: object) -> Shown:
        code = main([str(each) for each in arguments])
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err + shown.out
        return Shown(code, shown.out, shown.err)

    return Place(tmp_path, call)


def refused(shown: Shown, *parts: str) -> None:
    """Exit code 2, nothing on standard output, one line that names the thing and the way out."""
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("rag-variants: ")
    assert shown.err.count("\n") == 1
    for part in parts:
        assert part in shown.err


@pytest.mark.parametrize(
    ("variant", "parts"),
    [
        ("keywrd", ("no variant called 'keywrd'", "Did you mean keyword?", "hybrid")),
        ("keyword:topk=3", ("no setting of keyword called 'topk'", "Did you mean top_k?")),
        ("keyword:top_k=0", ("keyword: top_k is 0", "Use 1 to 50.")),
        ("keyword:top_k=nan", ("not a whole number", "1 to 50")),
        ("keyword:k1=nan", ("k1 is nan", "0 to 4")),
        ("keyword:top_k", ("top_k has no value", "top_k=VALUE")),
        ("hybrid:coverage=maybe", ("'maybe'", "on or off")),
        ("", ("no variant called ''",)),
        ("none.json", ("none.json cannot be read", "Give a variant or a kept run.")),
    ],
)
def test_a_variant_that_is_none(place, variant, parts):
    refused(place.own("compare", "keyword", variant), *parts)
    refused(place.own("compare", variant, "keyword"), *parts)


def test_documents_that_cannot_be_read(place):
    questions = ("--questions", place.questions)
    refused(place.call("run", "keyword", "--kb", place.folder / "none", *questions), "none")
    (place.folder / "empty").mkdir()
    refused(place.call("run", "keyword", "--kb", place.folder / "empty", *questions), "empty holds no files")
    refused(place.call("run", "keyword", "--kb", place.questions, *questions), "questions.jsonl")
    refused(place.call("run", "keyword", "--kb", place.kb), "no questions", "--questions FILE")


def test_question_files_that_cannot_be_read(place):
    def asked(name: str, content: bytes) -> Shown:
        (place.folder / name).write_bytes(content)
        return place.call("run", "keyword", "--kb", place.kb, "--questions", place.folder / name)

    refused(place.call("run", "keyword", "--kb", place.kb, "--questions", place.folder / "none.jsonl"), "none.jsonl")
    refused(place.call("run", "keyword", "--kb", place.kb, "--questions", place.kb), "kb")
    refused(asked("empty.jsonl", b""), "empty.jsonl")
    refused(asked("bytes.jsonl", bytes(range(256)) * 4), "bytes.jsonl")
    refused(asked("broken.jsonl", b"{\n"), "broken.jsonl")
    refused(asked("other.csv", b"name,age\nx,3\n"), "other.csv has no column for the question", "user_input")
    refused(asked("questions.xlsx", b"PK"), "questions.xlsx")


def test_a_broken_line_takes_no_other_down(place):
    whole = place.questions.read_text(encoding="utf-8").splitlines()
    place.questions.write_text("\n".join([whole[0], "{broken", whole[1]]), encoding="utf-8")
    (place.kb / "table.xlsx").write_bytes(b"PK")
    shown = place.own("run", "keyword", "--json")
    assert shown.code == 0
    assert [row["id"] for row in json.loads(shown.out)["rows"]] == ["deposit", "refund"]
    left_out = shown.err.splitlines()
    assert [line.split(":")[:2] for line in left_out] == [["left out", " table.xlsx"], ["left out", " line 2"]]


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--metrics", "recal"), ("no metric or set called 'recal'", "Known: all")),
        (("--metrics", ","), ("metric",)),
        (("--metrics", "faithfulness", "--judge", "none"), ("no judge called 'none'", "Known: embedded")),
        (("--judge-embeddings", "none"), ("no embedding model 'none'", "Use embedded")),
        (("--slice", "kind"), ("A slice is TAG=VALUE", "'kind' is none")),
        (("--slice", "kind=none"), ("has kind=none", "kind=exact_id, kind=lookup")),
        (("--out", "r.xlsx"), ("r.xlsx has no known ending", ".json, .csv")),
        (("--out", "none/r.json"), ("none/r.json does not exist", "Make it first")),
    ],
)
@pytest.mark.parametrize(
    "command",
    [("run", "keyword"), ("compare", "keyword", "keyword:top_k=1"), ("ladder", "keyword", "keyword:k1=2,top_k=1")],
)
def test_options_that_cannot_be_met(place, command, options, parts, monkeypatch):
    monkeypatch.chdir(place.folder)
    monkeypatch.setattr("rag_variants.evaluation.run.embed_missing", forbidden)
    given = ("--kb", place.kb, "--questions", place.questions, "--quiet")
    refused(place.call(*command, *given, *options), *parts)
    assert not (place.folder / "home").exists()


def forbidden(*_: object) -> Iterator[Progress]:
    raise AssertionError("work was done before the options were checked")


def test_a_bad_target_is_found_before_any_file_is_read(place):
    shown = place.call("compare", "keyword", "keyword", "--kb", place.folder / "none", "--out", place.folder / "r.doc")
    refused(shown, "r.doc has no known ending")


def test_critical_questions_are_listed_and_a_bad_choice_ends_before_the_run(place):
    refused(place.own("compare", "keyword", "hybrid", "--critical", "risk"), "Critical questions: A slice is TAG=VALUE")
    shown = place.own("compare", "keyword", "keyword:top_k=1", "--critical", "kind=nothing")
    assert "No question carries kind=nothing, so none is critical." in shown.out
    document = json.loads(place.own("compare", "keyword", "keyword:top_k=1", "--critical", "id=deposit", "--json").out)
    assert list(document["critical"]["questions"]) == ["deposit"]


@pytest.mark.parametrize("options", [("--limit", "0"), ("--limit", "x"), ("--seed", "x"), ("--nonsense",)])
def test_what_argparse_refuses(place, options, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", "keyword", *options])
    assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_state_folder_that_is_a_file(place):
    (place.folder / "home").write_text("x")
    refused(place.own("compare", "keyword", "hybrid"), "state folder", "Set RAG_VARIANTS_HOME")


def test_a_state_folder_without_write_access(place, monkeypatch):
    monkeypatch.setattr("rag_variants.settings.os.access", lambda *_: False)
    refused(place.own("run", "keyword"), "cannot be written", "Set RAG_VARIANTS_HOME")


def test_an_own_base_compares(place):
    targets = [place.folder / f"r.{ending}" for ending in ("json", "csv", "md")]
    shown = place.own(
        "compare", "keyword", "keyword:top_k=1", "--json", *(x for each in targets for x in ("--out", each))
    )
    assert (shown.code, shown.err) == (0, "")
    document = json.loads(shown.out, parse_constant=lambda _: 1 / 0)
    assert document["schema"] == "rag-variants/comparison/1"
    assert [row["id"] for row in document["rows"]] == ["deposit", "refund", "zwrot"]
    assert document["differing"] == [{"setting": "top_k", "a": "5", "b": "1"}]
    assert document["metrics"]["evidence_recall"]["a"] == {"mean": 1.0, "n": 2, "all": {"mean": 1.0, "n": 2}}
    assert document["metrics"]["evidence_recall"]["delta"]["unscored"]["both"] == 1
    assert targets[0].read_text(encoding="utf-8") == shown.out
    with targets[1].open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["id"] for line in lines] == ["deposit", "refund", "zwrot"]
    assert {f"{name}_delta" for name in (*document["metrics"], *document["effort"])} <= lines[0].keys()
    assert targets[2].read_text(encoding="utf-8").startswith("## `keyword` → `keyword:top_k=1`\n")
    assert not list(place.folder.glob("*.part"))


def test_tables_are_shown_without_cutting(place):
    shown = place.own("compare", "keyword", "hybrid")
    assert shown.code == 0
    for words in ("A  keyword", "B  hybrid", "95 % interval", "3 questions, paired", "no judge was used"):
        assert words in shown.out
    assert "\x1b" not in shown.out
    assert place.own("run", "keyword").out.startswith("keyword\n")


def test_limit_and_slice_restrict_the_questions(place):
    def ids(*options: str) -> list[str]:
        return [row["id"] for row in json.loads(place.own("run", "keyword", "--json", *options).out)["rows"]]

    assert ids("--limit", "2") == ["deposit", "refund"]
    assert ids("--slice", "kind=lookup") == ["deposit", "zwrot"]
    assert ids("--slice", "kind=lookup", "--limit", "1") == ["deposit"]
    assert ids("--limit", "99") == ["deposit", "refund", "zwrot"]


def test_a_kept_run_is_compared_with_a_variant_and_with_another(place):
    a, b = place.folder / "a.json", place.folder / "b.json"
    assert place.own("run", "keyword", "--out", a).code == 0
    assert place.own("run", "keyword:top_k=1", "--out", b).code == 0
    fresh = json.loads(place.own("compare", "keyword", "keyword:top_k=1", "--json").out)
    for left, right in ((a, "keyword:top_k=1"), ("keyword", b), (a, b)):
        kept = json.loads(place.own("compare", left, right, "--json").out)
        assert (kept["metrics"], kept["slices"], kept["a"], kept["b"]) == tuple(
            fresh[name] for name in ("metrics", "slices", "a", "b")
        )
    itself = json.loads(place.own("compare", a, a, "--json").out)
    assert {each["delta"]["mean"] for each in itself["metrics"].values()} <= {0, None}


def test_unlike_runs_are_refused(place):
    a = place.folder / "a.json"
    assert place.own("run", "keyword", "--limit", "1", "--out", a).code == 0
    refused(place.own("compare", a, "keyword"), "The two runs differ in questions", "Run both variants again")
    (place.kb / "more.md").write_text("More.", encoding="utf-8")
    refused(place.own("compare", a, "keyword", "--limit", "1"), "differ in documents")


def interrupt_after(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Experiment.steps

    def steps(self: Experiment) -> Iterator[Progress]:
        for step in whole(self):
            if step.step == "questions" and step.done > count:
                raise AssertionError("went on")
            yield step
            if step.step == "questions" and step.done == count:
                raise KeyboardInterrupt
            if count == 0:
                raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "steps", steps)


def test_an_interrupt_keeps_what_was_finished(place, monkeypatch):
    target = place.folder / "r.json"
    interrupt_after(2, monkeypatch)
    shown = place.own("compare", "keyword", "keyword:top_k=1", "--json", "--out", target)
    assert shown.code == 130
    document = json.loads(shown.out)
    assert [row["id"] for row in document["rows"]] == ["deposit", "refund"]
    assert document["complete"] is False
    assert document["warnings"][0].startswith("Stopped early: 2 of 3 questions.")
    assert json.loads(target.read_text(encoding="utf-8")) == document
    assert place.own("run", "keyword", "--out", target).code == 130
    assert json.loads(target.read_text(encoding="utf-8"))["complete"] is False


@pytest.mark.parametrize(("finished", "code"), [(2, 130), (0, 2)])
def test_a_refused_key_is_said_and_what_was_finished_is_kept(place, monkeypatch, finished, code):
    real = Experiment.steps

    def refused(self):
        yield from islice((step for step in real(self) if step.step == "questions"), finished)
        raise ModelError("The key was refused. Set OPENAI_API_KEY.")

    monkeypatch.setattr(Experiment, "steps", refused)
    shown = place.own("compare", "keyword", "keyword:top_k=1", "--json")
    assert shown.code == code
    assert "rag-variants: The key was refused. Set OPENAI_API_KEY." in shown.err
    assert shown.out == "" if not finished else len(json.loads(shown.out)["rows"]) == 2


def test_an_interrupt_before_anything_was_finished_writes_nothing(place, monkeypatch):
    interrupt_after(0, monkeypatch)
    shown = place.own("run", "keyword", "--out", place.folder / "r.json")
    assert (shown.code, shown.out) == (130, "")
    assert "interrupted" in shown.err
    assert not (place.folder / "r.json").exists()


def test_progress_goes_to_standard_error_alone(place):
    shown = place.call("run", "keyword", "--kb", place.kb, "--questions", place.questions, "--metrics", "mrr", "--json")
    assert json.loads(shown.out)["schema"] == "rag-variants/run/1"
    assert "questions answered and scored" not in shown.out


def test_questions_needed_is_told_for_every_metric(place):
    shown = place.own("questions-needed", "keyword", "keyword:top_k=1", "--change", "0.1")
    assert shown.code == 0 and "a change of 0.10 in 80% of comparisons" in shown.out
    document = json.loads(place.own("questions-needed", "keyword", "keyword:top_k=1", "--json").out)
    assert document["hit_rate"] is None  # three questions have no six that differ


@pytest.mark.parametrize("options", [("--change", "0"), ("--change", "x"), ("--power", "1")])
def test_a_change_that_cannot_be_planned_for(options):
    with pytest.raises(SystemExit) as ended:
        main(["questions-needed", "keyword", "hybrid", *options])
    assert ended.value.code == 2


def test_repeats_with_a_deterministic_judge_measure_no_noise(place):
    given = ("--kb", place.kb, "--questions", place.questions, "--metrics", "faithfulness", "--quiet", "--json")
    document = json.loads(place.call("compare", "keyword", "keyword:top_k=1", *given, "--repeats", "3").out)
    assert document["metrics"]["faithfulness"]["noise_floor"] == 0
    once = json.loads(place.call("compare", "keyword", "keyword:top_k=1", *given).out)
    assert once["metrics"]["faithfulness"]["noise_floor"] is None
    run = json.loads(place.call("run", "keyword", *given, "--repeats", "2").out)
    assert run["noise"]["faithfulness"]["times"] == 2


def test_a_ladder_goes_from_a_to_b_one_setting_at_a_time(place):
    targets = [place.folder / f"l.{ending}" for ending in ("json", "csv", "md")]
    shown = place.own(
        "ladder",
        "keyword",
        "hybrid:top_k=1",
        "--json",
        "--metric",
        "mrr",
        *(x for each in targets for x in ("--out", each)),
    )
    assert (shown.code, shown.err) == (0, "")
    document = json.loads(shown.out, parse_constant=lambda _: 1 / 0)
    assert document["schema"] == "rag-variants/ladder/1"
    assert [step["variant"] for step in document["steps"]] == ["hybrid", "hybrid:top_k=1"]
    assert [row["id"] for row in document["rows"]] == ["deposit", "refund", "zwrot"]
    assert document["rows"][2]["scores"]["mrr"] == [None, None, None]
    compared = json.loads(place.own("compare", "keyword", "hybrid:top_k=1", "--json").out)
    assert document["total"]["metrics"] == compared["metrics"], "the total is the plain comparison"
    for metric, sums in document["sums"].items():
        assert sums["running"][-1] + sums["gap"] == pytest.approx(compared["metrics"][metric]["delta"]["mean"])
    assert targets[0].read_text(encoding="utf-8") == shown.out
    assert "| Reciprocal rank (MRR) |" in targets[2].read_text(encoding="utf-8")
    lines = targets[1].read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + (2 + 1) * len(document["sums"])


def test_a_ladder_as_a_table_in_the_order_asked_for(place):
    shown = place.own("ladder", "keyword", "hybrid:top_k=1", "--order", "top_k, variant")
    assert (shown.code, shown.err) == (0, "")
    first, second = shown.out.index("1  top_k 5 → 1"), shown.out.index("2  Variant keyword → hybrid")
    assert first < second
    for words in ("A  keyword", "B  hybrid:top_k=1", "2 steps from A to B", "step 1", "total", "another order"):
        assert words in shown.out


def test_a_ladder_takes_kept_runs(place):
    a, b = place.folder / "a.json", place.folder / "b.json"
    assert place.own("run", "keyword", "--out", a).code == 0
    assert place.own("run", "hybrid:top_k=1", "--out", b).code == 0
    fresh = json.loads(place.own("ladder", "keyword", "hybrid:top_k=1", "--json").out)
    kept = json.loads(place.own("ladder", a, b, "--json").out)
    assert [step["metrics"] for step in kept["steps"]] == [step["metrics"] for step in fresh["steps"]]
    refused(place.own("ladder", a, "hybrid:top_k=1", "--limit", "1"), "has other questions than this run")
    refused(place.own("ladder", place.folder / "none.json", "hybrid"), "none.json cannot be read")


def test_a_ladder_of_one_or_no_step_says_so(place):
    assert "One step leads from A to B" in place.own("ladder", "keyword", "keyword:top_k=1").out
    assert "No setting differs between A and B" in place.own("ladder", "keyword", "keyword").out


def test_a_ladder_that_cannot_be_climbed(place):
    ways = ("ladder", "keyword", "hybrid:top_k=1")
    refused(place.own(*ways, "--order", "top_k"), "'top_k' does not name each change once", "variant,top_k.")
    refused(place.own(*ways, "--order", ""), "does not name each change once")
    refused(place.own(*ways, "--metric", "mmr"), "no metric in this run called 'mmr'", "Did you mean mrr?", "--metrics")
    refused(place.own(*ways, "--metric", "latency_ms"), "no metric in this run called 'latency_ms'")
    refused(place.own("ladder", "keyword", "hybird"), "Did you mean hybrid?")


def test_an_order_with_an_impossible_rung_is_mended_and_told(place):
    ways = ("ladder", "keyword", "keyword:chunk_size=100,chunk_overlap=20", "--order", "chunk_size,chunk_overlap")
    shown = place.own(*ways, "--json")
    assert shown.code == 0
    assert json.loads(shown.out)["order"] == ["chunk_overlap", "chunk_size"]
    assert shown.err == (
        "note: In the order asked for a step would give impossible settings, so the order is "
        "chunk_overlap, chunk_size.\n"
    )


def test_an_interrupted_ladder_keeps_what_is_done_on_every_rung(place, monkeypatch):
    interrupt_after(2, monkeypatch)
    shown = place.own("ladder", "keyword", "keyword:k1=2,top_k=1", "--json")
    assert shown.code == 130
    document = json.loads(shown.out)
    assert (len(document["rows"]), document["complete"]) == (2, False)
    assert document["warnings"][0].startswith("Stopped early: 2 of 3 questions.")


def test_a_setting_that_does_nothing_is_said_wherever_a_comparison_is_shown(place):
    says = "rerank_depth differs and does nothing: reranker is off."
    targets = [place.folder / f"r.{ending}" for ending in ("json", "md", "html")]
    shown = place.own(
        "compare", "keyword", "keyword:rerank_depth=10", *(x for each in targets for x in ("--out", each))
    )
    assert shown.code == 0
    for text in (shown.out, *(each.read_text(encoding="utf-8") for each in targets)):
        assert says in text.replace("\\_", "_")
    for text in (shown.out, *(each.read_text(encoding="utf-8") for each in targets[1:])):
        assert "No setting that does anything differs." in text
    document = json.loads(targets[0].read_text(encoding="utf-8"))
    assert (document["differing"], document["warnings"]) == ([], [says])


def test_list_names_everything(place):
    shown = place.call("list")
    assert shown.code == 0
    for name in ("keyword", "vector", "hybrid", "rrf_k", "evidence_recall", "faithfulness", "embedded"):
        assert name in shown.out


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_pipe_has_utf_8_whatever_the_code_page(encoding, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "RAG_VARIANTS_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "rag_variants.cli", "run", "押金"]
    ended = subprocess.run(command, capture_output=True, env=environment, cwd=ROOT, check=False)
    assert ended.returncode == 2
    assert "no variant called '押金'" in ended.stderr.decode("utf-8")


def test_a_gate_says_what_held_and_ends_with_its_code(place):
    target = place.folder / "r.md"

    def gate(*requirements: str, json_: bool = False) -> Shown:
        given = [x for each in requirements for x in ("--require", each)]
        return place.own("compare", "keyword", "keyword:top_k=1", *given, "--out", target, *(["--json"] * json_))

    met, missed, unsure = "B.mrr >= 1.0", "B.mrr < 1", "mrr not worse"  # two questions have evidence, found first
    for requirements, code in (((met,), 0), ((met, missed), 1), ((met, unsure), 3), ((unsure, missed), 1)):
        shown = gate(*requirements)
        assert shown.code == code, shown.out
        assert ("not met" in shown.out) == (code == 1)
        assert shown.out.count("Scored: 2 of 3 questions") == len(requirements)
        assert "| requirement |" in target.read_text(encoding="utf-8")
    document = json.loads(gate(met, missed, json_=True).out)
    assert [(each["requirement"], each["outcome"]) for each in document["requirements"]] == [
        (met, "met"),
        (missed, "not met"),
    ]
    assert gate("B.mrr>=1 in kind=exact_id").code == 0


@pytest.mark.parametrize(
    ("requirement", "parts"),
    [
        ("mrr", ("'mrr' is no requirement", "Write for example")),
        ("mr not worse", ("no metric called 'mr'", "Known: hit_rate")),
        ("B.faithfulness>=0.9", ("faithfulness is not measured in this run", "Add it with --metrics")),
        ("mrr not worse in kind=none", ("has kind=none", "kind=exact_id")),
    ],
)
def test_a_gate_that_cannot_be_decided_does_not_start(place, requirement, parts, monkeypatch):
    monkeypatch.setattr("rag_variants.evaluation.run.embed_missing", forbidden)
    refused(place.own("compare", "keyword", "keyword:top_k=1", "--require", requirement), *parts)


def test_an_interrupted_gate_does_not_pass(place, monkeypatch):
    interrupt_after(2, monkeypatch)
    shown = place.own("compare", "keyword", "keyword:top_k=1", "--require", "B.mrr>=0")
    assert shown.code == 130
    assert "? undecided" in shown.out


def test_unlike_runs_are_compared_anyway_with_the_difference_first(place):
    a = place.folder / "a.json"
    assert place.own("run", "keyword", "--limit", "1", "--out", a).code == 0
    shown = place.own("compare", a, "keyword", "--anyway")
    assert shown.code == 0
    said = shown.out.index("Different questions: 1 in both; 2 in B alone: refund, zwrot.")
    assert said < shown.out.index("A and B are the same variant") < shown.out.index("95 % interval")


def test_show_gives_the_table_of_a_file_and_other_files(place):
    run, comparison = place.folder / "a.json", place.folder / "c.json"
    assert place.own("run", "keyword", "--out", run).code == 0
    compared = place.own("compare", run, "keyword:top_k=1", "--require", "B.mrr>=1", "--out", comparison)
    targets = [place.folder / f"again.{ending}" for ending in ("json", "csv", "md")]
    shown = place.call("show", comparison, *(x for each in targets for x in ("--out", each)))
    assert (shown.code, shown.out) == (0, compared.out)
    assert json.loads(targets[0].read_text(encoding="utf-8")) == json.loads(comparison.read_text(encoding="utf-8"))
    assert "B.mrr" in targets[2].read_text(encoding="utf-8").replace("\\", "")
    assert place.call("show", run).out.startswith("keyword\n")
    refused(place.call("show", place.folder / "none.json"), "none.json cannot be read")
    refused(place.call("show", place.questions), "questions.jsonl is not JSON")
    refused(place.call("show", run, "--out", place.folder / "r.doc"), "r.doc has no known ending")


def test_finished_runs_are_kept_named_and_compared(place):
    assert "0 runs kept" in place.call("runs").out
    assert place.own("compare", "keyword", "keyword:top_k=1").code == 0
    assert place.own("run", "keyword").code == 0  # the same again is no third one
    listed = place.call("runs").out
    assert listed.startswith("2 runs kept")
    assert "3 of questions.jsonl" in listed
    key = next(line.split()[0] for line in listed.splitlines() if "keyword:top_k=1" in line)
    assert "shallow" in place.call("runs", "--name", key, "shallow").out
    assert "⚑ baseline" in place.call("runs", "--baseline", "shallow").out
    for side in (key, "shallow", "baseline"):
        compared = json.loads(place.own("compare", f"run:{side}", "keyword:top_k=1", "--json").out)
        assert {each["delta"]["mean"] for each in compared["metrics"].values()} <= {0, None}
    refused(place.own("compare", "run:shalow", "keyword"), "no kept run called 'shalow'", "Did you mean shallow?")
    refused(place.call("runs", "--name", "shallow", "baseline"), "'baseline' is in use")
    assert place.call("runs", "--delete", "shallow").out.startswith("1 run kept")


def test_a_sweep_says_which_setting_is_best_and_writes_files(place):
    table, plain = place.folder / "sweep.csv", place.folder / "sweep.json"
    shown = place.own("sweep", "keyword", "--over", "top_k=1..3", "--metric", "ndcg", "--out", table, "--out", plain)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("Sweep of keyword, 4 settings")  # three and the start's top_k=5
    assert "No question differs, so there is nothing to choose by" in shown.out
    document = json.loads(plain.read_text(encoding="utf-8"))
    assert (document["schema"], document["metric"], document["tried"]) == ("rag-variants/sweep/1", "ndcg", 4)
    assert [point["settings"]["top_k"] for point in document["points"]] == [5, 1, 2, 3]
    assert {row["variant"] for row in csv.DictReader(table.read_text(encoding="utf-8-sig").splitlines())} == {
        "keyword", "keyword:top_k=1", "keyword:top_k=2", "keyword:top_k=3",
    }  # fmt: skip
    again = json.loads(place.own("sweep", "keyword", "--over", "top_k=2,9", "--json").out)
    assert again["tried"] == 5  # 9 is new, in a process of its own


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("keyword",), "needs a setting to go through"),
        (("keyword", "--over", "top_k"), "'top_k' is none"),
        (("keyword", "--over", "top_k=0..3"), "top_k is 0, out of bounds"),
        (("keyword", "--over", "top_k=1..50", "--over", "candidates=50..500:1"), "22,550 combinations"),  # 50 · 451
        (("keyword", "--over", "top_k=1", "--metric", "faithfulness"), "no metric in this sweep called 'faithfulness'"),
        (("keyword", "--over", "top_k=1", "--final-check"), "none of questions.jsonl is tagged split=holdout"),
        (("keyword", "--over", "top_k=1", "--out", "sweep.xlsx"), "Use one of: .json, .csv, .md, .html"),
        (("none.json", "--over", "top_k=1"), "none.json"),
        (
            ("vector", "--over", "ef_search=1,2"),
            "reads ef_search, so all its values would be the same. It is read with vectors_in=chroma.",
        ),
    ],
)
def test_a_sweep_that_cannot_be(place, arguments, part):
    refused(place.own("sweep", *arguments), part)


def test_the_formulas_of_keyword_search_are_compared(place):
    shown = place.own("compare", "keyword", "keyword:formula=plus")
    assert (shown.code, shown.err) == (0, "")
    assert "1 setting differs: BM25 formula okapi → plus." in shown.out
    compared = json.loads(place.own("compare", "keyword:formula=l", "hybrid:formula=plus", "--json").out)
    assert (compared["a"]["settings"]["formula"], compared["b"]["settings"]["formula"]) == ("l", "plus")
    tops = [row["a"]["ranking"][0]["document"] for row in compared["rows"][:2]]
    assert tops == ["deposit.md", "refund.md"]
    refused(place.own("compare", "keyword", "keyword:formula=bm25"), "formula cannot be 'bm25'", "okapi, l, plus")


def test_the_approximate_search_is_compared_with_the_exact_one(place):
    """Two chunks: a walk with 1 in hand ends with one of them, one with 10 has both."""
    pair = ("vector", "vector:vectors_in=chroma,ef_search=10,max_neighbors=4")
    shown = place.own("compare", *pair)
    assert (shown.code, shown.err) == (0, "")
    assert "3 settings differ (Vector search exact → chroma, ef_search 100 → 10, max_neighbors 16 → 4)" in shown.out
    compared = json.loads(place.own("compare", *pair, "--json").out)
    for row in compared["rows"]:
        assert row["a"]["hits"] == row["b"]["hits"]
    alone = json.loads(place.own("run", "vector:vectors_in=chroma,ef_search=1", "--json").out)
    assert [len(row["a"]["ranking"]) for row in alone["rows"]] == [1, 1, 1]
    idle = place.own("compare", "vector", "vector:ef_search=10")
    assert "ef_search differs and does nothing: vectors_in is exact." in idle.out


def test_a_sweep_goes_over_the_settings_of_the_graph(place):
    over = ("--over", "ef_search=1,2", "--over", "max_neighbors=4,16")
    shown = json.loads(place.own("sweep", "vector:vectors_in=chroma", *over, "--json").out)
    settings = [(point["settings"]["ef_search"], point["settings"]["max_neighbors"]) for point in shown["points"]]
    assert settings == [(100, 16), (1, 4), (1, 16), (2, 4), (2, 16)]
    both = place.own("sweep", "vector", "--over", "vectors_in=exact,chroma", "--over", "ef_search=1,2", "--json")
    assert len(json.loads(both.out)["points"]) == 5


def hold_out(place: Place, count: int, open_ones: int = 0) -> None:
    """A file with further questions about the refund: `count` are held out, `open_ones` are not."""
    more = [
        {**QUESTIONS[1], "id": f"{split}{at}", "user_input": f"A refund takes how many days, {at}?", "tags": tags}
        for split, tags, number in (("held", {"split": "holdout"}, count), ("open", {}, open_ones))
        for at in range(number)
    ]
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in [*QUESTIONS, *more])
    place.questions.write_text(lines, encoding="utf-8")


def test_held_out_questions_are_asked_when_asked_for_and_it_is_remembered(place):
    hold_out(place, 2)
    usual = json.loads(place.own("compare", "keyword", "keyword:top_k=1", "--json").out)
    assert [row["id"] for row in usual["rows"]] == ["deposit", "refund", "zwrot"]
    assert "2 held-out questions (tag split=holdout) left out" in usual["warnings"][0]
    first = json.loads(place.own("compare", "keyword", "keyword:top_k=1", "--slice", "split=holdout", "--json").out)
    assert [row["id"] for row in first["rows"]] == ["held0", "held1"]
    near = "Near-copies, hardly independent of each other though each counts: held1 as held0."
    assert first["warnings"] == [near]
    again = json.loads(place.own("run", "keyword", "--slice", "all", "--json").out)
    assert len(again["rows"]) == 5
    assert any("The hold-out was opened before, on " in note for note in again["notes"])


def test_a_final_check_opens_the_holdout_for_the_setting_found(place):
    hold_out(place, 2, open_ones=5)  # seven questions with evidence differ: two of the file, and five more
    sweep = ("sweep", "keyword:top_k=1,min_score=50", "--over", "min_score=0", "--final-check", "--json")
    document = json.loads(place.own(*sweep).out)
    assert (document["best"], document["recommended"]) == ("keyword:top_k=1", "keyword:top_k=1")
    check = document["final_check"]
    assert (check["a"], check["b"]) == ("keyword:top_k=1,min_score=50", "keyword:top_k=1")
    assert check["metrics"]["evidence_recall"]["delta"]["mean"] == 1.0  # nothing reaches a score of 50
    assert check["warnings"] == ["Near-copies, hardly independent of each other though each counts: held1 as held0."]
    assert [point["asked"] for point in document["points"]] == [8, 8]
    again = json.loads(place.own(*sweep).out)
    assert "opened before" in again["final_check"]["warnings"][0]
    assert not any("opened before" in warning for warning in document["warnings"])
    assert any("opened before" in warning for warning in again["warnings"])  # from then on, of every sweep


def test_a_start_that_stays_leaves_the_holdout_closed(place):
    hold_out(place, 2)
    shown = place.own("sweep", "keyword", "--over", "top_k=1,2", "--final-check", "--json")
    assert json.loads(shown.out)["final_check"] is None
    assert shown.err == "note: No question differs, so the hold-out stays closed.\n"
    first = json.loads(place.own("run", "keyword", "--slice", "split=holdout", "--json").out)
    assert not any("opened before" in note for note in first["notes"])


def test_too_few_questions_leave_the_holdout_closed(place):
    """Two questions have evidence: nothing is found of it at a score of 50, and all of it at 0."""
    hold_out(place, 2)
    shown = place.own("sweep", "keyword:min_score=50", "--over", "min_score=0", "--final-check")
    assert (
        "Too few questions differ to choose: no setting differs from min_score=0 on more than 2 questions" in shown.out
    )
    assert "recommended" not in shown.out.lower()
    assert shown.err == "note: Too few questions differ to choose, so the hold-out stays closed.\n"


def test_feedback_is_compared_and_an_expansion_without_a_model_says_what_to_type(place: Place) -> None:
    shown = place.own("compare", "keyword", "keyword:expansion=feedback", "--out", place.folder / "c.json")
    assert shown.code == 0
    assert "Query expansion off → feedback" in shown.out
    rows = json.loads((place.folder / "c.json").read_text(encoding="utf-8"))["rows"]
    assert ["expansion" in row["a"] for row in rows] == [False, False, False]
    assert [row["b"]["expansion"]["kind"] for row in rows] == ["feedback"] * 3

    refused = place.own("compare", "keyword", "keyword:expansion=hyde")
    assert refused.code == 2
    assert "expander=openai:MODEL (or NAME:MODEL)" in refused.err


def test_what_was_guessed_in_a_document_is_said(place):
    """Documents that were read in part are named with what is missing, as are those left out."""
    knowledge = place.folder / "kb"
    (knowledge / "cut.md").write_bytes("The rent is due on day 5.".encode("utf-16")[:-1])
    (knowledge / "broken.md").write_text("---\ntitle: [unclosed\n---\nThe rent is due.\n", encoding="utf-8")
    said = ("cut.md: 1 unreadable character(s) replaced by \ufffd", "broken.md: line 2 of its front matter was ignored")
    compared = place.own("compare", "keyword", "keyword:top_k=1")
    checked = place.call("check", "--kb", place.kb, "--questions", place.questions)
    for remark in said:
        assert f"note: {remark}" in compared.err
        assert remark in checked.out


@pytest.mark.parametrize(
    ("bad", "code", "words"),
    [
        ([], 0, "ok  documents and questions: "),
        (["{}", '{"user_input": 5}'], 1, "2 of 3 question lines left out"),
        (["no object"], 1, "1 of 2 question lines left out"),
        (['{"user_input": "Kiedy?", "evidence": ["nie ma tego"]}'], 1, "!!  documents and questions: "),
    ],
)
def test_what_is_left_out_is_counted_and_makes_the_check_exit_1(bad, code, words, place):
    questions = place.folder / "part.jsonl"
    questions.write_text("\n".join(['{"user_input": "When is it due?"}', *bad]) + "\n", encoding="utf-8")
    checked = place.call("check", "--kb", place.kb, "--questions", questions)
    assert checked.code == code
    assert words in checked.out


@pytest.mark.parametrize(("files", "words"), [(0, "0 remarks"), (1, "; 1 remark:"), (2, "; 2 remarks:")])
def test_remarks_are_counted_in_words(files, words, tmp_path):
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "a.md").write_text("The rent is due.", encoding="utf-8")
    for number in range(files):
        (tmp_path / "kb" / f"{number}.pdf").write_text("x", encoding="utf-8")
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"user_input": "When is the rent due?"}\n', encoding="utf-8")
    _, _, said, left_out = _check_files(tmp_path / "kb", questions)
    assert left_out == (files > 0)
    assert said.startswith("1 document, 1 question")
    assert (words in said) == (files > 0)
