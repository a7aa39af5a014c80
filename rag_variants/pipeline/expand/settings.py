"""The settings of the stage `query`, and which of them go together."""

from dataclasses import dataclass
from typing import Any

from rag_variants.errors import VariantError
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.expand import EXPANDERS, OFF, find_expander, installed_expanders
from rag_variants.pipeline.setting import Beyond, setting, settings_of

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
        choices=(OFF, *(expander.word for expander in EXPANDERS.built_in)),
        beyond=Beyond("", lambda word: word in EXPANDERS, lambda _: installed_expanders()),
    )
    expander: str = setting(
        NOBODY,
        stage="query",
        label="Expander",
        help="The chat model that writes other wordings (`multi-query`) or a passage that would answer (`hyde`).",
        choices=(NOBODY,),
        beyond=Beyond(CHAT_FORM, is_chat_spec),
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


def check_expansion(variant: Any, mixes: bool) -> None:
    """Nothing, if the settings of the stage `query` go together. Raises VariantError with what to change.

    `mixes`: whether the variant searches by weighted words or a vector.
    """
    word, expander = variant.expansion, find_expander(variant.expansion)
    if expander is None:
        return
    if expander.task is not None and variant.expander == NOBODY:
        own = variant.answerer if is_chat_spec(variant.answerer) else "openai:MODEL"
        raise VariantError(
            f"expansion={word} is written by a chat model, and expander is {NOBODY}. Name the model: expander={own}"
            f"{'' if own == variant.answerer else ' (or NAME:MODEL)'}.",
            mended_by=("expander",),
        )
    if expander.mixes and not mixes:
        others = " or ".join([each.word for each in EXPANDERS.values() if not each.mixes] + [OFF])
        raise VariantError(
            f"{variant.name} searches texts alone, and expansion={word} needs weighted words or a vector. "
            f"Use expansion={others}."
        )
    if "feedback_chunks" in expander.reads and variant.feedback_chunks > variant.candidates:
        raise VariantError(
            f"feedback_chunks is {variant.feedback_chunks}, candidates {variant.candidates}: more chunks are read than "
            f"are found. Raise candidates or lower feedback_chunks."
        )
    least: float = variant.min_score if "min_score" in settings_of(variant) else 0.0
    if expander.fuses and least:
        raise VariantError(
            f"min_score is {least:g}, and expansion={word} fuses rankings by rank: their scores mean nothing "
            f"alone. Set min_score=0."
        )


def ignored_by_expansion(word: str) -> frozenset[str]:
    """The settings that do nothing with an expansion."""
    expander = find_expander(word)
    used = expander.reads if expander else frozenset()
    own = settings_of(ExpansionSettings).keys() - {"expansion"}
    return frozenset(own - used) | (frozenset({"min_score"}) if expander and expander.fuses else frozenset())
