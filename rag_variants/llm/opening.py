"""Models of endpoints by their spec. The client's library is loaded when the first one is opened: it takes a second."""

from rag_variants.llm.chat import ChatModel
from rag_variants.llm.reranking import RerankModel
from rag_variants.settings import Settings


def open_chat(spec: str, settings: Settings, *, temperature: float | None = None) -> ChatModel:
    """The chat model of `openai:MODEL` or `NAME:MODEL`; `temperature` instead of the endpoint's.

    Raises ModelError for a spec whose endpoint is unknown, or whose settings cannot be used.
    """
    from rag_variants.llm.endpoint_chat import open_endpoint_chat

    return open_endpoint_chat(spec, settings, temperature)


def open_rerank(spec: str, settings: Settings) -> RerankModel:
    """The reranking model of `openai:MODEL` or `NAME:MODEL`. Raises ModelError for a spec that cannot be used."""
    from rag_variants.llm.endpoint_rerank import open_endpoint_rerank

    return open_endpoint_rerank(spec, settings)
