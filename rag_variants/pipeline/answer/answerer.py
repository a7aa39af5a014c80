"""What an answerer is, and how one is opened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.answer.styles import is_recorded, style_of
from rag_variants.types import Answer, Hit

if TYPE_CHECKING:
    from rag_variants.pipeline.stages import Bench
    from rag_variants.pipeline.variant import Variant
    from rag_variants_embedded.answer.extractive import ExtractiveAnswerer


class Answerer(Protocol):
    """Answers a question from hits, or says that they do not hold the answer.

    It may also have `version`, what decides its answers besides the settings, and `notes`, sentences that a reader of
    its answers has to know. One that waits for a network is an AsyncAnswerer too.
    """

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The answer with the ranks it cites; `declined` if nothing fits. Raises UserError if it cannot work."""


@runtime_checkable
class AsyncAnswerer(Protocol):
    """An answerer that lets others work while it waits for a network."""

    async def answer_async(self, question: str, hits: Sequence[Hit]) -> Answer:
        """As `Answerer.answer`."""


def open_answerer(variant: "Variant", bench: "Bench") -> Answerer:
    """The answerer that a variant's settings name. Raises ModelError for an unknown one or a recording not there."""
    spec = variant.answerer
    style_of(spec)
    if is_recorded(spec):
        from rag_variants.pipeline.answer.recorded import open_recorded

        return open_recorded(variant)
    if is_chat_spec(spec):
        from rag_variants.pipeline.answer.chat import open_chat_answerer

        return open_chat_answerer(variant, bench)
    from rag_variants.pipeline.answer.cached import KeptAnswerer

    part = (spec, *(getattr(variant, name) for name in sorted(style_of(spec).reads)))
    return KeptAnswerer(_open_embedded(variant, bench), part, bench)


def _open_embedded(variant: "Variant", bench: "Bench") -> Answerer:
    spec, extractive = variant.answerer, _open_extractive(bench)
    if spec == "embedded:digest":
        from rag_variants_embedded.answer.digest import DigestAnswerer

        return DigestAnswerer(extractive)
    if spec == "embedded:inventive":
        from rag_variants_embedded.answer.faults.elsewhere import Elsewhere
        from rag_variants_embedded.answer.inventive import InventiveAnswerer, fault_rate

        rate = fault_rate(variant.prompt, variant.temperature)
        return InventiveAnswerer(extractive, Elsewhere(bench.knowledge), rate)
    return extractive


def _open_extractive(bench: "Bench") -> "ExtractiveAnswerer":
    from rag_variants_embedded.answer.extractive import ExtractiveAnswerer

    background = bench.background()
    embeddings = bench.embeddings("embedded")
    return ExtractiveAnswerer(
        embeddings.embed_queries, embeddings.embed_passages, background.frequencies, background.center
    )
