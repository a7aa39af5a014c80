"""What is searched besides the question: the settings of every variant, and which of them can be."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag_variants.errors import VariantError
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.setting import Beyond, setting

if TYPE_CHECKING:
    from rag_variants.pipeline.variant import Variant

OFF, FEEDBACK, MULTI_QUERY, HYDE = "off", "feedback", "multi-query", "hyde"
# Expansions that a chat model writes: a call for every question.
WRITTEN = frozenset({MULTI_QUERY, HYDE})
NOBODY = "none"


@dataclass(frozen=True, kw_only=True)
class ExpansionSettings:
    """The settings of the stage `query`, shared by every variant."""

    expansion: str = setting(
        OFF,
        stage="query",
        label="Query expansion",
        help="What is searched besides the question. `feedback`: words and meaning of the chunks found first. "
        "By a chat model, a call each: `multi-query`, other wordings; `hyde`, a passage that would answer.",
        choices=(OFF, FEEDBACK, MULTI_QUERY, HYDE),
    )
    expander: str = setting(
        NOBODY,
        stage="query",
        label="Expander",
        help="The chat model that writes other wordings (`multi-query`) or a passage that would answer (`hyde`).",
        choices=(NOBODY,),
        beyond=Beyond(CHAT_FORM, is_chat_spec, tuple),
    )
    feedback_chunks: int = setting(
        3,
        stage="query",
        label="Feedback chunks",
        unit="chunks",
        help="How many of the first chunks are taken for right. Few miss words; many bring those of other topics.",
        minimum=1,
        maximum=20,
        step=1,
        tries=(1, 3, 5, 10),
    )
    feedback_weight: float = setting(
        0.3,
        stage="query",
        label="Feedback weight",
        help="The share of the search that those chunks decide, 0 to 1; the question decides the rest.",
        minimum=0,
        maximum=1,
        step=0.05,
    )


def asks_model(variant: Any) -> bool:
    """Whether the expansion of a variant is written by a chat model."""
    return variant.expansion in WRITTEN


def check_expansion(variant: "Variant") -> None:
    """Nothing, if the settings of the stage `query` go together. Raises VariantError with what to change."""
    kind = variant.expansion
    if asks_model(variant) and variant.expander == NOBODY:
        own = variant.answerer if is_chat_spec(variant.answerer) else "openai:MODEL"
        raise VariantError(
            f"expansion={kind} is written by a chat model, and expander is {NOBODY}. Name the model: expander={own}"
            f"{'' if own == variant.answerer else ' (or NAME:MODEL)'}.",
            mended_by=("expander",),
        )
    if kind in (FEEDBACK, HYDE) and not variant.searches_weighted:
        raise VariantError(
            f"{variant.name} searches texts alone, and expansion={kind} needs weighted words or a vector. "
            f"Use expansion={MULTI_QUERY} or {OFF}."
        )
    if kind == FEEDBACK and variant.feedback_chunks > variant.candidates:
        raise VariantError(
            f"feedback_chunks is {variant.feedback_chunks}, candidates {variant.candidates}: more chunks are read than "
            f"are found. Raise candidates or lower feedback_chunks."
        )
    least: float = getattr(variant, "min_score", 0.0)
    if kind == MULTI_QUERY and least:
        raise VariantError(
            f"min_score is {least:g}, and expansion={MULTI_QUERY} fuses rankings by rank: their scores mean nothing "
            f"alone. Set min_score=0."
        )


def ignored_by_expansion(variant: "Variant") -> frozenset[str]:
    """The settings that do nothing with the present expansion."""
    used = {FEEDBACK: {"feedback_chunks", "feedback_weight"}, MULTI_QUERY: {"expander"}, HYDE: {"expander"}}
    idle = {"expander", "feedback_chunks", "feedback_weight"} - used.get(variant.expansion, set())
    return frozenset(idle | ({"min_score"} if variant.expansion == MULTI_QUERY else set()))
