"""Which spellings of a number, a date or a word are the same."""

import pytest

from rag_variants.metrics import METRICS
from rag_variants.metrics.facts import holds
from rag_variants.text.citations import strip_citations
from tests.scripted import make_subject, score

KEY_FACTS, AVOIDS = METRICS["key_facts"], METRICS["avoids"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 1,240 EUR.", "1240 EUR"),
        ("It costs 1 240 EUR.", "1,240 EUR"),
        ("It costs 1\u00a0240 EUR.", "1240"),
        ("It costs 1\u202f240\u202f000 EUR.", "1,240,000"),
        ("１４天内", "14天"),
        ("14 天内", "14天"),
        ("Opłata wynosi 0,11 EUR.", "0.11 EUR"),
        ("Within **14 days** of delivery.", "14 days"),
        ("Within 14 [2] days", "14 days"),
        ("within\n 14  DAYS", "14 Days"),
        ("It takes 9–17 days", "9-17 days"),
        ("It is −5 °C.", "-5 °c"),
        ("It is 5 °C.", "5 °C"),
        ("测量范围是−95…+60 ℃。", "-95"),
        ("up to 90 % of it", "90%"),
        ("the certificates are kept", "certificate"),
        ("bez certyfikatu", "certyfikat"),
        ("sold singly.", "singly"),
        ("LK-2027 is for the W2-X.", "w2-x"),
        ("有效期为三年。", "三年"),
        ("3月25日前联系", "25日"),
        ("Write to security@larkmoor.example.", "security@larkmoor.example"),
        ("Zgłoś w ciągu 2 godzin.", "2 godzin"),
        ("14 euros", "14 eur"),
    ],
)
def test_found(text, expected):
    assert holds(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within 114 days", "14 days"),
        ("within 2.14 days", "14 days"),
        ("within 14.5 days", "14"),
        ("1,240 EUR", "240 EUR"),
        ("1,240 EUR", "1"),
        ("50 pieces", "5 pieces"),
        ("at −30 °C", "30 °C"),
        ("from 15-30 °C", "-30 °C"),
        ("是−30 ℃", "30 ℃"),
        ("at 14:30", "30"),
        ("有效期为十三年。", "三年"),
        ("19小时", "9小时"),
        ("nothing is kept", "not"),
        ("a category", "cat"),
        ("blueprints", "blue"),
        ("14 euros", "14 dollars"),
        ("", "14 days"),
        ("14 days", ""),
        ("ERR-4031", "403"),
    ],
)
def test_not_found(text, expected):
    assert not holds(text, expected)


# One fact in the ways in which answers and keys write it; the sentence around it sets the language.
FACTS = {
    "a number": [("It has {} seats.", ["1240", "1 240", "1240.00", "1,240"]),
                 ("Sala ma łącznie {} miejsc dla gości.", ["1240", "1.240"]),
                 ("共有{}个座位。", ["1240", "1,240"])],
    "a time": [("The gate opens at {} today.", ["9:00", "9 a.m.", "9 am"]),
               ("Brama otwiera się dziś o {} rano.", ["9:00", "godz. 9"]), ("大门{}开放。", ["上午9点", "9:00"])],
    "a share": [("At least {} of it is paid back.", ["50%", "50 percent", "50 per cent"]),
                ("Zwracane jest co najmniej {} kwoty.", ["50%", "50 procent"]),
                ("至少退还{}。", ["百分之五十", "50%"])],
    "a duration": [("It is kept for {} and then erased.", ["3 months", "three months"]),
                   ("Dane przechowujemy przez {} od zakupu.", ["3 miesiące", "trzy miesiące"]),
                   ("数据保存{}。", ["三个月", "3个月"])],
    "money": [("The deposit is {} a kit.", ["€90", "EUR 90", "90 EUR", "90 euros", "90.00 EUR"]),
              ("Kaucja wynosi {} za zestaw.", ["90 EUR", "90,00 euro"]), ("押金为{}。", ["90欧元"])],
    "a length": [("Keep {} away from the metal.", ["0.8 m", "80 cm"]),
                 ("Zachowaj {} od regału z metalu.", ["0,8 m", "80 cm"]), ("距离金属货架{}。", ["0.8米", "80厘米"])],
    "below zero": [("It is stored at {} in the vault.", ["-20 °C", "−20 °C"]), ("样品在{}保存。", ["−20 ℃", "-20度"])],
}  # fmt: skip
WAYS = [
    (fact, frame, written, expected)
    for fact, frames in FACTS.items()
    for frame, forms in frames
    for written in forms
    for _, others in frames
    for expected in others
    # `1.240` is a thousand in Polish alone, so that no other language's key may be looked for in it.
    if not ({"1.240", "1,240", "1240.00"} & {written, expected} and expected not in forms)
]


