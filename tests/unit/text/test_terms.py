"""Terms: what keyword search compares."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from rag_variants.text.language import Language
from rag_variants.text.terms import character_pairs, extract_terms, fold, normalize, split_at_blanks, stem


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("退款期限", "zh", ("退款", "款期", "期限")),
        ("周末客服", "zh", ("周末", "末客", "客服")),
        ("退款期限 refund", "zh", ("退款", "款期", "期限", "refund")),
        ("税", "zh", ("税",)),
        ("二〇二六", "zh", ("二〇", "〇二", "二六")),
        ("４０３１号", "zh", ("4031", "号")),
        ("５G网络", "zh", ("5g", "网络")),
        ("ERR-4031", "en", ("err-4031",)),
        ("err‐4031", "en", ("err", "4031")),
        ("W2-X and 10.0.0.1", "en", ("w2-x", "and", "10.0.0.1")),
        ("§ 12.4", "en", ("§12.4",)),
        ("§§ 8a", "pl", ("§8a",)),
        ("30-day", "en", ("30", "day")),
        ("14-dniowy", "pl", ("14", "dniow")),
        ("well-known", "en", ("well", "known")),
        ("1,240 units", "en", ("1240", "unit")),
        ("1 240,50 zł", "pl", ("1240,50", "zl")),
        ("in 2026 500 came", "en", ("in", "2026", "500", "came")),
        ("«Refunds» ±0.4 20°C ¿x?", "en", ("refund", "0.4", "20", "c", "x")),
        ("срок возврата", "en", ("срок", "возврата")),
        ("refunds refunds", "en", ("refund", "refund")),
        ("", "en", ()),
        ("。，!", "zh", ()),
    ],
)
def test_terms(text: str, language: Language, terms: tuple[str, ...]) -> None:
    assert extract_terms(text, language) == terms


def test_h09_questions_share_terms_with_what_they_want_and_with_nothing_else() -> None:
    texts = {"zh1": "退款期限为三十天。", "zh2": "发货需要五个工作日。", "zh3": "客服电话周末不开放。"}
    wants = {"退款期限": {"zh1"}, "周末客服": {"zh3"}, "退款期限 refund": {"zh1"}, "火星气候": set()}
    for question, wanted in wants.items():
        found = {name for name, text in texts.items() if set(extract_terms(text)) & set(extract_terms(question))}
        assert found == wanted


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("zwrotow", "zwrotów"),
        ("placic", "płacić"),
        ("wartosc", "wartość"),
        ("zolw", "żółw"),
        ("mozliwosci", "możliwości"),
    ],
)
def test_polish_typed_without_diacritics(typed: str, meant: str) -> None:
    assert stem(typed, "pl") == stem(meant, "pl")


def test_fold_and_normalize() -> None:
    assert fold("żółw Łódź øre Straße") == "zolw Lodz ore Strase"
    assert normalize("ＥＲＲ-４０３１ ﬁ") == "err-4031 fi"


def test_pairs_and_blanks() -> None:
    assert character_pairs("退") == ["退"]
    assert split_at_blanks("退款期限为三十天。 Refund  window") == ("退款期限为三十天。", "refund", "window")


def test_decomposed_letters_are_the_same_term() -> None:
    assert extract_terms("zwrot\u0301", "pl") == extract_terms("zwrot́", "pl")
    assert extract_terms("Cafe\u0301", "en") == extract_terms("Café", "en")


def test_threads_stem_as_one_does() -> None:
    words = [
        f"{word}{ending}" for word in ("calibrat", "regulat", "nation") for ending in ("ion", "ional", "ed", "ing")
    ]
    words = [word + letter for word in words for letter in ("", "s", "ly", "ness")] * 5
    alone = [stem.__wrapped__(word, "en") for word in words]
    with ThreadPoolExecutor(8) as pool:
        together = [list(pool.map(lambda word: stem.__wrapped__(word, "en"), words)) for _ in range(20)]
    assert all(found == alone for found in together)
