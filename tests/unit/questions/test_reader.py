"""A file → a set of questions."""

import json
from pathlib import Path

import pytest

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.reader import load_questions
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Evidence, Question, Trap

FULL = {
    "id": "q017",
    "user_input": "How long?",
    "reference": "14 days.",
    "answerable": True,
    "evidence": [{"document": "billing/refunds.md", "quote": " exact words ", "group": 1, "key": "14 days"}],
    "answer_keys": [["14 days", "fourteen days"]],
    "avoid": ["30 days"],
    "traps": [{"document": "billing/refunds-2024.md", "quote": "30 days", "why": "stale"}],
    "tags": {"kind": "stale", "language": "en"},
}
QUESTION = Question(
    id="q017",
    user_input="How long?",
    reference="14 days.",
    answerable=True,
    evidence=(Evidence("billing/refunds.md", " exact words ", 1, "14 days"),),
    answer_keys=(("14 days", "fourteen days"),),
    avoid=("30 days",),
    traps=(Trap("billing/refunds-2024.md", "30 days", "stale"),),
    tags=(("kind", "stale"), ("language", "en")),
)


def load(folder: Path, content: str | bytes, name: str = "qs.jsonl") -> QuestionSet:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_questions(path)


def lines(*entries: object) -> str:
    return "\n".join(json.dumps(entry) for entry in entries)


def reason(folder: Path, **fields: object) -> str:
    """Why a row with these fields is left out, beside a good one."""
    loaded = load(folder, lines({"user_input": "good"}, {"user_input": "q", **fields}))
    (skipped,) = loaded.skipped
    assert [question.user_input for question in loaded.questions] == ["good"]
    assert skipped.name == "line 2"
    return skipped.reason


def test_the_whole_format(tmp_path: Path) -> None:
    loaded = load(tmp_path, lines(FULL))
    assert loaded.questions == (QUESTION,)
    assert (loaded.skipped, loaded.notes, loaded.name) == ((), (), "qs.jsonl")


@pytest.mark.parametrize("name", ["qs.jsonl", "qs.json", "list.json", "named.json", "qs.csv", "qs.tsv", "flat.csv"])
def test_every_format_gives_the_same_question(tmp_path: Path, name: str) -> None:
    cells = {key: value if isinstance(value, str) else json.dumps(value) for key, value in FULL.items()}
    flat = {**cells, "tags": "", "tags.kind": "stale", "language": "en", "evidence": cells["evidence"][1:-1]}

    def table(row: dict[str, str], mark: str) -> str:
        quoted = ['"' + value.replace('"', '""') + '"' for value in row.values()]
        return mark.join(row) + "\n" + mark.join(quoted) + "\n"

    content = {
        "qs.jsonl": lines(FULL),
        "qs.json": json.dumps(FULL, indent=1),
        "list.json": json.dumps([FULL], indent=1),
        "named.json": json.dumps({"questions": [FULL]}),
        "qs.csv": table(cells, ","),
        "qs.tsv": table(cells, "\t"),
        "flat.csv": table(flat, ";"),
    }
    assert load(tmp_path, content[name], name).questions == (QUESTION,)


def test_only_the_question_is_required(tmp_path: Path) -> None:
    loaded = load(tmp_path, '{"user_input": " a "}\n\n{"user_input": "b", "reference": null, "answerable": null}\n')
    assert loaded.questions == (Question("1", "a"), Question("2", "b"))


def test_groups_default_to_one_per_entry_beside_those_given(tmp_path: Path) -> None:
    evidence = [{"quote": "a"}, {"quote": "b", "group": 1}, {"quote": "c"}, {"quote": "d", "group": "1"}, "e"]
    (question,) = load(tmp_path, lines({"user_input": "q", "evidence": evidence})).questions
    assert [(each.quote, each.group) for each in question.evidence] == [
        ("a", 2),
        ("b", 1),
        ("c", 3),
        ("d", 1),
        ("e", 4),
    ]


