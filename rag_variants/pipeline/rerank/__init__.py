"""Who reorders a ranking. To add one: one file with its RerankerKind, one line here; from elsewhere an entry point."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType

from rag_variants.errors import ModelError, UserError, unknown
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.rerank.cross_encoder import CROSS_ENCODER
from rag_variants.pipeline.rerank.embedded import EMBEDDED
from rag_variants.pipeline.rerank.endpoint import ENDPOINT
from rag_variants.pipeline.rerank.reranker import Reranker, RerankerKind, WaitingReranker

__all__ = [
    "OFF",
    "OTHERS_FORM",
    "Reranker",
    "RerankerKind",
    "WaitingReranker",
    "is_endpoint_reranker",
    "is_reranker",
    "reranker_kind",
    "reranker_kinds",
    "reranker_summary",
]

OFF = "off"
ENTRY_POINTS = "rag_variants.rerankers"
OTHERS_FORM = f"cross-encoder:OWNER/MODEL, {CHAT_FORM}"
BUILT_IN: tuple[RerankerKind, ...] = (EMBEDDED, CROSS_ENCODER)
_WORD = re.compile(r"[a-z][a-z0-9_-]*")


@cache
def reranker_kinds() -> Mapping[str, RerankerKind]:
    """Every kind of reranker that has a word of its own: the built-in ones, then those of installed packages.

    Raises UserError if an installed package's reranker cannot be loaded, is none, or has a word that is in use or none.
    """
    found = {kind.word: kind for kind in BUILT_IN}
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        origin = f"The reranker {entry.name!r} of {entry.dist.name if entry.dist else 'an installed package'}"
        try:
            kind = entry.load()
        except (ImportError, AttributeError) as error:
            raise UserError(f"{origin} cannot be loaded ({error}). Update or uninstall that package.") from error
        if not isinstance(kind, RerankerKind):
            raise UserError(f"{origin} is no rag_variants.pipeline.rerank.RerankerKind. Update or uninstall it.")
        if kind.word in found or kind.word == OFF or not _WORD.fullmatch(kind.word):
            raise UserError(f"{origin} has the word {kind.word!r}, in use or no word. Uninstall that package.")
        found[kind.word] = kind
    return MappingProxyType(found)


def reranker_kind(spec: str) -> RerankerKind | None:
    """The kind of reranker that a spec names; None for `off`. Raises ModelError for an unknown one."""
    if spec == OFF:
        return None
    kind = reranker_kinds().get(spec.partition(":")[0])
    if kind is None and is_chat_spec(spec):
        return ENDPOINT
    if kind is None or not kind.takes(spec):
        raise ModelError(unknown("reranker", spec, (OFF, *reranker_kinds(), CHAT_FORM)))
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
    return tuple(word for word, kind in reranker_kinds().items() if kind not in BUILT_IN and kind.names is None)


def reranker_summary(spec: str) -> str:
    """A line on what a reranker does."""
    kind = reranker_kind(spec)
    return kind.summary if kind else "the order of the search stays"
