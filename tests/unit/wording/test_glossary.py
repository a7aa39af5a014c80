"""Every metric and every term is explained in one line, in each language, and nowhere a second time."""

import json
from importlib.resources import files

import pytest

from rag_variants.metrics import METRICS, full_label_of
from rag_variants.text.language import LANGUAGES
from rag_variants.wording.glossary import LONGEST, SECTIONS, Glossary

TEXTS = json.loads((files("rag_variants.wording") / "texts" / "terms.json").read_text(encoding="utf-8"))
WORDS_OF_THE_SCREENS = {
    "reading": {
        "mean", "delta", "interval", "better", "worse", "read", "not_shown", "too_few", "fragile", "wins", "scored",
        "detectable", "p", "slice",
    },
    "retrieval": {
        "chunk", "hit", "evidence", "gold", "part", "trap", "top_k", "cut", "mmr", "deduplicate", "parent", "rrf",
        "expansion", "feedback", "hyde",
        "reranking",
    },
    "judging": {
        "judge", "claim", "reference", "supported", "contradicted", "missing", "unsure", "strict_lenient",
        "noise_floor", "agreement",
    },
    "moving": {"variant", "retrieval", "answering", "interaction"},
}  # fmt: skip


def is_chinese(text):
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def assert_one_line(text, language):
    assert 8 < len(text) <= LONGEST and text == text.strip() and "\n" not in text, text
    assert text.endswith("。" if language == "zh" else "."), text
    assert not any(sign in text for sign in ("{", "}", "TODO", "…")), text
    assert is_chinese(text) is (language == "zh"), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_name_and_a_line_in_each_language(name, language):
    for judge in ("embedded", "openai:any"):
        term = Glossary(language).metric(name, judge)
        assert term.word == full_label_of(METRICS[name], judge)
        assert_one_line(term.line, language)
        if language != "en":
            assert term.line != Glossary("en").metric(name, judge).line
            assert term.translated or term.name == METRICS[name].words[language].label == METRICS[name].label
            assert is_chinese(term.name) is (language == "zh") or not term.translated


def test_the_words_of_a_metric_stand_with_the_metric_alone():
    assert not {"metrics", "keyless_metrics"} & set(TEXTS)
    for metric in METRICS.values():
        for language in LANGUAGES:
            term = Glossary(language).metric(metric.name, "openai:any")
            words = metric.words[language]
            assert (term.name, term.line) == (words.label, words.help)


def test_a_metric_of_another_package_says_it_in_english(install):
    install(METRICS, extra="tests.unit.metrics.plugin_metric:EXTRA")
    term = Glossary("zh").metric("extra_fact")
    assert (term.title, term.line) == ("Extra fact", "Facts, once more.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_has_a_name_and_a_line_in_each_language(language):
    assert {name: set(each) for name, each in TEXTS["terms"].items()} == WORDS_OF_THE_SCREENS
    glossary = Glossary(language)
    assert {*TEXTS["terms"], "metrics"} == set(SECTIONS)
    for section in TEXTS["terms"]:
        terms = list(glossary.section(section))
        assert len({term.name for term in terms}) == len(terms) == len(WORDS_OF_THE_SCREENS[section])
        for term in terms:
            assert_one_line(term.line, language)
            assert term.word and term.title.startswith(term.word)


def test_all_metrics_are_in_the_glossary_in_their_order():
    assert [term.word for term in Glossary("pl").section("metrics")] == [
        full_label_of(metric, "embedded") for metric in METRICS.values()
    ]


def test_a_title_holds_both_names():
    assert Glossary("zh").metric("hit_rate").title == "Hit rate · 命中率"
    assert Glossary("en").metric("hit_rate").title == "Hit rate"
    assert Glossary("en").metric("mrr").title == "Reciprocal rank (MRR)"
    assert Glossary("zh").metric("answer_relevancy").title == (
        "Topic closeness (answer relevancy without a key) · 主题贴近度"
    )


def test_an_unknown_language_or_term_is_a_mistake():
    with pytest.raises(ValueError, match="no texts in 'fr'"):
        Glossary("fr")
    with pytest.raises(KeyError):
        Glossary().term("reading", "nothing")
