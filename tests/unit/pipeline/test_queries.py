"""What is searched for a question, and its ranking: made from what a search finds first, kept by value."""

from dataclasses import replace

import numpy as np
import pytest

from rag_variants.llm.chat import CallError
from rag_variants.pipeline import cache, read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.query import Query, Written
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.retrieve.keyword import KeywordIndex, keyword_index
from rag_variants.pipeline.retrieve.vector import VectorIndex, vector_index
from rag_variants.pipeline.stages import expand
from rag_variants.types import Question
from tests.making import WordVectors, bench

# `rebate` is asked for. Only a.md has it; b.md has none, but a word of a.md: `voucher`.
TEXTS = {"a.md": "Rebate voucher.", "b.md": "Voucher counter.", "c.md": "Parking garage."}
ASKED = Question("q", "rebate")


def documents(spec: str, place: Bench, question: Question = ASKED) -> list[str]:
    record = retrieve_question(read_variant(spec), question, place)
    assert record.error is None
    return [hit.chunk.document for hit in record.ranking]


def test_feedback_finds_what_shares_no_word_with_the_question():
    place = bench(TEXTS)
    assert documents("keyword", place) == ["a.md"]
    assert documents("keyword:expansion=feedback", place) == ["a.md", "b.md"]


def test_its_terms_are_those_of_the_first_chunks_and_the_record_shows_them():
    """One chunk of two terms, rebate and voucher ½ each; weight 0.4: rebate 0.6 + 0.4 · ½, voucher 0.4 · ½."""
    record = retrieve_question(read_variant("keyword:expansion=feedback,feedback_weight=0.4"), ASKED, bench(TEXTS))
    expanded = expand(read_variant("keyword:expansion=feedback,feedback_weight=0.4"), "rebate", bench(TEXTS)).query

    assert dict(expanded.terms) == pytest.approx({"rebat": 0.8, "voucher": 0.2})
    assert record.expansion.kind == "feedback"
    assert record.expansion.terms == (("voucher", pytest.approx(0.2)),)
    assert record.expansion.chunks == ("a.md:0-15",)
    assert (record.expansion.cost_usd, record.expansion.seconds) == (0.0, None)
    assert set(record.timing_ms) == {"query", "rank", "select"}


def test_the_score_is_the_weighted_sum_of_the_scores_of_single_terms():
    index = keyword_index(read_variant("keyword"), bench(TEXTS))
    one, other = ({hit.chunk.document: hit.score for hit in index.search(term, 9)} for term in ("rebate", "voucher"))
    both = {hit.chunk.document: hit.score for hit in index.search_terms({"rebat": 2.0, "voucher": 0.5}, 9)}

    assert both == pytest.approx({"a.md": 2.0 * one["a.md"] + 0.5 * other["a.md"], "b.md": 0.5 * other["b.md"]})
    assert [len(index.search_terms({"rebat": 1.0, "voucher": 1.0}, depth)) for depth in (1, 2)] == [1, 2]
    assert len(index.search_terms({}, 9)) == len(index.search_terms({"absent": 1.0}, 9)) == 0


def test_the_vector_moves_to_the_mean_of_the_first_chunks_and_nothing_new_is_embedded():
    model = WordVectors()
    place = bench(TEXTS, model)
    documents("vector", place)
    embedded = len(model.asked)
    expanded = expand(read_variant("vector:expansion=feedback,feedback_chunks=2,feedback_weight=0.5"), "rebate", place)

    assert len(model.asked) == embedded
    kept = place.embeddings("embedded")
    (asked,), (a, b) = kept.embed_queries(["rebate"]), kept.embed_passages([TEXTS["a.md"], TEXTS["b.md"]])
    order = documents("vector", place)
    second = b if order[1] == "b.md" else kept.embed_passages([TEXTS["c.md"]])[0]
    wanted = 0.5 * asked + 0.5 * (a + second) / 2
    assert np.frombuffer(expanded.query.vector, np.float32) == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-6)


def test_a_vector_search_of_the_questions_own_vector_is_the_plain_one():
    place = bench(TEXTS)
    index = vector_index(read_variant("vector"), place)
    assert index.search_vector(place.embeddings("embedded").embed_queries(["rebate"])[0], 3) == index.search(
        "rebate", 3
    )


def test_with_sentences_a_chunk_stands_where_its_sentences_stand():
    model = WordVectors()
    place = bench({"a.md": "Rebate voucher. The counter opens.", "b.md": "Parking garage."}, model)
    documents("vector:vectors=sentences", place)
    embedded = len(model.asked)
    spec = "vector:vectors=sentences,expansion=feedback,feedback_chunks=1,feedback_weight=1"
    query = expand(read_variant(spec), "rebate", place).query
    rows = place.embeddings("embedded").embed_passages(["Rebate voucher.", "The counter opens."])

    assert len(model.asked) == embedded
    mean = rows.mean(axis=0)
    assert np.frombuffer(query.vector, np.float32) == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def test_hybrid_mixes_both_sides_from_its_fused_ranking():
    query = expand(read_variant("hybrid:expansion=feedback,feedback_chunks=1"), "rebate", bench(TEXTS)).query
    assert query.terms and query.vector and query.chunks == ("a.md:0-15",)
    lists = [dict(hit.parts) for hit in retrieve_question(
        read_variant("hybrid:expansion=feedback"), ASKED, bench(TEXTS)
    ).ranking]  # fmt: skip
    assert {"keyword", "vector"} == set(lists[0])


