"""Which ways to write a quantity are the same, in English, Polish and Chinese, and which are not."""

from itertools import combinations

import pytest

from rag_variants.text.language import LANGUAGES, Language
from rag_variants.text.quantities.quantity import Quantity, agree
from rag_variants.text.quantities.read import read_quantities
from rag_variants.text.quantities.tables import month_names, tables
from rag_variants.text.quantities.words import places, to_number

Written = tuple[str, Language]
SAME: dict[str, list[Written]] = {
    "a number": [
        ("1240 seats", "en"), ("1 240 seats", "en"), ("1240.00 seats", "en"), ("1,240 seats", "en"),
        ("1240 miejsc", "pl"), ("1 240 miejsc", "pl"), ("1\u00a0240 miejsc", "pl"), ("1.240 miejsc", "pl"),
        ("1240,00 miejsc", "pl"), ("共1240", "zh"), ("共1,240", "zh"), ("共1 240", "zh"), ("共1240.00", "zh"),
        ("一千二百四十", "zh"),
    ],
    "nine in the morning": [
        ("at 9:00", "en"), ("9 a.m.", "en"), ("9am", "en"), ("at 9 o'clock", "en"), ("o 9:00", "pl"),
        ("godz. 9", "pl"), ("o godzinie 9", "pl"), ("godz. 9.00", "pl"), ("上午9点", "zh"), ("9:00", "zh"),
        ("上午九点", "zh"),
    ],
    "half past nine in the evening": [
        ("at 21:30", "en"), ("9.30 pm", "en"), ("9:30 p.m.", "en"), ("o 21:30", "pl"), ("godz. 21.30", "pl"),
        ("晚上9点半", "zh"), ("21:30", "zh"), ("下午9点30分", "zh"),
    ],
    "half past three": [("3.30 pm", "en"), ("15:30", "pl"), ("下午3点半", "zh"), ("下午三点三十分", "zh")],
    "a quarter past seven": [("7:15", "en"), ("7.15 am", "en"), ("o godz. 7.15", "pl"), ("早上七点一刻", "zh")],
    "one in the afternoon": [("1 pm", "en"), ("13:00", "pl"), ("中午1点", "zh"), ("下午一点", "zh")],
    "a half": [
        ("50%", "en"), ("50 percent", "en"), ("50 per cent", "en"), ("fifty percent", "en"), ("half of it", "en"),
        ("50%", "pl"), ("50 %", "pl"), ("50 procent", "pl"), ("połowa", "pl"), ("50%", "zh"), ("百分之五十", "zh"),
        ("一半", "zh"),
    ],
    "three months": [
        ("3 months", "en"), ("three months", "en"), ("3 miesiące", "pl"), ("trzech miesięcy", "pl"), ("三个月", "zh"),
        ("3个月", "zh"),
    ],
    "a day of the calendar": [
        ("2024-03-05", "en"), ("5 March 2024", "en"), ("March 5, 2024", "en"), ("5th of March 2024", "en"),
        ("5 Mar 2024", "en"), ("2024/3/5", "en"), ("05.03.2024", "en"), ("2024-03-05", "pl"), ("5 marca 2024", "pl"),
        ("5 marca 2024 roku", "pl"), ("5.03.2024", "pl"), ("05/03/2024", "pl"), ("2024年3月5日", "zh"),
        ("2024 年 3 月 5 日", "zh"), ("二〇二四年三月五日", "zh"), ("2024-03-05", "zh"), ("2024/3/5", "zh"),
    ],
    "below zero": [("−5 °C", "en"), ("-5 °C", "en"), ("−5 °C", "pl"), ("−5 ℃", "zh"), ("-5度", "zh")],
    "money": [
        ("€1,240", "en"), ("EUR 1,240", "en"), ("1240 euros", "en"), ("1 240 EUR", "pl"), ("1240 euro", "pl"),
        ("1240欧元", "zh"), ("€1,240", "zh"),
    ],
    "a weight": [("1.5 kg", "en"), ("1500 grams", "en"), ("1,5 kg", "pl"), ("1500 gramów", "pl"), ("1.5公斤", "zh")],
    "two weeks": [
        ("14 days", "en"), ("a fortnight", "en"), ("dwa tygodnie", "pl"), ("14-dniowy", "pl"), ("两周", "zh"),
    ],
    "an ordinal": [("the 4th", "en"), ("the fourth", "en"), ("czwarty", "pl"), ("第四", "zh")],
}  # fmt: skip


def only(written: Written) -> Quantity:
    found = read_quantities(*written)
    assert len(found) == 1, (written, found)
    return found[0]


@pytest.mark.parametrize("name", SAME)
def test_every_way_to_write_a_quantity_agrees_with_every_other(name: str) -> None:
    for left, right in combinations(SAME[name], 2):
        assert agree(only(left), only(right)), (left, right)


