"""Vector search in Chroma: the case H-13 and everything of its kind."""

import pytest

from rag_variants.knowledge.chunks import split_into_chunks
from rag_variants.models.vectors import KeptEmbeddings
from rag_variants.variants import read_variant
from rag_variants.variants.vector import Passage, VectorIndex
from tests.making import WordVectors, bench, chunk, document

NAMES = ["kb", "Dokumenty Żółte", "Dokumenty Zolte", "退款政策", "report..v1"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_indexed_and_stays_as_typed(name: str) -> None:
    found = read_variant("vector").rank("alpha", bench({f"{name}/a.md": "alpha beta"}))
    assert [hit.chunk.document for hit in found] == [f"{name}/a.md"]


def test_two_bases_never_share_an_index() -> None:
    desks = [bench({f"{name}.md": "alpha"}) for name in NAMES]
    found = [read_variant("vector").rank("alpha", desk) for desk in desks]
    assert [[hit.chunk.document for hit in one] for one in found] == [[f"{name}.md"] for name in NAMES]


def test_an_edited_file_is_searched_as_it_is_now() -> None:
    assert read_variant("vector").rank("alpha", bench({"a.md": "old text"}))[0].chunk.text == "old text"
    assert read_variant("vector").rank("alpha", bench({"a.md": "new text"}))[0].chunk.text == "new text"


def test_identical_chunks_of_one_file_both_stay() -> None:
    text = "Same line of text.\n\n" * 2
    chunks = split_into_chunks(document("a.md", text), 20, 0)
    assert len({each.id for each in chunks}) == 2
    found = read_variant("vector:chunk_size=50,chunk_overlap=0").rank("same", bench({"a.md": text * 20}))
    assert len({hit.chunk.id for hit in found}) == len(found) > 1


def test_more_chunks_than_one_call_takes() -> None:
    # beyond 5,000 the search is approximate, and a crowd of all but equal vectors may hide one: the lines differ
    lines = (f"w{at} v{at % 97} u{at % 89}" for at in range(6_000))
    chunks = tuple(chunk("big.md", "needle" if at == 5_555 else line, at * 20) for at, line in enumerate(lines))
    passages = tuple(Passage(each.text, (at,)) for at, each in enumerate(chunks))
    index = VectorIndex(chunks, passages, KeptEmbeddings(WordVectors(), None, None))
    assert index._collection.count() == 6_000
    assert index.search("needle", 5)[0].chunk.text == "needle"


def test_an_empty_base_finds_nothing() -> None:
    assert read_variant("vector").rank("alpha", bench({"a.md": " "})) == ()


def test_two_builds_give_the_same_ranking() -> None:
    texts = {f"{at:03}.md": f"topic {at % 17} word {at} other {at % 5}" for at in range(300)}
    first, second = (read_variant("vector").rank("topic 3 word 20", bench(texts)) for _ in range(2))
    assert first == second


def test_equal_similarities_go_by_document() -> None:
    texts = dict.fromkeys(("c", "a", "b"), "alpha beta")
    assert [hit.chunk.document for hit in read_variant("vector").rank("alpha", bench(texts))] == ["a", "b", "c"]


def test_sentences_give_a_chunk_its_best_sentence_and_a_new_size_embeds_nothing() -> None:
    model = WordVectors()
    text = "Alpha beta gamma delta. Refunds take ten days. Nothing else is here.\n\n" * 3
    desk = bench({"a.md": text}, model)
    best = read_variant("vector:vectors=sentences,chunk_size=100,chunk_overlap=0").rank("Refunds take ten days.", desk)
    assert best[0].score == pytest.approx(1.0, abs=1e-3)
    before = len(model.asked)
    read_variant("vector:vectors=sentences,chunk_size=200,chunk_overlap=0").rank("Refunds take ten days.", desk)
    assert len(model.asked) == before
