"""A word as it was asked for stands before its other forms, which are still found; identifiers by their parts."""

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.query import Query
from tests.making import bench


def ranked(texts: dict[str, str], question: str, spec: str = "keyword") -> list[str]:
    return [hit.chunk.document for hit in read_variant(spec).rank(Query(question), bench(texts))]


# Where only the form differs, the other form is repeated and its text shorter, so that it would win by its term.
@pytest.mark.parametrize("formula", ["okapi", "l", "plus"])
@pytest.mark.parametrize(
    ("question", "first", "others"),
    [
        ("Kiedy otwarty jest sąd?", "Sąd jest otwarty od wtorku, w domu przy rynku.", ["Sad, sad jest otwarty."]),
        ("Kiedy otwarty jest sad?", "Sad jest otwarty od wtorku, za budynkiem przy rynku.", ["Sąd, sąd: otwarty."]),
        ("Gdzie leży łaska?", "Łaska leży w ręku króla, jak mówi stare prawo kraju.", ["Laska, laska leży."]),
        ("Gdzie leży laska?", "Laska leży w ręku króla, jak mówi stare prawo kraju.", ["Łaska, łaska leży."]),
        ("Wann öffnet die Bühne, schön?", "Die Bühne öffnet am Abend, schön und lang.", ["Buhne, Buhne offnet."]),
        (
            "Where is the US office?",
            "The US office is in Boston, near the old harbour.",
            ["Tell us, us at the office."],
        ),
        ("What does CAN show?", "CAN carries what the motors say to the dashboard.", ["You can show it. It can."]),
        ("Who funds the WHO office?", "The WHO office lives on what its members pay.", ["Who asks who in office?"]),
        ("What does IT do?", "IT repairs every laptop of this house within days.", ["It is what it is."]),
        ("hearing aids", "Hearing aids are lent to visitors at the desk.", ["Hearing on AIDS. AIDS."]),
        ("Czym zajmuje się ZUS?", "Składki przyjmuje ZUS i wypłaca z nich emerytury.", ["Zus, zus zus."]),
        ("C++ course", "The C++ course starts in spring, in the long hall.", ["C, C, C course.", "C# course."]),
        ("C course", "The C course starts in spring, in the long hall.", ["C++, C++ course.", "C# course."]),
        ("C# course", "The C# course starts in spring, in the long hall.", ["C++ C++ course.", "C course."]),
        (".NET course", "The .NET course starts in spring, in the long hall.", ["Net, net course."]),
        ("CAN 总线", "CAN 总线连接电机与仪表盘。", ["can can 总线"]),
    ],
)
def test_the_form_asked_for_stands_first(formula, question, first, others):
    texts = {"z": first, **{f"a{at}": other for at, other in enumerate(others)}}
    assert ranked(texts, question, f"keyword:formula={formula}")[0] == "z"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("sąd", "Sad kwitnie."),
        ("sad", "Sąd obraduje."),
        ("C++", "We teach C."),
        ("VAT rate", "The vat rate."),
        ("zwrotow towaru", "Prawo zwrotów."),
        ("stół", "Nogi stołu."),
    ],
)
def test_another_form_is_still_found(question, text):
    alone = ranked({"a": text}, question)
    assert alone == ["a"]


@pytest.mark.parametrize(("one", "other"), [("stół", "stołu"), ("liść", "liścia"), ("łódź", "łodzi"), ("koń", "konie")])
def test_inflection_is_no_other_form(one, other):
    # ó and o, ć and c, ń and n change as Polish words are inflected: both chunks count in full, so that they tie
    texts = {"a": f"{one} kwitnie", "b": f"{other} kwitnie"}
    hits = read_variant("keyword").rank(Query(one), bench(texts))
    assert [hit.score for hit in hits] == [hits[0].score] * 2


