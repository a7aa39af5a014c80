"""Vector search: the case H-13 and everything of its kind."""

import pytest

from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.retrieve.passages import passages_of
from tests.making import WordVectors, bench, document

NAMES = ["kb", "Dokumenty Żółte", "Dokumenty Zolte", "退款政策", "report..v1"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_indexed_and_stays_as_typed(name: str) -> None:
    found = read_variant("vector").rank(Query("alpha"), bench({f"{name}/a.md": "alpha beta"}))
    assert [hit.chunk.document for hit in found] == [f"{name}/a.md"]


def test_two_bases_never_share_an_index() -> None:
    desks = [bench({f"{name}.md": "alpha"}) for name in NAMES]
    found = [read_variant("vector").rank(Query("alpha"), desk) for desk in desks]
    assert [[hit.chunk.document for hit in one] for one in found] == [[f"{name}.md"] for name in NAMES]


def test_an_edited_file_is_searched_as_it_is_now() -> None:
    assert read_variant("vector").rank(Query("alpha"), bench({"a.md": "old text"}))[0].chunk.text == "old text"
    assert read_variant("vector").rank(Query("alpha"), bench({"a.md": "new text"}))[0].chunk.text == "new text"


def test_identical_chunks_of_one_file_both_stay() -> None:
    text = "Same line of text.\n\n" * 2
    chunks = split_into_chunks(document("a.md", text), 20, 0)
    assert len({each.id for each in chunks}) == 2
    found = read_variant("vector:chunk_size=50,chunk_overlap=0").rank(Query("same"), bench({"a.md": text * 20}))
    assert len({hit.chunk.id for hit in found}) == len(found) > 1


def test_an_empty_base_finds_nothing() -> None:
    assert read_variant("vector").rank(Query("alpha"), bench({"a.md": " "})) == ()


def test_two_builds_give_the_same_ranking() -> None:
    texts = {f"{at:03}.md": f"topic {at % 17} word {at} other {at % 5}" for at in range(300)}
    first, second = (read_variant("vector").rank(Query("topic 3 word 20"), bench(texts)) for _ in range(2))
    assert first == second


def test_equal_similarities_go_by_document() -> None:
    texts = dict.fromkeys(("c", "a", "b"), "alpha beta")
    assert [hit.chunk.document for hit in read_variant("vector").rank(Query("alpha"), bench(texts))] == ["a", "b", "c"]


def test_sentences_give_a_chunk_its_best_sentence() -> None:
    text = "Alpha beta gamma delta. Refunds take ten days. Nothing else is here.\n\n" * 3
    best = read_variant("vector:vectors=sentences,chunk_size=100,chunk_overlap=0").rank(
        Query("Refunds take ten days."), bench({"a.md": text})
    )
    assert best[0].score == pytest.approx(1.0, abs=1e-3)
    assert "Refunds take ten days." in best[0].chunk.text


LONG = "The harbour office keeps " + ", ".join(f"paper {at} of the year {1900 + at}" for at in range(12)) + "."


def test_a_new_size_embeds_no_sentence_and_leaves_no_chunk_out() -> None:
    """One sentence of over 300 characters and two short ones: three passages at every size, also at 50 characters,
    where no chunk holds half of the long one."""
    text = f"Refunds take ten days. {LONG} Nothing else is here."
    for first in (50, 1200):
        model = WordVectors()
        desk = bench({"a.md": text}, model)
        read_variant(f"vector:vectors=sentences,chunk_size={first},chunk_overlap=0").rank(Query("Where?"), desk)
        assert sorted(model.asked) == sorted(["Refunds take ten days.", LONG, "Nothing else is here.", "Where?"])
        for size in (50, 100, 200, 400, 1200):
            variant = read_variant(f"vector:vectors=sentences,chunk_size={size},chunk_overlap=0")
            assert len(variant.rank(Query("Where?"), desk)) == len(chunks_of(variant, desk))
            assert len(passages_of(variant, desk)) == 3
        assert len(model.asked) == 4
