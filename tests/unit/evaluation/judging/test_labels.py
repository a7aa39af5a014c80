"""A person's verdicts beside the judge's, scored by ragas' own code."""

from typing import Any

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.labels import (
    JudgedCase,
    Label,
    Labels,
    delta_labelled,
    score_labelled,
    verdicts_on,
)
from rag_variants.evaluation.runs import Documents, JudgeNote, Provenance, Run, ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.types import Answer, Chunk, Hit, Question, Record, Score

FIRST = Chunk("a.md", 0, 5, "first", "en")
SECOND = Chunk("b.md", 0, 6, "second", "en")


def row(question: str, *chunks: Chunk, **scores: Score) -> ScoredRecord:
    hits = tuple(Hit(rank, each, 1.0 / rank) for rank, each in enumerate(chunks, start=1))
    return ScoredRecord(
        Record(Question(question, f"{question}?", reference="R."), hits, hits, Answer("A.")), {}, scores
    )


def claims(*verdicts: int) -> Score:
    entries = [{"statement": f"s{at}", "verdict": each} for at, each in enumerate(verdicts)]
    return Score(sum(verdicts) / len(verdicts), None, {"claims": entries})


def ranks(value: float, *pairs: tuple[Chunk, int]) -> Score:
    entries = [{"rank": at, "chunk_id": each.id, "verdict": mark} for at, (each, mark) in enumerate(pairs, start=1)]
    return Score(value, None, {"verdicts": entries})


def run(spec: str, *rows: ScoredRecord) -> Run:
    documents, questions = Documents("s", len(rows), "f"), Provenance("s", len(rows), "f")
    settings: dict[str, Any] = {}
    return Run(read_variant(spec), {}, documents, questions, JudgeNote("scripted", settings, None),
               tuple(rows[0].scores), rows, 0, True, 1.0, "2026-01-01T00:00:00+00:00")  # fmt: skip


def comparison(metric: str, pairs: dict[str, tuple[Score, Score]]) -> Comparison:
    a, b = ([row(name, FIRST, **{metric: scores[side]}) for name, scores in pairs.items()] for side in (0, 1))
    return compare_runs(run("keyword", *a), run("hybrid", *b))


def label(verdict: JudgedCase, said: bool) -> Label:
    return Label(verdict.case, said, verdict.judged, "scripted")


def test_a_flipped_claim_moves_the_score() -> None:
    judged = row("q", FIRST, faithfulness=claims(1, 1, 1, 0))
    verdicts = verdicts_on("faithfulness", judged)
    assert score_labelled("faithfulness", judged, Labels()) is None
    labels = Labels().add([label(verdicts[3], True)])
    made = score_labelled("faithfulness", judged, labels)
    assert made is not None and made.value == pytest.approx(4 / 4)
    assert judged.scores["faithfulness"].value == 3 / 4, "the judge's own score stays"
    assert score_labelled("faithfulness", judged, labels.add([label(verdicts[3], False)])) is None


def test_a_flipped_rank_moves_precision() -> None:
    judged = row("q", FIRST, SECOND, context_precision=ranks(1 / 2, (FIRST, 0), (SECOND, 1)))
    first, _ = verdicts_on("context_precision", judged)
    made = score_labelled("context_precision", judged, Labels().add([label(first, True)]))
    assert made is not None and made.value == pytest.approx((1 / 1 + 2 / 2) / 2)


def test_a_chunk_is_one_case_on_both_sides_and_at_every_rank() -> None:
    left = row("q", FIRST, SECOND, context_precision=ranks(1.0, (FIRST, 1), (SECOND, 0)))
    right = row("q", SECOND, context_precision=ranks(0.0, (SECOND, 0)))
    (_, one), (other,) = verdicts_on("context_precision", left), verdicts_on("context_precision", right)
    assert one == other
    labels = Labels().add([label(one, True)])
    values = [score_labelled("context_precision", each, labels) for each in (left, right)]
    assert [made.value for made in values if made] == [pytest.approx((1 / 1 + 2 / 2) / 2), 1.0]


