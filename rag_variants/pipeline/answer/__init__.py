"""Who answers. To add one: one file with its AnswererKind, and an entry point."""

import re

from rag_variants.errors import ModelError, unknown
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.answer.answerer import Answerer, AnswererKind, AsyncAnswerer
from rag_variants.pipeline.answer.cached import CachedAnswerer
from rag_variants.pipeline.answer.chat import CHAT
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.stage_key import stage_key
from rag_variants.pipeline.variant import Variant
from rag_variants.registry import Registry
from rag_variants.settings import Settings

__all__ = [
    "ANSWERERS",
    "CHAT",
    "Answerer",
    "AnswererKind",
    "AsyncAnswerer",
    "answerer_kind",
    "beyond_form",
    "found_answerers",
    "is_answerer",
    "open_answerer",
    "plain_answerers",
]

_SPEC = re.compile(r"(embedded:)?[a-z][a-z0-9_-]*")


def _complaint(kind: AnswererKind) -> str | None:
    return None if _SPEC.fullmatch(kind.spec) else f"has the spec {kind.spec!r}, which is no word"


# Every answerer that has a word of its own; all enter by entry points, as those of other packages do.
ANSWERERS: Registry[AnswererKind] = Registry(
    "answerer", "rag_variants.answerers", AnswererKind, lambda kind: kind.spec, complaint=_complaint
)


def plain_answerers() -> tuple[str, ...]:
    """The specs of the answerers that take no name."""
    return tuple(kind.spec for kind in ANSWERERS.values() if kind.names is None)


def beyond_form() -> str:
    """How specs beyond these are written."""
    return ", ".join([*(kind.form for kind in ANSWERERS.values() if kind.form), CHAT_FORM])


def found_answerers(settings: Settings) -> tuple[str, ...]:
    """The specs beyond these that are there now."""
    return tuple(spec for kind in ANSWERERS.values() for spec in kind.found(settings))


def answerer_kind(spec: str) -> AnswererKind:
    """The answerer that a spec names. Raises ModelError for an unknown one, listing the known."""
    found = next((kind for kind in ANSWERERS.values() if kind.takes(spec)), None)
    if found is None and is_chat_spec(spec):
        return CHAT
    if found is None:
        raise ModelError(unknown("answerer", spec, (*plain_answerers(), beyond_form())))
    return found


def is_answerer(spec: str) -> bool:
    """Whether a spec is written as an answerer; whether its file or endpoint exists is seen when it is opened."""
    return is_chat_spec(spec) or any(kind.takes(spec) for kind in ANSWERERS.values())


def open_answerer(variant: Variant, bench: Bench) -> Answerer:
    """The answerer that a pipeline's settings name. Raises ModelError for an unknown one or a recording not there."""
    key = stage_key(variant, "answer")
    kind = answerer_kind(key.answerer)
    opened = kind.open(key, print_variant(variant, without="answer"), bench)
    return CachedAnswerer(opened, key, bench) if kind.cached else opened