def test_numbers_besides_the_question_become_text(tmp_path: Path) -> None:
    row = {"id": 12, "user_input": "q", "reference": 1.5, "answer_keys": [[14, "x"]], "tags": {"area": 3, "risk": True}}
    (question,) = load(tmp_path, lines(row)).questions
    assert (question.id, question.user_input, question.reference) == ("12", "q", "1.5")
    assert question.answer_keys == (("14", "x"),)
    assert question.tags == (("area", "3"), ("risk", "true"))


def test_simple_spellings(tmp_path: Path) -> None:
    text = "question,answer_keys,avoid,evidence,answerable\nq,14 days,\"['30 days', '31']\",exact words,tak\n"
    (question,) = load(tmp_path, text, "qs.csv").questions
    assert question.answer_keys == (("14 days",),)
    assert question.avoid == ("30 days", "31")
    assert question.evidence == (Evidence("", "exact words", 1),)
    assert question.answerable is True


def test_paths_are_written_as_knowledge_bases_do(tmp_path: Path) -> None:
    row = {"user_input": "q", "evidence": [{"document": ".\\billing\\a.md", "quote": "x"}]}
    assert load(tmp_path, lines(row)).questions[0].evidence[0].document == "billing/a.md"
    row = {"user_input": "q", "evidence": [{"document": "./billing/a.md", "quote": "x"}]}
    assert load(tmp_path, lines(row)).questions[0].evidence[0].document == "billing/a.md"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"evidence": [{"document": "a.md"}]}, "evidence[0].quote is missing; copy the exact words from the document"),
        (
            {"evidence": [{"quote": "a"}, {"quote": " "}]},
            "evidence[1].quote is missing; copy the exact words from the document",
        ),
        ({"evidence": [{"quote": "a", "group": "b"}]}, "evidence[0].group is 'b'; write a whole number"),
        ({"evidence": [["a"]]}, 'evidence[0] is [\'a\']; write an object such as {"document": "…", "quote": "…"}'),
        ({"evidence": "[{'quote': 'a'}]"}, "evidence: it is not JSON: "),
        (
            {"traps": [{"document": "d", "why": "old"}]},
            "traps[0].why is 'old'; use stale, contradicts, injection or twin",
        ),
        (
            {"traps": [{"why": "stale"}]},
            "traps[0].document is missing; write its path below the knowledge base's folder",
        ),
        ({"user_input": " "}, "user_input is missing; write the question"),
        ({"user_input": ["a"]}, "user_input is ['a']; write one text"),
        ({"answerable": "maybe"}, "answerable: it is 'maybe'; write true or false"),
        ({"answerable": ["x"]}, "answerable: it is ['x']; write true or false"),
        ({"reference": {"a": "b"}}, "reference is \"{'a': 'b'}\"; write one text"),
        ({"tags": {"kind": ["a"]}}, "tags.kind is ['a']; write one text"),
        ({"tags": "{lookup"}, "tags: it is not JSON: "),
        ({"tags": [["a"]]}, 'tags is [[\'a\']]; write an object such as {"kind": "lookup"}'),
        ({"kind": ["a"]}, "kind is ['a']; write one text"),
        ({"answer_keys": {"a": "b"}}, "answer_keys is {'a': 'b'}; write a list"),
        ({"answer_keys": "[['a', 'b']]"}, "answer_keys: it is not JSON: "),
        ({"answer_keys": [[["a"]]]}, "answer_keys[0][0] is ['a']; write one text"),
        ({"avoid": [True]}, "avoid[0] is True; write one text"),
        ({"reference_contexts": [["a"]]}, "reference_contexts and reference_context_ids are not lists of texts"),
    ],
)
def test_a_broken_row_is_left_out_with_a_sentence(tmp_path: Path, fields: dict[str, object], sentence: str) -> None:
    found = reason(tmp_path, **fields)
    assert found.startswith(sentence) if sentence.endswith(" ") or "lists of texts" in sentence else found == sentence


def test_an_id_that_is_there_already(tmp_path: Path) -> None:
    loaded = load(tmp_path, lines({"id": "12", "question": "a"}, {"id": 12, "question": "b"}))
    assert [question.user_input for question in loaded.questions] == ["a"]
    assert loaded.skipped == (Skipped("line 2", "its id '12' is that of line 1; give it another"),)


