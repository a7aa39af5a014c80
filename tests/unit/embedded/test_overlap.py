"""The judge that only counts words, and how little it knows."""

import asyncio

from rag_variants.evaluation.judging.agreement import judge_label
from rag_variants.evaluation.judging.agreement_figures import agreement_figures
from rag_variants.questions.labels import load_labels
from rag_variants.sample import sample_labels_file
from rag_variants_embedded.judge.overlap import OverlapJudge, OverlapSupport


def label_of(statement: str, *contexts: str) -> str:
    return OverlapSupport().judge(statement, contexts, "", "en").label


def test_three_quarters_of_the_words_are_enough() -> None:
    text = "The probe settles within eleven minutes."
    assert label_of("The probe settles within eleven hours.", text) == "supported"  # probe settles eleven: 3 of 4
    assert label_of("The probe settles quickly within hours.", text) == "missing"  # probe settles: 2 of 4
    assert label_of("It is so.", text) == "missing"  # no word that says anything


def test_words_may_come_from_several_texts() -> None:
    assert label_of("red green blue", "red green", "blue") == "supported"
    assert label_of("red green blue") == "missing"


def test_on_the_samples_labels_it_is_no_better_than_guessing() -> None:
    """The figure in docs/judges.md: other judges have to beat it."""
    judge = OverlapJudge()

    async def all_judged() -> list:
        return [await judge_label(judge, label) for label in load_labels(sample_labels_file())]

    found = agreement_figures("overlap", asyncio.run(all_judged()))
    assert (found["n"], round(found["accuracy"] * 168)) == (168, 78)
    assert found["kappa"] < 0
