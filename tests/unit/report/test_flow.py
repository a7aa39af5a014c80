"""The flow of chunks in words, rows and as a chart."""

import json
from dataclasses import replace
from typing import Any

import pytest

from rag_variants.evaluation.reasons.chunk_flow import ChunkFlow, trace_chunks
from rag_variants.evaluation.reasons.recall_reasons import RecallReason
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.questions.gold import Mark
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.flow_chart import flow_chart
from rag_variants.report.flow_rows import flow_rows, flow_table
from rag_variants.report.flow_words import fate_words, gold_sentences, parts_lines, parts_words, recall_sentences
from rag_variants.types import Chunk, Hit, Part, Question, Record

GOLD = Chunk("en/returns.md", 600, 1200, "x" * 600, "en")
OTHERS = [Chunk(f"en/{name}.md", 0, 600, "y" * 600, "en") for name in "abcdefg"]


def row(*chunks: Chunk, top_k: int, gold: tuple[int, ...] = (1,)) -> ScoredRecord:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate(chunks, start=1))
    return ScoredRecord(Record(Question("q", "?"), hits, hits[:top_k]), {GOLD.id: Mark(gold=gold)}, {})


def flow(left: ScoredRecord, right: ScoredRecord) -> ChunkFlow:
    return trace_chunks(left, right, read_variant("keyword:top_k=5"), read_variant("keyword:top_k=2"))


@pytest.fixture
def made() -> ChunkFlow:
    """A has the gold chunk at rank 7 of 8 with top_k 5, B at rank 2 of 3 with top_k 2."""
    return flow(row(*OTHERS[:6], GOLD, OTHERS[6], top_k=5), row(OTHERS[1], GOLD, OTHERS[0], top_k=2))


def test_the_gold_chunk_and_the_cut_are_told(made: ChunkFlow) -> None:
    assert gold_sentences(made) == (
        "A: the gold chunk was at rank 7, top_k is 5.",
        "B: the gold chunk is at rank 2 and was handed to the answer.",
    )


def test_evidence_in_several_pieces_is_told_piece_by_piece() -> None:
    two = flow(row(GOLD, top_k=1, gold=(1, 2)), row(OTHERS[0], top_k=1))
    assert gold_sentences(two)[2:] == (
        "A: the gold chunk for evidence 2 is at rank 1 and was handed to the answer.",
        "B: no gold chunk for evidence 2 is among the 1 chunks that were ranked.",
    )


def test_moves_are_told_as_bs_list_says_them(made: ChunkFlow) -> None:
    assert [(change.place.hit.chunk.document, fate_words(change)) for change in made.changes] == [
        ("en/b.md", "▲ 1 (from 2)"),
        ("en/returns.md", "new (A: rank 7, below the cut)"),
        ("en/a.md", "left (B: rank 3, below the cut)"),
        ("en/c.md", "left (B: not found)"),
        ("en/d.md", "left (B: not found)"),
        ("en/e.md", "left (B: not found)"),
    ]
    same = flow(row(GOLD, top_k=1), row(GOLD, top_k=1))
    assert [fate_words(change) for change in same.changes] == ["= same rank"]
    fresh = flow(row(top_k=1), row(GOLD, top_k=1))
    assert [fate_words(change) for change in fresh.changes] == ["new (A did not find it)"]


def test_one_sentence_per_chunk_that_explains_recall(made: ChunkFlow) -> None:
    place, other = made.b[1], made.a[6]
    reasons = [RecallReason(statement, place, other, "sentence") for statement in ("One.", "Two.")]
    assert recall_sentences(reasons, made) == (
        "B alone found “One.” and “Two.”: the judge points to rank 2, en/returns.md. A had it at rank 7, top_k is 5.",
    )
    assert recall_sentences([RecallReason("", place, None, "evidence")], made) == (
        "B alone found more of the reference: the evidence stands in rank 2, en/returns.md. A did not find it.",
    )


def test_what_a_reranker_moved_is_told_apart_from_the_fusion() -> None:
    """0.5 ÷ 61 + 0.5 ÷ 63 = 0.0161 put it at rank 7, a similarity of 0.8731 at rank 2; `search` has no share."""
    keyword, vector = 0.5 / 61, 0.5 / 63
    lists = (("keyword", Part(1, 9.5, keyword)), ("vector", Part(3, 0.88, vector)))
    search = ("search", Part(7, keyword + vector, 0.0))
    hit = Hit(2, GOLD, 0.8731, (*lists, search))
    assert parts_lines(hit, read_variant("hybrid:reranker=embedded")) == (
        "keyword rank 1: 0.5 ÷ (60 + 1) = 0.0082",
        "vector rank 3: 0.5 ÷ (60 + 3) = 0.0079",
        "0.0082 + 0.0079 = 0.0161",
        "reranked: from rank 7 (0.01613) to rank 2 (0.8731)",
    )
    assert parts_words(hit) == "reranked from 7 · keyword rank 1 (0.0082) + vector rank 3 (0.0079) = 0.0161"
    alone = Hit(2, GOLD, 0.8731, (("search", Part(7, 3.25, 0.0)),))
    assert parts_lines(alone, read_variant("keyword:reranker=embedded")) == (
        "reranked: from rank 7 (3.25) to rank 2 (0.8731)",
    )
    assert parts_words(alone) == "reranked from 7"


