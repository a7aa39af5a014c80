"""sample_kb/mini, worked out by hand: chunks, terms, BM25, fusion and the retrieval metrics of every question.

Chinese is read in pairs: a run of n characters has n − 1 overlapping pairs, a single character is a term of its own,
and so is a number. Punctuation separates runs. So the title 备份 gives 1 term, 系统每天凌晨 gives 5, and 2 gives 1.
"""

from datetime import date
from math import log, log2

import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.metrics import METRICS
from rag_variants.metrics.metric import Subject
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.chunks import chunks_of, whole_cut
from rag_variants.pipeline.fusion import fuse_rankings
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.retrieve.keyword import keyword_index
from rag_variants.pipeline.select.select import select_hits
from rag_variants.pipeline.variants.keyword import Keyword
from rag_variants.questions.gold import locate_evidence
from rag_variants.questions.reader import load_questions
from rag_variants.settings import packaged
from rag_variants.text.terms import extract_terms
from rag_variants.types import Hit, Record
from tests.scripted import score

MINI = packaged("sample_kb") / "mini"
KNOWLEDGE = load_knowledge(MINI / "documents")
QUESTIONS = {each.id: each for each in load_questions(MINI / "questions.jsonl").questions}
BACKUP, EDITING, REVIEW, SEARCH, SPACES = "backup.md", "editing-modes.md", "review.md", "search.md", "team-spaces.md"

# Characters: title line with its blank line, then the sentences.
CHARACTERS = {
    BACKUP: 6 + 13 + 16 + 18 + 15,  # 68
    EDITING: 8 + 28 + 15 + 20 + 17,  # 88
    REVIEW: 9 + 22 + 16 + 14,  # 61
    SEARCH: 13 + 16 + 23 + 20 + 16,  # 88
    SPACES: 8 + 17 + 20 + 20,  # 65
}
# Terms, run by run in the order of the text.
LENGTHS = {
    BACKUP: 1 + 5 + 1 + 4 + 3 + 1 + 1 + 6 + 16 + 9 + 1 + 1,  # 49
    EDITING: 3 + 9 + 5 + 1 + 1 + 13 + 9 + 7 + 15,  # 63, the first 1 is Markdown
    REVIEW: 4 + 20 + 4 + 1 + 8 + 12,  # 49
    SEARCH: 8 + 14 + 9 + 10 + 8 + 8 + 6 + 1 + 6,  # 70
    SPACES: 3 + 9 + 1 + 2 + 18 + 18,  # 51
}
N = 5
MEAN_LENGTH = (49 + 63 + 49 + 70 + 51) / N  # 282 ÷ 5 = 56.4

# The terms of each question that vote, and how often each stands in a document (a term that is absent stands nowhere).
COUNTS = {
    "mini-001": {  # 新建文档时默认使用 | 哪 | 种编辑模式: the question word 哪 is cut out, "哪种" cannot match
        "新建": {EDITING: 1},
        "建文": {EDITING: 1},
        "文档": {BACKUP: 2, EDITING: 2, REVIEW: 2, SEARCH: 1, SPACES: 2},
        "档时": {EDITING: 1},
        "时默": {EDITING: 1},
        "默认": {EDITING: 1, SPACES: 1},
        "认使": {EDITING: 1},
        "使用": {EDITING: 1},
        "种编": {EDITING: 1},  # 两种编辑模式
        "编辑": {EDITING: 3},
        "辑模": {EDITING: 2},
        "模式": {EDITING: 6},
    },
    "mini-002": {  # 一个团队空间最多能 | 有 多少 | 名成员
        "一个": {},
        "个团": {SPACES: 1},
        "团队": {SPACES: 3},
        "队空": {SPACES: 3},
        "空间": {SPACES: 6},
        "间最": {SPACES: 1},
        "最多": {SPACES: 1},
        "多能": {},
        "名成": {SPACES: 1},
        "成员": {SPACES: 2, REVIEW: 1},
    },
    "mini-003": {  # 要按编号找文档 , 用 | 哪 | 种检索更合适
        "要按": {},
        "按编": {},
        "编号": {SEARCH: 1},
        "号找": {},
        "找文": {},
        "文档": {BACKUP: 2, EDITING: 2, REVIEW: 2, SEARCH: 1, SPACES: 2},
        "用": {},  # alone in the question, always part of a pair in the documents
        "种检": {},
        "检索": {SEARCH: 6},
        "索更": {},
        "更合": {},
        "合适": {},  # the document has 适合
    },
    "mini-004": {  # 备份保留 | 多少 | 天
        "备份": {BACKUP: 4},
        "份保": {BACKUP: 1},
        "保留": {BACKUP: 1},
        "天": {BACKUP: 1},  # alone after 30; 每天 is another term
    },
    "mini-005": {  # 普通成员 | 的 | 文档 | 由 谁 | 批准后才能发布 , 发布后 | 多久 | 进入索引
        "普通": {REVIEW: 1},
        "通成": {REVIEW: 1},
        "成员": {SPACES: 2, REVIEW: 1},
        "文档": {BACKUP: 2, EDITING: 2, REVIEW: 2, SEARCH: 1, SPACES: 2},
        "批准": {REVIEW: 1},
        "准后": {REVIEW: 1},
        "后才": {REVIEW: 1},
        "才能": {REVIEW: 1},
        "能发": {REVIEW: 1},
        "发布": {REVIEW: 2, SEARCH: 1},  # twice in the question, so it votes twice
        "布后": {},
        "进入": {SEARCH: 1},
        "入索": {SEARCH: 1},
        "索引": {SEARCH: 1},
    },
}
# Rankings that follow from the sums; equal scores go by path.
RANKINGS = {
    "mini-001": [EDITING, SPACES, BACKUP, REVIEW, SEARCH],
    "mini-002": [SPACES, REVIEW],
    "mini-003": [SEARCH, BACKUP, REVIEW, SPACES, EDITING],
    "mini-004": [BACKUP],
    "mini-005": [REVIEW, SEARCH, SPACES, BACKUP, EDITING],
}


