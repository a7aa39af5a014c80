"""ragas' prompts in Polish and Chinese: every text translated, data and fields untouched."""

import re
from importlib import import_module

import pytest

from rag_variants.judges.prompting import in_language
from rag_variants.judges.ragas_llm import BasePrompt, get_all_strings
from rag_variants.judges.translations import translation_version, translations
from rag_variants.metrics import METRICS
from rag_variants.metrics.asking_ragas import RagasMetric
from tests.scripted import ScriptedEmbeddings
from tests.scripted_chat import ScriptedChat


def of_ragas() -> list[RagasMetric]:
    """The metrics that ragas computes and that ask a judge."""
    asking = [metric.name for metric in METRICS.built_in if "judge" in metric.needs]
    return [import_module(f"rag_variants.metrics.{name}").RAGAS for name in asking]


def prompts() -> list[BasePrompt]:
    """Every prompt of the metrics that ask a judge, as the installed ragas makes them."""
    from ragas.metrics import collections

    from rag_variants.judges.chat import ChatLLM

    llm = ChatLLM(ScriptedChat(lambda _: ""), "en")
    metrics = [kind.build(collections, llm, ScriptedEmbeddings(), single=False) for kind in of_ragas()]
    found = [each for metric in metrics for each in vars(metric).values() if isinstance(each, BasePrompt)]
    return list({type(each): each for each in found}.values())


def test_all_prompts_are_found():
    assert len(prompts()) == 7


@pytest.mark.parametrize("language", ["pl", "zh"])
@pytest.mark.parametrize(
    "prompt", prompts(), ids=lambda each: f"{type(each).__module__.split('.')[-2]}-{type(each).__name__}"
)
def test_every_text_of_the_installed_ragas_has_a_translation(prompt, language):
    made = in_language(prompt, language)
    kept = translations(language)

    assert made is not prompt, "ragas has changed a text: translate it in judges/prompts"
    assert made.instruction == kept[prompt.instruction]
    assert get_all_strings(made.examples) == [kept[text] for text in get_all_strings(prompt.examples)]
    assert made.language == language
    assert prompt.language == "english"


@pytest.mark.parametrize("prompt", prompts(), ids=lambda each: type(each).__name__)
def test_the_task_and_the_form_of_the_reply_stay(prompt):
    """Verdicts of the examples, field names, schema and input are the same as in English."""
    data = prompt.examples[-1][0]
    english, polish = prompt.to_string(data), in_language(prompt, "pl").to_string(data)

    assert polish.rpartition("input: ")[2] == english.rpartition("input: ")[2]
    for pattern in (r'"(?:verdict|attributed|noncommittal)": \d', r'"\w+":', r"schema as specified.*\n.*"):
        assert re.findall(pattern, polish) == re.findall(pattern, english)


def test_english_and_unknown_languages_keep_the_prompt():
    first = prompts()[0]
    assert in_language(first, "en") is first
    assert in_language(first, "de") is first


@pytest.mark.parametrize("language", ["pl", "zh"])
def test_translations_are_told_apart_by_their_wording(language):
    kept = translations(language)

    assert re.fullmatch(r"[0-9a-f]{8}", translation_version(language))
    same = {text for text, other in kept.items() if text == other}
    assert same <= {"low", "high", "Mount Everest."}, "these are not translated"
    assert all(text.count("\n") == other.count("\n") for text, other in kept.items())