def test_a_fused_score_is_worked_out() -> None:
    shares = {"keyword": 0.5 / (60 + 1), "vector": 0.5 / (60 + 3)}
    parts = (("keyword", Part(1, 9.2, shares["keyword"])), ("vector", Part(3, 0.8, shares["vector"])))
    hit = Hit(1, GOLD, sum(shares.values()), parts)
    assert parts_lines(hit, read_variant("hybrid")) == (
        "keyword rank 1: 0.5 ÷ (60 + 1) = 0.0082",
        "vector rank 3: 0.5 ÷ (60 + 3) = 0.0079",
        "0.0082 + 0.0079 = 0.0161",
    )
    assert parts_words(hit) == "keyword rank 1 (0.0082) + vector rank 3 (0.0079) = 0.0161"
    alone = replace(hit, parts=())
    assert (parts_lines(alone, read_variant("keyword")), parts_words(alone)) == ((), "")


def test_a_sum_has_the_digits_it_takes_to_add_up() -> None:
    shares = (0.5 / (60 + 7), 0.5 / (60 + 14))  # 0.0074627 + 0.0067568 = 0.0142194; in four digits 0.0075 + 0.0068
    hit = Hit(1, GOLD, sum(shares), tuple((name, Part(1, 0.0, each)) for name, each in zip("kv", shares, strict=True)))
    assert parts_words(hit).endswith("= 0.01422")


def test_the_short_chart_shows_what_was_handed_over_or_explains_it(made: ChunkFlow) -> None:
    rows = flow_rows(made)
    assert [(point.side, point.rank) for point in rows.points] == [
        *(
            ("a", rank) for rank in (1, 2, 3, 4, 5, 7)
        ),  # 6 and 8 were not handed over, are no evidence, and B has neither
        *(("b", rank) for rank in (1, 2, 3)),
    ]
    assert [(point.name, point.note, point.state) for point in rows.points if point.state == "gold"] == [
        ("7  returns.md", "600–1200 · gold", "gold"),
        ("2  returns.md", "600–1200 · gold · new", "gold"),
    ]
    assert [(cut.side, cut.words) for cut in rows.cuts] == [("a", "top_k is 5"), ("b", "top_k is 2")]
    assert [(line.gold, line.share) for line in rows.lines] == [(False, 1.0), (False, 1.0), (True, 1.0)]
    whole = flow_rows(made, whole=True)
    assert len(whole.points) == 8 + 3


def test_arrows_stand_in_bs_list_alone(made: ChunkFlow) -> None:
    rows = flow_rows(made)
    assert [point.note for point in rows.points if "▲" in point.note] == ["0–600 · ▲ 1"]
    assert all(point.side == "b" for point in rows.points if set("▲▼=") & set(point.note))


def test_the_table_says_what_the_chart_shows(made: ChunkFlow) -> None:
    table = flow_table(made)
    assert len(table) == len(made.changes)
    assert table[1] == {
        "chunk": "en/returns.md 600–1200", "A rank": "7", "B rank": "2", "in B": "new (A: rank 7, below the cut)",
        "mark": "gold",
    }  # fmt: skip


def test_the_whole_table_holds_every_text_once(made: ChunkFlow) -> None:
    table = flow_table(made, whole=True)
    assert len(table) == 8 + 3 - len(made.links)  # what both rankings hold is one row
    assert [(row["chunk"], row["A rank"], row["B rank"], row["in B"]) for row in table[6:]] == [
        ("en/f.md 0–600", "6", "–", "not found"),
        ("en/g.md 0–600", "8", "–", "not found"),
    ]


def test_the_chart_has_the_sides_colours_and_gold_and_no_other(made: ChunkFlow) -> None:
    for colours in (LIGHT, DARK):
        text = json.dumps(flow_chart(flow_rows(made), ("A · keyword", "B · keyword"), colours).to_dict())
        for colour in (colours.a, colours.b, colours.gold, colours.grey):
            assert colour in text
        used = {part[:7] for part in text.split('"#')[1:] for part in [f"#{part[:6]}"]}
        assert used <= {colours.a, colours.b, colours.gold, colours.grey, colours.text, colours.quiet}


@pytest.mark.parametrize("whole", [True, False])
def test_empty_rankings_make_a_chart(whole: bool) -> None:
    nothing: Any = flow(row(top_k=1), row(GOLD, top_k=1))
    assert flow_chart(flow_rows(nothing, whole=whole), ("A", "B")).to_dict()
