"""Evidence is a quote: which chunks are gold, and how much of it they cover."""

import pytest

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.questions.gold import Gold, Mark, locate_evidence
from rag_variants.types import Chunk, Document, Evidence, Question, Trap

#       0         1         2         3
#       0123456789012345678901234567890123456789
TEXT = "Intro. Refunds take 14 days at most. End"
QUOTE = "Refunds take 14 days at most."  # 7 … 36, 29 characters
KEY = "14 days"  # 20 … 27


def base(*texts: str) -> KnowledgeBase:
    return KnowledgeBase("kb", tuple(Document(f"d{at}.md", text, "D", "en") for at, text in enumerate(texts)))


def locate(*evidence: Evidence, traps: tuple[Trap, ...] = (), texts: tuple[str, ...] = (TEXT,)) -> Gold:
    return locate_evidence(Question("q", "?", evidence=evidence, traps=traps), base(*texts))


def chunk(start: int, end: int, document: str = "d0.md") -> Chunk:
    return Chunk(document, start, end, "", "en")


@pytest.mark.parametrize(
    ("start", "end", "mark"),
    [
        (0, 40, Mark(gold=(1,))),
        (20, 27, Mark(gold=(1,))),  # the key and nothing else
        (0, 27, Mark(gold=(1,))),
        (0, 26, Mark(part=True)),  # 26 − 7 = 19 of 29 characters, but not the whole key
        (21, 36, Mark(part=True)),
        (36, 40, Mark()),  # begins where the quote ends
        (0, 7, Mark()),
    ],
)
def test_with_a_key_a_chunk_is_gold_if_it_holds_the_key_whole(start: int, end: int, mark: Mark) -> None:
    assert locate(Evidence("d0.md", QUOTE, 1, KEY)).mark(chunk(start, end)) == mark


@pytest.mark.parametrize(
    ("start", "end", "mark"),
    [
        (0, 22, Mark(gold=(1,))),  # 22 − 7 = 15 of 29: 2 · 15 = 30 ≥ 29, half of the quote
        (0, 21, Mark(gold=(1,))),  # 21 − 7 = 14 of 29 is less, but 2 · 14 = 28 ≥ 21: the chunk is half quote
        (0, 15, Mark(gold=(1,))),  # 15 − 7 = 8; 2 · 8 = 16 ≥ 15
        (0, 13, Mark(part=True)),  # 13 − 7 = 6; 2 · 6 = 12 < 13 and < 29
        (0, 14, Mark(gold=(1,))),  # 14 − 7 = 7; 2 · 7 = 14 ≥ 14
    ],
)
def test_without_a_key_half_of_the_quote_or_half_of_the_chunk(start: int, end: int, mark: Mark) -> None:
    assert locate(Evidence("d0.md", QUOTE, 1)).mark(chunk(start, end)) == mark


#            40        50
LONG_TEXT = "x" * 40 + "0123456789" + "y" * 50


@pytest.mark.parametrize(
    ("start", "end", "mark"),
    [
        (5, 45, Mark(gold=(1,))),  # 45 − 40 = 5 of 10 is half of the quote; of the chunk it is 5 of 40
        (4, 44, Mark(part=True)),  # 44 − 40 = 4 of 10
        (45, 90, Mark(gold=(1,))),  # 50 − 45 = 5 of 10
        (46, 90, Mark(part=True)),  # 50 − 46 = 4 of 10
        (0, 100, Mark(gold=(1,))),  # all 10 of 10
        (0, 40, Mark()),  # ends where the quote begins
    ],
)
def test_half_of_a_short_quote_is_enough_in_a_long_chunk(start: int, end: int, mark: Mark) -> None:
    assert locate(Evidence("d0.md", "0123456789", 1), texts=(LONG_TEXT,)).mark(chunk(start, end)) == mark


@pytest.mark.parametrize(
    ("start", "end", "mark"),
    [
        (45, 55, Mark(gold=(1,))),  # 55 − 50 = 5 of 10 is half of the chunk; of the quote it is 5 of 50
        (44, 54, Mark(part=True)),  # 54 − 50 = 4 of 10
        (50, 51, Mark(gold=(1,))),  # 1 of 1
        (49, 51, Mark(gold=(1,))),  # 1 of 2
        (48, 51, Mark(part=True)),  # 1 of 3
    ],
)
def test_a_short_chunk_that_is_half_quote_is_enough_of_a_long_quote(start: int, end: int, mark: Mark) -> None:
    assert locate(Evidence("d0.md", "y" * 50, 1), texts=(LONG_TEXT,)).mark(chunk(start, end)) == mark


