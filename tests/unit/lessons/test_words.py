"""Every word around lessons is there in every language, with the same places to fill in."""

import string
from pathlib import Path

import pytest

import rag_variants
from rag_variants.lessons.words import LessonWords
from rag_variants.metrics import all_metrics, choose_metrics
from rag_variants.pipeline import VARIANTS
from rag_variants.pipeline.setting import settings_of
from rag_variants.text.language import LANGUAGES
from rag_variants.ui.url import STEPS
from rag_variants.wording.glossary import Glossary
from rag_variants.wording.wording import read_wording

PACKAGE = Path(rag_variants.__file__).parent
WORDS = read_wording("lessons", "en").texts


@pytest.mark.parametrize("key", WORDS["texts"])
def test_a_text_stands_in_every_language_with_the_same_fields(key: str) -> None:
    texts = WORDS["texts"][key]
    assert texts.keys() == set(LANGUAGES)
    fields = {
        name: {field for _, field, _, _ in string.Formatter().parse(text) if field} for name, text in texts.items()
    }
    assert fields["pl"] == fields["zh"] == fields["en"]
    assert all(text.strip() for text in texts.values())


def test_no_text_is_left_over() -> None:
    program = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    built = {f"cue_{step}" for step in STEPS}  # the one name that is put together
    said = {key for key in WORDS["texts"] if f'"{key}"' in program or f"'{key}'" in program}
    assert set(WORDS["texts"]) - built - said == set()


@pytest.mark.parametrize("section", [name for name in WORDS if name != "texts"])
def test_translations_name_what_exists_and_stand_in_both_languages(section: str) -> None:
    settings = {name for variant in VARIANTS.values() for name in settings_of(variant)}
    assert WORDS[section].keys() <= {"setting_help": settings, "variant_summary": set(VARIANTS)}[section]
    assert all(texts.keys() == {"pl", "zh"} for texts in WORDS[section].values())  # English stands in the code


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_metric_of_the_usual_set_has_a_name_and_a_help(language: str) -> None:
    say = LessonWords(language)
    for metric in choose_metrics("retrieval,core,answer"):
        assert say.metric_help(metric.name) != metric.help
        assert say.metric(metric.name, "openai:x") != metric.label or metric.name == "ndcg"


def test_the_keyless_metric_has_its_own_name() -> None:
    assert [LessonWords(each).metric("answer_relevancy") for each in LANGUAGES] == [
        "Topic closeness",
        "Bliskość tematu",
        "主题贴近度",
    ]
    assert LessonWords("en").metric("answer_relevancy", "openai:x") == "Answer relevancy"


def test_an_unknown_key_is_a_mistake_in_the_program() -> None:
    with pytest.raises(KeyError):
        LessonWords("en")("nothing")


def test_the_keyless_form_is_explained_as_what_it_is() -> None:
    for language in LANGUAGES:
        say = LessonWords(language)
        assert say.metric_help("answer_relevancy") == Glossary(language).metric("answer_relevancy").line
        assert say.metric_help("answer_relevancy", "openai:x") != say.metric_help("answer_relevancy")
    assert LessonWords("en").metric_help("answer_relevancy", "openai:x") == all_metrics()["answer_relevancy"].help