def bench():
    def no_embeddings(spec):
        raise AssertionError("keyword search needs no vectors")

    return open_bench(KNOWLEDGE, date(2026, 11, 30), encoders=no_embeddings)


def subject(question, top_k):
    variant, place = Keyword(top_k=top_k), bench()
    ranking = tuple(variant.rank(Query(question.user_input), place))
    gold = locate_evidence(question, KNOWLEDGE)
    record = Record(question, ranking, select_hits(ranking, variant, place))
    return Subject(record, gold, len(gold.gold_chunks(chunks_of(whole_cut(variant), place))))


def values(question_id, top_k, *names):
    made = subject(QUESTIONS[question_id], top_k)
    return tuple(score(METRICS[name], made).value for name in names)


def test_each_document_is_one_chunk():
    chunks = chunks_of(Keyword(), bench())

    assert [(each.document, each.start, each.end) for each in chunks] == [(d, 0, n) for d, n in CHARACTERS.items()]


def test_terms_of_the_documents():
    lengths = {each.path: len(extract_terms(each.text, "zh")) for each in KNOWLEDGE.documents}

    assert lengths == LENGTHS
    assert sum(lengths.values()) / N == MEAN_LENGTH == 56.4


@pytest.mark.parametrize("question_id", COUNTS)
def test_counts(question_id):
    terms = keyword_index(Keyword(), bench()).question_terms(QUESTIONS[question_id].user_input)
    texts = {each.path: extract_terms(each.text, "zh") for each in KNOWLEDGE.documents}
    counts = {term: {path: held.count(term) for path, held in texts.items() if term in held} for term in terms}

    assert counts == COUNTS[question_id]
    assert sorted(term for term in set(terms) if terms.count(term) > 1) == (
        ["发布"] if question_id == "mini-005" else []
    )


def test_bm25_of_one_document():
    # 备份保留多少天: four terms, each in the backup document alone: idf = ln(1 + (5 − 1 + ½) ÷ (1 + ½)) = ln 4.
    # A term that stands f times adds idf · f · (k1 + 1) ÷ (f + K) with K = k1 · (1 − b + b · |d| ÷ mean).
    k = 1.5 * (1 - 0.75 + 0.75 * 49 / 56.4)  # 1.5 · (0.25 + 0.6516) = 1.3524
    four_times, once = log(4) * 4 * 2.5 / (4 + k), log(4) * 1 * 2.5 / (1 + k)  # 2.590, 1.473

    (hit,) = Keyword().rank(Query(QUESTIONS["mini-004"].user_input), bench())
    assert hit.score == pytest.approx(four_times + 3 * once, abs=1e-9)
    assert hit.score == pytest.approx(7.0099, abs=1e-4)


def test_bm25_of_two_documents():
    # 一个团队空间最多能有多少名成员: 成员 stands in two documents: idf = ln(1 + (5 − 2 + ½) ÷ (2 + ½)) = ln 2.4.
    spaces = 1.5 * (0.25 + 0.75 * 51 / 56.4)  # 1.3923
    review = 1.5 * (0.25 + 0.75 * 49 / 56.4)  # 1.3524
    of_spaces = (
        4 * log(4) * 1 * 2.5 / (1 + spaces)  # 个团 间最 最多 名成, once each
        + 2 * log(4) * 3 * 2.5 / (3 + spaces)  # 团队 队空, three times each
        + log(4) * 6 * 2.5 / (6 + spaces)  # 空间, six times
        + log(2.4) * 2 * 2.5 / (2 + spaces)  # 成员, twice
    )
    of_review = log(2.4) * 1 * 2.5 / (1 + review)  # 成员, once

    hits = Keyword().rank(Query(QUESTIONS["mini-002"].user_input), bench())
    assert [hit.chunk.document for hit in hits] == [SPACES, REVIEW]
    assert [hit.score for hit in hits] == pytest.approx([of_spaces, of_review], abs=1e-9)
    assert [hit.score for hit in hits] == pytest.approx([14.6325, 0.9304], abs=1e-4)


