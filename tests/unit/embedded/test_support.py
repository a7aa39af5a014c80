"""Verdicts on statements, by kind of agreement and of contradiction, in three languages."""

import itertools
import zlib
from collections.abc import Sequence

import numpy as np
import pytest

from rag_variants.llm.embedding import Vectors
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language
from rag_variants_embedded.judge.support import SupportJudge, SupportVerdict


def embed(texts: Sequence[str]) -> Vectors:
    """Unit vectors of letters: enough where a rule does not need the encoder."""
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for character in text.casefold():
            row[zlib.crc32(character.encode()) % 64] += 1
        row /= max(float(np.linalg.norm(row)), 1e-9)
    return rows


JUDGE = SupportJudge(embed, TermFrequencies(0, {}))

TEXTS: dict[Language, str] = {
    "en": "The depot in Ghent stores up to 340 barrels. "
    "Deliveries arrive twice a day and are checked before unloading. "
    "Smoking is forbidden in the yard. Helmets are mandatory. The gate is open from Monday to Friday. "
    "Parking is free of charge. Code QX-71 opens the blue door; code QX-17 opens the red door.",
    "pl": "Magazyn w Gdańsku mieści najwyżej 340 beczek. "
    "Dostawy przychodzą dwa razy dziennie i są sprawdzane przed rozładunkiem. "
    "Palenie na placu jest zabronione. Kaski są obowiązkowe. Brama jest otwarta od poniedziałku do piątku. "
    "Parking jest bezpłatny. Kod QX-71 otwiera niebieskie drzwi, a kod QX-17 czerwone drzwi.",
    "zh": "青岛仓库最多存放三百四十桶。货物每天送达两次，卸货前要检查。院内禁止吸烟。必须佩戴头盔。"
    "大门周一至周五开放。停车免费。QX-71密码打开蓝色门，QX-17密码打开红色门。",
}


def verdict(statement: str, language: Language) -> SupportVerdict:
    return JUDGE.judge(statement, [TEXTS[language]], language=language)


@pytest.mark.parametrize(
    ("language", "statement"),
    [
        ("en", "Deliveries arrive twice a day."),
        ("en", "Parking is not charged for."),
        ("en", "Smoking is not allowed in the yard."),
        ("en", "Deliveries arrive every twelve hours."),
        ("en", "The gate is closed on Sundays."),
        ("en", "Code QX-17 opens the red door."),
        ("pl", "Dostawy przychodzą dwa razy dziennie."),
        ("pl", "Za parking nie trzeba płacić."),
        ("pl", "Na placu nie wolno palić."),
        ("pl", "Brama jest zamknięta w niedzielę."),
        ("zh", "货物每天送达两次。"),
        ("zh", "停车不收费。"),
        ("zh", "院内不得吸烟。"),
        ("zh", "大门周日关闭。"),
    ],
)
def test_accepts_what_the_text_says_in_other_words(language: Language, statement: str) -> None:
    found = verdict(statement, language)
    assert found.label == "supported"
    assert found.veto is None
    assert found.sentence is not None
    assert found.sentence in TEXTS[language]


@pytest.mark.parametrize(
    ("kind", "language", "statement"),
    [
        ("number", "en", "The depot stores up to 430 barrels."),
        ("number", "pl", "Magazyn mieści najwyżej 430 beczek."),
        ("number", "zh", "仓库最多存放四百三十桶。"),
        ("bound", "en", "The depot stores at least 340 barrels."),
        ("bound", "pl", "Magazyn mieści co najmniej 340 beczek."),
        ("bound", "zh", "仓库至少存放三百四十桶。"),
        ("number", "en", "Deliveries arrive twice a week."),
        ("number", "pl", "Dostawy przychodzą raz dziennie."),
        ("number", "zh", "货物每周送达两次。"),
        ("name", "en", "The depot in Bruges stores up to 340 barrels."),
        ("name", "pl", "Magazyn w Krakowie mieści najwyżej 340 beczek."),
        ("name", "zh", "大连仓库最多存放三百四十桶。"),
        ("name", "en", "Code QX-17 opens the blue door."),
        ("name", "pl", "Kod QX-17 otwiera niebieskie drzwi."),
        ("name", "zh", "QX-17密码打开蓝色门。"),
        ("opposite", "en", "Deliveries are checked after unloading."),
        ("opposite", "pl", "Dostawy są sprawdzane po rozładunku."),
        ("opposite", "en", "Helmets are optional."),
        ("opposite", "pl", "Kaski są dobrowolne."),
        ("negation", "en", "Helmets are not mandatory."),
        ("negation", "pl", "Kaski nie są obowiązkowe."),
        ("opposite", "en", "Smoking is allowed in the yard."),
        ("opposite", "pl", "Palenie na placu jest dozwolone."),
        ("opposite", "zh", "院内可以吸烟。"),
        ("opposite", "en", "The gate is open on Sundays."),
        ("opposite", "zh", "大门周日开放。"),
        ("opposite", "zh", "停车收费。"),
    ],
)
def test_a_contradiction_is_never_supported_and_says_why(kind: str, language: Language, statement: str) -> None:
    found = verdict(statement, language)
    assert found.label == "contradicted"
    assert found.veto is not None
    assert found.sentence is not None
    assert kind in ("number", "bound", "name", "opposite", "negation")


