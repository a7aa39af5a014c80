"""The Knowledge page: documents, one cut into chunks with its evidence, questions, and a line for a new one."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.corpus.folder import load_knowledge
from rag_variants.questions.gold import locate_evidence
from rag_variants.questions.reader import load_questions
from rag_variants.sample import sample_folder, sample_questions_file
from rag_variants.types import Chunk, Document
from rag_variants.ui.views.knowledge_draft import KINDS, Draft, find_hints
from rag_variants.ui.views.knowledge_facts import chunk_statistics, overlaps_of
from tests.app.conftest import visit, write_base
from tests.app.test_hostile_text import COSTS, LINES, QUESTION, hostile_base
from tests.unit.report.test_marked_text import Reader

DOCUMENTS_OF_SAMPLE = len(load_knowledge(sample_folder()).documents)
RETURNS = "# Returns\n\nGoods can be returned within 14 days. The label is valid for 10 days."


def open_knowledge(parameters: dict[str, str]) -> AppTest:
    """The page at URL parameters; the home page does not run."""
    return visit(parameters, "pages/knowledge.py")


def said(page: AppTest) -> str:
    """Everything that the page says in words, the marked text aside."""
    kinds = ("markdown", "text", "caption", "subheader", "error")
    return "\n".join(str(each.value) for kind in kinds for each in getattr(page, kind))


def marked_html(page: AppTest) -> str:
    """The HTML of the document with its marks."""
    (found,) = [each.proto.body for each in page.get("html") if each.proto.body.startswith('<div class="kb-text">')]
    return str(found)


def table(page: AppTest, column: str) -> Any:
    """The table that has a column."""
    return next(each.value for each in page.dataframe if column in each.value.columns)


# --- what is said about chunks


def chunk(start: int, end: int) -> Chunk:
    return Chunk("d.md", start, end, RETURNS[start:end], "en")


def test_statistics_of_chunks() -> None:
    chunks = [chunk(0, 40), chunk(30, 50), chunk(50, 80)]
    assert overlaps_of(chunks) == [0, 10, 0]
    assert chunk_statistics(chunks) == {
        "Chunks": "3",
        "Shortest": "20",  # 40, 20, 30
        "Median": "30",
        "Longest": "40",
        "Characters in all": "90",
        "Repeated by overlap": "11%",  # 10 ÷ 90
    }
    assert chunk_statistics([]) == {"Chunks": "0"}


# --- a new line


def draft(**changes: Any) -> Draft:
    typed = {"id": "new-001", "quote": "The label is valid for 10 days.", "user_input": "How long is it valid?"}
    return Draft(Document("d.md", RETURNS, "Returns", "en"), **{**typed, **changes})


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"quote": ""}, "Choose a sentence"),
        ({"quote": "The label is valid for 11 days."}, "does not stand in this document word for word"),
        ({"key": "11 days"}, "The key does not stand in the quote"),
        ({"user_input": "  "}, "Type the question"),
        ({"id": "q1"}, "The id q1 is taken"),
    ],
)
def test_hints(changes: dict[str, str], hint: str) -> None:
    (found,) = find_hints(draft(**changes), {"q1"})
    assert hint in found


def test_a_quote_of_more_than_200_characters_is_refused() -> None:
    document = Document("d.md", "x" * 300, "X", "en")
    assert find_hints(Draft(document, "n", "x" * 200, "?"), ()) == ()
    assert "201 characters" in find_hints(Draft(document, "n", "x" * 201, "?"), ())[0]


def test_kinds_are_those_of_the_sample() -> None:
    kinds = {question.tag("kind") for question in load_questions(sample_questions_file()).questions}
    assert set(KINDS) == kinds - {"unanswerable"}  # a marked sentence answers


# --- the page


def test_the_first_visit_shows_the_sample() -> None:
    page = open_knowledge({})
    assert f"{DOCUMENTS_OF_SAMPLE} documents" in said(page)
    assert len(table(page, "Superseded by")) == DOCUMENTS_OF_SAMPLE
    assert len(table(page, "Answerable")) == len(load_questions(sample_questions_file()).questions)
    assert set(table(page, "Answerable")["Evidence"]) == {"found", "none"}
    assert "Every quote, key and trap stands in the documents." in said(page)
    assert {"kb-evidence", "kb-key"} <= Reader(marked_html(page)).classes()
    assert not page.error


def test_the_table_says_what_is_superseded() -> None:
    rows = table(open_knowledge({}), "Superseded by").set_index("Document")
    old = rows.loc["en/billing/returns-2025.md"]
    assert (old["Superseded by"], old["Version"]) == ("en/billing/returns.md", "2025")
    assert (old["Today"], rows.loc["en/billing/returns.md"]["Today"]) == ("over", "current")


def test_the_marked_text_is_the_document() -> None:
    page = open_knowledge({"doc": "zh/support/warranty-2025.md", "a": "keyword:chunk_size=100,chunk_overlap=50"})
    assert Reader(marked_html(page)).text == load_knowledge(sample_folder()).by_path["zh/support/warranty-2025.md"].text


def test_chunks_follow_the_sliders_and_the_link_follows_them() -> None:
    page = open_knowledge({"doc": "en/billing/returns.md", "a": "keyword:chunk_size=300"})
    document = load_knowledge(sample_folder()).by_path["en/billing/returns.md"]
    assert len(table(page, "Overlap")) == len(split_into_chunks(document, 300, 100))
    page.slider(key="chunk_size").set_value(50).run()
    assert page.query_params["a"] == "keyword:chunk_size=50,chunk_overlap=25"  # the overlap stays below the size
    assert len(table(page, "Overlap")) == len(split_into_chunks(document, 50, 25))
    page.slider(key="chunk_overlap").set_value(0).run()
    assert page.query_params["a"] == "keyword:chunk_size=50,chunk_overlap=0"
    assert page.query_params["b"] == "hybrid"
    assert not page.exception


def test_the_sliders_may_be_those_of_b() -> None:
    page = open_knowledge({"doc": "en/billing/returns.md"})
    page.radio(key="side").set_value("b").run()
    page.slider(key="chunk_size").set_value(1000).run()
    assert (page.query_params["a"], page.query_params["b"]) == ("keyword", "hybrid:chunk_size=1000")
    assert page.query_params["side"] == "b"


def test_a_question_shows_its_gold_chunks() -> None:
    page = open_knowledge({"doc": "en/billing/returns.md", "a": "keyword:chunk_size=150,chunk_overlap=0"})
    page.selectbox(key="knowledge question").set_value("en-002").run()
    assert page.query_params["q"] == "en-002"
    rows = table(page, "Overlap")
    (gold,) = rows[rows["Mark"] == "gold"]["Chunk"]
    read = Reader(marked_html(page))
    assert f"{gold} gold" in read.labels
    assert [label for label in read.labels if label.startswith("en-")] == ["en-002"]
    assert f"chunk {gold}, as it holds the key whole" in said(page)


def test_a_trap_is_marked_and_the_evidence_is_one_click_away() -> None:
    page = open_knowledge({"doc": "en/billing/returns-2025.md", "q": "en-009"})
    assert set(table(page, "Overlap")["Mark"]) == {"trap: stale"}
    assert "en-009 trap: stale" in Reader(marked_html(page)).labels
    page.button(key="open en/billing/returns.md").click().run()
    assert page.query_params["doc"] == "en/billing/returns.md"
    assert "gold" in set(table(page, "Overlap")["Mark"])


def test_a_cut_key_is_named_with_the_remedy() -> None:
    page = open_knowledge(
        {"doc": "en/products/wren-family.md", "q": "en-024", "a": "keyword:chunk_size=100,chunk_overlap=0"}
    )
    assert "a border cuts the key" in said(page)
    assert "Raise the overlap or the chunk size" in said(page)
    assert "part" in set(table(page, "Overlap")["Mark"])


def test_the_document_is_chosen_with_a_select() -> None:
    page = open_knowledge({})
    page.selectbox(key="document").set_value("pl/support/service-desk.md").run()
    assert page.query_params["doc"] == "pl/support/service-desk.md"
    assert Reader(marked_html(page)).text.strip().startswith("#")


def test_the_questions_are_filtered_by_tag() -> None:
    page = open_knowledge({"tag": "kind=stale"})
    assert set(table(page, "Answerable")["Kind"]) == {"stale"}
    page.selectbox(key="tag filter").set_value("language=zh").run()
    assert page.query_params["tag"] == "language=zh"
    assert set(table(page, "Answerable")["Language"]) == {"zh"}


def test_a_link_reproduces_the_screen() -> None:
    link = {"a": "keyword:chunk_size=200", "doc": "en/billing/returns.md", "q": "en-002", "tag": "kind=lookup"}
    first = open_knowledge(link)
    again = open_knowledge({name: str(value) for name, value in first.query_params.items()})
    assert (said(again), marked_html(again)) == (said(first), marked_html(first))


def test_a_sentence_becomes_a_line_that_can_be_read_back(base: dict[str, str], tmp_path: Path) -> None:
    page = open_knowledge({**base, "doc": "returns.md"})
    page.selectbox(key="line sentence").set_value(2).run()
    assert page.text_area(key="line quote").value == "The label is valid for 10 days."
    assert "Type the question" in said(page).replace("\\", "")
    page.text_input(key="line question").set_value("Until when does the label hold?").run()
    page.text_input(key="line key").set_value("10 days").run()
    page.selectbox(key="line kind").set_value("paraphrase").run()
    (line,) = [each.value for each in page.code]
    assert json.loads(line) == {
        "id": "new-001",
        "user_input": "Until when does the label hold?",
        "reference": None,
        "answerable": True,
        "evidence": [
            {"document": "returns.md", "quote": "The label is valid for 10 days.", "group": 1, "key": "10 days"}
        ],
        "tags": {"kind": "paraphrase", "language": "en"},
    }
    assert "kb-chosen" in Reader(marked_html(page)).classes()
    (tmp_path / "new.jsonl").write_text(line, encoding="utf-8")
    (question,) = load_questions(tmp_path / "new.jsonl").questions
    assert not locate_evidence(question, load_knowledge(Path(base["kb"]))).missing


def test_lines_are_collected_over_documents(base: dict[str, str]) -> None:
    page = open_knowledge({**base, "doc": "returns.md"})
    for document, at in (("returns.md", 1), ("codes.md", 1)):
        page.selectbox(key="document").set_value(document).run()
        page.selectbox(key="line sentence").set_value(at).run()
        page.text_input(key="line question").set_value("What holds?").run()
        next(each for each in page.button if each.label.startswith("Add")).click().run()
    assert not page.exception
    lines = [json.loads(line) for line in page.code[-1].value.splitlines()]
    assert [(line["id"], line["evidence"][0]["document"]) for line in lines] == [
        ("new-001", "returns.md"),
        ("new-002", "codes.md"),
    ]
    assert page.text_input(key="line question").value == ""
    next(each for each in page.button if each.label == "Remove the last").click().run()
    assert "Collected lines: 1" in said(page)


def test_a_quote_that_was_changed_is_refused(base: dict[str, str]) -> None:
    page = open_knowledge({**base, "doc": "returns.md"})
    page.text_area(key="line quote").set_value("Goods can be returned in 14 days.").run()
    page.text_input(key="line question").set_value("When?").run()
    assert "word for word" in said(page)
    assert not page.code
    assert next(each for each in page.button if each.label.startswith("Add")).disabled


# --- what bad input gets


def test_hostile_text_is_shown_as_typed(tmp_path: Path) -> None:
    page = open_knowledge(hostile_base(tmp_path / "hostile") | {"doc": "<i>a<_i>.md", "q": "<u>1</u>"})
    read = Reader(marked_html(page))
    assert read.text == "\n".join((COSTS, *LINES))
    assert {tag for tag, _ in read.tags} == {"div", "span"}
    assert "<u>1</u>" in read.labels
    assert QUESTION in [each.value for each in page.text]
    assert not any(each.proto.allow_html for each in page.markdown)
    for each in (*page.markdown, *page.caption, *page.subheader):
        assert "onerror" not in each.value
        assert "$5" not in each.value
    assert not any("<i>" in each.label for each in page.button)


def test_problems_are_listed_with_the_remedy(tmp_path: Path) -> None:
    question = {"id": "q1", "user_input": "?", "evidence": [{"document": "d.md", "quote": "never written"}]}
    parameters = write_base(tmp_path / "bad", {"d.md": RETURNS}, [question])
    (tmp_path / "bad" / "documents" / "empty.md").write_text("", encoding="utf-8")
    with (tmp_path / "bad" / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n{broken\n")
    page = open_knowledge(parameters)
    assert "the quote 'never written' stands in no document; copy it exactly from the text" in said(page)
    assert "empty.md: " in said(page)
    assert "line 2: " in said(page)
    assert list(table(page, "Answerable")["Evidence"]) == ["1 of 1 missing"]


def test_documents_alone_will_do(base: dict[str, str]) -> None:
    page = open_knowledge({"kb": base["kb"], "metrics": "retrieval"})
    assert "4 documents" in said(page)
    assert "No questions yet" in said(page)
    assert not page.error


@pytest.mark.parametrize(("kb", "words"), [("/no/such/folder", "There is no folder"), ("empty", "holds no files")])
def test_a_folder_without_documents_is_one_box(tmp_path: Path, kb: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    page = open_knowledge({"kb": kb if kb.startswith("/") else str(tmp_path / kb), "questions": "q.jsonl"})
    assert len(page.error) == 1
    assert words in page.error[0].value.replace("\\", "")
    for label in ("Folder of documents", "Question file"):
        next(each for each in page.text_input if each.label == label).set_value("")
    next(each for each in page.button if each.label == "Read these").click().run()
    assert f"{DOCUMENTS_OF_SAMPLE} documents" in said(page)


def test_a_bad_question_file_leaves_the_documents(base: dict[str, str]) -> None:
    page = open_knowledge({"kb": base["kb"], "questions": "/no/questions.jsonl"})
    assert len(page.error) == 1
    assert len(table(page, "Characters")) == 4
    assert marked_html(page)


def test_an_unknown_document_in_the_link_is_named() -> None:
    page = open_knowledge({"doc": "no/<b>such</b>.md", "q": "nothing"})
    assert "There is no document" in said(page)
    assert marked_html(page)


def test_a_long_document_is_shown_in_parts(tmp_path: Path) -> None:
    text = "\n\n".join(f"Paragraph {number} says something about nothing in particular." for number in range(400))
    question = {"id": "q", "user_input": "?", "evidence": [{"document": "d.md", "quote": "Paragraph 399 says"}]}
    parameters = write_base(tmp_path / "long", {"d.md": text}, [question]) | {"a": "keyword:chunk_size=100"}
    page = open_knowledge(parameters)
    assert Reader(marked_html(page)).text.startswith("Paragraph 0 ")
    page.selectbox(key="knowledge question").set_value("q").run()
    assert "Paragraph 399 says" in Reader(marked_html(page)).text
    page.slider(key="chunk_size").set_value(400).run()
    assert not page.exception
