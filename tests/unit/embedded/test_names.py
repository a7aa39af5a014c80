"""Names, identifiers and things that exclude each other."""

import pytest

from rag_variants.text.language import Language
from rag_variants_embedded.judge.alignment import align
from rag_variants_embedded.judge.names import binding_veto, name_veto, slot_veto
from rag_variants_embedded.judge.read_sentence import read


def veto(statement: str, evidence: str, language: Language) -> str | None:
    said, text = read(statement, language), read(evidence, language)
    matches = align(said, text)
    return name_veto(matches, text, ())[0] or binding_veto(said, matches, text) or slot_veto(said, matches, text)


@pytest.mark.parametrize(
    ("language", "statement", "evidence"),
    [
        ("en", "The lead is Dana Whitmore.", "The lead is Dana Whitlock."),
        ("en", "Error ERR-4013 means no access.", "Error ERR-4031 means no access."),
        ("en", "Visitors wear a blue badge.", "Visitors wear a yellow badge."),
        ("en", "Ruth Stone is the treasurer.", "The chair is Ruth Stone and the treasurer is Olaf Brandt."),
        ("pl", "Serwerownia jest w Krakowie.", "Serwerownia jest w Poznaniu."),
        ("pl", "Dostawa pocztą trwa dwa dni.", "Dostawa kurierem trwa dwa dni."),
        ("zh", "设计师是李建国。", "设计师是王建国。"),
        ("zh", "备份保存在北京。", "备份保存在上海。"),
        ("zh", "五号仓库存放冷冻食品。", "三号仓库存放冷冻食品，五号仓库存放干货。"),
    ],
)
def test_another_name_is_named(language: Language, statement: str, evidence: str) -> None:
    found = veto(statement, evidence, language)
    assert found is not None
    assert found.startswith("name: ")


@pytest.mark.parametrize(
    ("language", "statement", "evidence"),
    [
        ("en", "Dana Whitlock is the lead.", "The lead is Dana Whitlock."),
        ("pl", "Magazyn mieści się w Krakowie.", "Kraków: tu mieści się magazyn."),
        ("zh", "王建国是设计师。", "设计师是王建国。"),
    ],
)
def test_the_same_name_in_another_form_or_place(language: Language, statement: str, evidence: str) -> None:
    assert veto(statement, evidence, language) is None