@pytest.mark.parametrize("question_id", COUNTS)
def test_bm25_from_the_counts(question_id):
    terms = keyword_index(Keyword(), bench()).question_terms(QUESTIONS[question_id].user_input)
    expected = dict.fromkeys(LENGTHS, 0.0)
    for term in terms:
        holding = COUNTS[question_id][term]
        idf = log(1 + (N - len(holding) + 0.5) / (len(holding) + 0.5))
        for document, f in holding.items():
            expected[document] += idf * f * 2.5 / (f + 1.5 * (0.25 + 0.75 * LENGTHS[document] / 56.4))

    hits = Keyword().rank(Query(QUESTIONS[question_id].user_input), bench())
    assert [hit.chunk.document for hit in hits] == RANKINGS[question_id]
    assert {hit.chunk.document: hit.score for hit in hits} == pytest.approx(
        {document: value for document, value in expected.items() if value > 0}, abs=1e-9
    )


# What is gold is first in every ranking above, and there is no other gold chunk. So at top_k = 2:
# recall = whole quotes ÷ groups, precision = gold ÷ hits, mrr = 1 ÷ 1, ndcg = (1 ÷ log₂ 2) ÷ (1 ÷ log₂ 2).
@pytest.mark.parametrize(
    ("question_id", "recall", "precision", "mrr", "ndcg"),
    [
        ("mini-001", 1 / 1, 1 / 2, 1 / 1, 1.0),  # editing-modes is gold, team-spaces is not
        ("mini-002", 1 / 1, 1 / 2, 1 / 1, 1.0),  # team-spaces, review
        ("mini-003", 1 / 1, 1 / 2, 1 / 1, 1.0),  # search, backup
        ("mini-004", 1 / 1, 1 / 1, 1 / 1, 1.0),  # backup alone shares a term
        ("mini-005", (1 + 1) / 2, 2 / 2, 1 / 1, 1.0),  # review and search: (1 + 1/log₂ 3) ÷ (1 + 1/log₂ 3)
    ],
)
def test_metrics_at_two(question_id, recall, precision, mrr, ndcg):
    found = values(question_id, 2, "evidence_recall", "precision", "mrr", "ndcg")

    assert found == pytest.approx((recall, precision, mrr, ndcg), abs=1e-9)


@pytest.mark.parametrize(
    ("question_id", "evidence", "characters"),
    [
        ("mini-001", 15, 88 + 65),  # 新建文档时默认使用富文本模式。 has 15 characters
        ("mini-002", 17, 65 + 61),
        ("mini-003", 23, 88 + 68),
        ("mini-004", 16, 68),
        ("mini-005", 22 + 16, 61 + 88),
    ],
)
def test_evidence_precision_at_two(question_id, evidence, characters):
    assert values(question_id, 2, "evidence_precision") == pytest.approx((evidence / characters,), abs=1e-9)


def test_with_one_chunk_the_question_of_two_documents_loses_half():
    recall, every, mrr, ndcg = values("mini-005", 1, "evidence_recall", "all_evidence", "mrr", "ndcg")

    assert (recall, every, mrr) == ((1 + 0) / 2, 0.0, 1 / 1)
    assert ndcg == pytest.approx((1 / log2(2)) / (1 / log2(2) + 1 / log2(3)), abs=1e-9)  # 1 ÷ 1.6309 = 0.6131


def test_reciprocal_rank_fusion_of_two_rankings():
    chunk = {each.document: each for each in chunks_of(Keyword(), bench())}
    given = {"keyword": [SEARCH, BACKUP, REVIEW], "vector": [REVIEW, SEARCH, EDITING]}
    rankings = {
        name: Ranking.of(
            (Hit(rank, chunk[document], 1.0) for rank, document in enumerate(documents, start=1)), chunk.values()
        )
        for name, documents in given.items()
    }

    fused = fuse_rankings(rankings, {"keyword": 0.5, "vector": 0.5}, rrf_k=60, depth=10)

    assert [(hit.chunk.document, hit.score) for hit in fused] == [
        (SEARCH, pytest.approx(0.5 / (60 + 1) + 0.5 / (60 + 2), abs=1e-12)),  # ranks 1 and 2
        (REVIEW, pytest.approx(0.5 / (60 + 3) + 0.5 / (60 + 1), abs=1e-12)),  # ranks 3 and 1
        (BACKUP, pytest.approx(0.5 / (60 + 2), abs=1e-12)),  # rank 2 in keyword alone
        (EDITING, pytest.approx(0.5 / (60 + 3), abs=1e-12)),  # rank 3 in vector alone
    ]
