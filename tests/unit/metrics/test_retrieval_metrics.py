"""Retrieval metrics against sums done by hand, and against ir_measures."""

import random
from math import log2

import ir_measures
import pytest

from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.metrics import METRICS
from rag_variants.questions.gold import Gold, Occurrence, locate_evidence
from rag_variants.types import Document, Evidence, Question
from tests.scripted import make_chunk, make_gold, make_hits, make_subject, score


def value_of(name, *chunks, gold, gold_in_knowledge=0):
    return score(METRICS[name], make_subject(*chunks, gold=gold, gold_in_knowledge=gold_in_knowledge))


def piece(start, end, document="a.md"):
    return make_chunk("x" * (end - start), start, document)


NOISE = [piece(0, 100, f"noise{index}.md") for index in range(9)]
ONE = make_gold((1, "a.md", 0, 40))
TWO = make_gold((1, "a.md", 0, 40), (2, "b.md", 0, 20))


def test_hit_rate():
    assert value_of("hit_rate", NOISE[0], piece(0, 100), gold=ONE).value == 1.0
    assert value_of("hit_rate", NOISE[0], gold=ONE, gold_in_knowledge=1).value == 0.0


def test_evidence_recall_is_the_mean_over_groups_of_the_covered_share():
    made = value_of("evidence_recall", piece(0, 30), piece(10, 20, "b.md"), gold=TWO)

    assert made.value == (30 / 40 + 10 / 20) / 2
    assert made.detail["groups"] == {"1": 0.75, "2": 0.5}


def test_evidence_recall_takes_the_best_alternative():
    twins = make_gold((1, "a.md", 0, 40), (1, "c.md", 0, 10))

    assert value_of("evidence_recall", piece(0, 20), piece(0, 9, "c.md"), gold=twins).value == max(20 / 40, 9 / 10)


def test_all_evidence_needs_a_gold_hit_for_every_group():
    assert value_of("all_evidence", piece(0, 100), piece(0, 100, "b.md"), gold=TWO).value == 1.0
    missing = value_of("all_evidence", piece(0, 100), *NOISE, gold=TWO)
    assert (missing.value, missing.detail["groups_without_gold"]) == (0.0, [2])


def test_evidence_precision_counts_evidence_once_and_repeats_of_text():
    made = value_of("evidence_precision", piece(0, 100), piece(20, 120), gold=ONE)

    assert made.value == 40 / (100 + 100)


def test_precision_shows_its_ceiling():
    made = value_of("precision", piece(0, 100), *NOISE[:4], gold=ONE, gold_in_knowledge=2)

    assert made.value == 1 / 5
    assert made.detail["ceiling"] == min(2, 5) / 5


def test_mrr():
    assert value_of("mrr", piece(0, 100), gold=ONE).value == 1 / 1
    assert value_of("mrr", *NOISE[:2], piece(0, 100), piece(0, 99), gold=ONE).value == pytest.approx(1 / 3, abs=1e-9)
    assert value_of("mrr", *NOISE, gold=ONE, gold_in_knowledge=1).value == 0.0


def test_ndcg_is_against_all_gold_of_the_base():
    made = value_of("ndcg", NOISE[0], piece(0, 100), gold=ONE, gold_in_knowledge=2)

    assert made.value == pytest.approx((1 / log2(3)) / (1 / log2(2) + 1 / log2(3)), abs=1e-9)


def test_a_perfect_ranking_is_one():
    for name in ("hit_rate", "evidence_recall", "all_evidence", "evidence_precision", "precision", "mrr", "ndcg"):
        assert value_of(name, piece(0, 40), gold=ONE, gold_in_knowledge=1).value == 1.0


def test_gold_goes_by_place_not_by_text():
    copy = make_chunk("x" * 100, 0, "other.md")

    assert value_of("hit_rate", copy, gold=ONE).value == 0.0


def test_rank_counts_in_the_order_of_the_hits():
    """Hits that a selection left over count from 1, whatever rank they had before."""
    subject = make_subject(NOISE[0], piece(0, 100), gold=ONE, gold_in_knowledge=1)

    assert score(METRICS["mrr"], subject).value == 1 / 2


def test_a_chunk_size_that_splits_all_evidence_says_so():
    key_split = Gold((1,), (Occurrence(1, "a.md", 0, 40, (15, 25)),), ())
    made = value_of("ndcg", piece(0, 20), piece(20, 40), gold=key_split)

    assert made.value == 0.0
    assert made.reason.startswith("no chunk here holds the evidence whole")
    assert value_of("evidence_recall", piece(0, 20), piece(20, 40), gold=key_split).value == 1.0


def test_evidence_that_stands_nowhere_is_not_scored():
    base = KnowledgeBase("kb", (Document("a.md", "Refunds take 14 days.", "A", "en"),))
    question = Question("q7", "How long?", evidence=(Evidence("a.md", "Refunds take 15 days.", 1),))
    made = value_of("hit_rate", piece(0, 20), gold=locate_evidence(question, base))

    assert made.value is None
    assert "the evidence is not in the documents" in made.reason
    assert "Refunds take 15 days." in made.reason
    assert made.error is None


def test_a_missing_alternative_does_not_matter():
    gold = Gold((1,), (Occurrence(1, "a.md", 0, 40),), (), (Skipped("q1: twin.md", "stands nowhere"),))

    assert value_of("hit_rate", piece(0, 100), gold=gold).value == 1.0


def test_against_ir_measures_on_random_full_rankings():
    randomness = random.Random(3)
    for _ in range(40):
        count = randomness.randint(1, 12)
        chunks = [piece(0, 50, f"{index}.md") for index in range(count)]
        golden = [chunk for chunk in chunks if randomness.random() < 0.4]
        if not golden:
            continue
        gold = make_gold(*((1, chunk.document, 0, 50) for chunk in golden))
        qrels = [ir_measures.Qrel("q", chunk.id, 1) for chunk in golden]
        run = [ir_measures.ScoredDoc("q", hit.chunk.id, -hit.rank) for hit in make_hits(*chunks)]
        theirs = ir_measures.calc_aggregate([ir_measures.RR, ir_measures.nDCG, ir_measures.P @ count], qrels, run)
        ours = {name: value_of(name, *chunks, gold=gold, gold_in_knowledge=len(golden)).value for name in METRICS
                if name in ("mrr", "ndcg", "precision", "context_precision_evidence")}  # fmt: skip

        assert ours["mrr"] == pytest.approx(theirs[ir_measures.RR], abs=1e-9)
        assert ours["ndcg"] == pytest.approx(theirs[ir_measures.nDCG], abs=1e-9)
        assert ours["precision"] == pytest.approx(theirs[ir_measures.P @ count], abs=1e-9)
        average = ir_measures.calc_aggregate([ir_measures.AP], qrels, run)[ir_measures.AP]
        assert ours["context_precision_evidence"] == pytest.approx(average, abs=1e-9)  # full rankings hold all gold
