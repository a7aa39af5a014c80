"""Planted faults: each kind in each language, and over every sentence of the sample."""

import re
from collections.abc import Iterator
from datetime import datetime
from random import Random

import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.sample import sample_folder
from rag_variants.text.language import LANGUAGES, Language
from rag_variants.text.quantities.read import read_quantities
from rag_variants.types import Chunk, Hit
from rag_variants_embedded.answer.candidates import find_candidates
from rag_variants_embedded.answer.faults.dates import change_date
from rag_variants_embedded.answer.faults.elsewhere import Elsewhere
from rag_variants_embedded.answer.faults.negation import deny
from rag_variants_embedded.answer.faults.numbers import change_number
from tests.making import knowledge

SEEDS = range(12)
NUMBER = re.compile(r"\d+(?:[.,\u00a0 ]\d+)*")


def changed(kind, sentence: str, language: Language) -> set[str]:
    """What a kind of fault makes of a sentence under twelve seeds."""
    make = {
        "number": lambda random: change_number(sentence, language, random),
        "date": lambda random: change_date(sentence, random),
        "negation": lambda random: deny(sentence, language, random),
    }[kind]
    return {said for seed in SEEDS if (said := make(Random(seed))) is not None}


@pytest.mark.parametrize(
    ("sentence", "language", "frame"),
    [
        ("The label is valid for 10 days.", "en", r"The label is valid for (\d\d?) days\."),
        ("It costs 1,250.50 EUR.", "en", r"It costs (\d,?\d*\.50) EUR\."),
        ("Give at least 25 % of it.", "en", r"Give at least (\d\d) % of it\."),
        ("The cable is 1.8 m long.", "en", r"The cable is (\d\.8) m long\."),
        ("Przewód ma 1,8 m.", "pl", r"Przewód ma (\d,8) m\."),
        ("Kurs trwa 3 lata.", "pl", r"Kurs trwa (2|4|[2-9][2-4]) lata\."),
        ("Termin wynosi 21 dni.", "pl", r"Termin wynosi (\d\d?) dni\."),
        ("令牌的有效期为180天。", "zh", r"令牌的有效期为(\d\d\d?)天。"),
        ("保修期为3年。", "zh", r"保修期为(\d\d?)年。"),
        ("价格为2080元。", "zh", r"价格为(\d{3,4})元。"),
    ],
)
def test_a_number_keeps_its_format_and_unit_and_changes_its_value(sentence: str, language: Language, frame: str):
    said = changed("number", sentence, language)
    old = re.fullmatch(frame, sentence) or re.search(NUMBER, sentence)
    values = {re.fullmatch(frame, each) for each in said}
    assert said
    assert None not in values, said
    assert sentence not in said
    assert all(value.group(1) != old.group() for value in values)


@pytest.mark.parametrize(
    "sentence",
    [
        "ERR-4031 means that version 5.4 and LK-2207-X are needed.",
        "Open from 8:00–17:00, see § 12.4 and page 7.",
        "It was sold on 30 June 2027 and on 2027-06-30.",
        "In 2025 the limit was lifted.",
        "Ceny obowiązują od 2 marca 2026 r.",
        "自2026年3月2日起执行，端口8883，固件5.4版。",
        "It lasts 1 day.",
        "Nothing is counted here.",
    ],
)
def test_codes_clocks_versions_dates_and_one_are_no_numbers_to_change(sentence: str):
    assert {change_number(sentence, language, Random(seed)) for seed in SEEDS for language in LANGUAGES} == {None}


def test_a_share_stays_below_the_whole():
    values = {int(re.search(r"\d+", said).group()) for said in changed("number", "Up to 90 % are paid.", "en")}
    assert max(values) < 100


def test_a_polish_number_wants_the_same_form_of_its_noun():
    few = {int(re.search(r"\d+", said).group()) for said in changed("number", "Ważny 24 miesiące.", "pl")}
    assert all(value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14) for value in few)


def test_a_number_that_is_not_free_is_not_used():
    taken = {"2", "3", "4", "5", "6", "7", "8", "9"}
    assert changed("number", "It takes 6 days.", "en")
    assert change_number("It takes 6 days.", "en", Random(1), lambda new: new not in taken and len(new) < 2) is None


@pytest.mark.parametrize(
    ("sentence", "pattern", "read"),
    [
        ("It ends on 30 June 2027.", r"It ends on (\d\d?) (\w+) (\d{4})\.", "%d %B %Y"),
        ("It ends on June 30, 2027.", r"It ends on (\w+) (\d\d?), (\d{4})\.", "%B %d %Y"),
        ("It ends on 2027-02-28.", r"It ends on (\d{4})-(\d\d)-(\d\d)\.", "%Y %m %d"),
        ("Koniec 28.02.2026.", r"Koniec (\d\d)\.(\d\d)\.(\d{4})\.", "%d %m %Y"),
        ("合同2026年2月28日到期。", r"合同(\d{4})年(\d\d?)月(\d\d?)日到期。", "%Y %m %d"),
    ],
)
def test_a_date_becomes_another_that_exists(sentence: str, pattern: str, read: str):
    said = changed("date", sentence, "en")
    days = {datetime.strptime(" ".join(re.fullmatch(pattern, each).groups()), read).date() for each in said}
    old = datetime.strptime(" ".join(re.fullmatch(pattern, sentence).groups()), read).date()
    assert days
    assert old not in days


