"""Numbers of the three languages, as quantities in base units."""

import pytest

from rag_variants.text.language import Language
from rag_variants.text.quantities.chinese import chinese_number
from rag_variants.text.quantities.quantity import equal
from rag_variants.text.quantities.read import read_quantities

DAY = 86_400.0


@pytest.mark.parametrize(
    ("text", "language", "dimension", "value"),
    [
        ("half an hour", "en", "time", 1800),
        ("pół godziny", "pl", "time", 1800),
        ("半小时", "zh", "time", 1800),
        ("三十天", "zh", "time", 30 * DAY),
        ("30 天", "zh", "time", 30 * DAY),
        ("dwa tygodnie", "pl", "time", 14 * DAY),
        ("w ciągu dwóch tygodni", "pl", "time", 14 * DAY),
        ("termin 14-dniowy", "pl", "time", 14 * DAY),
        ("a fourteen-day period", "en", "time", 14 * DAY),
        ("within an hour", "en", "time", 3600),
        ("przez godzinę", "pl", "time", 3600),
        ("trzy kwadranse", "pl", "time", 2700),
        ("一个半小时", "zh", "time", 5400),
        ("a year and a half", "en", "time", 1.5 * 31_557_600),
        ("półtora roku", "pl", "time", 1.5 * 31_557_600),
        ("a dozen eggs", "en", "count", 12),
        ("tuzin jaj", "pl", "count", 12),
        ("1,240 seats", "en", "count", 1240),
        ("1 240 miejsc", "pl", "count", 1240),
        ("twenty-five users", "en", "count", 25),
        ("two hundred and five users", "en", "count", 205),
        ("dwadzieścia pięć osób", "pl", "count", 25),
        ("In 2019 three halls", "en", "count", 3),
        ("2.3 million euros", "en", "EUR", 2_300_000),
        ("1,2 miliarda złotych", "pl", "PLN", 1_200_000_000),
        ("十二亿元", "zh", "CNY", 1_200_000_000),
        ("60 percent", "en", "share", 0.6),
        ("połowa kosztów", "pl", "share", 0.5),
        ("百分之六十", "zh", "share", 0.6),
        ("三分之一", "zh", "share", 1 / 3),
        ("at 3 pm", "en", "clock", 900),
        ("from 12 a.m. on", "en", "clock", 0),
        ("o 15:00", "pl", "clock", 900),
        ("下午三点", "zh", "clock", 900),
        ("quarterly", "en", "rate", DAY / 7_889_400),
        ("co miesiąc", "pl", "rate", DAY / 2_629_800),
        ("每四小时一次", "zh", "rate", 6),
        ("twice a day", "en", "rate", 2),
        ("dwa razy dziennie", "pl", "rate", 2),
        ("every 90 days", "en", "rate", 1 / 90),
        ("at −5 °C", "en", "celsius", -5),
        ("w −5 °C", "pl", "celsius", -5),
        ("是−30 ℃", "zh", "celsius", -30),
        ("−30…+60 °C", "en", "celsius", -30),
        ("−30…+60 °C", "en", "celsius", 60),
        ("down to −20 or so", "en", "count", -20),
        ("EUR 1,240", "en", "EUR", 1240),
        ("EUR1,240", "en", "EUR", 1240),
        ("€6.50", "en", "EUR", 6.5),
        ("12,50 zł", "pl", "PLN", 12.5),
        ("€50", "zh", "EUR", 50),
        ("on the 4th day", "en", "ordinal", 4),
        ("第4天", "zh", "ordinal", 4),
        ("0.8 m", "en", "length", 0.8),
        ("80 cm", "en", "length", 80 * 0.01),
        ("60 km/h", "pl", "speed", 60),
        ("0.5 kg", "en", "mass", 0.5 * 1000),
        ("100 Mbit/s", "en", "bandwidth", 100),
        ("2000 mAh and 3 kWh", "en", "energy", 3),
        ("three months", "en", "time", 3 * 2_629_800),
        ("3 miesiące", "pl", "time", 3 * 2_629_800),
        ("三个月", "zh", "time", 3 * 2_629_800),
        ("15–20 minut", "pl", "time", 15 * 60),
        ("from 5 to 7 days", "en", "time", 5 * DAY),
        ("5至7天", "zh", "time", 7 * DAY),
    ],
)
def test_reads_a_quantity_in_base_units(text: str, language: Language, dimension: str, value: float) -> None:
    found = [(q.dimension, q.value) for q in read_quantities(text, language)]
    assert (dimension, pytest.approx(value)) in found


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("on 15 May 2021", "en", (2021, 5, 15)),
        ("in March 2004", "en", (2004, 3, None)),
        ("in 1999", "en", (1999, None, None)),
        ("do 10 października", "pl", (None, 10, 10)),
        ("w 2012 roku", "pl", (2012, None, None)),
        ("2012年10月3日", "zh", (2012, 10, 3)),
        ("二〇一二年", "zh", (2012, None, None)),
    ],
)
def test_reads_a_date(text: str, language: Language, day: tuple[int | None, ...]) -> None:
    assert [q.day for q in read_quantities(text, language)] == [day]


def test_a_month_is_thirty_days_and_nothing_else() -> None:
    month, thirty, ninety = (read_quantities(text, "en")[0] for text in ("one month", "30 days", "90 days"))
    assert equal(month, thirty)
    assert not equal(month, ninety)


@pytest.mark.parametrize(("text", "value"), [("三十五", 35), ("一万二千", 12_000), ("3.5万", 35_000), ("两百", 200)])
def test_reads_chinese_numerals(text: str, value: float) -> None:
    assert chinese_number(text) == value


@pytest.mark.parametrize("text", ["一般", "一起", "统一"])
def test_numerals_in_idioms_count_nothing(text: str) -> None:
    assert read_quantities(text, "zh") == ()
