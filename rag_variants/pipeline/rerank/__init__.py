"""Who reorders a ranking. To add one: one file with its RerankerKind, one line here, or an entry point."""

import re
from collections.abc import Mapping, Sequence

from rag_variants.errors import ModelError, unknown
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.rerank.cross_encoder import CROSS_ENCODER
from rag_variants.pipeline.rerank.embedded import EMBEDDED
from rag_variants.pipeline.rerank.endpoint import ENDPOINT
from rag_variants.pipeline.rerank.reranker import Reranker, RerankerKind, WaitingReranker
from rag_variants.registry import Registry

__all__ = [
    "EMBEDDED",
    "OFF",
    "OTHERS_FORM",
    "RERANKERS",
    "Reranker",
    "RerankerKind",
    "WaitingReranker",
    "is_endpoint_reranker",
    "is_reranker",
    "open_reranker",
    "reranker_kind",
    "reranker_summary",
    "reranker_texts",
]

OFF = "off"
OTHERS_FORM = f"cross-encoder:OWNER/MODEL, {CHAT_FORM}"
_WORD = re.compile(r"[a-z][a-z0-9_-]*")


def _complaint(kind: RerankerKind) -> str | None:
    return None if _WORD.fullmatch(kind.word) else f"has the word {kind.word!r}, which is no word"


# Every kind of reranker that has a word of its own.
RERANKERS: Registry[RerankerKind] = Registry(
    "reranker",
    "rag_variants.rerankers",
    RerankerKind,
    lambda kind: kind.word,
    (EMBEDDED, CROSS_ENCODER),
    frozenset({OFF}),
    _complaint,
)


def reranker_kind(spec: str) -> RerankerKind | None:
    """The kind of reranker that a spec names; None for `off`. Raises ModelError for an unknown one."""
    if spec == OFF:
        return None
    kind = RERANKERS.get(spec.partition(":")[0])
    if kind is None and is_chat_spec(spec):
        return ENDPOINT
    if kind is None or not kind.takes(spec):
        raise ModelError(unknown("reranker", spec, (OFF, *RERANKERS, CHAT_FORM)))
    return kind


def is_reranker(spec: str) -> bool:
    """Whether a spec is written as a reranker; whether its package, model or endpoint exists is seen when it opens."""
    try:
        reranker_kind(spec)
    except ModelError:
        return False
    return True


def is_endpoint_reranker(spec: str) -> bool:
    """Whether a spec names a model of an endpoint."""
    return is_reranker(spec) and reranker_kind(spec) is ENDPOINT


def installed_rerankers() -> tuple[str, ...]:
    """The specs of other packages' rerankers that take no name."""
    return tuple(word for word, kind in RERANKERS.items() if kind not in RERANKERS.built_in and kind.names is None)


def reranker_summary(spec: str) -> str:
    """A line on what a reranker does."""
    kind = reranker_kind(spec)
    return kind.summary if kind else "the order of the search stays"


def open_reranker(spec: str, bench: Bench) -> Reranker:
    """The reranker of a spec other than `off`. Raises ModelError for an unknown one, or one that cannot be used."""
    kind = reranker_kind(spec)
    if kind is None:
        raise ModelError(f"reranker={spec} is no reranker. Use one of {', '.join(RERANKERS)}.")
    return kind.open(spec, bench)


def reranker_texts(spec: str, bench: Bench) -> Mapping[str, Sequence[str]]:
    """The passages that a reranker needs vectors of, by encoder."""
    kind = reranker_kind(spec)
    return kind.texts(bench) if kind else {}