@pytest.mark.parametrize("start", [20, 19])
def test_a_key_at_the_edge_of_a_chunk_is_held_whole(start: int) -> None:
    """The key is 20 … 27: a chunk that begins with it or before it, and ends with it, holds it; one short does not."""
    gold = locate(Evidence("d0.md", QUOTE, 1, KEY))
    assert gold.mark(chunk(start, 27)).gold == (1,)
    assert gold.mark(chunk(start, 26)).gold == ()
    assert gold.mark(chunk(21, 40)).gold == ()


def test_a_key_in_a_chunk_of_another_document_is_not_this_one() -> None:
    """d1 holds other evidence, so its chunks are looked at; the key of d0 has the same place in it."""
    gold = locate(Evidence("d0.md", QUOTE, 1, KEY), Evidence("d1.md", "elsewhere", 2), texts=(TEXT, "elsewhere " * 4))
    assert gold.mark(chunk(10, 40, "d1.md")).gold == (2,)


def test_a_key_that_is_not_in_its_quote_counts_as_none() -> None:
    gold = locate(Evidence("d0.md", QUOTE, 1, "30 days"))
    assert gold.mark(chunk(0, 22)).gold == (1,)
    assert gold.mark(chunk(10, 40)).gold == (1,)  # 36 − 10 = 26 of 29; no place before it has to be held


def test_any_occurrence_in_any_document_counts() -> None:
    gold = locate(Evidence("d0.md", "14 days", 1), texts=("14 days and 14 days", "x 14 days"))
    assert [(each.document, each.start, each.end) for each in gold.occurrences] == [
        ("d0.md", 0, 7),
        ("d0.md", 12, 19),
        ("d1.md", 2, 9),
    ]
    assert gold.documents == {"d0.md", "d1.md"}


def test_a_group_is_covered_by_its_best_alternative() -> None:
    gold = locate(Evidence("d0.md", "0123456789", 1), Evidence("d1.md", "abcd", 1), texts=("0123456789", "abcd"))
    hits = [chunk(0, 4), chunk(2, 6), chunk(0, 1, "d1.md")]
    # d0: 0 … 6 = 6 of 10 characters, the overlap counted once; d1: 1 of 4
    assert gold.covered_share(1, hits) == max(6 / 10, 1 / 4)
    assert gold.covered_share(2, hits) == 0.0
    assert gold.groups == (1,)


def test_all_groups_are_needed() -> None:
    gold = locate(Evidence("d0.md", "0123", 1), Evidence("d0.md", "6789", 2), texts=("0123456789",))
    shares = [gold.covered_share(group, [chunk(0, 8)]) for group in gold.groups]
    assert sum(shares) / len(shares) == (4 / 4 + 2 / 4) / 2
    assert gold.mark(chunk(0, 10)).gold == (1, 2)


def test_characters_of_evidence_are_counted_once() -> None:
    gold = locate(Evidence("d0.md", "0123", 1), Evidence("d0.md", "2345", 2), texts=("0123456789",))
    # 0 … 4 and 2 … 6 together are 6 characters, whoever holds them
    assert gold.evidence_characters([chunk(0, 10)]) == 6
    assert gold.evidence_characters([chunk(0, 3), chunk(2, 10)]) == 6
    assert gold.evidence_characters([chunk(8, 10), chunk(0, 5, "d9.md")]) == 0


def test_characters_in_two_documents_add_up() -> None:
    gold = locate(Evidence("d0.md", "4567", 1), Evidence("d1.md", "abcd", 2), texts=("0123456789", "abcdefgh"))
    # d0: 4 … 8, d1: 0 … 3; what d0 has reached says nothing about d1
    assert gold.evidence_characters([chunk(0, 10), chunk(0, 3, "d1.md")]) == 4 + 3
    assert gold.covered_share(2, [chunk(0, 10), chunk(0, 3, "d1.md")]) == 3 / 4


def test_gold_chunks_in_their_order() -> None:
    chunks = [chunk(20, 40), chunk(0, 10), chunk(0, 40), chunk(20, 27, "d1.md")]
    assert locate(Evidence("d0.md", QUOTE, 1, KEY)).gold_chunks(chunks) == (chunks[0], chunks[2])


def test_a_trap_is_marked_with_its_reason_besides_gold() -> None:
    gold = locate(Evidence("d0.md", QUOTE, 1, KEY), traps=(Trap("d0.md", "Intro", "stale"), Trap("d1.md", "x", "twin")))
    assert gold.mark(chunk(0, 40)) == Mark(gold=(1,), trap="stale")
    assert gold.mark(chunk(0, 5, "d1.md")) == Mark(trap="twin")


