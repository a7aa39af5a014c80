"""Texts in three languages: complete, alike in their blanks, and named when one is missing."""

import string

import pytest

from rag_variants.metrics.laboratory import movable
from rag_variants.ui.views.laboratory_setups import CONTRASTS, EDGES, PRESETS, room_for
from rag_variants.wording import wording
from rag_variants.wording.wording import Wording, read_wording

LANGUAGES = ("en", "pl", "zh")


def leaves(texts, path=""):
    if set(texts) & set(LANGUAGES):
        yield path, texts
    else:
        for name, inner in texts.items():
            yield from leaves(inner, f"{path}.{name}".removeprefix("."))


LEAVES = dict(leaves(read_wording("laboratory", "en").texts))


def test_every_key_has_the_three_languages():
    assert len(LEAVES) > 100
    for key, texts in LEAVES.items():
        assert set(texts) == set(LANGUAGES), key
        assert all(isinstance(text, str) and text.strip() == text and text for text in texts.values()), key


def test_blanks_to_fill_are_the_same_in_every_language():
    for key, texts in LEAVES.items():
        if not key.endswith(".formula"):
            blanks = {
                frozenset(name for _, name, _, _ in string.Formatter().parse(each) if name) for each in texts.values()
            }
            assert len(blanks) == 1, key


def test_translations_are_not_copies():
    alike = {key for key, texts in LEAVES.items() if len(set(texts.values())) < 3}
    assert alike == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_find_all_their_texts(language):
    say = read_wording("laboratory", language).say
    for metric in PRESETS:
        for preset in PRESETS[metric]:
            keys = [f"presets.{metric}.{preset.name}.title", f"presets.{metric}.{preset.name}.shows"]
            keys += [f"shown.{part}.{name}" for part, name in preset.shown.items()]
            keys += [f"parts.{part}" for part in preset.shown]
            keys += [f"items.{item.name}" for item in preset.items]
            keys += [f"shown.fact.{preset.fact}"] if preset.fact else []
            assert all(say(key) for key in keys)
        assert all(say(f"metrics.{metric}.{edge}") for edge in EDGES[metric])
        assert all(name in {each.name for each in PRESETS[metric]} for name in CONTRASTS[metric])


def test_every_metric_of_the_laboratory_can_be_moved_and_has_all_its_parts():
    assert set(CONTRASTS) == set(EDGES) == set(PRESETS)
    for metric in PRESETS:
        assert movable(metric).moves
        assert all(len(preset.items) <= room_for(metric) for preset in PRESETS[metric])


def test_no_text_is_left_over():
    used = {f"items.{item.name}" for presets in PRESETS.values() for preset in presets for item in preset.items}
    used |= {f"shown.{part}.{name}" for each in PRESETS.values() for one in each for part, name in one.shown.items()}
    used |= {f"shown.fact.{preset.fact}" for presets in PRESETS.values() for preset in presets if preset.fact}
    assert {key for key in LEAVES if key.startswith(("items.", "shown."))} == used


def test_values_are_filled_in():
    assert read_wording("laboratory", "pl").say("remove", number=2) == "Usuń 2"


@pytest.mark.parametrize("key", ["nowhere", "metrics.faithfulness", "title.en.deeper", "half"])
def test_a_missing_text_is_named(key):
    texts = Wording("laboratory", "zh", {"half": {"en": "one"}, "title": {"en": "a", "zh": "b"}, "metrics": {}})
    with pytest.raises(KeyError, match=rf"texts/laboratory.json has no text '{key}' in 'zh'"):
        texts.say(key)


def test_an_unknown_language_is_named():
    with pytest.raises(ValueError, match="no texts in 'de'; known: en, pl, zh"):
        read_wording("laboratory", "de")


def test_a_file_is_read_once():
    assert read_wording("laboratory", "en").texts is read_wording("laboratory", "zh").texts
    assert wording._read.cache_info().hits > 0