def test_in_a_line_of_capitals_case_says_nothing():
    texts = {"a": "REFUND POLICY\nMoney comes back.", "b": "Refund policy\nMoney comes back."}
    hits = read_variant("keyword").rank(Query("refund policy"), bench(texts))
    assert [hit.score for hit in hits] == [hits[0].score] * 2
    assert ranked({"a": "THE CAN BUS\nTwo wires.", "b": "You can show it."}, "What is CAN?")[0] == "a"


@pytest.mark.parametrize("question", ["WHERE IS THE US OFFICE?", "where is the us office?"])
def test_a_function_word_without_its_capitals_does_not_vote(question):
    assert ranked({"a": "Tell us and us.", "b": "The office."}, question) == ["b"]


IDENTIFIERS = {
    "iso": "The ISO-9001 certificate hangs in the hall.",
    "covid": "COVID-19 rules for visitors.",
    "ms": "Patch MS17-010 closes it.",
    "rule": "RULE-A002 says no.",
    "version": "Released as v2.10.3 today.",
    "name": "Set max_retries to four.",
}


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("ISO 9001", "iso"),
        ("iso9001", "iso"),
        ("9001", "iso"),
        ("ISO-9001", "iso"),
        ("covid", "covid"),
        ("Zasady COVID", "covid"),
        ("covid 有什么规定", "covid"),
        ("MS17", "ms"),
        ("ms17-010", "ms"),
        ("A002", "rule"),
        ("Co mówi reguła A002?", "rule"),
        ("2.10.3", "version"),
        ("v2.10.3", "version"),
        ("max_retries", "name"),
        ("retries", "name"),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(question, document):
    assert ranked(IDENTIFIERS, question)[0] == document


@pytest.mark.parametrize(
    ("question", "whole", "parts"),
    [
        ("ISO-9001", "The ISO-9001 certificate hangs in the hall.", "ISO 9001, ISO 9001"),
        ("MS17-010", "Who patched MS17-010 in the last week?", "MS17 and 010, MS17 and 010"),
        ("v2.10.3", "The release v2.10.3 is out since Monday.", "2.10.3 2.10.3"),
        ("ISO-9001", "The ISO-9001 certificate hangs in the hall.", "iso9001"),
        ("max_retries", "Set max_retries to four, then look again.", "The max of retries."),
    ],
)
def test_the_whole_stands_before_the_parts_and_these_are_found(question, whole, parts):
    assert ranked({"a": parts, "z": whole}, question) == ["z", "a"]
    assert ranked({"a": parts, "b": "nothing"}, question) == ["a"]


def test_an_identifier_does_not_match_one_that_shares_a_part_only():
    assert ranked({"a": "ERR-4031 means expired.", "b": "ERR-4013 means drift."}, "ERR-4013") == ["b"]
    assert ranked({"a": "ERR-4031 means expired."}, "ERR-4013") == []


def test_marks_lengthen_no_chunk():
    # one chunk of 2 terms, `iso-9001` and `hall`, as rank-bm25 counts it; N = df = 1, length = average, tf = 1
    from math import log

    (hit,) = read_variant("keyword").rank(Query("hall"), bench({"a": "ISO-9001 hall"}))
    assert hit.score == pytest.approx(log(1 + 0.5 / 1.5))


def test_the_exact_form_counts_by_its_own_rareness():
    # `us` in 2 of 2 chunks, `US` in 1: own = idf(1 of 2) = ln 2; it alone votes, twice, as `us` is a function word
    from math import log

    hits = read_variant("keyword").rank(Query("the US"), bench({"a": "us", "b": "US"}))
    assert [(hit.chunk.document, hit.score) for hit in hits] == [("b", pytest.approx(2 * log(2)))]
    # `sad` in 2 of 2, `sąd` in 1: own = ln 2; the other form: half of min(idf(2 of 2) = ln 1.2, ln 2)
    hits = read_variant("keyword").rank(Query("sąd"), bench({"a": "sad", "b": "sąd"}))
    assert [hit.score for hit in hits] == [pytest.approx(log(2)), pytest.approx(log(1.2) / 2)]