def test_several_faults_of_a_row_are_all_named(tmp_path: Path) -> None:
    assert reason(tmp_path, answerable="x", avoid=[["a"]]) == (
        "answerable: it is 'x'; write true or false; avoid[0] is ['a']; write one text"
    )


def test_a_message_names_the_column_that_stands_in_the_file(tmp_path: Path) -> None:
    assert load(tmp_path, "question,x\na,b\n,c\n", "qs.csv").skipped == (
        Skipped("line 3", "question is missing; write the question"),
    )


def test_broken_lines_are_left_out_with_their_numbers(tmp_path: Path) -> None:
    loaded = load(tmp_path, '{"user_input": "a"}\n{broken\n\n[1]\n"text"\n{"user_input": "b"}\n{"user_input": NaN}\n')
    assert [(question.id, question.user_input) for question in loaded.questions] == [("1", "a"), ("5", "b")]
    assert [entry.name for entry in loaded.skipped] == ["line 2", "line 4", "line 5", "line 7"]
    assert loaded.skipped[0].reason.startswith("it is not JSON: ")
    assert loaded.skipped[1].reason == "it is not an object; write one in braces"


def test_a_default_id_gives_way_to_one_that_is_given(tmp_path: Path) -> None:
    loaded = load(tmp_path, lines({"user_input": "a"}, {"id": 1, "user_input": "b"}))
    assert [question.id for question in loaded.questions] == ["row 1", "1"]


def test_unknown_columns_and_columns_that_are_tags(tmp_path: Path) -> None:
    loaded = load(tmp_path, 'question,Tags.Team,split,page,tags\nq,ops,tune,3,"{""split"": ""test""}"\n', "qs.csv")
    assert loaded.questions[0].tags == (("Team", "ops"), ("split", "test"))
    assert loaded.notes == (
        "columns are separated by ',' (guessed)",
        "question → user_input",
        "Tags.Team → tags.Team",
        "split → tags.split",
        "column 'page' is not used",
    )


def test_answers_that_may_be_meant_as_references(tmp_path: Path) -> None:
    assert load(tmp_path, "question,answer\nq,a\n", "qs.csv").notes[-1] == (
        "if answer holds the right answers, name it reference"
    )


def test_rows_that_name_their_question_differently(tmp_path: Path) -> None:
    loaded = load(tmp_path, lines({"question": "a"}, {"user_input": "b", "question": "old"}))
    assert [question.user_input for question in loaded.questions] == ["a", "b"]


def test_reference_contexts_become_evidence(tmp_path: Path) -> None:
    rows = [
        {"question": "a", "reference_contexts": ["one", "two"], "reference_context_ids": ["x.md", 12]},
        {"question": "b", "reference_contexts": "['one']"},
        {"question": "c", "reference_contexts": ["one"], "evidence": [{"quote": "own"}]},
    ]
    loaded = load(tmp_path, lines(*rows))
    assert [question.evidence for question in loaded.questions] == [
        (Evidence("x.md", "one", 1), Evidence("12", "two", 2)),
        (Evidence("", "one", 1),),
        (Evidence("", "own", 1),),
    ]
    assert "reference contexts are used only in rows without evidence" in loaded.notes


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.csv", "frage;antwort\na;b\n", "has no column for the question; columns found: frage, antwort. Name one"),
        ("none.jsonl", '{"a": 1}\n{"b": 1}', "columns found: a, b. Name one"),
        ("empty.csv", "", "is empty. Write"),
        ("blank.jsonl", "\ufeff\n \n", "is empty. Write"),
        ("header.csv", "question,id\n", r"holds no rows \(columns: question, id\). Write"),
        ("list.json", "[]", "holds no rows. Write"),
        ("cut.json", '[{"question": "a"', "cannot be read: it is not JSON: .* Mend it"),
        ("number.json", "12", "holds no list of objects. Write"),
        ("all.jsonl", "{a\n}b\n", "Nothing in .* could be used. line 1: .* · line 2: .* Mend these lines"),
        ("rows.csv", "question,id\n,1\n", "Nothing in .* line 2: question is missing.* Mend"),
        ("qs.xlsx", "x", "is not read. Save it as one of"),
        ("qs.csv", bytes(range(256)) * 4, "cannot be read: it does not look like text"),
    ],
)
def test_files_that_hold_no_questions(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(QuestionsError, match=message):
        load(tmp_path, content, name)


def test_paths_that_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="There is no file"):
        load_questions(tmp_path / "none.csv")
    with pytest.raises(QuestionsError, match=r"is a folder\. Name a file in it"):
        load_questions(tmp_path)
    with pytest.raises(QuestionsError):
        load_questions(Path("a\x00b.csv"))


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (tmp_path / "qs.csv").write_text("question\na\n")
    with pytest.raises(QuestionsError, match=r"may not be read\. Allow reading it"):
        load_questions(tmp_path / "qs.csv")


