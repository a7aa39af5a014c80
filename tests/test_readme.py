"""What the README and the pages in docs/ say can be done, done."""

import importlib.util
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from rag_variants.cli import main
from rag_variants.corpus.folder import load_knowledge
from rag_variants.corpus.loaders import LOADERS
from rag_variants.judges import JUDGES
from rag_variants.metrics import METRICS
from rag_variants.pipeline import ANSWERERS, EXPANDERS, RERANKERS, RETRIEVERS, VARIANTS, read_variant
from rag_variants.pipeline.answer import open_answerer
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.records import answer_question, retrieve_question
from rag_variants.pipeline.stages import rerank_question
from rag_variants.questions.importers import IMPORTERS
from rag_variants.questions.labels import load_labels
from rag_variants.questions.reader import load_questions
from rag_variants.types import Question
from rag_variants.wording.glossary import Glossary
from tests.making import bench
from tests.scripted import make_subject, score
from tools.take_pictures import MOST_BYTES, PICTURES
from tools.write_metrics import PAGE, metrics_page

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEACHING = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
EXTENDING = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
MODELS = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shell_lines(text: str) -> list[str]:
    return [line for block in blocks(text, "sh") for line in block.splitlines() if line.strip()]


def own_files(folder: Path) -> None:
    """The README's examples of files, under the names that it gives them."""
    (document,), (questions,), (table,) = (blocks(README, each) for each in ("md", "jsonl", "csv"))
    for name, text in {
        "my-documents/billing/refunds.md": document,
        "my-questions.jsonl": questions,
        "my-questions.csv": table,
        "my-lessons.jsonl": blocks(TEACHING, "jsonl")[0],
        "my-labels.jsonl": '{"context": "It opens at nine.", "statement": "It opens at nine.", "supported": 1}\n',
    }.items():
        assert f"`{name}`" in README or name in " ".join(shell_lines(README + TEACHING))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_the_commands_shown_run_in_their_order(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    own_files(tmp_path)
    commands = [shlex.split(line)[1:] for line in shell_lines(README + TEACHING) if line.startswith("rag-variants ")]
    names = {"compare", "ladder", "attribution", "questions-needed", "lessons", "run", "runs", "show", "list", "check"}
    names |= {"agreement", "app", "sweep"}
    assert {command[0] for command in commands} == names
    for command in commands:
        if command[0] == "app" or command == ["lessons"]:  # the first would not come back; each lesson has its test
            continue
        limited = ["--limit", "3", "--quiet"] if command[0] in ("compare", "ladder", "run", "sweep") else []
        assert main([*command, *limited]) == 0, (command, capsys.readouterr().err)
        assert "left out" not in capsys.readouterr().err, command
        written = [command[at + 1] for at, each in enumerate(command) if each in ("--out", "--sheet")]
        assert all((tmp_path / name).stat().st_size for name in written), command


def test_the_examples_of_files_are_read_whole(tmp_path):
    own_files(tmp_path)
    documents = load_knowledge(tmp_path / "my-documents")
    assert (documents.skipped, documents.notes) == ((), ())
    (document,) = documents.documents
    assert (document.title, document.version, document.language) == ("Refunds", "2", "en")
    read = [load_questions(tmp_path / f"my-questions.{ending}") for ending in ("jsonl", "csv")]
    for each in read:
        assert each.skipped == ()
        assert [question.answerable for question in each.questions] == [True, False]
        evidence = each.questions[0].evidence
        assert evidence
        assert all(part.quote in document.text for part in evidence)
        assert each.questions[0].answer_keys == (("14 days", "fourteen days"),)
        assert each.questions[1].reference is None
    assert len(load_labels(tmp_path / "my-labels.jsonl")) == 1


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    return set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))


def test_the_options_of_compare_are_those_of_its_help(capsys):
    table = README.split("| option of `compare`")[1].split("\n\n")[0]
    named = set(re.findall(r"--[a-z][a-z-]*", table))
    of_compare_alone = {"--require", "--anyway", "--critical"}
    assert named == help_of("compare", capsys) - {"--help"}
    assert named - of_compare_alone == help_of("run", capsys) - {"--help"}


def test_options_in_commands_exist(capsys):
    shown = re.findall(
        r"rag-variants (compare|ladder|sweep|lessons|run|check|replies|agreement|app)\b([^`\n]*)",
        README + TEACHING + EXTENDING + MODELS,
    )
    assert shown
    for command, rest in shown:
        assert set(re.findall(r"--[a-z][a-z-]*", rest)) <= help_of(command, capsys), (command, rest)


