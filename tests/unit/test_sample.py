"""The sample is whole: quotes stand where they should, every kind is there in every language, lengths vary."""

from collections import Counter
from pathlib import Path

import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.metrics.facts import holds
from rag_variants.questions.check import check_evidence
from rag_variants.questions.labels import load_labels
from rag_variants.questions.reader import load_questions
from rag_variants.sample import sample_folder, sample_questions_file
from rag_variants.settings import packaged
from rag_variants.text.sentences import split_sentences

SAMPLE = packaged("sample_kb")
LANGUAGES = ("en", "pl", "zh")
KINDS = frozenset(
    [
        "lookup",
        "paraphrase",
        "exact_id",
        "multi_hop",
        "ambiguous",
        "conflict",
        "stale",
        "unanswerable",
        "injection",
        "short",
        "messy",
        "regression",
    ]
)
LONGEST_QUOTE = 200
PAGE = {"en": 1_800, "pl": 1_800, "zh": 600}  # characters of a typed page

KNOWLEDGE = load_knowledge(sample_folder())
QUESTIONS = load_questions(sample_questions_file())
MINI_KNOWLEDGE = load_knowledge(SAMPLE / "mini" / "documents")
MINI_QUESTIONS = load_questions(SAMPLE / "mini" / "questions.jsonl")
LABELS = load_labels(SAMPLE / "judge_labels.jsonl")
BOTH = pytest.mark.parametrize(
    ("knowledge", "questions"), [(KNOWLEDGE, QUESTIONS), (MINI_KNOWLEDGE, MINI_QUESTIONS)], ids=["sample", "mini"]
)


def faults(questions, find):
    """The faults that `find` yields, each with its question's id."""
    return [(question.id, fault) for question in questions.questions for fault in find(question)]


@BOTH
def test_nothing_is_left_out_or_guessed(knowledge, questions):
    assert (knowledge.skipped, knowledge.notes) == ((), ())
    assert (questions.skipped, questions.notes) == ((), ())
    assert check_evidence(questions.questions, knowledge) == ()


@BOTH
def test_every_quote_stands_word_for_word_in_the_document_it_names(knowledge, questions):
    def find(question):
        for entry in (*question.evidence, *question.traps):
            if not 0 < len(entry.quote) <= LONGEST_QUOTE:
                yield f"{len(entry.quote)} characters: {entry.quote}"
            if entry.quote not in knowledge.by_path[entry.document].text:
                yield f"not in {entry.document}: {entry.quote}"

    assert faults(questions, find) == []


@BOTH
def test_every_key_stands_once_in_its_quote(knowledge, questions):
    assert (
        faults(questions, lambda question: [e.key for e in question.evidence if e.key and e.quote.count(e.key) != 1])
        == []
    )


@BOTH
def test_evidence_is_in_the_language_of_its_question(knowledge, questions):
    def find(question):
        for entry in (*question.evidence, *question.traps):
            if knowledge.by_path[entry.document].language != question.tag("language"):
                yield entry.document

    assert faults(questions, find) == []


@BOTH
def test_answerable_says_whether_there_is_evidence(knowledge, questions):
    def find(question):
        if question.answerable is None or question.answerable != bool(question.evidence):
            yield "answerable and evidence do not fit"
        if not question.answerable and (question.reference or question.answer_keys):
            yield "unanswerable, with an answer"
        if question.answerable and not (question.reference and question.answer_keys):
            yield "answerable, without reference or keys"

    assert faults(questions, find) == []


@BOTH
def test_the_reference_holds_every_first_key_and_nothing_to_avoid(knowledge, questions):
    def find(question):
        reference = question.reference or ""
        yield from (keys[0] for keys in question.answer_keys if keys[0] not in reference)
        yield from (f"avoid {text}" for text in question.avoid if holds(reference, text))

    assert faults(questions, find) == []


@BOTH
def test_no_right_answer_holds_what_is_to_be_avoided(knowledge, questions):
    def find(question):
        keys = [key for alternatives in question.answer_keys for key in alternatives]
        yield from ((key, text) for key in keys for text in question.avoid if holds(key, text) or key == text)

    assert faults(questions, find) == []


def test_enough_documents_in_every_language():
    count = Counter(document.language for document in KNOWLEDGE.documents)

    assert count["en"] >= 24
    assert count["pl"] >= 8
    assert count["zh"] >= 8
    assert sum(count.values()) >= 40


def test_languages_are_those_of_the_folders():
    wrong = [each.path for each in KNOWLEDGE.documents if each.path.split("/")[0] != each.language]

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_documents_are_from_a_few_lines_to_several_pages_long(language):
    texts = [document.text for document in KNOWLEDGE.documents if document.language == language]

    assert min(len([line for line in text.splitlines() if line.strip()]) for text in texts) <= 8
    assert max(map(len, texts)) > 2 * PAGE[language]


def test_documents_have_headings_tables_and_lists():
    for mark in ("# ", "|", "- "):
        having = {each.language for each in KNOWLEDGE.documents if f"\n{mark}" in f"\n{each.text}"}
        assert having == set(LANGUAGES), mark


def test_superseded_documents_are_there():
    paths = {path for document in KNOWLEDGE.documents for path in document.supersedes}

    assert len(paths) >= len(LANGUAGES)
    assert paths <= set(KNOWLEDGE.by_path)


def test_enough_questions_in_every_language():
    count = Counter(question.tag("language") for question in QUESTIONS.questions)

    assert count["en"] >= 40
    assert count["pl"] >= 15
    assert count["zh"] >= 15
    assert sum(count.values()) >= 70


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_is_there(language):
    kinds = {question.tag("kind") for question in QUESTIONS.questions if question.tag("language") == language}

    assert kinds == KINDS


def test_the_kind_says_what_the_question_has():
    for question in QUESTIONS.questions:
        kind = question.tag("kind")
        assert (kind == "unanswerable") == (not question.answerable), question.id
        assert kind != "stale" or any(trap.why == "stale" for trap in question.traps), question.id
        assert kind != "multi_hop" or len({each.group for each in question.evidence}) >= 2, question.id


def test_two_in_five_references_have_two_statements_or_more():
    references = [(each.reference, each.tag("language")) for each in QUESTIONS.questions if each.reference]
    several = sum(1 for reference, language in references if len(split_sentences(reference, language)) >= 2)

    assert several >= 2 / 5 * len(references)


def test_enough_labels_of_both_classes_in_every_language():
    count = Counter((label.language, label.supported) for label in LABELS)

    assert len(LABELS) >= 150
    assert set(count) == {(language, supported) for language in LANGUAGES for supported in (True, False)}
    for language in LANGUAGES:
        assert min(count[language, True], count[language, False]) >= 20


def test_contexts_of_labels_are_taken_from_the_documents():
    texts = [document.text for document in KNOWLEDGE.documents]
    invented = [
        (label.id, piece)
        for label in LABELS
        for piece in label.context.split("\n\n")
        if not any(piece in text for text in texts)
    ]

    assert invented == []


def test_mini_is_small():
    assert len(MINI_KNOWLEDGE.documents) == 5
    assert len(MINI_QUESTIONS.questions) == 5
    assert {each.language for each in MINI_KNOWLEDGE.documents} == {"zh"}


def test_the_readme_names_every_file_of_the_sample():
    readme = Path(SAMPLE / "README.md").read_text(encoding="utf-8")

    unnamed = [each.name for each in SAMPLE.iterdir() if each.name not in readme and each.name != "README.md"]
    assert unnamed == []
