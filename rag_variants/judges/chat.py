"""Any chat model as a judge: ragas' own prompts as one message, its reply models as the schema.

Importing this module imports ragas.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from pydantic import BaseModel

from rag_variants.corpus.background import mean_vector
from rag_variants.errors import CallError, ModelError
from rag_variants.judges.centred import QUESTION_AS, CentredEmbedding
from rag_variants.judges.held import find_fault
from rag_variants.judges.prompting import prepare_schemas
from rag_variants.judges.ragas_llm import RAGAS_VERSION, CarriedPrompt, InstructorBaseRagasLLM
from rag_variants.judges.strict import REPLIES, strict_form
from rag_variants.judges.translations import translation_version
from rag_variants.llm.chat import ChatModel, Message, notes_of
from rag_variants.llm.parameters import prepare_form
from rag_variants.llm.waiting import begin, wait_for
from rag_variants.text.language import Language, as_language, detect_language

if TYPE_CHECKING:
    from rag_variants.llm.embedding import Vectors
    from rag_variants.llm.vectors import CachedEmbeddings
    from rag_variants.types import Record

Reply = TypeVar("Reply", bound=BaseModel)
TRIES = 2  # of a reply that does not fit what was asked
_Call = tuple[str, type[BaseModel], int]


def prepare_prompts() -> None:
    """Works out the forms of all replies, some 200 ms, so that no call in flight waits for it."""
    prepare_schemas(REPLIES)
    for reply in REPLIES:
        prepare_form(strict_form(reply))


class ChatLLM(InstructorBaseRagasLLM):
    """Puts ragas' questions about one score to a chat model, each prompt once per time that it is asked.

    `repeat` says which repeat of the run this is: replies are kept apart by it. What `ahead` asked is answered from
    there: the n-th time a prompt is asked here gets the n-th reply to it there.
    `note` hears what replies say about themselves.
    """

    def __init__(
        self,
        chat: ChatModel,
        prompt_language: Language,
        note: Callable[[str], None] = lambda note: None,
        calls: "dict[_Call, asyncio.Task[BaseModel]] | None" = None,
        repeat: int = 0,
    ) -> None:
        self.prompt_language = prompt_language
        self._chat = chat
        self._note = note
        self._calls = {} if calls is None else calls
        self._repeat = repeat
        self._times: Counter[tuple[str, type[BaseModel]]] = Counter()

    def ahead(self) -> "ChatLLM":
        """Another one that asks before this one does; what it asks is not asked again."""
        return ChatLLM(self._chat, self.prompt_language, self._note, self._calls, self._repeat)

    def generate(self, prompt: str, response_model: type[Reply]) -> Reply:
        """As `agenerate`, for callers outside an event loop. ragas' collections metrics do not use it."""
        return wait_for(self.agenerate(prompt, response_model))

    async def agenerate(self, prompt: str, response_model: type[Reply]) -> Reply:
        """The reply as a value of the model, each verdict 0 or 1. Raises CallError."""
        text = str.__str__(prompt)
        number = self._times[text, response_model]
        self._times[text, response_model] += 1
        call = (text, response_model, number)
        if call not in self._calls:
            data = prompt.data if isinstance(prompt, CarriedPrompt) else None
            self._calls[call] = begin(self._ask(*call, data))
        return cast(Reply, await self._calls[call])

    async def _ask(self, text: str, response_model: type[BaseModel], asked: int, data: BaseModel | None) -> BaseModel:
        """A reply that fits what was asked; one that does not is not kept, and asked for once more."""
        messages, schema = [Message("user", text)], strict_form(response_model)
        fault, said = "", ""
        for _ in range(TRIES):
            reply = await self._chat.ask(messages, schema=schema, asked=asked, repeat=self._repeat)
            if not isinstance(reply.parsed, response_model):
                raise ModelError(f"{self._chat.spec} gave no {response_model.__name__}. Choose another judge.")
            if reply.stands_in or not (found := find_fault(data, reply.parsed)):
                for note in reply.notes:
                    self._note(note)
                return reply.parsed
            fault, said = found, reply.parsed.model_dump_json()
            reply.forget()
        words = f"{self._chat.spec} replied twice beside the question: {fault}. Choose another judge."
        raise CallError(words, "unreadable", reply=said)


class _CentredLater(CentredEmbedding):
    """Vectors measured from the mean of a sample, which is embedded when a score first needs it, beside other calls."""

    def __init__(self, model: "CachedEmbeddings", sample: Sequence[str]) -> None:
        super().__init__(model, None)
        self._kept, self._sample = model, sample

    async def aembed_text(self, text: str, **more: Any) -> list[float]:
        """As `embed_text`; what has no vector yet is waited for."""
        await self._find_centre()
        return await super().aembed_text(text, **more)

    async def aembed_texts(self, texts: list[str], **more: Any) -> list[list[float]]:
        """As `embed_texts`; what has no vector yet is waited for."""
        await self._find_centre()
        return await super().aembed_texts(texts, **more)

    def _centred(self, rows: "Vectors") -> list[list[float]]:
        if self._centre is None:
            self._centre = mean_vector(self._kept.embed_passages(self._sample))
        return super()._centred(rows)

    async def _find_centre(self) -> None:
        if self._centre is None:
            self._centre = mean_vector(await self._kept.embed("passage", self._sample))


class ChatJudge:
    """A chat model gives the verdicts; `model` gives the vectors that metrics compare, measured from `centre`.

    The centre may be given as the passages whose mean it is: they are embedded when it is needed.
    """

    waits = True

    def __init__(
        self, chat: ChatModel, model: "CachedEmbeddings", centre: "Vectors | Sequence[str] | None", repeat: int = 0
    ) -> None:
        self._chat = chat
        self._repeat = repeat
        self._model = model
        self._centre = centre
        self._notes: dict[str, None] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What replies said that a reader of the scores has to know, such as a parameter that the server refused."""
        return tuple(f"judge {self.spec}: {note}" for note in (*self._notes, *notes_of(self._chat))) + tuple(
            f"judge embeddings {note}" for note in self._model.notes
        )

    @property
    def spec(self) -> str:
        """The chat model's spec."""
        return self._chat.spec

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change a verdict: the model with its endpoint and parameters, prompts, embeddings."""
        named = self._model.model
        return {
            **self._chat.settings,
            "judge": self.spec,
            "prompts": f"ragas {RAGAS_VERSION}",
            "prompts_language": "the question's",
            "prompts_pl": translation_version("pl"),
            "prompts_zh": translation_version("zh"),
            "embeddings": named.name,
            "embeddings_version": named.version,
            "question_as": QUESTION_AS,
        }

    def open(self, record: "Record") -> ChatLLM:
        """A language model in ragas' sense for one score of the record, asked in the question's language."""
        question = record.question
        language = as_language(question.tag("language")) or detect_language(question.user_input)
        return ChatLLM(self._chat, language, lambda note: self._notes.setdefault(note), repeat=self._repeat)

    def repeated(self, number: int) -> "ChatJudge":
        """The same judge for another repeat of the run: nothing that was asked before is taken from memory."""
        return ChatJudge(self._chat, self._model, self._centre, number)

    @cached_property
    def embeddings(self) -> CentredEmbedding:
        """Vectors centred on the knowledge base."""
        centre = self._centre
        if centre is None or isinstance(centre, np.ndarray):
            return CentredEmbedding(self._model, centre)
        return _CentredLater(self._model, centre) if centre else CentredEmbedding(self._model, None)
