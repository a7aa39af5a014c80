"""The metric laboratory: toggles, order and similarities move the score; examples, languages, a step back."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.ui.views.laboratory_setups import CONTRASTS, PRESETS
from rag_variants.wording.wording import read_wording

CJK = re.compile(r"[\u4e00-\u9fff]")
# What every example comes to as it begins; None is "not scored".
VALUES = {
    "faithfulness": {
        "invented": 2 / 3, "current": 2 / 2, "outdated": 2 / 2, "memory": 0 / 1, "diluted": 3 / 4, "silent": None,
    },
    "answer_relevancy": {
        "right": (0.95 + 0.9 + 0.85) / 3, "wrong": (0.95 + 0.9 + 0.85) / 3, "beside": (0.55 + 0.5 + 0.6) / 3,
        "evasive": 0 * (0.4 + 0.35 + 0.3) / 3, "half_evasive": (0.9 + 0.85 + 0.8) / 3, "silent": None,
    },
    "context_precision": {
        "mixed": (1 / 1 + 2 / 3) / 2, "useful_first": (1 / 1) / 1, "noise_first": (1 / 2) / 1,
        "noise_below": (1 / 1) / 1, "nothing_useful": 0.0, "nothing_retrieved": None,
    },
    "context_recall": {
        "partial": 2 / 3, "noisy": 3 / 3, "modest": 1 / 1, "nothing_found": 0 / 3, "no_statements": None,
    },
}  # fmt: skip


def open_laboratory(metric="faithfulness", preset="", language="en"):
    program = f"from rag_variants.ui.views.laboratory import draw_laboratory\ndraw_laboratory({language!r})"
    page = AppTest.from_string(program, default_timeout=120).run()
    if metric != "faithfulness":
        press(page, "laboratory metric", metric)
    if preset:
        press(page, f"laboratory preset {metric}", preset)
    assert not page.exception
    return page


def press(page, key, value):
    page.button_group(key=key).set_value(value).run()
    assert not page.exception


def flip(page, metric, number):
    toggle = page.toggle(key=f"laboratory verdict {metric} {number - 1}")
    toggle.set_value(not toggle.value).run()
    assert not page.exception


def click(page, name, metric="", number=0):
    page.button(key=f"laboratory icon {name} {metric} {number - 1}" if metric else f"laboratory {name}").click().run()
    assert not page.exception


def said(page):
    kinds = ("subheader", "markdown", "text", "caption", "latex")
    return "\n".join(str(each.value) for kind in kinds for each in getattr(page, kind))


def texts(page):
    return [each.value for each in page.text]


def test_a_toggle_moves_the_score_and_its_sum_at_once():
    page = open_laboratory()
    assert {"0.67", "2 / 3 ≈ 0.67"} <= set(texts(page))

    flip(page, "faithfulness", 3)
    assert {"1.00", "3 / 3 = 1.00", "Supported claims: 3 of 3"} <= set(texts(page))

    flip(page, "faithfulness", 1)
    assert "2 / 3 ≈ 0.67" in texts(page)


def test_moving_a_chunk_moves_the_score():
    page = open_laboratory("context_precision")
    assert "(1/1 + 2/3) / 2 ≈ 0.83" in texts(page)

    click(page, "up", "context_precision", 3)  # useful, useful, noise
    assert "(1/1 + 2/2) / 2 = 1.00" in texts(page)

    click(page, "down", "context_precision", 1)
    click(page, "down", "context_precision", 2)  # useful, noise, useful, the first chunk last
    assert "(1/1 + 2/3) / 2 ≈ 0.83" in texts(page)
    assert texts(page).index("Goods can be returned within 14 days of delivery.") > texts(page).index(
        "Gift cards are valid for three years."
    )


def test_ends_of_the_list_do_not_move_further():
    page = open_laboratory("context_precision")

    assert page.button(key="laboratory icon up context_precision 0").disabled
    assert page.button(key="laboratory icon down context_precision 2").disabled


def test_similarity_and_evasion_move_relevancy():
    page = open_laboratory("answer_relevancy")
    assert "(0.95 + 0.90 + 0.85) / 3 = 0.90" in texts(page)

    page.slider(key="laboratory similarity answer_relevancy 2").set_value(-0.25).run()
    assert "(0.95 + 0.90 + (−0.25)) / 3 ≈ 0.53" in texts(page)  # 1.60 / 3

    for number in (1, 2):
        flip(page, "answer_relevancy", number)
    assert "(0.95 + 0.90 + (−0.25)) / 3 ≈ 0.53" in texts(page)
    flip(page, "answer_relevancy", 3)  # now all three
    assert "(0.95 + 0.90 + (−0.25)) / 3 × 0 = 0.00" in texts(page)


@pytest.mark.parametrize("metric", PRESETS)
def test_every_example_has_the_value_it_teaches(metric):
    page = open_laboratory(metric)
    assert set(VALUES[metric]) == {preset.name for preset in PRESETS[metric]}

    for name, value in VALUES[metric].items():
        press(page, f"laboratory preset {metric}", name)
        shown = texts(page)
        assert ("not scored" if value is None else f"{value:.2f}") in shown, name
        assert read_wording("laboratory", "en").say(f"presets.{metric}.{name}.shows") in said(page)


def test_order_side_by_side():
    page = open_laboratory("context_precision")

    assert {"Context precision 1.00", "Context precision 0.50"} <= set(texts(page))
    assert {"(1/1) / 1 = 1.00", "(1/2) / 1 = 0.50"} <= {each.value for each in page.caption}


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
@pytest.mark.parametrize(("metric", "value"), [("faithfulness", "1.00"), ("answer_relevancy", "0.90")])
def test_a_wrong_answer_scores_as_high_as_a_right_one_and_only_the_key_fact_differs(metric, value, language):
    say = read_wording("laboratory", language).say
    shown = texts(open_laboratory(metric, language=language))

    assert shown.count(f"{say(f'metrics.{metric}.name')} {value}") == len(CONTRASTS[metric])
    assert f"{say('key_fact')} 1.00" in shown
    assert f"{say('key_fact')} 0.00" in shown


def test_faithful_to_an_outdated_source():
    page = open_laboratory("faithfulness", "outdated")

    assert {"1.00", "2 / 2 = 1.00", "Key facts 0.00"} <= set(texts(page))
    assert "“14 days” is not in the answer" in said(page)


def test_removing_the_last_claim_is_not_a_zero():
    page = open_laboratory("faithfulness", "memory")
    assert "0 / 1 = 0.00" in texts(page)

    click(page, "remove", "faithfulness", 1)
    assert "not scored" in texts(page)
    assert not any(text.endswith("= 0.00") for text in texts(page))
    assert "That is not a zero" in said(page)


def test_undo_goes_step_by_step_and_reset_goes_back_to_the_example():
    page = open_laboratory()
    assert page.button(key="laboratory undo").disabled
    assert page.button(key="laboratory reset").disabled

    flip(page, "faithfulness", 1)
    flip(page, "faithfulness", 2)
    assert "0 / 3 = 0.00" in texts(page)
    assert "You changed this example" in said(page)

    click(page, "undo")
    assert "1 / 3 ≈ 0.33" in texts(page)
    click(page, "reset")
    assert "2 / 3 ≈ 0.67" in texts(page)
    assert "You changed this example" not in said(page)
    click(page, "undo")  # a reset can be taken back too
    assert "1 / 3 ≈ 0.33" in texts(page)


def test_each_metric_keeps_its_bench():
    page = open_laboratory()
    flip(page, "faithfulness", 3)
    press(page, "laboratory metric", "context_recall")
    assert "2 / 3 ≈ 0.67" in texts(page)

    press(page, "laboratory metric", "faithfulness")
    assert "3 / 3 = 1.00" in texts(page)


def test_a_claim_of_ones_own_is_text_and_nothing_else():
    page = open_laboratory()
    page.text_input(key="laboratory own faithfulness").set_value("**bold** $x$ <b>").run()

    assert not page.exception
    assert "**bold** $x$ <b>" in texts(page)
    assert "2 / 4 = 0.50" in texts(page)  # a new claim begins as not supported
    assert "**bold**" not in "\n".join(str(each.value) for each in page.markdown)
    assert page.text_input(key="laboratory own faithfulness").value == ""


def test_there_is_room_for_as_many_questions_as_ragas_asks_for():
    page = open_laboratory("answer_relevancy")
    assert not page.text_input

    click(page, "remove", "answer_relevancy", 2)
    assert "(0.95 + 0.85) / 2 = 0.90" in texts(page)
    page.text_input(key="laboratory own answer_relevancy").set_value("How late may I be?").run()
    assert not page.text_input


@pytest.mark.parametrize("metric", PRESETS)
def test_a_language_speaks_for_the_whole_bench(metric):
    for language in ("pl", "zh"):
        shown = said(open_laboratory(metric, language=language))
        say = read_wording("laboratory", language).say
        assert say("title") in shown
        assert say(f"metrics.{metric}.formula") in shown
        assert say(f"metrics.{metric}.contrast") in shown
        assert bool(CJK.search(shown)) == (language == "zh")
        assert "supported" not in shown and "useful" not in shown