def test_the_same_claim_against_other_chunks_is_another_case() -> None:
    one, other = (verdicts_on("faithfulness", row("q", each, faithfulness=claims(1)))[0] for each in (FIRST, SECOND))
    assert one.case != other.case


@pytest.mark.parametrize(("said", "expected"), [(True, 0.0), (False, (0.9 + 0.5) / 2)])
def test_an_evasive_answer_has_no_relevancy(said: bool, expected: float) -> None:
    questions = [
        {"question": f"r{at}", "similarity": each, "noncommittal": int(not said)} for at, each in enumerate((0.9, 0.5))
    ]
    judged = row("q", FIRST, answer_relevancy=Score(0.7, None, {"questions": questions}))
    labels = Labels().add(label(each, said) for each in verdicts_on("answer_relevancy", judged))
    made = score_labelled("answer_relevancy", judged, labels)
    assert made is not None and made.value == pytest.approx(expected)


def test_the_runs_delta_moves_with_the_labels() -> None:
    made = comparison("faithfulness", {
        "q1": (claims(1, 0), claims(1, 1)),  # 1/2 → 1
        "q2": (claims(1), claims(1)),  # 1 → 1
        "q3": (claims(1), Score(None, "no claims to check")),  # not scored on B
    })  # fmt: skip
    judged = delta_labelled(made, "faithfulness", Labels())
    assert (judged.mean, judged.n, judged.changed) == (pytest.approx((1 / 2 + 0) / 2), 2, 0)
    assert judged.mean == made.metrics["faithfulness"].delta.mean
    _, second = verdicts_on("faithfulness", made.pairs[0][0])
    labelled = delta_labelled(made, "faithfulness", Labels().add([label(second, True)]))
    # The claim s1 of q1 stands against the same chunk on both sides; B's was found supported already.
    assert (labelled.a, labelled.b, labelled.mean) == (pytest.approx((1 + 1) / 2), pytest.approx((1 + 1) / 2), 0.0)
    assert (labelled.n, labelled.changed) == (2, 1)


def test_a_label_on_a_question_scored_on_one_side_alone_moves_no_delta() -> None:
    unscored = Score(None, "no claims to check")
    made = comparison("faithfulness", {"q1": (unscored, claims(1, 1)), "q2": (claims(1), claims(1))})
    labels = Labels().add(label(each, False) for each in verdicts_on("faithfulness", made.pairs[0][1]))
    assert (delta_labelled(made, "faithfulness", labels).n, delta_labelled(made, "faithfulness", labels).changed) == (
        1,
        0,
    )


def test_labels_change_no_verdict_of_the_run() -> None:
    made = comparison("faithfulness", {f"q{at}": (claims(1, 0), claims(1, 1)) for at in range(8)})
    before = made.metrics["faithfulness"].delta
    labels = Labels().add(label(each, True) for pair in made.pairs for each in verdicts_on("faithfulness", pair[0]))
    assert delta_labelled(made, "faithfulness", labels).mean == 0.0
    assert made.metrics["faithfulness"].delta is before
    assert before.verdict == "better"


def test_the_judges_agreement_counts_labels_beside_its_own_verdicts() -> None:
    first, second = verdicts_on("faithfulness", row("q", FIRST, faithfulness=claims(1, 0)))
    labels = Labels().add([label(first, True), label(second, True)])
    assert labels.agreement("scripted") == (1, 2)
    assert labels.agreement("another") == (0, 0)
    assert labels.remove([second.case]).agreement("scripted") == (1, 1)
    assert labels.add([label(second, False)]).agreement("scripted") == (2, 2)


def test_scores_without_a_judges_verdicts_have_none_to_flip() -> None:
    judged = row(
        "q", FIRST, key_facts=Score(1.0, None, {"facts": [{"found": "x"}]}), faithfulness=Score(None, "declined")
    )
    assert verdicts_on("key_facts", judged) == verdicts_on("faithfulness", judged) == ()
    assert score_labelled("faithfulness", judged, Labels()) is None
