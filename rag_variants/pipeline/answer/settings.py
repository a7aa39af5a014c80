"""The settings of the stage `answer`."""

from dataclasses import dataclass

from rag_variants.pipeline.answer import answerer_kind, beyond_form, found_answerers, is_answerer, plain_answerers
from rag_variants.pipeline.answer.prompts import PROMPTS
from rag_variants.pipeline.setting import Beyond, setting


@dataclass(frozen=True, kw_only=True)
class AnswerSettings:
    """The settings of the stage `answer`, shared by every pipeline."""

    answerer: str = setting(
        "embedded",
        stage="answer",
        label="Answerer",
        help="Who answers. `embedded` quotes the sentences that answer, without a key or network; the others embedded "
        "are made to fail in a known way. `recorded` replays a file, a chat model is asked.",
        choices=plain_answerers(),
        beyond=Beyond(beyond_form(), is_answerer, found_answerers),
        explain=lambda variant: answerer_kind(variant.answerer).summary,
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
