"""Kinds of fact: asked for and held, in three languages."""

import pytest

from rag_variants_embedded.answer.asked_for import facts_asked, holds


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What does a reminder cost?", "money"),
        ("Ile kosztuje wzorcowanie?", "money"),
        ("这个多少钱？", "money"),
        ("What percentage of the goods is tested?", "percent"),
        ("Ile procent głosów zdobył?", "percent"),
        ("How long is the warranty?", "duration"),
        ("For how many days is it valid?", "duration"),
        ("Jak długo trwa naprawa?", "duration"),
        ("要等多久？", "duration"),
        ("When did it open?", "time"),
        ("Kiedy go otwarto?", "time"),
        ("哪一年独立？", "time"),
        ("Ile waży bramka?", "weight"),
        ("How far from the wall?", "length"),
        ("身高是多少？", "length"),
        ("How many loggers are there?", "number"),
        ("Ilu ich było?", "number"),
        ("Who is told?", "person"),
        ("Kto odpowiada?", "person"),
        ("Gdzie to jest?", "place"),
        ("为什么改名？", "reason"),
        ("How often is it calibrated?", "frequency"),
        ("Co ile miesięcy?", "frequency"),
    ],
)
def test_the_kind_of_fact_is_read_from_the_question(question: str, fact: str) -> None:
    assert facts_asked(question) == (fact,)


@pytest.mark.parametrize("question", ["Are batteries covered?", "Czy to działa?", "可以吗？", "I lost it when I moved"])
def test_a_plain_question_asks_for_no_kind_of_fact(question: str) -> None:
    assert facts_asked(question) == ()


@pytest.mark.parametrize(
    ("fact", "holding", "lacking"),
    [
        ("money", "It costs 45 EUR.", "It costs a lot."),
        ("money", "费用为45元。", "费用另计。"),
        ("money", "Jest bezpłatne.", "Jest tanie."),
        ("percent", "25 % of it", "25 of it"),
        ("duration", "w ciągu dwóch tygodni", "w ciągu"),
        ("duration", "有效期为180天", "有效"),
        ("time", "in March", "in the box"),
        ("weight", "It has 3 kg.", "It has 3 rooms."),
        ("length", "长度为1.2米", "型号1.2"),
        ("number", "There are twelve.", "There are several."),
        ("number", "There are 12.", "See W2 and LK-3301."),
        ("contact", "Write to a@b.example.", "Write to us."),
    ],
)
def test_a_text_holds_a_fact_if_it_shows_its_mark(fact: str, holding: str, lacking: str) -> None:
    assert (holds(fact, holding), holds(fact, lacking)) == (True, False)


def test_a_name_has_to_be_new() -> None:
    assert holds("person", "It was led by Rosalind Achterberg.", "Who led it?")
    assert not holds("person", "It was led by Tesla.", "Who led Tesla?")


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When is breakfast served?", "Breakfast is served from 7 to 10."),
        ("When does the shop open?", "The shop opens at nine"),
        ("What time does the pool close?", "The pool closes at eight in the evening."),
        ("When are dogs allowed?", "Dogs are allowed in winter."),
        ("Kiedy jest śniadanie?", "Śniadanie podajemy od 7 do 10."),
        ("Kiedy otwiera się sklep?", "Sklep otwiera się o dziewiątej."),
        ("Kiedy działa wyciąg?", "Wyciąg działa zimą."),
        ("什么时候供应早餐？", "早餐供应时间为七点到十点。"),
        ("商店几点开门？", "商店九点开门。"),
        ("什么时候可以钓鱼？", "夏季可以钓鱼。"),
    ],
)
def test_an_hour_or_a_part_of_the_day_tells_when(question: str, sentence: str) -> None:
    assert "time" in facts_asked(question)
    assert holds("time", sentence, question)


@pytest.mark.parametrize(
    "sentence",
    [
        "The scale weighs from 7 to 10 kg.",
        "The probe works at 7 °C.",
        "The price is reduced by 3 euros.",
        "Fill it by 2.5 litres.",
        "Waga waży od 7 do 10 kg.",
        "Cena rośnie o 5 zł.",
        "商店在海边。",
    ],
)
def test_a_measure_tells_no_time(sentence: str) -> None:
    assert not holds("time", sentence, "When?")