def test_text_separators_of_unicode_do_not_break_lines(tmp_path: Path) -> None:
    loaded = load(tmp_path, '{"user_input": "a\u2028b\u0085c"}\n{"user_input": "half \\ud83d"}')
    assert [question.user_input for question in loaded.questions] == ["a\u2028b\u0085c", "half \ufffd"]


def test_a_guessed_encoding_is_told(tmp_path: Path) -> None:
    loaded = load(tmp_path, "pytanie;question\nx;Ile dni mam na zwrot, dokładnie?\n".encode("cp1250"), "qs.csv")
    assert loaded.questions[0].user_input == "Ile dni mam na zwrot, dokładnie?"
    assert loaded.notes[0].startswith("read as cp1250 (guessed")


@pytest.mark.parametrize("typed", ["7", "-7.50", "1e5", "Infinity", "true", '["q"]', '{"q": 1}'])
@pytest.mark.parametrize("name", ["qs.jsonl", "qs.json"])
def test_a_question_that_is_no_text_is_refused(tmp_path: Path, typed: str, name: str) -> None:
    rows = ['{"user_input": "good", "id": 3}', f'{{"user_input": {typed}}}', f'{{"user_input": "{len(typed)}"}}']
    loaded = load(tmp_path, "\n".join(rows) if name == "qs.jsonl" else f"[{','.join(rows)}]", name)
    (skipped,) = loaded.skipped
    assert skipped.name.endswith(" 2")
    assert skipped.reason.startswith("user_input is ")
    assert skipped.reason.endswith("; write one text")
    if typed[0] in "7-1I":
        assert skipped.reason == f"user_input is {typed}; write one text"
    assert [(each.id, each.user_input) for each in loaded.questions] == [("3", "good"), ("row 3", str(len(typed)))]
    assert {type(each.id) for each in loaded.questions} == {str}


def test_a_number_in_a_table_is_a_question(tmp_path: Path) -> None:
    loaded = load(tmp_path, "user_input,reference\n7,8\n", "qs.csv")
    assert [(each.user_input, each.reference) for each in loaded.questions] == [("7", "8")]
    assert loaded.skipped == ()


@pytest.mark.parametrize("blank", ["\u200b", "\ufeff \u2060", "\u200b\u200b"])
def test_a_question_of_characters_without_width_is_empty(tmp_path: Path, blank: str) -> None:
    questions = load(tmp_path, lines({"user_input": "How long?"}, {"user_input": blank}))
    assert [each.user_input for each in questions.questions] == ["How long?"]
    assert questions.skipped == (Skipped("line 2", "user_input is missing; write the question"),)


@pytest.mark.parametrize("name", ["qs.jsonl", "qs.csv"])
def test_ids_quotes_paths_and_keys_are_composed(tmp_path: Path, name: str) -> None:
    # NFD, as macOS writes names and some editors texts
    given = {"id": "p\u0142o\u0301", "user_input": "z\u0307o\u0301\u0142w?", "tags": {"dz": "s\u0301"}}
    evidence = [{"document": "z\u0307.md", "quote": "o\u0301s\u0301", "key": "o\u0301"}]
    if name.endswith("csv"):
        cells = [given["id"], given["user_input"], json.dumps(evidence), json.dumps(given["tags"])]
        quoted = ",".join('"{}"'.format(str(cell).replace('"', '""')) for cell in cells)
        content = "id,user_input,evidence,tags\n" + quoted
    else:
        content = lines({**given, "evidence": evidence})
    (question,) = load(tmp_path, content, name).questions
    assert (question.id, question.user_input, question.tags) == ("p\u0142ó", "żó\u0142w?", (("dz", "ś"),))
    assert question.evidence == (Evidence("ż.md", "óś", 1, "ó"),)


