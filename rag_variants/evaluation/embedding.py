"""What has no vector yet: how much it is, about how long it takes, and the embedding itself, batch by batch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_variants.evaluation.work import Progress
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.variant import Ranks, Variant

PASSAGES_A_SECOND = 10  # the embedded encoder's, on two cores


@dataclass(frozen=True, slots=True)
class Unembedded:
    """How many passages have no vector yet, and about how many seconds embedding them takes."""

    passages: int
    seconds: int


def count_unembedded(variant: Variant, bench: Bench) -> Unembedded:
    """What has to be embedded before the variant can rank. Raises UserError for an encoder that cannot be opened."""
    wanted = variant.texts_by_encoder(bench)
    missing = sum(len(bench.embeddings(spec).missing("passage", texts)) for spec, texts in wanted.items())
    return Unembedded(missing, -(-missing // PASSAGES_A_SECOND))


def embed_missing(variants: Sequence[Variant], bench: Bench, more: Sequence[str] = ()) -> Iterator[Progress]:
    """Embeds the passages of variants that have no vector yet, batch by batch; `more` by the default encoder first."""
    wanted: dict[str, list[str]] = {"embedded": list(more)} if more else {}
    for variant in variants:
        for spec, texts in variant.texts_by_encoder(bench).items():
            wanted.setdefault(spec, []).extend(texts)
    for spec, texts in wanted.items():
        for done, of in bench.embeddings(spec).fill("passage", texts):
            yield Progress("embedding", done, of)


def embed_questions(variants: Sequence[Variant], bench: Bench, questions: Sequence[str]) -> Iterator[Progress]:
    """Embeds the questions of variants whose encoder is elsewhere, many in one call and not each in its turn."""
    encoders = (variant.encoder for variant in variants if isinstance(variant, Ranks))
    for spec in dict.fromkeys(spec for spec in encoders if spec is not None and is_chat_spec(spec)):
        for done, of in bench.embeddings(spec).fill("query", questions):
            yield Progress("embedding", done, of)