def test_polish_months_stay_in_their_case_and_a_weekday_keeps_its_date():
    said = changed("date", "Od 2 marca 2026 r. ceny rosną.", "pl")
    months = "marca|maja|czerwca|sierpnia|października|stycznia"  # 0, 2, 3, 5, 7, 10 months on
    assert said
    assert all(re.fullmatch(rf"Od \d\d? (?:{months}) \d{{4}} r\. ceny rosną\.", each) for each in said)
    assert changed("date", "It ends on Friday, 3 July 2026.", "en") == set()


@pytest.mark.parametrize(
    ("sentence", "language", "denied"),
    [
        ("The label is valid for 10 days.", "en", "The label is not valid for 10 days."),
        ("Goods can be returned.", "en", "Goods cannot be returned."),
        ("We do not accept cheques.", "en", "We do accept cheques."),
        ("Used devices cannot be returned.", "en", "Used devices can be returned."),
        ("Etykieta jest ważna 10 dni.", "pl", "Etykieta nie jest ważna 10 dni."),
        ("Wzorcowanie trwa 7 dni.", "pl", "Wzorcowanie nie trwa 7 dni."),
        ("Praca zdalna nie jest możliwa.", "pl", "Praca zdalna jest możliwa."),
        ("Nie obowiązuje limit.", "pl", "Obowiązuje limit."),
        ("自签收之日起14天内可以退货。", "zh", "自签收之日起14天内不可以退货。"),
        ("有效期为180天。", "zh", "有效期不为180天。"),
        ("W2-X不提供。", "zh", "W2-X提供。"),
    ],
)
def test_a_denial_is_grammatical(sentence: str, language: Language, denied: str):
    assert changed("negation", sentence, language) == {denied}


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("If it is red, it is broken.", "en"),
        ("The label is valid and can be printed.", "en"),
        ("Is it valid?", "en"),
        ("Nobody is told.", "en"),
        ("The parcel arrives on Monday.", "en"),
        ("Gwarancja trwa 3 lata.", "pl"),  # `nie trwa 3 lat`: the noun would change
        ("Klient otrzymuje fakturę.", "pl"),  # `nie otrzymuje faktury`
        ("Nikt nie jest zwolniony.", "pl"),
        ("需要发票的，请填写税号。", "zh"),
        ("由客服提供支持。", "zh"),
    ],
)
def test_what_would_not_surely_be_grammatical_is_left_alone(sentence: str, language: Language):
    assert changed("negation", sentence, language) == set()


def sentences(language: Language) -> Iterator[str]:
    """Every sentence of the sample that may be said."""
    for document in load_knowledge(sample_folder()).documents:
        if document.language == language:
            chunk = Chunk(document.path, 0, len(document.text), document.text, document.language)
            yield from (candidate.said for candidate in find_candidates([Hit(1, chunk, 1.0)]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["number", "date", "negation"])
def test_every_fault_over_the_sample_changes_one_thing(kind: str, language: Language):
    planted = [(text, said) for text in sentences(language) for said in changed(kind, text, language)]
    assert len({text for text, _ in planted}) >= 4
    for text, said in planted:
        old, new = NUMBER.findall(text), NUMBER.findall(said)
        assert said != text
        if kind != "negation":
            before, after = (
                [(q.dimension, q.value, q.day) for q in read_quantities(t, language)] for t in (text, said)
            )
            assert before != after, f"the judge cannot see it: {said}"
        if kind == "number":
            assert len(old) == len(new)
            assert sum(a != b for a, b in zip(old, new, strict=True)) == 1, said
            assert NUMBER.sub("", text) == NUMBER.sub("", said)
        elif kind == "negation":
            assert old == new
            added = {"en": (4, 3), "pl": (4,), "zh": (1,)}[language]  # ` not` or the end of `cannot`, `nie `, `不`
            assert abs(len(said) - len(text)) in added, said


TEXTS = {
    "a.md": "The warranty on loggers lasts 3 years from the day of delivery.",
    "b.md": "# Parking\n\nVisitors park their cars behind the northern gate of the building.\n\nThey pay at the gate.",
    "c.md": "The warranty on loggers lasts 9 years from the day of delivery.",
    "d.md": "Goście parkują samochody za północną bramą budynku, obok magazynu.",
    "e.md": "来访者的车辆停放在大楼北门后面的停车场内。",
}


def hit(path: str) -> Hit:
    return Hit(1, Chunk(path, 0, len(TEXTS[path]), TEXTS[path], "en"), 1.0)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Visitors park their cars behind the northern gate of the building."),
        ("pl", TEXTS["d.md"]),
        ("zh", TEXTS["e.md"]),
    ],
)
def test_a_sentence_from_elsewhere_is_of_its_language_and_of_no_hit(language: Language, expected: str):
    base = Elsewhere(knowledge(TEXTS))
    picked = {base.pick(language, [hit("a.md")], Random(seed)) for seed in SEEDS}
    assert picked == {expected}, "not what the hits nearly say (c.md), no heading, nothing that leans on what is before"


def test_there_is_nothing_elsewhere_where_all_is_shown():
    assert Elsewhere(knowledge({"a.md": TEXTS["a.md"]})).pick("en", [hit("a.md")], Random(1)) is None
