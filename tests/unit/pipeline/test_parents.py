"""Small chunks are searched, their parents are read."""

import pytest

from rag_variants.errors import VariantError
from rag_variants.evaluation.rows import count_gold
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.select.parents import Parents, found_by, is_read
from rag_variants.pipeline.select.select import ending_setting, select_hits
from rag_variants.pipeline.stages import search
from rag_variants.questions.gold import locate_evidence
from rag_variants.types import Chunk, Evidence, Hit, Part, Question
from tests.making import bench

FILLER = "Nothing else of note is said in this sentence here. "  # 52 characters
TEXT = f"A refund takes 14 days. {FILLER * 3}The desk pays the refund. {FILLER * 30}Late refund: 9 %."
SMALL = "chunk_size=100,chunk_overlap=0"


def span(start: int, end: int, document: str = "a.md") -> Chunk:
    return Chunk(document, start, end, "x" * (end - start), "en")


def test_the_parent_that_holds_most() -> None:
    first, second, third = parents = [span(0, 100), span(90, 200), span(200, 300)]
    made = Parents(parents)
    assert made.holding(span(0, 50)) == first
    assert made.holding(span(80, 130)) == second  # 40 of 50 characters against 20
    assert made.holding(span(60, 100)) == first  # all 40
    assert made.holding(span(90, 100)) == first  # both hold all of it: the first
    assert made.holding(span(190, 210)) == second  # 10 each: the first
    assert made.holding(span(201, 299)) == third
    alone = span(0, 10, "other.md")
    assert made.holding(alone) == alone


def test_a_parent_is_handed_over_once_at_its_best_child_and_says_which() -> None:
    place = bench({"long.md": TEXT})
    small = retrieve_question(read_variant(f"keyword:{SMALL}"), Question("q", "refund desk"), place)
    record = retrieve_question(read_variant(f"keyword:{SMALL},parent_size=400"), Question("q", "refund desk"), place)
    assert record.ranking == small.ranking  # the ranking stays that of the small chunks
    assert len(small.hits) == 3  # "refund" stands in three small chunks, two of them in the first parent
    first, second = record.hits
    best = small.ranking[0]
    assert (first.rank, first.score) == (1, best.score)
    assert first.parts == ((f"chunk {best.chunk.start}-{best.chunk.end}", Part(1, best.score, best.score)),)
    assert found_by(second) == second.parts[0]
    assert found_by(best) is None
    assert first.chunk.start <= best.chunk.start < best.chunk.end <= first.chunk.end
    assert all(is_read(hit.chunk, record.hits) for hit in record.ranking)
    assert ending_setting(record.ranking, record.hits, read_variant(f"keyword:{SMALL},parent_size=400")) is None


def test_top_k_and_the_budget_count_parents() -> None:
    place = bench({"long.md": TEXT})
    ranking = search(read_variant(f"keyword:{SMALL}"), "refund desk", place).value
    wanted = [f"keyword:{SMALL},parent_size=400,top_k=1", f"keyword:{SMALL},parent_size=400,context_budget=400"]
    for spec, setting in zip(wanted, ("top_k", "context_budget"), strict=True):
        variant = read_variant(spec)
        found = select_hits(ranking, variant, place)
        assert len(found) == 1
        assert ending_setting(ranking, found, variant) == setting


def test_gold_is_counted_in_what_is_read() -> None:
    place = bench({"long.md": TEXT})
    evidence = (
        Evidence("long.md", "A refund takes 14 days.", 1),
        Evidence("long.md", "The desk pays the refund.", 2),
    )
    gold = locate_evidence(Question("q", "?", evidence=evidence), place.knowledge)
    assert count_gold(gold, read_variant(f"keyword:{SMALL}"), place) == 2  # one small chunk each
    assert count_gold(gold, read_variant(f"keyword:{SMALL},parent_size=400"), place) == 1  # both in the first parent
    assert count_gold(gold, read_variant("keyword:chunk_size=400,chunk_overlap=0"), place) == 1


def test_parents_have_to_be_larger() -> None:
    with pytest.raises(VariantError, match=r"parent_size is 200, chunk_size 200.*parent_size=0 for no parents"):
        read_variant("keyword:chunk_size=200,parent_size=200")
    assert read_variant("keyword:chunk_size=200,parent_size=300")
    assert read_variant("keyword:chunk_size=200,parent_size=0")


def test_half_of_a_chunk_in_a_hit_is_read() -> None:
    hit = Hit(1, span(0, 100), 1.0)
    assert is_read(span(50, 150), [hit])  # 50 of 100
    assert not is_read(span(51, 151), [hit])
    assert not is_read(span(0, 100), [])