def test_what_make_is_asked_for_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    variables = set(re.findall(r"^([A-Z_]+) \?=", makefile, re.MULTILINE))
    text = README + EXTENDING + CHANGELOG
    shown = re.findall(r"(?:`|^)make ([a-z]+)((?: [A-Z]+=\S+)*)", text, re.MULTILINE)
    assert {target for target, _ in shown} >= {"app", "test"}
    assert {target for target, _ in shown} <= targets
    assert {name for _, given in shown for name in re.findall(r"([A-Z]+)=", given)} <= variables


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_files_named_exist(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (page.parent / target).exists(), target
    for name in re.findall(r"`((?:tools|tests|pages|sample_kb|rag_variants)/[\w./]*)`", text):
        assert (ROOT / name).exists() or f"`{name}`:\n\n```python" in text, name


def test_every_picture_has_its_maker_and_is_small():
    assert {each.stem for each in (ROOT / "docs").glob("*.png")} == set(PICTURES)
    assert [each.name for each in (ROOT / "docs").glob("*.png") if each.stat().st_size > MOST_BYTES] == []


def test_the_list_of_metrics_is_that_of_the_code():
    assert PAGE.read_text(encoding="utf-8") == metrics_page(), "run python tools/write_metrics.py"


def example(name: str, code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """The module that an example of docs/extending.md makes."""
    path = folder / f"{name.rpartition('.')[2]}.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def section(name: str) -> str:
    """What docs/extending.md says under a heading."""
    return EXTENDING.split(f"\n## {name}\n")[1].split("\n## ")[0]


def made_modules(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes the modules of a section, each under the name it is given there; gives the package of the first."""
    text = section(name)
    paths = re.findall(r"`(rag_variants\w*/[\w/]+)\.py`:\n\n```python", text)
    for path, code in zip(paths, blocks(text, "python"), strict=True):
        example(path.replace("/", "."), code, folder, monkeypatch)
    return str(paths[0].rpartition("/")[0].replace("/", "."))


def made(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes the modules of a section and gives the entry point it shows, at the example in place of the package."""
    package = made_modules(name, folder, monkeypatch)
    (shown,) = re.findall(r'^[\w-]+ = "my_package\.(\w+:\w+)"$', section(name), re.MULTILINE)
    return f"{package}.{shown}"


def test_the_example_of_a_variant_works(tmp_path, monkeypatch, install):
    install(VARIANTS, longest=made("A variant", tmp_path, monkeypatch))
    place = bench({"a.md": "Short.", "b.md": "A longer text than the other.", "c.md": "In between it."})
    record = retrieve_question(read_variant("longest:shortest=10"), Question("q", "?"), place)
    assert [(hit.chunk.document, hit.score) for hit in record.hits] == [("b.md", 29.0), ("c.md", 14.0)]


def test_the_example_of_a_variant_that_is_no_pipeline_is_compared(tmp_path, monkeypatch, capsys, install):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    title = "A variant that is no pipeline of ours"
    path = made_modules(title, tmp_path, monkeypatch)
    (shown,) = re.findall(r'`front-page = "my_package\.(\w+:\w+)"`', section(title))
    install(VARIANTS, page=f"{path}.{shown}")
    assert main(["compare", "keyword", "front-page:pages=1", "--limit", "4", "--quiet", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {len(row["b"]["hits"]) for row in document["rows"]} == {1}
    assert document["b"]["versions"]["service"] == "front page 1"
    assert main(["ladder", "keyword", "front-page", "--limit", "4", "--quiet"]) == 2
    assert "Front page: it is no pipeline of ours" in capsys.readouterr().err


def test_the_example_of_a_retriever_finds(tmp_path, monkeypatch, install, add):
    install(RETRIEVERS, verbatim=made("A retriever", tmp_path, monkeypatch))
    retriever = RETRIEVERS["verbatim"]
    module = sys.modules["rag_variants.pipeline.retrieve.verbatim"]
    add(VARIANTS, module.Verbatim)
    place = bench({"a.md": "The desk is open.", "b.md": "the pool", "c.md": "Desk of the house."})
    asked = Question("q", "the desk")
    found = {
        spec: [(hit.chunk.document, hit.score) for hit in retrieve_question(read_variant(spec), asked, place).hits]
        for spec in ("verbatim", "verbatim:capitals=on")
    }
    assert found == {
        "verbatim": [("a.md", 2.0), ("c.md", 2.0), ("b.md", 1.0)],
        "verbatim:capitals=on": [("a.md", 1.0), ("b.md", 1.0), ("c.md", 1.0)],
    }
    assert retriever.mix(Query("the desk"), (), 0.5, None, place) == Query("the desk")


def test_the_example_of_an_expansion_expands(tmp_path, monkeypatch, install):
    install(EXPANDERS, capitals=made("An expansion", tmp_path, monkeypatch))
    place = bench({"a.md": "When is it?", "b.md": "The Blue House."})
    (plain, expanded) = (
        retrieve_question(read_variant(spec), Question("q", "When is Blue House open?"), place)
        for spec in ("keyword", "keyword:expansion=capitals")
    )
    assert (plain.expansion, plain.error, expanded.error) == (None, None, None)
    assert expanded.expansion.texts == ("Blue House",)


def test_the_example_of_a_metric_measures_a_run(tmp_path, monkeypatch, capsys, install):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    install(METRICS, brevity=made("A metric", tmp_path, monkeypatch))
    brevity = METRICS["brevity"]
    long = score(brevity, make_subject("chunk", answer="word " * 60))
    assert long.value == 30 / 60
    assert brevity.worked(long).value == long.value
    assert score(brevity, make_subject("chunk")).value is None
    assert {language: Glossary(language).metric("brevity").name for language in ("en", "pl", "zh")} == {
        "en": "Brevity",
        "pl": "zwięzłość",
        "zh": "简洁度",
    }
    assert main(["compare", "keyword", "vector", "--metrics", "brevity", "--limit", "8", "--quiet"]) == 0
    assert "Answers: no question differs in brevity." in capsys.readouterr().out


def test_the_example_of_a_loader_reads_a_folder(tmp_path, monkeypatch, install):
    install(LOADERS, subtitles=made("A format of documents", tmp_path, monkeypatch))
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "tour.srt").write_text("1\n00:00:01 --> 00:00:04\nThe desk is here.\n\n2\n", encoding="utf-8")
    (folder / "silent.srt").write_text("1\n00:00:01 --> 00:00:04\n", encoding="utf-8")
    base = load_knowledge(folder)
    assert [(each.path, each.text) for each in base.documents] == [("tour.srt", "The desk is here.")]
    assert base.notes == ("tour.srt: 1 lines are spoken",)
    assert [(each.name, each.reason) for each in base.skipped] == [("silent.srt", "nobody speaks in it; remove it")]


def test_the_example_of_an_importer_reads_questions(tmp_path, monkeypatch, install):
    install(IMPORTERS, pairs=made("A format of question files", tmp_path, monkeypatch))
    path = tmp_path / "asked.pairs"
    path.write_text("Where is the desk? -> In the hall.\n\nWhen?\n", encoding="utf-8")
    found = load_questions(path)
    assert [(each.user_input, each.reference) for each in found.questions] == [("Where is the desk?", "In the hall.")]
    assert [(each.name, each.reason) for each in found.skipped] == [
        ("line 3", "it has no arrow; write question -> answer")
    ]


def test_the_example_of_a_reranker_reranks(tmp_path, monkeypatch, install):
    install(RERANKERS, shortest=made("A reranker", tmp_path, monkeypatch))
    variant, place = (
        read_variant("keyword:reranker=shortest"),
        bench({"a.md": "The desk of the house.", "b.md": "The desk."}),
    )
    assert [hit.chunk.document for hit in rerank_question(variant, "Which desk?", place).value] == ["b.md", "a.md"]


def test_the_example_of_an_answerer_answers(tmp_path, monkeypatch, install):
    install(ANSWERERS, line=made("An answerer", tmp_path, monkeypatch))
    variant, place = read_variant("keyword:answerer=first-line"), bench({"a.md": "The desk.\nIt is open."})
    answerer = open_answerer(variant, place)
    found, nothing = (
        answer_question(variant, Question("q", asked), place, answerer).answer for asked in ("desk", "pool")
    )
    assert (found.text, found.citations, found.declined) == ("The desk.", (1,), False)
    assert nothing.declined


def test_the_example_of_a_judge_judges_a_run(tmp_path, monkeypatch, capsys, install):
    """The verdicts of every score are those of its rule, and what it cannot do is not scored."""
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    install(JUDGES, verbatim=made("A judge", tmp_path, monkeypatch))
    options = ["--judge", "verbatim", "--metrics", "core", "--limit", "4", "--quiet", "--json"]
    assert main(["run", "keyword", *options]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["judge"]["spec"] == "verbatim"
    scores = [row["a"]["scores"] for row in document["rows"]]
    judged = [each["faithfulness"] for each in scores if each["faithfulness"]["value"] is not None]
    assert judged
    for each in judged:
        verdicts = [claim["verdict"] for claim in each["detail"]["claims"]]
        assert each["value"] == pytest.approx(sum(verdicts) / len(verdicts))
        assert all(claim["verdict"] == claim["reason"].startswith("every") for claim in each["detail"]["claims"])
    assert {each["context_recall"]["reason"] for each in scores if each["context_recall"]["reason"]} == {
        "the verbatim judge only reads statements against a context"
    }
