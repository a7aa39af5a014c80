"""Chunks that say nearly the same are left out, the better ranked one stays."""

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.select import near_equal
from rag_variants.pipeline.select.near_equal import resemblance, shingles
from rag_variants.pipeline.select.select import select
from rag_variants.types import Hit, Question
from tests.making import bench, chunk

TWELVE = "one two three four five six seven eight nine ten eleven twelve"  # 12 words: 12 − 3 + 1 = 10 runs of three


def test_runs_of_three_words() -> None:
    assert len(shingles(TWELVE)) == 10
    assert len(shingles("one two")) == 1
    assert shingles("  ") == frozenset()
    assert shingles("One, two – THREE!") == shingles("one two three")
    assert len(shingles("退款需要十四天")) == 5  # 7 characters: 7 − 3 + 1


def test_resemblance_is_shared_runs_by_all_runs() -> None:
    other = TWELVE.replace("twelve", "dozen")  # the last run alone differs: 9 shared of 10 + 10 − 9
    assert resemblance(shingles(TWELVE), shingles(other)) == pytest.approx(9 / 11)
    middle = TWELVE.replace("six", "6")  # three runs hold it: 7 shared of 10 + 10 − 7
    assert resemblance(shingles(TWELVE), shingles(middle)) == pytest.approx(7 / 13)
    assert resemblance(shingles("a b c"), shingles("d e f")) == 0.0
    assert resemblance(shingles("—"), shingles("…")) == 1.0


PLACE = bench({})
HITS = tuple(
    Hit(rank, chunk(f"{rank}.md", text), 1.0 / rank)
    for rank, text in enumerate((TWELVE, TWELVE.replace("twelve", "dozen"), "another text about cats", TWELVE), start=1)
)


def chosen(spec: str) -> tuple[list[str], tuple[tuple[int, str], ...]]:
    found = select(HITS, read_variant(f"keyword:{spec}"), PLACE)
    return [hit.chunk.document for hit in found.hits], found.passed_over


def test_the_better_ranked_stays_and_the_repeat_is_named() -> None:
    assert chosen("deduplicate=0.8") == (["1.md", "3.md"], ((2, "deduplicate"), (4, "deduplicate")))  # 9 ÷ 11 = 0.82
    assert chosen("deduplicate=0.85") == (["1.md", "2.md", "3.md"], ((4, "deduplicate"),))
    assert chosen("deduplicate=1") == (["1.md", "2.md", "3.md"], ((4, "deduplicate"),))
    assert chosen("deduplicate=0") == (["1.md", "2.md", "3.md", "4.md"], ())


def test_a_repeat_makes_room_for_the_next() -> None:
    assert chosen("top_k=2")[0] == ["1.md", "2.md"]
    assert chosen("top_k=2,deduplicate=0.8") == (["1.md", "3.md"], ((2, "deduplicate"),))


def test_neighbours_are_near_equal_where_the_overlap_is_most_of_the_chunk() -> None:
    text = " ".join(f"word{at:02}" for at in range(60))
    for overlap, fewer in ((25, False), (75, True)):
        place, spec = bench({"long.md": text}), f"keyword:chunk_size=100,chunk_overlap={overlap},top_k=20"
        every = retrieve_question(read_variant(spec), Question("q", text), place).hits
        some = retrieve_question(read_variant(f"{spec},deduplicate=0.4"), Question("q", text), place).hits
        assert (len(some) < len(every)) is fewer


def test_with_diversity_texts_are_compared_once_however_it_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"{at}.md": f"A refund takes {at} days and the desk pays it." for at in range(4)}
    place, compared = bench(texts), []
    monkeypatch.setattr(near_equal, "resemblance", lambda one, other: compared.append(one) or resemblance(one, other))
    for mmr in (0.2, 0.5, 0.8):
        spec = f"vector:deduplicate=0.9,mmr={mmr}"
        assert len(retrieve_question(read_variant(spec), Question("q", "refund"), place).hits) == 4
    assert len(compared) == 6  # 4 · 3 ÷ 2 pairs, none near-equal
