"""Questions that stand more than once: equal ones count once, near-copies are named; English, Polish, Chinese."""

from dataclasses import replace

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.tuning.points import make_point
from rag_variants.questions.repeated import equal_questions, near_copies
from rag_variants.report.words import trust_sentence
from rag_variants.types import Evidence, Question, Score
from tests.unit.evaluation.test_compare import make_run

ASKED = {
    "en": ("How long is the warranty on the pump?", "How long is the warranty  on the\npump?"),
    "pl": ("Jak długo trwa gwarancja na pompę?", "Jak długo  trwa gwarancja na\tpompę? "),
    "zh": ("水泵的保修期有多长？", " 水泵的保修期有多长？ "),
}
# The same words but for case, blanks and marks; then a word or sign that is another.
NEAR = {
    "en": ("how long is the warranty on the pump", "How long is the warranty on the pumps?"),
    "pl": ("JAK DŁUGO TRWA GWARANCJA NA POMPĘ", "Jak długo trwa gwarancja na pompy?"),
    "zh": ("水泵的保修期，有多长?", "水泵的保修期有多长呢？"),
}
KNOWN = {"reference": "Two years.", "evidence": (Evidence("pump.md", "two years", 1),)}


def question(name: str, text: str, **known: object) -> Question:
    return Question(name, text, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_blanks_make_no_other_question(language: str) -> None:
    first, again = (question(name, text, **KNOWN) for name, text in zip("ab", ASKED[language], strict=True))
    assert equal_questions([first, again]) == (("b", "a"),)
    assert equal_questions([again, first]) == (("a", "b"),), "the first that stands there counts"
    assert near_copies([first, again]) == ()


def test_a_letter_written_with_its_mark_apart_is_the_same() -> None:
    composed, apart = "Czy gwarancja na pompę trwa rok?", "Czy gwarancja na pompe\u0328 trwa rok?"
    assert composed != apart
    assert equal_questions([question("a", composed), question("b", apart)]) == (("b", "a"),)


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
@pytest.mark.parametrize(
    "known",
    [
        {"reference": "Three years."},
        {"evidence": (Evidence("valve.md", "two years", 1),)},
        {"evidence": (*KNOWN["evidence"], Evidence("valve.md", "two years", 2))},
    ],
)
def test_another_reference_or_evidence_is_another_question(language: str, known: dict[str, object]) -> None:
    text = ASKED[language][0]
    asked = [question("a", text, **KNOWN), question("b", text, **{**KNOWN, **known})]
    assert equal_questions(asked) == ()
    assert near_copies(asked) == (("b", "a"),), "asked in the same words, it is named"


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_near_copies_are_named(language: str) -> None:
    text, (marks, word) = ASKED[language][0], NEAR[language]
    assert near_copies([question("a", text), question("b", marks)]) == (("b", "a"),)
    assert near_copies([question("a", text), question("b", word)]) == (), "nothing says that they ask for the same"
    assert near_copies([question("a", text, **KNOWN), question("b", word, **KNOWN)]) == (("b", "a"),)
    other = {"en": "Who repairs the pump?", "pl": "Kto naprawia pompę?", "zh": "谁来修水泵？"}[language]
    assert near_copies([question("a", text, **KNOWN), question("b", other, **KNOWN)]) == ()


def repeated(run: Run, texts: list[str]) -> Run:
    """The run with these texts in place of its questions' own."""
    rows = [
        replace(row, record=replace(row.record, question=replace(row.record.question, user_input=text)))
        for row, text in zip(run.rows, texts, strict=True)
    ]
    return replace(run, rows=tuple(rows))


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_equal_questions_count_once_in_a_comparison(language: str) -> None:
    """Three questions, the last of them five times: deltas .2 and .4, and .9 once, not five times."""
    text = ASKED[language][0]
    a = {f"q{at}": 0.0 for at in range(7)}
    b = {"q0": 0.2, "q1": 0.4, **{f"q{at}": 0.9 for at in range(2, 7)}}
    texts = ["first?", "another?", *[text] * 5]
    runs = [repeated(make_run({"mrr": each}, name), texts) for each, name in ((a, "keyword"), (b, "hybrid"))]
    found = compare_runs(*runs)
    delta = found.metrics["mrr"].delta
    assert (delta.n, delta.wins, delta.verdict) == (3, 3, "too few")
    assert delta.mean == pytest.approx((0.2 + 0.4 + 0.9) / 3)
    assert (len(found.pairs), len(found.counted)) == (7, 3)
    assert trust_sentence(found).startswith("3 questions, paired")
    said = "so they count once (3 of 7 questions count): q3 as q2, q4 as q2, q5 as q2, q6 as q2."
    assert any(warning.endswith(said) for warning in found.warnings)
    assert found.slices["language=en"]["mrr"].n == 1  # q0; q1 and q2 carry language=pl
    assert make_point(runs[1]).scores["mrr"] == {"q0": 0.2, "q1": 0.4, "q2": 0.9}


def test_near_copies_count_each_and_are_said() -> None:
    run = repeated(make_run({"mrr": dict.fromkeys(["a", "b"], 0.5)}), ["Is it open?", "is it open"])
    scores = [replace(row, scores={"mrr": Score(1.0)}) for row in run.rows]
    found = compare_runs(run, replace(run, rows=tuple(scores)))
    assert found.metrics["mrr"].delta.n == 2
    assert "Near-copies, hardly independent of each other though each counts: b as a." in found.warnings