def test_what_is_written_under_one_name_agrees_with_nothing_under_another() -> None:
    for left, right in combinations(SAME.values(), 2):
        assert not any(agree(only(one), only(other)) for one in left for other in right)


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1,240", "en", 1240),
        ("1,240", "zh", 1240),
        ("1,240", "pl", 1.24),
        ("1.240", "pl", 1240),
        ("1.240", "en", 1.24),
        ("1.240", "zh", 1.24),
        ("12,34", "en", 12.34),  # no group of three: people mix the signs
        ("2,5", "en", 2.5),
        ("2.5", "pl", 2.5),
        ("1,240.50", "en", 1240.5),
        ("1.240,50", "pl", 1240.5),
        ("1 240,50", "pl", 1240.5),
        ("1,240,000", "en", 1_240_000),
        ("1240,000", "pl", 1240),
        ("-3", "en", -3),
        ("\u22123", "pl", -3),
        ("+3", "en", 3),
        ("1.2.3", "en", None),
        ("10.0.0.1", "pl", None),
    ],
)
def test_commas_and_points_are_read_by_the_language(text: str, language: Language, value: float | None) -> None:
    assert to_number(text, language) == value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["ERR-4021", "INV-2024-07", "W2", "LK-2207-X", "SZ-26-703164", "IP65", "err-4021"])
def test_identifiers_are_no_numbers(text: str, language: Language) -> None:
    assert read_quantities(f"({text})", language) == ()


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("3/1/2026", "en", None),  # January or March
        ("3/3/2026", "en", (2026, 3, 3)),
        ("13/1/2026", "en", (2026, 1, 13)),
        ("1/13/2026", "en", (2026, 1, 13)),
        ("3/1/2026", "pl", (2026, 1, 3)),
        ("3.1.2026", "en", (2026, 1, 3)),
        ("2026-02-30", "en", None),
        ("31.11.2026", "pl", None),
    ],
)
def test_a_date_that_is_none_or_could_be_two_is_not_read(
    text: str, language: Language, day: tuple[int, ...] | None
) -> None:
    assert [quantity.day for quantity in read_quantities(text, language)] == ([day] if day else [])


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        ("1 March", "1 March 2026", True),
        ("March 2026", "1 March 2026", True),
        ("in 2026", "1 March 2026", True),
        ("1 March 2026", "1 March", False),
        ("1 March", "11 March 2026", False),
    ],
)
def test_a_part_of_a_date_agrees_with_the_whole(part: str, whole: str, expected: bool) -> None:
    assert agree(only((part, "en")), only((whole, "en"))) is expected


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("from 15-30 °C", "en", [15, 30]),  # a range, no minus
        ("from -15 to -30 °C", "en", [-15, -30]),
        ("3 -5", "en", [3, 5]),
        ("room (−5)", "en", [-5]),
        ("In 2019 120 people", "en", [0, 120]),  # a year, and no 2,019,120
        ("2至8 ℃", "zh", [2, 8]),
        ("至−20 ℃", "zh", [-20]),
        ("9 a.m. to 5 p.m.", "en", [9 * 60, 17 * 60]),
        ("2 godz. 30 minut", "pl", [2 * 3600, 30 * 60]),
        ("25:70", "en", []),
    ],
)
def test_ranges_signs_and_neighbours(text: str, language: Language, values: list[float]) -> None:
    assert [quantity.value for quantity in read_quantities(text, language)] == values


def test_working_days_are_told_apart_from_days() -> None:
    assert only(("10 business days", "en")).noun == only(("10 working days", "en")).noun != only(("10 days", "en")).noun


def test_the_text_of_a_quantity_is_what_stands_at_its_place() -> None:
    text = "It costs £35 until 9 a.m., or 50% of 1,240 EUR."
    assert [one.text for one in read_quantities(text, "en")] == ["£35", "9 a.m.", "50%", "1,240 EUR"]
    assert all(text[one.start : one.end] == one.text for one in read_quantities(text, "en"))


def test_a_place_leads_back_to_the_text_as_it_was() -> None:
    assert places("5℃ a") == (0, 1, 1, 2, 3)  # ℃ becomes °C


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_month_is_read_in_the_form_that_dates_take(language: Language) -> None:
    assert [tables(language).months[(name.casefold(),)][1] for name in month_names(language)] == list(range(1, 13))


def test_both_english_spellings_and_all_polish_forms_of_a_unit_come_from_unicode() -> None:
    units = tables("en").units
    assert units[("metres",)] == units[("meters",)] == ("length", 1.0)
    forms = ("minuta", "minuty", "minut", "minutę")
    assert {tables("pl").units[(form,)] for form in forms} == {("time", 60.0)}
