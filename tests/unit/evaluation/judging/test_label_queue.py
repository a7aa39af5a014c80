"""Which verdicts are offered for labelling, and what labels say of them."""

from dataclasses import replace
from typing import Any

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.label_queue import (
    Offered,
    choose_queue,
    compare_labels,
    offer_verdicts,
    run_labels,
    without_shreds,
)
from rag_variants.evaluation.judging.labels import Case, JudgedCase, Label, Labels, delta_labelled
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.types import Answer, Chunk, Hit, Question, Record, Score
from tests.unit.evaluation.judging.test_labels import run

TEXT = Chunk("a.md", 0, 4, "text", "en")


def row(question: str, language: str, *entries: dict[str, Any]) -> ScoredRecord:
    about = Question(question, f"{question}?", "R.", tags=(("kind", "lookup"), ("language", language)))
    hits = (Hit(1, TEXT, 1.0),)
    value = sum(each["verdict"] for each in entries) / len(entries)
    return ScoredRecord(
        Record(about, hits, hits, Answer("A.")), {}, {"faithfulness": Score(value, None, {"claims": entries})}
    )


def claim(statement: str, verdict: int, label: str = "") -> dict[str, Any]:
    return {"statement": statement, "verdict": verdict, "label": label, "reason": f"because {statement}"}


@pytest.fixture
def judged() -> Comparison:
    """B repeats what A says to q1, and says another thing to q2."""
    shared = row("q1", "en", claim("s1", 1), claim("s2", 0, "unsure"))
    a = [shared, row("q2", "pl", claim("s3", 1))]
    b = [shared, row("q2", "pl", claim("s4", 0))]
    return compare_runs(run("keyword", *a), run("hybrid", *b))


def said(*pairs: tuple[Offered, bool]) -> OwnLabels:
    return OwnLabels().add(each.labelled(verdict) for each, verdict in pairs)


def test_what_both_sides_say_alike_is_offered_once(judged: Comparison) -> None:
    offered = offer_verdicts(judged, "faithfulness")
    found = [(each.case.statement, each.verdict.judged, each.unsure, each.language, each.kind) for each in offered]
    assert found == [
        ("s1", True, False, "en", "lookup"),
        ("s2", False, True, "en", "lookup"),
        ("s3", True, False, "pl", "lookup"),
        ("s4", False, False, "pl", "lookup"),
    ]
    assert offer_verdicts(judged, "context_recall") == ()


def many(yes: int, no: int, language: str, unsure: int = 0) -> list[Offered]:
    cases = [(True, at) for at in range(yes)] + [(False, at) for at in range(no)]
    return [
        Offered(
            JudgedCase(Case("faithfulness", "q", "q?", "text", f"{language}{judged}{at}"), judged),
            not judged and at < unsure, None, language, None,
        )
        for judged, at in cases
    ]  # fmt: skip


def test_yes_and_no_and_languages_take_turns() -> None:
    queue = choose_queue([*many(90, 4, "en"), *many(5, 1, "pl")], seed=1, most=8)
    cells = [(each.verdict.judged, each.language) for each in queue]
    # four cells by turns: each once, then each with some left once, the single Polish no being used up
    assert cells[:4] == [(False, "en"), (False, "pl"), (True, "en"), (True, "pl")]
    assert sorted(cells).count((False, "pl")) == 1
    assert len(queue) == 8


def test_the_seed_decides_the_order_alone() -> None:
    verdicts = many(30, 30, "en")
    first = choose_queue(verdicts, seed=1)
    assert first == choose_queue(verdicts, seed=1)
    assert first != choose_queue(verdicts, seed=2)
    assert choose_queue(verdicts, seed=1, most=60)[:40] == first, "more continue where the first ended"


def test_unsure_ones_first_if_asked_for() -> None:
    queue = choose_queue(many(50, 50, "en", unsure=3), seed=1, unsure_first=True, most=10)
    assert [each.unsure for each in queue] == [True] * 3 + [False] * 7


def test_the_judge_is_compared_with_labels_without_being_asked(judged: Comparison) -> None:
    s1, s2, s3, _ = offer_verdicts(judged, "faithfulness")
    found = compare_labels(judged, said((s1, True), (s2, True), (s3, False)))
    assert [(each.label.statement, each.label.supported, each.supported) for each in found] == [
        ("s1", True, True), ("s2", True, False), ("s3", False, True),
    ]  # fmt: skip
    assert [each.unsure for each in found] == [False, True, False]
    assert found[1].reason == "because s2"


def test_labels_on_other_texts_say_nothing_here(judged: Comparison) -> None:
    s1, *_ = offer_verdicts(judged, "faithfulness")
    elsewhere = replace(s1.labelled(True), context="another text")
    assert compare_labels(judged, OwnLabels().add([elsewhere])) == ()


def test_kept_labels_move_the_run_and_a_flip_of_this_visit_counts_before_them(judged: Comparison) -> None:
    _, s2, s3, s4 = offer_verdicts(judged, "faithfulness")
    own = said((s2, True), (s4, True))
    labels = run_labels(judged, own, Labels())
    # q1: A and B 1/2 → 2/2; q2: A 1/1, B 0/1 → 1/1
    made = delta_labelled(judged, "faithfulness", labels)
    assert (made.a, made.b, made.changed) == ((1 + 1) / 2, (1 + 1) / 2, 3)
    flipped = Labels().add([Label(s4.case, False, False, "scripted")])
    made = delta_labelled(judged, "faithfulness", run_labels(judged, own, flipped))
    assert (made.a, made.b) == ((1 + 1) / 2, (1 + 0) / 2)
    other = Labels().add([Label(replace(s3.case, statement="of another run"), True, True, "scripted")])
    assert len(run_labels(judged, own, other).given) == 2


TABLE = "| Part | From 1 | From 10 |\n|---|---|---|\n| LK-4410 | 21.00 | 19.00 |\n\nParts are sent on Mondays."


@pytest.mark.parametrize(
    ("statement", "offered"),
    [
        ("From 10: 19.00", False),
        ("Part: LK-4410", False),
        ("From 10: 17.00", False),
        ("19.00", False),
        ("Part: LK-4410; From 10: 19.00", True),
        ("LK-4410 | 21.00 | 19.00", True),
        ("Parts are sent on Mondays.", True),
        ("Note: parts are sent on Mondays.", True),
    ],
)
def test_a_single_cell_of_a_table_is_not_offered(statement: str, offered: bool) -> None:
    verdict = JudgedCase(Case("faithfulness", "q1", "?", TABLE, statement), True)
    each = Offered(verdict, False, None, "en", None)
    assert without_shreds([each]) == ((each,) if offered else ())


def test_verdicts_of_one_language(judged: Comparison) -> None:
    offered = offer_verdicts(judged, "faithfulness")
    assert [each.case.statement for each in without_shreds(offered, "pl")] == ["s3", "s4"]
    assert without_shreds(offered) == offered
