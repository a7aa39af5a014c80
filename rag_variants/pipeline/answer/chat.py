"""The answerer that asks a chat model."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.llm.chat import AsksChat, CallError, Reply
from rag_variants.llm.declining import says_declining
from rag_variants.llm.waiting import wait_for
from rag_variants.pipeline.answer.answerer import AnswererKind
from rag_variants.pipeline.answer.conversation import write_messages
from rag_variants.pipeline.answer.prompts import PROMPTS, Prompt
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.stage_key import StageKey
from rag_variants.text.citations import cited_numbers
from rag_variants.types import Answer, Hit


@dataclass(frozen=True)
class ChatAnswerer(AsksChat):
    """Answers with a chat model, which reads the hits as numbered chunks and cites their ranks."""

    prompt: Prompt

    @property
    def version(self) -> str:
        """The fingerprint of the prompt's text."""
        return f"prompt {hashlib.sha256(self.prompt.text.encode()).hexdigest()[:8]}"

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """As `answer_async`, for callers that wait; also inside a loop of theirs, which stands still meanwhile."""
        return wait_for(self.answer_async(question, hits))

    async def answer_async(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The model's answer. Raises CallError where it gave none: an error never becomes an answer."""
        reply = await self.chat.ask(write_messages(self.prompt, question, hits))
        if not reply.text.strip():
            raise CallError(f"{self.chat.spec} replied with an empty text. Ask again or choose another model.", "empty")
        self.hear(reply)
        return read_answer(reply, hits)


def read_answer(reply: Reply, hits: Sequence[Hit]) -> Answer:
    """The answer in a reply: declined if it is one of the agreed sentences, else with the ranks that it cites.

    A cited number that no chunk had is left out of the citations and named in a note.
    """
    text = reply.text.strip()
    declined = says_declining(text)
    named = () if declined else cited_numbers(text)
    ranks = {hit.rank for hit in hits}
    unknown = [f"[{number}]" for number in named if number not in ranks]
    note = f"it cites {', '.join(unknown[:3])}{' and more' * (len(unknown) > 3)}, which it was not given"
    return Answer(
        text,
        declined=declined,
        citations=tuple(number for number in named if number in ranks),
        cost_usd=reply.cost_usd,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        seconds=reply.seconds,
        notes=(*reply.notes, *([note] if unknown else ())),
    )


def _open(key: StageKey, _: str, bench: Bench) -> ChatAnswerer:
    """Raises ModelError for an unknown endpoint."""
    return ChatAnswerer(bench.open_chat(key.answerer, key.temperature), PROMPTS[key.prompt])


CHAT = AnswererKind(
    "chat",
    "a chat model answers from the numbered chunks, told by the prompt; each answer is a call that may cost",
    _open,
    frozenset({"prompt", "temperature"}),
)