@pytest.mark.parametrize("name", ["truth", "correct_answer", "answer_orig", "Correct Answer"])
def test_names_people_write_for_the_right_answer_are_read(tmp_path, name):
    assert load(tmp_path, json.dumps({"question": "Ile?", name: "Dwa."})).questions[0].reference == "Dwa."


@pytest.mark.parametrize("name", ["context", "correct_chunks", "golden_chunks"])
def test_names_people_write_for_evidence_are_read(tmp_path, name):
    (question,) = load(tmp_path, json.dumps({"question": "多少?", name: ["两个。", "三个。"]})).questions
    assert [each.quote for each in question.evidence] == ["两个。", "三个。"]


@pytest.mark.parametrize(
    ("written", "meant"), [("evidnce", "evidence"), ("answerble", "answerable"), ("referense", "reference")]
)
def test_a_name_near_a_known_one_is_asked_after(tmp_path, written, meant):
    notes = load(tmp_path, json.dumps({"user_input": "How long?", written: "x"})).notes
    assert f"column {written!r} is not used; if it is meant as {meant}, name it so" in notes


def test_a_name_near_nothing_is_only_said(tmp_path):
    assert "column 'colour' is not used" in load(tmp_path, json.dumps({"user_input": "Q?", "colour": "x"})).notes


@pytest.mark.parametrize(
    ("cell", "tags"),
    [
        ("billing", (("billing", "yes"),)),
        ("kind=stale language=en", (("kind", "stale"), ("language", "en"))),
        ("area: płatności", (("area", "płatności"),)),
        ("area=our billing kind=old", (("area", "our billing"), ("kind", "old"))),
        ("billing; 退款", (("billing", "yes"), ("退款", "yes"))),
        ('{""kind"": ""stale""}', (("kind", "stale"),)),
    ],
)
def test_a_cell_of_tags_may_be_words(tmp_path, cell, tags):
    read = load(tmp_path, f'user_input,tags\nHow long?,"{cell}"\n', "qs.csv")
    assert read.skipped == ()
    assert read.questions[0].tags == tags


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("The tower opens at nine.", "nine"),
        ("Wieża otwiera się o dziewiątej.", "o dziewiątej"),
        ("塔楼九点开放。", "九点"),
    ],
)
@pytest.mark.parametrize("wrapped", [True, False])
def test_the_nesting_of_squad_is_read(tmp_path, context, answer, wrapped):
    asked = [
        {"id": "s1", "question": "When?", "answers": [{"text": answer, "answer_start": context.index(answer)}]},
        {"id": "s2", "question": "Who?", "answers": [], "is_impossible": True},
        {"id": "s3", "answers": []},
    ]
    articles = [{"title": "Tower", "paragraphs": [{"context": context, "qas": asked}, "none"]}]
    content = json.dumps({"version": "v2.0", "data": articles} if wrapped else articles)
    read = load(tmp_path, content, "squad.json")
    first, second = read.questions
    assert (first.id, first.reference, first.evidence) == ("s1", answer, (Evidence("", context, 1, answer),))
    assert (second.id, second.answerable, second.evidence) == ("s2", False, ())
    assert {each.reason for each in read.skipped} == {
        "one of its paragraphs has no list qas",
        "question is missing; write the question",
    }


@pytest.mark.parametrize(("flag", "said"), [(False, True), ("nie", True), ("否", True), (True, False), (None, False)])
def test_evidence_for_what_has_no_answer_is_said_with_its_line(tmp_path, flag, said):
    row = {"user_input": "How long?", "answerable": flag, "evidence": ["14 days"]}
    notes = load(tmp_path, lines({"user_input": "good"}, row)).notes
    assert any("answerable is false" in note and "(line 2)" in note for note in notes) == said
