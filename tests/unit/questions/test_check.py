"""Questions against their knowledge base."""

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.questions.check import check_evidence, folded_quotes
from rag_variants.types import Document, Evidence, Question, Trap

BASE = KnowledgeBase("kb", (Document("a.md", "Refunds take 14 days.", "A", "en"),))


def test_evidence_that_fits() -> None:
    evidence = (
        Evidence("a.md", "Refunds take 14 days.", 1, "14 days"),
        Evidence("", "14 days", 2),
        Evidence("a", "", 3),
    )
    assert check_evidence([Question("1", "q", evidence=evidence, traps=(Trap("a.md", "", "stale"),))], BASE) == ()


def test_evidence_that_does_not() -> None:
    evidence = (
        Evidence("a.md", "Refunds take 15 days.", 1),
        Evidence("a.md", "14 days", 2, "15 days"),
        Evidence("b.md", "14 days", 3),
    )
    problems = check_evidence([Question("7", "q", evidence=evidence, traps=(Trap("c.md", "x", "stale"),))], BASE)
    assert [f"{problem.name}: {problem.reason.split(';')[0]}" for problem in problems] == [
        "7: a.md: the quote 'Refunds take 15 days.' stands in no document",
        "7: a.md: the key '15 days' does not stand in its quote",
        "7: b.md: the knowledge base has no such document",
        "7: c.md: the trap's document is not in the knowledge base",
    ]


def test_quotes_found_by_another_layout_are_counted() -> None:
    asked = [
        Question(str(at), "q", evidence=(Evidence("", "Refunds  take", 1), Evidence("", "14\n", 2, "14 ")))
        for at in (1, 2)
    ]
    assert check_evidence(asked, BASE) == ()
    assert folded_quotes(asked, BASE) == (
        "4 quotes were found with other blanks, line ends or quotation marks than given: 1, 2"
    )
    assert folded_quotes([Question("1", "q", evidence=(Evidence("", "14 days", 1),))], BASE) is None
