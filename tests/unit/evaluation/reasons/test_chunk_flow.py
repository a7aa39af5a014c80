"""What became of A's chunks in B, and which text both rankings hold."""

from collections.abc import Mapping

from rag_variants.evaluation.reasons.chunk_flow import ChunkChange, ChunkFlow, Cut, Reason, is_same, trace_chunks
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.select.parents import hand_parent, shared_characters
from rag_variants.questions.gold import Mark
from rag_variants.report.flow_words import fate_words, gold_sentences, parts_lines, parts_words
from rag_variants.types import Chunk, Hit, Question, Record


def chunk(start: int, end: int, document: str = "a.md") -> Chunk:
    return Chunk(document, start, end, "x" * (end - start), "en")


def row(*chunks: Chunk, top_k: int, marks: Mapping[str, Mark] | None = None) -> ScoredRecord:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate(chunks, start=1))
    return ScoredRecord(Record(Question("q", "?"), hits, hits[:top_k]), marks or {}, {})


def flow(left: ScoredRecord, right: ScoredRecord) -> ChunkFlow:
    a, b = (read_variant(f"keyword:top_k={max(1, len(each.record.hits))}") for each in (left, right))
    return trace_chunks(left, right, a, b)


def told(change: ChunkChange) -> tuple[str, int, int | None, int | None]:
    return change.fate, change.place.hit.chunk.start, change.before, change.after


FIRST, SECOND, THIRD, FOURTH = (chunk(at, at + 100) for at in (0, 100, 200, 300))


def test_a_chunk_is_the_same_by_id_or_by_half_of_the_shorter_span() -> None:
    assert is_same(chunk(0, 100), chunk(0, 100))
    assert is_same(chunk(0, 600), chunk(550, 650))  # 50 of 100 characters
    assert not is_same(chunk(0, 600), chunk(551, 651))  # 49 of 100
    assert not is_same(chunk(0, 100), chunk(0, 100, "b.md"))
    assert shared_characters(chunk(0, 600), chunk(551, 651)) == 600 - 551
    assert shared_characters(chunk(0, 100), chunk(200, 300)) == 0


def test_chunks_enter_move_stay_and_leave() -> None:
    made = flow(row(FIRST, SECOND, THIRD, top_k=2), row(SECOND, THIRD, FOURTH, FIRST, top_k=3))
    assert [told(change) for change in made.changes] == [
        ("moved", 100, 2, 1),
        ("entered", 200, 3, 2),  # A had it at rank 3, below its cut
        ("entered", 300, None, 3),
        ("left", 0, 1, 4),
    ]
    assert [told(change)[0] for change in flow(row(FIRST, top_k=1), row(FIRST, top_k=1)).changes] == ["stayed"]


def test_what_left_says_where_b_has_it() -> None:
    made = flow(row(FIRST, SECOND, top_k=2), row(THIRD, FIRST, top_k=1))
    assert [told(change) for change in made.changes if change.fate == "left"] == [
        ("left", 0, 1, 2),
        ("left", 100, 2, None),
    ]


def test_equal_chunks_are_linked_whole() -> None:
    made = flow(row(FIRST, SECOND, top_k=2), row(SECOND, THIRD, top_k=2))
    assert [(link.a.hit.rank, link.b.hit.rank, link.shared, link.share) for link in made.links] == [(2, 1, 100, 1.0)]


def test_chunks_of_other_sizes_are_linked_by_the_text_they_share() -> None:
    made = flow(row(chunk(0, 600), top_k=1), row(chunk(0, 300), chunk(500, 900), chunk(250, 650), top_k=3))
    # 0–300 lies in 0–600: 300 of 600 characters together. 250–650 shares 350; together they cover 650. 500–900 shares
    # 100, less than half of its 400.
    assert [(link.b.hit.rank, link.shared, link.share) for link in made.links] == [
        (1, 300, 300 / 600),
        (3, 350, 350 / 650),
    ]


def test_neighbours_that_overlap_are_not_linked_where_the_chunk_itself_is_there() -> None:
    left, neighbour = chunk(0, 100), chunk(40, 140)  # 60 of 100 in common
    made = flow(row(left, neighbour, top_k=2), row(left, neighbour, top_k=2))
    assert [(link.a.hit.rank, link.b.hit.rank) for link in made.links] == [(1, 1), (2, 2)]


def test_the_cut_is_named_with_its_setting() -> None:
    made = flow(row(FIRST, SECOND, top_k=1), row(FIRST, SECOND, top_k=2))
    assert (made.cut("a"), made.cut("b")) == (Cut(1, "top_k", 1), None)


def test_marks_and_the_cut_are_on_every_place() -> None:
    made = flow(row(FIRST, SECOND, top_k=1, marks={SECOND.id: Mark(gold=(1,))}), row(top_k=1))
    assert [(place.handed, place.mark.gold) for place in made.a] == [(True, ()), (False, (1,))]
    assert made.b == ()
    assert [change.fate for change in made.changes] == ["left"]


def test_a_chunk_that_was_passed_over_is_named_with_its_setting() -> None:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate((FIRST, SECOND, THIRD, FOURTH), start=1))
    handed = (hits[0], Hit(2, THIRD, hits[2].score))
    passing = ScoredRecord(
        Record(Question("q", "?"), hits, handed, passed_over=((2, "mmr"),)), {SECOND.id: Mark(gold=(1,))}, {}
    )
    a, b = read_variant("keyword:top_k=2"), read_variant("keyword:top_k=2,mmr=0.3")
    made = trace_chunks(row(FIRST, SECOND, THIRD, FOURTH, top_k=2), passing, a, b)
    assert [(place.hit.rank, place.handed, place.passed) for place in made.b] == [
        (1, True, None),
        (2, True, None),  # the third of the ranking is the second that is handed over
        (2, False, Reason("mmr", 0.3)),
        (4, False, None),  # below the cut
    ]
    assert made.cut("b") == Cut(2, "top_k", 2)
    assert [told(change) for change in made.changes] == [
        ("stayed", 0, 1, 1),
        ("entered", 200, 3, 2),
        ("left", 100, 2, 2),
    ]
    assert fate_words(made.changes[-1]) == "left (B: rank 2, passed over, mmr is 0.3)"
    assert gold_sentences(made)[-1] == "B: the gold chunk was at rank 2, mmr is 0.3."


def test_where_repeats_alone_are_left_the_cut_is_theirs() -> None:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate((FIRST, SECOND), start=1))
    passing = ScoredRecord(Record(Question("q", "?"), hits, hits[:1], passed_over=((2, "deduplicate"),)), {}, {})
    variant = read_variant("keyword:deduplicate=0.8")
    assert trace_chunks(passing, passing, variant, variant).cut("a") == Cut(1, "deduplicate", 0.8)


def test_parents_stand_in_place_of_the_chunks_that_they_hold() -> None:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate((THIRD, FIRST, SECOND), start=1))
    parent = chunk(0, 200)  # of the first two
    handed = (Hit(1, THIRD, 1.0), hand_parent(parent, hits[1], 2))
    found = ScoredRecord(Record(Question("q", "?"), hits, handed), {parent.id: Mark(gold=(1,))}, {})
    variant = read_variant("keyword:parent_size=2000")
    made = trace_chunks(found, found, variant, variant)
    assert [(place.hit.chunk.start, place.hit.chunk.end, place.handed) for place in made.a] == [
        (200, 300, True),
        (0, 200, True),  # no small chunk is left below it
    ]
    assert made.cut("a") is None
    assert parts_words(handed[1]) == "found by chunk 0-100, rank 2"
    assert parts_lines(handed[1], variant) == ()
