"""How the embedded answerers are chosen and opened. What takes long to import stays where it is used."""

from typing import TYPE_CHECKING

from rag_variants.pipeline.answer.answerer import Answerer, AnswererKind
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.stage_key import StageKey

if TYPE_CHECKING:
    from rag_variants_embedded.answer.extractive import ExtractiveAnswerer


def _open_extractive(_: StageKey, __: str, bench: Bench) -> "ExtractiveAnswerer":
    from rag_variants_embedded.answer.extractive import ExtractiveAnswerer

    background, embeddings = bench.background(), bench.embeddings("embedded")
    return ExtractiveAnswerer(
        embeddings.embed_queries, embeddings.embed_passages, background.frequencies, background.center
    )


def _open_digest(key: StageKey, written: str, bench: Bench) -> Answerer:
    from rag_variants_embedded.answer.digest import DigestAnswerer

    return DigestAnswerer(_open_extractive(key, written, bench))


def _open_inventive(key: StageKey, written: str, bench: Bench) -> Answerer:
    from rag_variants_embedded.answer.faults.elsewhere import Elsewhere
    from rag_variants_embedded.answer.inventive import InventiveAnswerer, fault_rate

    rate = fault_rate(key.prompt, key.temperature)
    return InventiveAnswerer(_open_extractive(key, written, bench), Elsewhere(bench.knowledge), rate)


EMBEDDED = AnswererKind(
    "embedded", "quotes the sentences that answer, and declines when none does", _open_extractive, cached=True
)
DIGEST = AnswererKind(
    "embedded:digest",
    "retells the section that was found first, beside the question: faithful, not relevant",
    _open_digest,
    cached=True,
)
INVENTIVE = AnswererKind(
    "embedded:inventive",
    "the quotes of `embedded` with planted faults, marked simulated; needs prompt=free and a temperature above 0",
    _open_inventive,
    frozenset({"prompt", "temperature"}),
    cached=True,
)
