"""Keyword search: the cases H-09 and H-10 and everything of their kind."""

import math

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.query import Query
from tests.making import bench

CHINESE = {"zh1.txt": "退款期限为三十天。", "zh2.txt": "发货需要五个工作日。", "zh3.txt": "客服电话周末不开放。"}


def ranked(texts: dict[str, str], question: str, spec: str = "keyword") -> list[str]:
    return [hit.chunk.document for hit in read_variant(spec).rank(Query(question), bench(texts))]


@pytest.mark.parametrize(
    ("question", "first"), [("退款期限", "zh1.txt"), ("周末客服", "zh3.txt"), ("退款期限 refund", "zh1.txt")]
)
def test_chinese_questions_find_their_document(question: str, first: str) -> None:
    assert ranked(CHINESE, question)[0] == first


@pytest.mark.parametrize("spec", ["keyword", "keyword:tokens=words"])
def test_a_question_that_shares_nothing_finds_nothing(spec: str) -> None:
    assert ranked(CHINESE, "火星气候", spec) == []


def test_naive_tokens_find_no_chinese_at_all() -> None:
    assert ranked(CHINESE, "退款期限", "keyword:tokens=words") == []


def test_chunks_without_a_shared_term_get_no_rank_in_a_fusion() -> None:
    fused = read_variant("hybrid").rank(Query("火星气候"), bench(CHINESE))
    assert all(dict(hit.parts).keys() == {"vector"} for hit in fused)


@pytest.mark.parametrize(
    ("texts", "question", "best"),
    [
        ({"a": "refund window is thirty days"}, "refund window", ["a"]),
        ({"a": "refund window thirty days", "b": "shipping takes five days"}, "refund", ["a"]),
        ({"a": "alpha x", "b": "alpha y", "c": "beta z", "d": "gamma w"}, "alpha", ["a", "b"]),
    ],
)
def test_tiny_collections_rank_and_a_hit_scores_above_zero(
    texts: dict[str, str], question: str, best: list[str]
) -> None:
    found = read_variant("keyword").rank(Query(question), bench(texts))
    assert [hit.chunk.document for hit in found] == best
    assert all(hit.score > 0 for hit in found)


def test_the_score_is_the_sum_of_the_formula() -> None:
    # two chunks of 2 terms each; `alpha` stands once in one of them: tf 1, df 1, N 2, length = average
    (hit,) = read_variant("keyword").rank(Query("alpha"), bench({"a": "alpha beta", "b": "gamma delta"}))
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert hit.score == pytest.approx(idf * (1 * (1.5 + 1)) / (1 + 1.5 * (1 - 0.75 + 0.75 * 2 / 2)))


def test_at_k1_0_a_term_counts_once_and_a_missing_one_not_at_all() -> None:
    # rank-bm25 alone gives 0 ÷ 0 for the term that a chunk lacks; df 1 of 2 chunks for both terms
    texts = {"a": "alpha alpha alpha", "b": "beta delta"}
    found = read_variant("keyword:k1=0").rank(Query("alpha beta"), bench(texts))
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert [hit.score for hit in found] == [pytest.approx(idf), pytest.approx(idf)]


def test_function_words_do_not_vote_unless_there_is_nothing_else() -> None:
    texts = {"a": "What is this for", "b": "Refunds take long"}
    assert ranked(texts, "what is a refund") == ["b"]
    assert ranked(texts, "what is this") == ["a"]


def test_identifiers_match_whole() -> None:
    texts = {"a": "ERR-4031 means expired.", "b": "ERR-4013 means drift.", "c": "See § 12.4 for travel."}
    assert ranked(texts, "What is ERR-4013?")[0] == "b"
    assert ranked(texts, "§ 12.4")[0] == "c"


def test_ties_go_by_document_then_start() -> None:
    texts = {"b": "alpha one", "a": "alpha two", "c": "alpha six"}
    assert ranked(texts, "alpha") == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["", "  \n ", "…—!"])
def test_documents_without_terms_do_not_stop_the_search(text: str) -> None:
    assert ranked({"a": text}, "alpha") == []


@pytest.mark.parametrize("question", ["", "?", "！！"])
def test_questions_without_terms_find_nothing(question: str) -> None:
    assert ranked({"a": "alpha"}, question) == []


def test_coverage_is_the_share_of_idf_in_the_chunk() -> None:
    from rag_variants.pipeline.retrieve.keyword import keyword_index

    desk = bench({"a": "alpha beta", "b": "beta gamma"})
    variant = read_variant("keyword")
    index = keyword_index(variant, desk)
    chunk = chunks_of(variant, desk)[0]
    # alpha: df 1 of 2 → ln(1 + 1.5 ÷ 1.5); beta: df 2 of 2 → ln(1 + 0.5 ÷ 2.5); unknown: df 0 → ln(1 + 2.5 ÷ 0.5)
    alpha, beta, unknown = math.log(2), math.log(1.2), math.log(6)
    assert index.coverage("alpha beta zebra", chunk) == pytest.approx((alpha + beta) / (alpha + beta + unknown))