@pytest.mark.parametrize(("fact", "frame", "written", "expected"), WAYS)
def test_key_facts_finds_and_avoids_refuses_every_way_to_write_a_fact(fact, frame, written, expected):
    answer = frame.format(written)
    assert holds(answer, expected), fact
    found = make_subject(answer=answer, answer_keys=((expected,),), avoid=(expected,))
    assert (score(KEY_FACTS, found).value, score(AVOIDS, found).value) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("text", "expected", "language", "found"),
    [
        ("1,240 EUR", "1240 EUR", "en", True),
        ("1,240 EUR", "1.24 EUR", "pl", True),
        ("1,240 EUR", "1240 EUR", "pl", False),
        ("Cena: 1.240 EUR netto za sztukę.", "1240 EUR", None, True),
        ("The price is 1.240 EUR for each of them.", "1240 EUR", None, False),
        ("10 working days", "10 business days", "en", True),
        ("10 working days", "10 days", "en", False),
        ("每班5台", "5台", "zh", True),
        ("每班5台", "5人", "zh", False),
        ("at 9 p.m.", "9:00", "en", False),
        ("within 3 weeks", "3 months", "en", False),
        ("50 of it", "50%", "en", False),
        ("30 days", "one month", "en", True),
        ("See ERR-4031.", "4031", "en", False),  # part of an identifier
        ("W2/W3 only", "W3", "en", True),
        ("See https://example.org/v2/a.", "v2", "en", True),
        ("twenty-five users", "25 users", "en", True),
        ("twenty-five users", "5 users", "en", False),
        ("5 million EUR", "5 EUR", "en", False),
    ],
)
def test_the_same_digits_may_say_another_thing(text, expected, language, found):
    assert holds(text, expected, language) is found


def test_a_few_words_are_read_in_the_language_of_the_question():
    made = {
        language: score(
            KEY_FACTS,
            make_subject(answer="1,240 EUR", answer_keys=(("1240 EUR",),), tags={"language": language}),
        ).value
        for language in ("en", "pl")
    }
    assert made == {"en": 1.0, "pl": 0.0}


DATES = [
    "2026-03-01",
    "1 March 2026",
    "1st of March 2026",
    "March 1, 2026",
    "1 Mar 2026",
    "01.03.2026",
    "1 marca 2026",
    "2026年3月1日",
    "2026 年 3 月 1 日",
    "２０２６年３月１日",
]


@pytest.mark.parametrize("written", DATES)
@pytest.mark.parametrize("expected", DATES)
def test_every_way_to_write_a_date(written, expected):
    assert holds(f"From {written} on.", expected)


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("on 11 March 2026", "1 March 2026", False),
        ("on 1 March 2025", "1 March 2026", False),
        ("on 1 March 2026", "1 March", True),
        ("on 1 March", "1 March 2026", False),
        ("on 1 March 2026", "March 2026", True),
        ("2026年3月1日起", "3月1日", True),
        ("2026年3月11日起", "3月1日", False),
        ("1 marca 2026 r.", "2026", True),
        ("on 1 March 2026", "2026-03", False),  # a bare year and number may be anything
        ("on 1 October 2026", "10", False),
        ("on 3/1/2026", "1 March 2026", False),  # nor can this be told apart
        ("it may 12 times", "2026-05-12", False),
    ],
)
def test_parts_of_dates(text, expected, found):
    assert holds(text, expected) is found


def test_citations():
    assert strip_citations("A claim [1]. Another [2, 3]【4】.") == "A claim. Another."
    assert strip_citations("See [the page] and [2026-01].") == "See [the page] and [2026-01]."