def test_a_quote_that_stands_nowhere_is_told() -> None:
    gold = locate(Evidence("d0.md", "Refunds take 15 days", 1), Evidence("", "nowhere", 2))
    assert gold.occurrences == ()
    assert [entry.name for entry in gold.missing] == ["q: d0.md", "q: any document"]
    assert gold.missing[0].reason.endswith("stands in no document; copy it exactly from the text")


@pytest.mark.parametrize("name", ["d1.md", "d1"])
def test_evidence_without_a_quote_is_a_whole_document(name: str) -> None:
    gold = locate(Evidence(name, "", 1), texts=("0123456789", "abcdefgh"))
    assert gold.mark(chunk(0, 2, "d1.md")).gold == (1,)  # 2 · 2 ≥ 2: the chunk is all evidence
    assert gold.mark(chunk(0, 2, "d0.md")) == Mark()
    assert gold.covered_share(1, [chunk(0, 2, "d1.md"), chunk(4, 6, "d1.md")]) == (2 + 2) / 8


def test_a_whole_document_that_is_not_there_is_told() -> None:
    (missing,) = locate(Evidence("0012", "", 1)).missing
    assert (missing.name, missing.reason[:11]) == ("q: 0012", "no document")


def test_marks_of_chunks_that_come_and_go_are_not_kept_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag_variants.questions.gold.MARKS_CACHED", 3)
    gold = locate(Evidence("d0.md", QUOTE, 1, KEY))
    marks = [gold.mark(chunk(0, end)).gold for end in range(20, 40)]
    assert marks == [()] * 7 + [(1,)] * 13  # from 27 on the key, 20 … 27, is held
    assert len(gold._marks) <= 3


def test_no_evidence() -> None:
    gold = locate()
    assert (gold.groups, gold.missing, gold.mark(chunk(0, 5))) == ((), (), Mark())


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("The cancellation period is\nthirty days.", "period is thirty days", "period is\nthirty days"),
        ("The period is thirty days.", "period is\r\nthirty  days", "period is thirty days"),
        ("Opłata wynosi 30\u00a0zł za dobę.", "wynosi 30 zł", "wynosi 30\u00a0zł"),
        ("Opłata wynosi 30 zł za dobę.", "wynosi\u202f30\u00a0zł", "wynosi 30 zł"),
        ("He said “it’s free” twice.", 'said "it\'s free"', "said “it’s free”"),
        ("Regulamin mówi „bez opłat” wprost.", 'mówi "bez opłat"', "mówi „bez opłat”"),
        ("It's free.", " It’s free.\n", "It's free."),
        ("退款期限为\n三十天。", " 退款期限为 三十天。", "退款期限为\n三十天。"),
        ("Z\u0307o\u0301łw i me\u0328ta", "żółw i", "Z\u0307o\u0301łw i".replace("Z", "z")),
        ("żółw śpi", "z\u0307o\u0301łw s\u0301pi", "żółw śpi"),
        ("thirty\u200bdays", "thirty days", "thirty\u200bdays"),
        ("A\n\n  b\tc d", "A b c", "A\n\n  b\tc"),
    ],
)
def test_a_quote_with_another_layout_is_found_where_it_stands(text: str, quote: str, stands: str) -> None:
    text = text.replace("Z\u0307", "z\u0307")
    gold = locate(Evidence("d0.md", quote, 1), texts=(text,))
    (place,) = gold.occurrences
    assert text[place.start : place.end] == stands
    assert (gold.folded, gold.missing) == (1, ())


def test_an_exact_quote_is_not_folded_and_hides_no_other_layout() -> None:
    gold = locate(Evidence("d0.md", "two words", 1), texts=("two words", "two\nwords"))
    assert [place.document for place in gold.occurrences] == ["d0.md"]
    assert gold.folded == 0


def test_a_key_with_another_layout_has_its_place_too() -> None:
    text = "Intro. It takes\nthirty\u00a0days."
    (place,) = locate(Evidence("d0.md", "It takes thirty days.", 1, "thirty days"), texts=(text,)).occurrences
    assert place.key is not None
    assert text[slice(*place.key)] == "thirty\u00a0days"


@pytest.mark.parametrize("quote", [" ", "\u200b", "thirty  weeks", "it is free"])
def test_blanks_and_other_words_stand_nowhere(quote: str) -> None:
    gold = locate(Evidence("d0.md", quote, 1), texts=("It takes\nthirty days. It's free.",))
    assert gold.occurrences == ()
    assert len(gold.missing) == 1
