"""A pipeline of ours: the settings of all its stages, what goes together, and which of them do nothing at present."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rag_variants.errors import VariantError
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.answer import CHAT, answerer_kind
from rag_variants.pipeline.answer.settings import AnswerSettings
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import CorpusSettings
from rag_variants.pipeline.expand import find_expander
from rag_variants.pipeline.expand.settings import ExpansionSettings, check_expansion, ignored_by_expansion
from rag_variants.pipeline.fusion import WORDINGS_RRF_K
from rag_variants.pipeline.records import PipelineRecorder
from rag_variants.pipeline.rerank import OFF, is_endpoint_reranker, reranker_kind, reranker_texts
from rag_variants.pipeline.rerank.rerank import RerankSettings
from rag_variants.pipeline.retrieve.passages import VectorSettings, passages_of
from rag_variants.pipeline.retrieve.retriever import RankSettings
from rag_variants.pipeline.select.select import SelectSettings
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.stage_key import stage_key
from rag_variants.pipeline.variant import LACKS, Capability, Ranks, Variant


@dataclass(frozen=True, kw_only=True)
class Pipeline(
    # the last one's settings come first
    AnswerSettings,
    SelectSettings,
    RerankSettings,
    RankSettings,
    CorpusSettings,
    ExpansionSettings,
    Ranks,
):
    """Expands, ranks, reranks, selects and answers, by settings. Equal settings are an equal value.

    Raises VariantError for a value out of its bounds, or values that do not go together.
    """

    searches_weighted: ClassVar[bool] = False  # whether `rank` reads the terms or the vector of a query
    can: ClassVar[frozenset[Capability]] = frozenset({"depth", "sliders", "path", "swaps"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.chunk_overlap >= self.chunk_size:
            raise VariantError(
                f"chunk_overlap is {self.chunk_overlap}, chunk_size {self.chunk_size}: a chunk cannot repeat all of "
                f"the one before. Choose an overlap below the size."
            )
        if 0 < self.parent_size <= self.chunk_size:
            raise VariantError(
                f"parent_size is {self.parent_size}, chunk_size {self.chunk_size}: a parent has to be larger than the "
                f"chunks that it holds. Raise parent_size, lower chunk_size, or set parent_size=0 for no parents."
            )
        if self.candidates < self.top_k:
            raise VariantError(
                f"candidates is {self.candidates}, top_k {self.top_k}: more chunks are asked for than are kept. "
                f"Raise candidates or lower top_k."
            )
        check_expansion(self, self.searches_weighted)

    def open(self, bench: Bench) -> PipelineRecorder:
        """The pipeline ready to make records. Raises ModelError for a model that cannot be used."""
        return PipelineRecorder(self, bench)

    def texts_by_encoder(self, bench: Bench) -> Mapping[str, Sequence[str]]:
        """The passages that searching, reranking and `mmr` need vectors of, by the encoder's spec."""
        found: dict[str, Sequence[str]] = {}
        for retriever in self.retrievers:
            found |= retriever.texts(stage_key(self, "index", retriever.settings), bench)
        vectors = stage_key(self, "index", VectorSettings)
        if self.mmr and vectors.embeddings not in found:
            found[vectors.embeddings] = [passage.text for passage in passages_of(vectors, bench)]
        for spec, texts in reranker_texts(self.reranker, bench).items():
            found[spec] = [*found.get(spec, ()), *texts]
        return found

    @property
    def encoder(self) -> str | None:
        """The spec of the encoder that its vectors come from; None where nothing needs one but a reranker."""
        reads = "embeddings" in settings_of(self) or self.mmr
        return stage_key(self, "index", VectorSettings).embeddings if reads else None

    @property
    def ranking_models(self) -> tuple[str, ...]:
        """The specs of the encoder, the expander and the reranker, as far as they are models of endpoints."""
        expander = find_expander(self.expansion)
        asked = [self.encoder or "", self.expander if expander and expander.task else ""]
        found = [spec for spec in asked if is_chat_spec(spec)]
        return tuple(dict.fromkeys(found + [self.reranker] * is_endpoint_reranker(self.reranker)))

    @property
    def answering_models(self) -> tuple[str, ...]:
        """The answerer, if it is a model of an endpoint."""
        return (self.answerer,) if answerer_kind(self.answerer) is CHAT else ()

    @property
    def asks_first(self) -> bool:
        """Also where the reranker has to be downloaded."""
        kind = reranker_kind(self.reranker)
        return super().asks_first or (kind is not None and kind.asks_first)

    def stamp(self, home: Path) -> Hashable:
        """That of a recording."""
        return answerer_kind(self.answerer).stamp(self.answerer, home)

    @property
    def scored_as(self) -> str:
        """What a hit's score is under the present settings, in words."""
        if (kind := reranker_kind(self.reranker)) is not None:
            return kind.score_kind
        return "reciprocal rank fusion of wordings" if self._fuses_wordings else self.score_kind

    @property
    def fused_with(self) -> int | None:
        """The constant of the fusion of wordings, where there are any."""
        return WORDINGS_RRF_K if self._fuses_wordings else None

    @property
    def _fuses_wordings(self) -> bool:
        expander = find_expander(self.expansion)
        return expander is not None and expander.fuses

    def ignored_by(self) -> Mapping[str, str]:
        """The settings that do nothing at present, each with the name of the setting whose value makes it so.

        `min_score` is made for the search's scores: those of a reranker or of fused wordings have another scale.
        """
        found = dict.fromkeys(frozenset({"prompt", "temperature"}) - answerer_kind(self.answerer).reads, "answerer")
        found |= dict.fromkeys(ignored_by_expansion(self.expansion), "expansion")
        unread = {"rerank_depth"} if self.reranker == OFF else {"min_score"} & settings_of(self).keys()
        found |= dict.fromkeys(unread, "reranker")
        for name, (_, texts) in settings_of(self).items():
            if texts.only_with and getattr(self, texts.only_with[0]) != texts.only_with[1]:
                found[name] = texts.only_with[0]
        return found


def as_pipeline(variant: Variant, capability: Capability = "sliders") -> Pipeline:
    """The variant, if it is a pipeline of ours. Raises VariantError, which says why something does not apply, else."""
    if isinstance(variant, Pipeline):
        return variant
    raise VariantError(f"{variant.title}: {LACKS[capability]}.")
