"""Advice from findings written by hand: who helps, in which order, and what many tries allow to say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from rag_variants.evaluation.advice.advice import Attempt, Attempts, advise_all, advise_question, every_outcome, helps
from rag_variants.evaluation.advice.changes import SingleChange
from rag_variants.evaluation.advice.findings import EvidenceFound
from rag_variants.pipeline import read_variant

VARIANT = read_variant("hybrid")


def finding(value: float | None, *ranks: int | None, handed: int = 5, characters: int = 1000) -> EvidenceFound:
    return EvidenceFound(value, None if value is not None else "no evidence", ranks or (None,), handed, characters)


NOTHING, FIRST = finding(0.0, None), finding(1.0, 1)


def attempts(present: Mapping[str, EvidenceFound], **changed: Mapping[str, EvidenceFound]) -> Attempts:
    """A name such as `rrf_k_5` is the change to 5; questions that are not named stay as they are."""
    tried = []
    for name, findings in changed.items():
        setting, _, after = name.rpartition("_")
        tried.append(Attempt(SingleChange(setting, "before", after, VARIANT), {**present, **findings}))
    return Attempts(VARIANT, "evidence_recall", present, tuple(tried), (), 0)


def names(found: Sequence[object]) -> list[str]:
    return [each.change.written for each in found]  # type: ignore[attr-defined]


def test_what_a_finding_says():
    both = finding(1.0, 4, 2)
    assert (both.found, both.first, both.reach) == (2, 2, 4)
    below = finding(0.5, 7, 3)  # five are handed over: rank 7 is below the cut
    assert (below.found, below.first, below.reach) == (1, 3, 3)
    assert (NOTHING.found, NOTHING.first, NOTHING.reach) == (0, None, None)
    assert (finding(0.0, 7).found, finding(0.0, 7).first, finding(0.0, 7).reach) == (0, 7, None)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (finding(0.0, 7), finding(1.0, 2), True),
        (finding(1.0, 2), finding(0.0, 7), False),
        (finding(0.4, None), finding(0.4 + 1e-12, None), False),  # rounding is no help
        (finding(0.5, 1, None), finding(0.5, 1, 5), True),  # as much text, but the second group has its key
        (finding(0.5, 1, 5), finding(0.5, 1, None), False),
        (finding(1.0, 5), finding(1.0, 2), True),  # only higher up
        (finding(1.0, 2), finding(1.0, 2), False),
        (finding(1.0, 1, 5), finding(1.0, 3, 4), True),  # the last piece is read earlier
        (finding(0.0, 9), finding(0.0, 6), False),  # still below the cut
        (finding(None), finding(1.0, 1), False),
        (finding(0.0), finding(None), False),
    ],
)
def test_what_helps_a_question(before, after, expected):
    assert helps(before, after) is expected


def test_one_gained_and_one_lost_are_named_and_add_up():
    present = {"q1": NOTHING, "q2": FIRST, "q3": FIRST, "q4": finding(0.5, 1, None, characters=500)}
    changed = {"q1": finding(1.0, 2, characters=1500), "q2": NOTHING, "q4": finding(1.0, 1, 3, characters=1250)}
    (advice,) = advise_question(attempts(present, rrf_k_5=changed), "q1")
    assert (advice.before, advice.after) == (NOTHING, changed["q1"])
    assert advice.overall.mean == pytest.approx((1 - 1 + 0 + 0.5) / 4)
    assert (advice.overall.n, advice.overall.wins, advice.overall.losses, advice.overall.ties) == (4, 2, 1, 1)
    assert (advice.gained, advice.lost) == (("q1", "q4"), ("q2",))
    assert advice.others == pytest.approx((-1 + 0 + 0.5) / 3)
    assert advice.hurts_others
    assert advice.text == pytest.approx((1500 + 1000 + 1000 + 1250) / (1000 + 1000 + 1000 + 500))


def test_a_question_that_is_not_scored_on_one_side_counts_on_neither():
    present = {"q1": NOTHING, "q2": FIRST, "q3": finding(None, characters=9000)}
    changed = {"q1": FIRST, "q2": finding(None, characters=9000), "q3": FIRST}
    (advice,) = advise_question(attempts(present, rrf_k_5=changed), "q1")
    assert (advice.overall.n, advice.overall.mean, advice.text, advice.others) == (1, 1.0, 1.0, None)
    assert attempts(present).scored == 2


def test_the_order_of_advice_for_a_question():
    present = {"q1": finding(0.0, 7, None), "q2": FIRST, "q3": NOTHING}
    found = attempts(
        present,
        half_1={"q1": finding(0.5, 1, None), "q3": FIRST},
        harms_1={"q1": finding(1.0, 1, 2), "q2": NOTHING},
        late_1={"q1": finding(1.0, 1, 5)},
        early_1={"q1": finding(1.0, 1, 3)},
        more_1={"q1": finding(1.0, 1, 3), "q3": FIRST},
        text_1={"q1": finding(1.0, 1, 3, characters=2000), "q3": FIRST},
        twin_1={"q1": finding(1.0, 1, 3), "q3": FIRST},
        useless_1={"q3": FIRST},
    )
    expected = ["more=1", "twin=1", "text=1", "early=1", "late=1", "harms=1", "half=1"]
    assert names(advise_question(found, "q1")) == expected
    assert advise_question(found, "unknown") == ()
    assert len(every_outcome(found, "q1")) == 8


@pytest.mark.parametrize(
    ("top_k", "encoder", "first"),
    [
        (finding(1.0, 5, handed=8), finding(1.0, 1, handed=3), "top_k=8"),  # gold at rank 5, cut after 3: read on
        (finding(0.0, 5, handed=4), finding(1.0, 1, handed=3), "embeddings=other"),  # 4 do not reach rank 5
    ],
)
def test_gold_just_below_the_cut_is_reached_before_the_search_is_changed(top_k, encoder, first):
    found = attempts(
        {"q1": finding(0.0, 5, handed=3), "q2": FIRST},
        embeddings_other={"q1": encoder},
        **{f"top_k_{top_k.handed}": {"q1": top_k}},
    )
    assert names(advise_question(found, "q1"))[0] == first


def test_for_all_only_a_mean_that_rose_counts():
    present = {"q1": NOTHING, "q2": FIRST, "q3": NOTHING}
    found = attempts(
        present,
        one_1={"q1": FIRST},
        even_1={"q1": FIRST, "q2": NOTHING},
        two_1={"q1": FIRST, "q3": FIRST},
        none_1={},
    )
    assert names(advise_all(found)) == ["two=1", "one=1"]
    assert all(each.before is None and each.after is None for each in advise_all(found))


def test_two_tries_need_more_than_one():
    # Seven questions that all rise by 1: |z| = 7 ÷ √7 is reached by 2 of 2⁷ = 128 flips, 1.6 %: better. Two tries, each
    # with seven questions of its own: one of them reaches it in 1 − (1 − 2/128)² = 3.1 % of flips, more than 1 of 60,
    # so neither is shown.
    present = {f"q{at:02}": NOTHING for at in range(14)}
    ids = list(present)
    left, right = dict.fromkeys(ids[:7], FIRST), dict.fromkeys(ids[7:], FIRST)
    (alone,) = advise_all(attempts(present, rrf_k_5=left))
    assert alone.overall.verdict == "better"
    both = advise_all(attempts(present, rrf_k_5=left, rrf_k_20=right))
    assert [each.overall.verdict for each in both] == ["not shown", "not shown"]
    assert [each.overall.mean for each in both] == [7 / 14, 7 / 14]


def test_tries_that_change_nothing_cost_nothing():
    present = {f"q{at}": NOTHING for at in range(7)}
    raised = dict.fromkeys(present, FIRST)
    (advice,) = advise_all(attempts(present, rrf_k_5=raised, rrf_k_20={}, k1_3={"q1": FIRST}))[:1]
    assert advice.overall.verdict == "better"


def test_nothing_tried_is_no_advice():
    found = replace(attempts({"q1": NOTHING}), waiting=3)
    assert (advise_question(found, "q1"), advise_all(found)) == ((), ())
