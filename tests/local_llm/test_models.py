"""One model, one call: text whole and in pieces, vectors, a refused key."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from rag_variants.cli import main
from rag_variants.llm.chat import Message
from rag_variants.llm.completion import STREAMED
from rag_variants.llm.dispatcher import Dispatcher
from rag_variants.llm.endpoint import find_endpoint
from rag_variants.llm.endpoint_chat import Desk, EndpointChat
from rag_variants.llm.endpoint_embeddings import open_endpoint_embeddings
from rag_variants.llm.waiting import wait_for
from rag_variants.llm.wire import Wire
from rag_variants.settings import Settings, packaged
from tools.local_server import LocalServer

SPEC = "local:smollm2"
SAY = [Message("user", "What is the capital of France? Answer in one short sentence.")]


def connect() -> EndpointChat:
    """The chat model without a store: every call goes over the wire."""
    endpoint, model = find_endpoint(SPEC, Settings())
    return EndpointChat(SPEC, endpoint, model, Dispatcher(endpoint), Desk(None))


def check(*arguments: str) -> int:
    mini = packaged("sample_kb") / "mini"
    places = ["--kb", str(mini / "documents"), "--questions", str(mini / "questions.jsonl")]
    return main(["check", *places, *arguments])


def test_a_text_is_the_same_whole_and_in_pieces(local: LocalServer, monkeypatch: pytest.MonkeyPatch):
    whole = wait_for(connect().ask(SAY))
    post = Wire.post

    async def streaming(self: Wire, path: str, body: Mapping[str, Any]) -> tuple[bytes, float]:
        return await post(self, path, {**body, "stream": True})

    monkeypatch.setattr(Wire, "post", streaming)
    pieces = wait_for(connect().ask(SAY))

    assert "Paris" in whole.text
    assert pieces.text == whole.text
    assert (whole.notes, pieces.notes) == ((), (STREAMED,))
    assert whole.prompt_tokens and whole.completion_tokens and whole.seconds


def test_vectors_are_of_unit_length_and_near_where_texts_are(local: LocalServer):
    texts = ["The museum opens at nine.", "The museum opens at ten.", "def f(x): return x ** 2"]
    rows = open_endpoint_embeddings(SPEC, Settings()).embed_passages(texts)
    assert rows.shape == (3, 576)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_check_says_what_works(local: LocalServer, capsys: pytest.CaptureFixture[str]):
    assert check("--model", SPEC, "--embeddings", SPEC) == 0
    said = capsys.readouterr()
    assert f"{local.url} replied in " in said.out + said.err
    assert "576 numbers a text" in said.out + said.err


def test_check_says_that_a_key_was_refused(
    server: LocalServer, configure: Callable[..., None], capsys: pytest.CaptureFixture[str]
):
    configure(server, api_key="another-key")
    assert check("--model", SPEC) == 2
    said = capsys.readouterr()
    assert "local refused the key (HTTP 401). Check RAG_VARIANTS_ENDPOINTS__LOCAL__API_KEY." in said.out + said.err
    assert "another-key" not in said.out + said.err
