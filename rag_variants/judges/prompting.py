"""ragas' prompts made to carry their data, in the question's language.

Importing this module imports ragas.
"""

from collections.abc import Collection
from functools import cache
from typing import Any

from pydantic import BaseModel

from rag_variants.judges.ragas_llm import (
    BasePrompt,
    CarriedPrompt,
    ContextPrecisionInput,
    ContextPrecisionOutput,
    ContextPrecisionPrompt,
    ContextRecallInput,
    ContextRecallOutput,
    ContextRecallPrompt,
    InstructorBaseRagasLLM,
    NLIStatementInput,
    NLIStatementOutput,
    NLIStatementPrompt,
    StatementFaithfulnessAnswer,
    get_all_strings,
    update_strings,
)
from rag_variants.judges.translations import TranslatedLanguage, translations

Prompt = BasePrompt[Any, Any]
Texts = dict[tuple[type[Prompt], str], str]


class _CarryingPrompt:
    """Stands in for a ragas prompt: `to_string` gives a CarriedPrompt, without text for judges that read data."""

    def __init__(self, prompt: Prompt, texts: Texts | None) -> None:
        self._prompt = prompt
        self._texts = texts

    def to_string(self, data: BaseModel) -> CarriedPrompt:
        """The prompt for the data, as ragas asks for it."""
        if self._texts is None:
            return CarriedPrompt("", data)
        key = (type(self._prompt), data.model_dump_json())
        if key not in self._texts:
            self._texts[key] = self._prompt.to_string(data)
        return CarriedPrompt(self._texts[key], data)


def carry_data(metric: Any, llm: InstructorBaseRagasLLM, texts: Texts | None = None) -> None:
    """Makes every prompt of a ragas metric carry its data, in the language model's `prompt_language` (default: `en`).

    The text is left out for a language model that has a true attribute `reads_data`. `texts` keeps the texts made, so
    that metrics of one score make each once.
    """
    kept = {} if texts is None else texts
    for name, value in list(vars(metric).items()):
        if isinstance(value, BasePrompt):
            setattr(metric, name, _carrying(value, llm, kept))


def _carrying(prompt: Prompt, llm: InstructorBaseRagasLLM, texts: Texts) -> _CarryingPrompt:
    told = in_language(prompt, getattr(llm, "prompt_language", "en"))
    told.output_model = _schema_of(type(prompt))
    return _CarryingPrompt(told, None if getattr(llm, "reads_data", False) else texts)


class _Schema:
    """Stands in for a prompt's reply model, of which ragas wants the JSON schema."""

    def __init__(self, model: type[BaseModel]) -> None:
        self._schema = model.model_json_schema()

    def model_json_schema(self) -> dict[str, Any]:
        """Worked out once: ragas does so for every prompt, nine tenths of the time that a prompt takes."""
        return self._schema


@cache
def _schema_of(kind: type[Prompt]) -> Any:
    return _Schema(kind.output_model)


def prepare_schemas(replies: Collection[type[BaseModel]]) -> None:
    """Works out the schemas of ragas' prompts for these replies, each 10 ms the first time."""
    for kind in BasePrompt.__subclasses__():
        if getattr(kind, "output_model", None) in replies:
            _schema_of(kind)


def in_language(prompt: Prompt, language: str) -> Prompt:
    """A prompt with its instruction and examples in a language, as ragas' `adapt` makes it, from kept translations.

    The prompt itself for a language without translations, and if one of its texts has none: half a prompt in English
    would be worse than a whole one.
    """
    if language == "pl" or language == "zh":
        return _adapted(type(prompt), language) or prompt
    return prompt


@cache
def _adapted(kind: type[Prompt], language: TranslatedLanguage) -> Prompt | None:
    prompt, kept = kind(), translations(language)
    sets = [name for name in ("examples", "_all_examples") if hasattr(prompt, name)]
    texts = [prompt.instruction, *(text for name in sets for text in get_all_strings(getattr(prompt, name)))]
    if any(text not in kept for text in texts):
        return None
    for name in sets:
        setattr(prompt, name, update_strings(getattr(prompt, name), texts, [kept[text] for text in texts]))
    prompt.instruction = kept[prompt.instruction]
    prompt.language = language
    return prompt


async def judge_statement(llm: InstructorBaseRagasLLM, context: str, statement: str) -> StatementFaithfulnessAnswer:
    """The verdict on one statement, asked as ragas' faithfulness asks. Raises ValueError for a reply without one."""
    prompt = _carrying(NLIStatementPrompt(), llm, {})
    data = NLIStatementInput(context=context, statements=[statement])
    reply: NLIStatementOutput = await llm.agenerate(prompt.to_string(data), NLIStatementOutput)
    if len(reply.statements) != 1:
        raise ValueError(f"the judge gave {len(reply.statements)} verdicts on one statement")
    return reply.statements[0]


async def judge_usefulness(
    llm: InstructorBaseRagasLLM, question: str, context: str, answer: str
) -> ContextPrecisionOutput:
    """The verdict on one chunk, asked as ragas' context precision asks: was it useful to arrive at the answer?"""
    prompt = _carrying(ContextPrecisionPrompt(), llm, {})
    data = ContextPrecisionInput(question=question, context=context, answer=answer)
    return await llm.agenerate(prompt.to_string(data), ContextPrecisionOutput)


async def judge_attribution(
    llm: InstructorBaseRagasLLM, question: str, context: str, statement: str
) -> ContextRecallOutput:
    """The verdicts on the parts of one statement of a reference, asked as ragas' context recall asks."""
    prompt = _carrying(ContextRecallPrompt(), llm, {})
    data = ContextRecallInput(question=question, context=context, answer=statement)
    return await llm.agenerate(prompt.to_string(data), ContextRecallOutput)
