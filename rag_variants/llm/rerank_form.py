"""The form of a reranking call that a server takes, learned from what it refuses."""

import re
from collections.abc import Mapping
from typing import Any

import openai

from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.failures import said

_VERSION = "/v1"
_TEXTS = re.compile(r"\btexts\b")
_REFUSED = (400, 422)


class RerankForm:
    """What one reranking model takes: the names in its calls, and where it stands. For all calls of the process.

    text-embeddings-inference calls the documents `texts`, knows no `top_n`, and has no `/v1` before its `/rerank`.
    """

    def __init__(self) -> None:
        self._texts, self._top, self._at_root = False, True, False

    @property
    def notes(self) -> tuple[str, ...]:
        """What is sent otherwise than to most servers, in words."""
        said = {
            "the server wants texts in place of documents; sent so": self._texts,
            "the server refused top_n; sent without it": not self._top and not self._texts,
        }
        return tuple(note for note, holds in said.items() if holds)

    def path(self, endpoint: Endpoint) -> str:
        """Where to post."""
        return f"{endpoint.url.removesuffix(_VERSION)}/rerank" if self._at_root else "/rerank"

    def body(self, usual: Mapping[str, Any]) -> dict[str, Any]:
        """The usual body (model, query, documents, top_n) in the form that is taken."""
        if self._texts:
            return {"model": usual["model"], "query": usual["query"], "texts": usual["documents"]}
        return {name: value for name, value in usual.items() if self._top or name != "top_n"}

    def learn(self, error: openai.APIStatusError, body: Mapping[str, Any], endpoint: Endpoint, elsewhere: bool) -> bool:
        """True if the call can be made again at once in another form. `elsewhere`: nothing answers at this path."""
        if elsewhere and not self._at_root and endpoint.url.endswith(_VERSION):
            self._at_root = True
            return True
        words = f"{said(error)} {str(error.body)[:2000]}"
        if error.status_code not in _REFUSED:
            return False
        if "documents" in body and _TEXTS.search(words):
            self._texts = True
            return True
        if "top_n" in body and "top_n" in words:
            self._top = False
            return True
        return False
