"""Every metric and every term is explained in one line, in each language, and nowhere a second time."""

import json
from importlib.resources import files

import pytest

from rag_variants.metrics import METRICS, all_metrics, label_of
from rag_variants.text.language import LANGUAGES
from rag_variants.wording.glossary import LONGEST, SECTIONS, Glossary

TEXTS = json.loads((files("rag_variants.wording") / "texts" / "terms.json").read_text(encoding="utf-8"))
WORDS_OF_THE_SCREENS = {
    "reading": {
        "mean", "delta", "interval", "better", "worse", "not_shown", "too_few", "fragile", "wins", "scored",
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
        assert term.word == label_of(METRICS[name], judge)
        assert_one_line(term.line, language)
        if language != "en":
            assert term.line != Glossary("en").metric(name, judge).line
            assert term.name != term.word or name == "ndcg"


def test_english_of_a_metric_stands_with_the_metric_alone():
    assert all(set(text) == {"pl", "zh"} for each in TEXTS["metrics"].values() for text in each.values())
    for metric in METRICS.values():
        assert Glossary().metric(metric.name, "openai:any").line == metric.help
    keyless = {metric.name for metric in METRICS.values() if metric.keyless_label}
    assert set(TEXTS["keyless_metrics"]) == keyless
    assert set(TEXTS["metrics"]) == set(METRICS)


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
        label_of(metric, "embedded") for metric in all_metrics().values()
    ]


def test_a_title_holds_both_names():
    assert Glossary("zh").metric("hit_rate").title == "Hit rate · 命中率"
    assert Glossary("en").metric("hit_rate").title == "Hit rate"


def test_an_unknown_language_or_term_is_a_mistake():
    with pytest.raises(ValueError, match="no texts in 'fr'"):
        Glossary("fr")
    with pytest.raises(KeyError):
        Glossary().term("reading", "nothing")