def test_a_question_that_finds_nothing_stays_alone():
    record = retrieve_question(read_variant("keyword:expansion=feedback"), Question("q", "zeppelin"), bench(TEXTS))
    assert (record.ranking, record.error, record.expansion.chunks, record.expansion.terms) == ((), None, (), ())


def test_a_weight_of_0_gives_the_plain_ranking():
    for name in ("keyword", "vector", "hybrid"):
        plain, none = (documents(spec, bench(TEXTS)) for spec in (name, f"{name}:expansion=feedback,feedback_weight=0"))
        assert plain == none


def test_moving_what_comes_later_expands_nothing_again(monkeypatch):
    """hybrid: of 6 variants 1 expansion, and of each list 2 searches, the plain one and the expanded one."""
    searched: list[str] = []
    for kind, names in ((KeywordIndex, ("search", "search_terms")), (VectorIndex, ("search_vector",))):
        for name in names:
            find = getattr(kind, name)

            def counted(self, *asked, find=find, name=name):
                searched.append(name)
                return find(self, *asked)

            monkeypatch.setattr(kind, name, counted)
    place = bench(TEXTS)
    for later in ("top_k=2", "top_k=1", "answerer=embedded:digest", "context_budget=30", "rrf_k=5", "rrf_k=90"):
        documents(f"hybrid:expansion=feedback,feedback_chunks=1,{later}", place)
    assert sorted(searched) == ["search", "search_terms", "search_vector", "search_vector"]
    assert len(place.cache._held["query"]) == 1


def test_its_price_is_the_time_of_both_searches(monkeypatch):
    """The plain search takes 30 ms and the weighted one 20: the stage `query` took 30, `rank` 20, kept or not."""
    clock = Clock()
    for name, seconds in (("search", 0.03), ("search_terms", 0.02)):
        find = getattr(KeywordIndex, name)

        def timed(self, *asked, find=find, seconds=seconds):
            clock.now += seconds
            return find(self, *asked)

        monkeypatch.setattr(KeywordIndex, name, timed)
    monkeypatch.setattr(cache.time, "perf_counter", clock)
    place = bench(TEXTS)
    for _ in range(2):
        took = retrieve_question(read_variant("keyword:expansion=feedback"), ASKED, place).timing_ms
        assert (took["query"], took["rank"]) == (pytest.approx(30), pytest.approx(20))


class Clock:
    """A clock that stands still until it is set on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


MULTI, HYDE = (f"keyword:expansion={kind},expander=openai:m" for kind in ("multi-query", "hyde"))


def test_wordings_are_fused_with_the_questions_ranking():
    """a.md is 1st for the question alone, b.md 1st and a.md 2nd for `voucher counter`: 1/61 + 1/62 against 1/61."""
    written = Written(("voucher counter",))
    record = retrieve_question(read_variant(MULTI), ASKED, bench(TEXTS), written)

    assert [hit.chunk.document for hit in record.ranking] == ["a.md", "b.md"]
    assert [hit.score for hit in record.ranking] == pytest.approx([1 / 61 + 1 / 62, 1 / 61])
    assert [name for name, _ in record.ranking[0].parts] == ["question", "wording 1"]
    assert record.expansion.texts == ("voucher counter",)


def test_a_model_that_has_no_other_wording_leaves_the_question_alone():
    record = retrieve_question(read_variant(MULTI), ASKED, bench(TEXTS), Written(()))
    assert [hit.chunk.document for hit in record.ranking] == ["a.md"]
    assert (record.expansion.kind, record.expansion.texts) == ("multi-query", ())


def test_a_written_passage_is_mixed_in_half():
    """The passage has parking and garage; of 1 asked term ½ stays, ¼ each is the passage's."""
    query = expand(read_variant(HYDE), "rebate", bench(TEXTS), Written(("Parking garage.",))).query
    assert dict(query.terms) == pytest.approx({"rebat": 0.5, "garag": 0.25, "park": 0.25})
    assert documents_of(query) == {"a.md", "c.md"}


def documents_of(query: Query) -> set[str]:
    return {hit.chunk.document for hit in read_variant("keyword").rank(query, bench(TEXTS))}


def test_a_written_passage_is_embedded_as_a_passage_and_the_mean_with_the_question_is_searched():
    place = bench(TEXTS)
    variant = read_variant("vector:expansion=hyde,expander=openai:m")
    query = expand(variant, "rebate", place, Written(("Parking garage.",))).query
    kept = place.embeddings("embedded")
    total = kept.embed_queries(["rebate"])[0] + kept.embed_passages(["Parking garage."])[0]

    assert np.frombuffer(query.vector, np.float32) == pytest.approx(total / np.linalg.norm(total), abs=1e-6)


def test_what_was_written_decides_what_is_kept():
    """Another text of the model for the same question and variant is another search."""
    place = bench(TEXTS)
    found = [
        {hit.chunk.document for hit in retrieve_question(read_variant(HYDE), ASKED, place, Written((text,))).ranking}
        for text in ("Parking garage.", "Voucher counter.", "Parking garage.")
    ]
    assert found == [{"a.md", "c.md"}, {"a.md", "b.md"}, {"a.md", "c.md"}]


def test_a_model_that_fails_is_the_records_error():
    class Refusing:
        spec, settings = "openai:m", {}

        async def ask(self, *_, **__):
            raise CallError("HTTP 500.", kind="server")

    place = bench(TEXTS)
    record = retrieve_question(read_variant(HYDE), ASKED, replace(place, open_writer=lambda *_: Refusing()))
    assert record.error == f"{HYDE}: HTTP 500."
    assert (record.ranking, record.expansion) == ((), None)