@pytest.mark.parametrize(
    ("language", "statement"),
    [
        ("en", "Barrels are insured against fire."),
        ("pl", "Beczki są ubezpieczone od ognia."),
        ("zh", "仓库配有消防队。"),
    ],
)
def test_an_added_claim_is_not_supported(language: Language, statement: str) -> None:
    assert verdict(statement, language).label != "supported"


@pytest.mark.parametrize(
    ("context", "statement", "language"),
    [
        (
            "The hall has 1,240 seats; half of them are reserved for members.",
            "620 seats are reserved for members.",
            "en",
        ),
        (
            "Orders above 200 euros are shipped free of charge.",
            "An order of 250 euros is shipped free of charge.",
            "en",
        ),
        ("数据库每四小时备份一次。", "数据库每天备份六次。", "zh"),
        ("Zamówienia powyżej 200 zł wysyłamy bezpłatnie.", "Zamówienie o wartości 250 zł wysyłamy bezpłatnie.", "pl"),
    ],
)
def test_accepts_simple_inference(context: str, statement: str, language: Language) -> None:
    assert JUDGE.judge(statement, [context], language=language).label == "supported"


def test_joins_evidence_of_two_contexts_but_keeps_the_subject() -> None:
    contexts = ["The Basic tariff costs 9 euros. It has 3 users.", "The Royal tariff costs 49 euros and has 25 users."]
    both = "Parking costs 4 euros and the sauna costs 7 euros."
    apart = ["Parking costs 4 euros.", "The sauna costs 7 euros."]
    assert JUDGE.judge(both, apart, language="en").label == "supported"
    assert JUDGE.judge("The Basic tariff costs 9 euros and has 25 users.", contexts, language="en").label != "supported"


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_a_verdict_depends_on_its_own_texts_alone(language: Language) -> None:
    """Alone, again, with other statements before it, and with contexts in any order: the same verdict."""
    statements = {
        "en": ["Parking is free.", "Smoking is allowed.", "340 barrels."],
        "pl": ["Parking jest bezpłatny.", "Palenie jest dozwolone.", "340 beczek."],
        "zh": ["停车免费。", "可以吸烟。", "三百四十桶。"],
    }[language]
    contexts = list(TEXTS.values())
    alone = {statement: JUDGE.judge(statement, contexts, language=language) for statement in statements}
    for order in itertools.permutations(contexts):
        for statement in reversed(statements):
            fresh = SupportJudge(embed, TermFrequencies(0, {}))
            assert fresh.judge(statement, list(order), language=language) == alone[statement]


def test_several_contexts_give_the_best_of_each() -> None:
    statement = "Parking is free."
    each = [JUDGE.judge(statement, [text], language="en") for text in TEXTS.values()]
    assert JUDGE.judge(statement, list(TEXTS.values()), language="en") in each


@pytest.mark.parametrize("contexts", [[], [""], ["   \n"], ["---"]])
def test_nothing_to_read_is_missing(contexts: list[str]) -> None:
    assert JUDGE.judge("Parking is free.", contexts).label == "missing"


def test_rarity_and_center_may_be_given() -> None:
    center = embed(list(TEXTS.values())).mean(axis=0)
    judge = SupportJudge(embed, TermFrequencies(10, {"park": 1, "free": 9}), center)
    found = judge.judge("Parking is free of charge.", [TEXTS["en"]], language="en")
    assert found.label == "supported"
    assert 0.0 <= found.score <= 1.0
