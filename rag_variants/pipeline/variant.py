"""What is compared: a frozen value of settings that knows how to rank chunks for a question."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rag_variants.errors import VariantError
from rag_variants.pipeline.answer.prompts import PROMPTS
from rag_variants.pipeline.answer.styles import BEYOND_FORM, STYLES, is_beyond, recorded_specs, style_of
from rag_variants.pipeline.expand.settings import (
    MULTI_QUERY,
    ExpansionSettings,
    check_expansion,
    ignored_by_expansion,
)
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.rerank import OFF, OTHERS_FORM, installed_rerankers, is_reranker, reranker_kind
from rag_variants.pipeline.rerank import reranker_summary as summary_of
from rag_variants.pipeline.setting import Beyond, Setting, setting, settings_of
from rag_variants.types import Hit

if TYPE_CHECKING:
    from rag_variants.pipeline.stages import Bench


@dataclass(frozen=True, kw_only=True)
class Variant(ExpansionSettings):
    """The settings that every variant has. Equal settings are an equal value.

    Raises VariantError for a value out of its bounds.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    score_kind: ClassVar[str] = "score"  # what a hit's score is, in words; unlike kinds cannot be compared
    searches_weighted: ClassVar[bool] = False  # whether `search` reads the terms or the vector of a query

    chunk_size: int = setting(
        600,
        stage="chunks",
        label="Chunk size",
        unit="characters",
        help="Longest piece a document is cut into. Large chunks keep facts with their subject; "
        "small ones bring less noise.",
        minimum=50,
        maximum=4000,
        step=50,
        tries=(200, 600, 1200),
    )
    chunk_overlap: int = setting(
        100,
        stage="chunks",
        label="Chunk overlap",
        unit="characters",
        help="What a chunk repeats of the one before, so that a fact at a border is whole in one of them.",
        minimum=0,
        maximum=1000,
        step=25,
    )
    documents: str = setting(
        "all",
        stage="index",
        label="Documents",
        help="`all`, or `current`: leaves out what a newer version supersedes or whose time is over.",
        choices=("all", "current"),
    )
    candidates: int = setting(
        50,
        stage="rank",
        label="Candidates",
        unit="chunks",
        help="How deep rankings are kept. Fusion sees no deeper than this.",
        minimum=1,
        maximum=500,
        step=1,
        tries=(10, 25, 50, 100),
    )
    reranker: str = setting(
        OFF,
        stage="rerank",
        label="Reranker",
        help="Who looks at the first chunks once more and reorders them. It takes its time at each question; "
        "`min_score` then does nothing.",
        choices=(OFF, "embedded"),
        beyond=Beyond(OTHERS_FORM, is_reranker, installed_rerankers),
        explain=lambda variant: summary_of(variant.reranker),
    )
    rerank_depth: int = setting(
        20,
        stage="rerank",
        label="Reranked",
        unit="chunks",
        help="How many of the first chunks are reordered; what ranks below follows in the order of the search. "
        "The reranker's time and price grow with it.",
        minimum=1,
        maximum=200,
        step=1,
        tries=(5, 10, 20, 50),
    )
    top_k: int = setting(
        5,
        stage="select",
        label="top_k",
        unit="chunks",
        help="How many chunks the answer may use. More find more and bring more noise.",
        minimum=1,
        maximum=50,
        step=1,
        tries=(3, 5, 8, 12),
    )
    context_budget: int = setting(
        0,
        stage="select",
        label="Context budget",
        unit="characters",
        help="Most text that is handed to the answer, whole chunks only; 0 = no limit. "
        "Makes unlike chunk sizes comparable.",
        minimum=0,
        maximum=50_000,
        step=100,
    )
    mmr: float = setting(
        0.0,
        stage="select",
        label="Diversity (mmr)",
        help="Maximal marginal relevance: what a chunk loses for being like one chosen before; 0 = off. Makes room "
        "for a second subject, may push out a second good chunk on the first.",
        minimum=0,
        maximum=1,
        step=0.05,
        tries=(0.2, 0.5),
    )
    deduplicate: float = setting(
        0.0,
        stage="select",
        label="Leave out repeats",
        help="Leaves out a chunk that shares this part of its wording with a better ranked one; 0 = off. Versions of a "
        "rule that differ in a number are near-equal: the right one may go.",
        minimum=0,
        maximum=1,
        step=0.05,
        tries=(0.5, 0.8),
    )
    parent_size: int = setting(
        0,
        stage="select",
        label="Parent size",
        unit="characters",
        help="Small to big: chunks are searched, and the larger ones of this size that hold them are read and counted "
        "by top_k; 0 = off. Finds exactly, reads more text.",
        minimum=0,
        maximum=8000,
        step=100,
        tries=(1200, 2400),
        above="chunk_size",
    )
    answerer: str = setting(
        "embedded",
        stage="answer",
        label="Answerer",
        help="Who answers. `embedded` quotes the sentences that answer, without a key or network; the others embedded "
        "are made to fail in a known way. `recorded` replays a file, a chat model is asked.",
        choices=tuple(STYLES),
        beyond=Beyond(BEYOND_FORM, is_beyond, recorded_specs),
        explain=lambda variant: style_of(variant.answerer).summary,
    )
    prompt: str = setting(
        "grounded",
        stage="answer",
        label="Prompt",
        help="The registered instruction, for chat models. `grounded` keeps to the chunks: `embedded:inventive` then "
        "invents nothing. `free` lets it. Other embedded answerers read none.",
        choices=tuple(PROMPTS),
        explain=lambda variant: PROMPTS[variant.prompt].summary,
    )
    temperature: float = setting(
        0.0,
        stage="answer",
        label="Temperature",
        help="For `embedded:inventive` with prompt=free the share of sentences with a planted fault: 0 none, 1 all "
        "that can carry one, 2 two in each. A chat model gets it as its temperature. Others ignore it.",
        minimum=0,
        maximum=2,
        step=0.1,
    )

    def __post_init__(self) -> None:
        for name, (declared, texts) in settings_of(self).items():
            check_value(self.name, name, getattr(self, name), type(declared.default), texts)
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
        check_expansion(self)

    @abstractmethod
    def rank(self, question: str, bench: "Bench") -> Sequence[Hit]:
        """The best `candidates` chunks for a question, ranks from 1, ties by (document, start)."""

    def search(self, query: Query, bench: "Bench") -> Sequence[Hit]:
        """As `rank`, for an expanded question without other wordings."""
        return self.rank(query.question, bench)

    def embedded_texts(self, bench: "Bench") -> Sequence[str]:
        """The passages that ranking and selecting need vectors of; without an encoder it is `mmr` alone that does."""
        return [chunk.text for chunk in bench.chunks(self)] if self.mmr else ()

    def texts_by_encoder(self, bench: "Bench") -> Mapping[str, Sequence[str]]:
        """The passages that ranking and reranking need vectors of, by the encoder's spec."""
        from rag_variants.pipeline.rerank.rerank import reranker_texts

        own = self.embedded_texts(bench)
        found = {getattr(self, "embeddings", "embedded"): own} if own else {}
        for spec, texts in reranker_texts(self, bench).items():
            found[spec] = [*found.get(spec, ()), *texts]
        return found

    @property
    def min_score_kept(self) -> float | None:
        """The score a hit must reach to be selected, or None if scores of this variant mean nothing alone.

        The setting is made for the search's scores: those of a reranker or of fused wordings have another scale.
        """
        plain = self.expansion != MULTI_QUERY and self.reranker == OFF
        return getattr(self, "min_score", None) if plain else None

    @property
    def scored_as(self) -> str:
        """What a hit's score is under the present settings, in words."""
        if (kind := reranker_kind(self.reranker)) is not None:
            return kind.score_kind
        return "reciprocal rank fusion of wordings" if self.expansion == MULTI_QUERY else self.score_kind

    def ignored_settings(self) -> frozenset[str]:
        """Settings that do nothing with the present answerer, reranker and expansion; screens do not show them."""
        return frozenset(self.ignored_by())

    def ignored_by(self) -> dict[str, str]:
        """The settings that do nothing at present, each with the name of the setting whose value makes it so."""
        found = dict.fromkeys(frozenset({"prompt", "temperature"}) - style_of(self.answerer).reads, "answerer")
        found |= dict.fromkeys(ignored_by_expansion(self), "expansion")
        unread = {"rerank_depth"} if self.reranker == OFF else {"min_score"} & settings_of(self).keys()
        return found | dict.fromkeys(unread, "reranker")


def check_value(variant: str, name: str, value: Any, kind: type, texts: Setting) -> None:
    """Nothing, if a setting alone may have a value. Raises VariantError with the bounds."""
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits:
        wanted = {int: "a whole number", float: "a number", bool: "on or off", str: "text"}[kind]
        raise VariantError(f"{variant}: {name} is {value!r}, which is not {wanted}. Allowed: {texts.bounds}.")
    if kind is str and not texts.takes(value):
        raise VariantError(f"{variant}: {name} cannot be {value!r}. Use {texts.bounds}.")
    if texts.minimum is not None and texts.maximum is not None and not texts.minimum <= value <= texts.maximum:
        raise VariantError(f"{variant}: {name} is {value:g}, out of bounds. Use {texts.bounds}.")
