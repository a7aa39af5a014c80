"""The URL is the selection: printed and read back equal; bad values are named and defaults stand in."""

from dataclasses import fields, replace

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.ui.url import NAMES, Selection, print_selection, read_selection

PLAIN = Selection(read_variant("keyword"), read_variant("hybrid"))
FULL = Selection(
    read_variant("vector:top_k=3,chunk_size=400"),
    read_variant("hybrid:rrf_k=5,coverage=on"),
    documents="/data/my documents & more",
    questions="/data/fragen=1.jsonl",
    slice="language=pl",
    metrics="retrieval",
    judge="house:judge-1",
    judge_embeddings="embedded:usem3",
    metric="mrr",
    shown="ties",
    tag="kind=stale",
    question="q?1#2",
    order="top_k,variant",
    document="en/a.md",
    side="b",
    lesson="stale & old",
    step="reveal",
    language="zh",
    room="presentation",
)


def test_nothing_in_the_url_is_the_default_pair() -> None:
    assert read_selection({}) == (PLAIN, ())


@pytest.mark.parametrize("selection", [PLAIN, FULL])
def test_a_selection_is_printed_and_read_back_equal(selection: Selection) -> None:
    assert read_selection(print_selection(selection)) == (selection, ())


@pytest.mark.parametrize("field", [each.name for each in fields(Selection)])
def test_every_field_travels(field: str) -> None:
    selection = replace(PLAIN, **{field: getattr(FULL, field)})
    assert read_selection(print_selection(selection))[0] == selection


def test_names_in_the_url_are_unlike() -> None:
    assert len(set(NAMES.values())) == len(NAMES) == len(fields(Selection))


def test_defaults_are_left_out_but_both_variants_are_written() -> None:
    assert print_selection(PLAIN) == {"a": "keyword", "b": "hybrid"}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("a", "bm25", "no variant called 'bm25'"),
        ("b", "hybrid:top_k=900", "out of bounds"),
        ("metrics", "recal", "no metric or set called 'recal'"),
        ("metric", "recal", "Use one of"),
        ("show", "sideways", "Use one of"),
        ("side", "c", "Use one of"),
        ("step", "coffee", "Use one of"),
        ("lang", "de", "Use one of"),
        ("room", "cellar", "Use one of"),
    ],
)
def test_a_bad_value_is_named_and_the_default_stands_in(name: str, value: str, words: str) -> None:
    selection, problems = read_selection({name: value, "q": "q1"})
    assert selection == replace(PLAIN, question="q1")
    assert len(problems) == 1
    assert f"{name}={value}" in problems[0]
    assert words in problems[0]


def test_unknown_parameters_mean_nothing() -> None:
    assert read_selection({"utm_source": "mail"}) == (PLAIN, ())
