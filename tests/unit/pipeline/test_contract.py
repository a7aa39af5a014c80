"""What every registered part of a pipeline keeps, and what happens to one that does not."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from rag_variants.pipeline import ANSWERERS, EXPANDERS, RERANKERS, RETRIEVERS, VARIANTS, Pipeline, read_variant
from rag_variants.pipeline.answer import open_answerer
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.expand import find_expander
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.records import answer_question, retrieve_question
from rag_variants.pipeline.rerank import open_reranker
from rag_variants.pipeline.retrieve.retriever import RankSettings
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.stage_key import stage_key
from rag_variants.pipeline.stages import rank, search
from rag_variants.types import Chunk, Hit, Question
from tests.making import bench

TEXTS = {
    "a.md": "The refund desk opens at 9:00 and closes at 17:00.",
    "b.md": "A parcel weighs 20 kg at most. The desk weighs it.",
    "c.md": "On holidays no desk opens.",
}
ASKED = "When does the refund desk open?"
QUESTION = Question("q", ASKED)


@pytest.mark.parametrize("kind", VARIANTS.values(), ids=list(VARIANTS))
def test_a_variant_ranks_the_same_question_alike_and_says_what_it_is(kind):
    variant = kind()
    assert variant.title and variant.summary.endswith(".") and variant.score_kind
    assert VARIANTS[variant.name] is kind
    first, again = (search(variant, ASKED, bench(TEXTS)).value for _ in range(2))
    assert list(first) == list(again)
    assert [hit.rank for hit in first] == list(range(1, len(first) + 1))
    assert len(first) == len({hit.chunk.id for hit in first}) <= variant.candidates
    for name, (declared, texts) in settings_of(kind).items():
        assert texts.help.strip() and texts.label, name
        assert texts.takes(declared.default) if isinstance(declared.default, str) else True


@pytest.mark.parametrize("retriever", RETRIEVERS.values(), ids=list(RETRIEVERS))
def test_a_retriever_finds_by_its_own_settings_alone(retriever):
    place = bench(TEXTS)
    of = stage_key(read_variant("keyword:candidates=2,top_k=2"), "rank", retriever.settings, RankSettings)
    found = retriever.ask(of, Query(ASKED), place)
    assert list(found) == list(retriever.search(Query(ASKED), of, bench(TEXTS)))
    assert 0 < len(found) <= 2
    assert all(hit.chunk in chunks_of(of, place) for hit in found)
    moved = retriever.mix(Query(ASKED), (), 0.5, stage_key(of, "index", retriever.settings), place)
    assert moved.question == ASKED


@pytest.mark.parametrize("word", EXPANDERS)
def test_an_expander_says_what_it_reads_and_that_is_all_it_needs(word):
    expander = find_expander(word)
    assert expander is not None and expander.summary
    own = {name for name, (_, texts) in settings_of(Pipeline).items() if texts.stage == "query"}
    assert expander.reads < own
    with_it = read_variant(f"hybrid:expansion={word},expander=openai:m")
    assert (own - {"expansion"}) - expander.reads == with_it.ignored_settings() & own


@pytest.mark.parametrize("word", [word for word, kind in RERANKERS.items() if not kind.asks_first])
def test_a_reranker_gives_each_chunk_a_number_and_the_same_one_again(word):
    place = bench(TEXTS)
    chunks = chunks_of(read_variant("keyword"), place)
    first, again = (list(open_reranker(word, each).score(ASKED, chunks)) for each in (place, bench(TEXTS)))
    assert first == again
    assert len(first) == len(chunks)


@pytest.mark.parametrize("spec", [kind.spec for kind in ANSWERERS.values() if kind.names is None])
def test_an_answerer_answers_alike_and_reads_what_it_says(spec):
    variant = read_variant(f"keyword:answerer={spec}")
    assert ANSWERERS[spec].summary
    records = [
        answer_question(variant, QUESTION, place, open_answerer(variant, place)) for place in (bench(TEXTS),) * 2
    ]
    assert records[0].answer == records[1].answer is not None
    unread = {"prompt", "temperature"} - ANSWERERS[spec].reads
    assert unread <= variant.ignored_settings()


@dataclass(frozen=True, kw_only=True)
class Theirs(Pipeline):
    """A variant of another package, which hands over whatever a test wants."""

    name: ClassVar[str] = "theirs"
    title: ClassVar[str] = "Theirs"
    summary: ClassVar[str] = "Made for a test."
    found: ClassVar[Any] = None

    def rank(self, query: Query, bench: Any) -> Any:
        """What the test wrote down."""
        return type(self).found(chunks_of(self, bench))


def hit(at: int, chunk: Chunk, score: float = 1.0) -> Hit:
    return Hit(at, chunk, score)


STRANGER = Chunk("elsewhere.md", 0, 4, "text", "en")
BROKEN = {
    "ranks from 0": (lambda c: [hit(0, c[0]), hit(1, c[1])], "its ranks are 0, 1, where they go 1, 2, 3 without gaps"),
    "a gap": (lambda c: [hit(1, c[0]), hit(3, c[1])], "its ranks are 1, 3, where they go 1, 2, 3 without gaps"),
    "too many": (lambda c: [hit(at + 1, each) for at, each in enumerate(c)], "it holds 3 chunks, and candidates is 2"),
    "twice": (lambda c: [hit(1, c[0]), hit(2, c[0])], "it holds a chunk twice"),
    "twice in arrays": (lambda c: Ranking(c, [1, 1], [2.0, 1.0]), "it holds a chunk twice"),
    "no number": (lambda c: [hit(1, c[0], float("nan"))], "it has a score that is no finite number"),
    "infinite": (lambda c: Ranking(c, [0], [float("inf")]), "it has a score that is no finite number"),
    "a stranger": (lambda c: [hit(1, STRANGER)], "elsewhere.md:0-4 is no piece of these documents"),
    "another text": (lambda c: [hit(1, replace(c[0], text="made up"))], "a.md:0-50 is no piece of these documents"),
    "an error": (lambda c: {}["key"], "its search failed: KeyError: 'key'"),
    "nothing": (lambda c: None, "its search failed: TypeError"),
}


@pytest.mark.parametrize(("found", "said"), BROKEN.values(), ids=list(BROKEN))
def test_a_broken_ranking_is_a_failed_row_with_a_sentence_that_names_the_variant(monkeypatch, found, said):
    monkeypatch.setattr(Theirs, "found", found)
    record = retrieve_question(Theirs(candidates=2, top_k=2), QUESTION, bench(TEXTS))
    assert record.error is not None
    assert record.error.startswith("theirs:top_k=2,candidates=2: ") or record.error.startswith("theirs:candidates=2")
    assert said in record.error
    assert record.hits == record.ranking == ()


def test_a_ranking_of_another_package_that_keeps_the_contract_is_used(monkeypatch):
    monkeypatch.setattr(Theirs, "found", lambda chunks: [hit(1, chunks[2], 0.5), hit(2, chunks[0], 0.25)])
    found = rank(Theirs(candidates=2, top_k=2), Query(ASKED), bench(TEXTS)).value
    assert [(each.rank, each.chunk.document, each.score) for each in found] == [(1, "c.md", 0.5), (2, "a.md", 0.25)]


REGISTRIES = (VARIANTS, RETRIEVERS, EXPANDERS, RERANKERS, ANSWERERS)


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.noun)
def test_a_package_that_cannot_be_used_costs_its_own_part_alone(install, registry):
    before = list(registry)
    install(registry, broken="rag_variants.nowhere:PART", unlike="rag_variants.types:Chunk", taken=_first(registry))
    assert list(registry) == before
    lost, taken, unlike = sorted(registry.left_out)
    assert "cannot be loaded (ModuleNotFoundError" in lost
    assert "which is in use" in taken
    assert "rag_variants." in unlike and "so it is left out" in unlike


def _first(registry: Any) -> str:
    """The target of a part that is there already."""
    homes = {
        "variant": "rag_variants.pipeline.variants.keyword:Keyword",
        "retriever": "rag_variants.pipeline.retrieve.keyword:KEYWORD",
        "expansion": "rag_variants.pipeline.expand.feedback:FEEDBACK",
        "reranker": "rag_variants.pipeline.rerank.embedded:EMBEDDED",
        "answerer": "rag_variants_embedded.answer.kinds:EMBEDDED",
    }
    return homes[registry.noun]
