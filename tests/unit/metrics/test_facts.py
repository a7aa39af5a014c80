"""Which spellings of a number, a date or a word are the same."""

import pytest

from rag_variants.metrics.facts import holds
from rag_variants.text.citations import strip_citations


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
        ("14 euros", "14 eur"),
        ("", "14 days"),
        ("14 days", ""),
        ("ERR-4031", "403"),
    ],
)
def test_not_found(text, expected):
    assert not holds(text, expected)


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
