"""The same records under other sources of verdicts: does the same side stay ahead?"""

from dataclasses import replace
from typing import Any

import pytest

from rag_variants.errors import ModelError
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.judge_again import JudgedAgain
from rag_variants.evaluation.judging.label_queue import offer_verdicts, run_labels
from rag_variants.evaluation.judging.labels import Labels
from rag_variants.evaluation.judging.other_judges import (
    calls_needed,
    gold_source,
    label_source,
    run_source,
    winners,
)
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.trial import Trial
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Evidence, Question
from tests.making import bench
from tests.scripted_chat import Asked, ScriptedChat
from tests.unit.evaluation.judging.test_gold_check import row
from tests.unit.evaluation.judging.test_labels import run

TEXTS = {
    "returns.md": "Goods can be returned within 14 days. The label is valid for 10 days.",
    "codes.md": "ERR-4031 means that the token has expired. Sign in again to get a new token.",
    "visits.md": "The office is open on weekdays from 9 to 17. Visitors register at the desk.",
}
QUESTIONS = (
    Question("q1", "Within how many days can goods be returned?", "Goods can be returned within 30 days.",
             evidence=(Evidence("returns.md", "Goods can be returned within 14 days.", 1),)),
    Question("q2", "What does ERR-4031 mean?", "ERR-4031 means that the token has expired.",
             evidence=(Evidence("codes.md", "ERR-4031 means that the token has expired.", 1),)),
)  # fmt: skip


@pytest.fixture
def place() -> Bench:
    return bench(TEXTS)


def plan(place: Bench, judge: str = "embedded") -> Plan:
    metrics = choose_metrics("faithfulness,context_precision,hit_rate")
    return Plan(place.knowledge, QuestionSet("qs", QUESTIONS), metrics, judge, today=place.today)


@pytest.fixture
def compared(place: Bench) -> Comparison:
    trial = Trial(read_variant("keyword"), read_variant("keyword:top_k=1"), plan(place), place)
    for _ in trial.steps():
        pass
    found = trial.result()
    assert found is not None
    return found


def test_marks_may_put_the_other_side_ahead() -> None:
    a = run("keyword", row("q1", "wx", "w", "x"))
    b = run("hybrid", row("q1", "xw", "w", "x"))
    judged = compare_runs(a, b)
    own, gold = run_source(judged).deltas["context_precision"], gold_source(judged).deltas["context_precision"]
    assert own is not None and gold is not None
    # by verdicts the useful chunk is first in A, second in B: 1/1 and 1/2; by marks the other way round
    assert (own.a, own.b, own.mean, own.winner) == (1, 1 / 2, 1 / 2 - 1, "A")
    assert (gold.a, gold.b, gold.mean, gold.winner) == (1 / 2, 1, 1 - 1 / 2, "B")
    assert (gold.wins, gold.losses, gold.n, gold.moved) == (1, 0, 1, 2)
    assert winners([run_source(judged), gold_source(judged)], "context_precision") == {
        "scripted": "A", "gold marks": "B",
    }  # fmt: skip


def test_labels_take_the_place_of_the_verdicts_they_are_about() -> None:
    judged = compare_runs(run("keyword", row("q1", "wx", "w", "x")), run("hybrid", row("q1", "xw", "w", "x")))
    useful = next(each for each in offer_verdicts(judged, "context_precision") if each.case.context == "x")
    labels = run_labels(judged, OwnLabels().add([useful.labelled(True)]), Labels())
    made = label_source(judged, labels).deltas["context_precision"]
    assert made is not None
    # both chunks are useful now: (1/1 + 2/2) / 2 on both sides
    assert (made.a, made.b, made.winner, made.moved) == (pytest.approx(1), pytest.approx(1), "equal", 1)
    assert label_source(judged, Labels()).deltas["context_precision"] is None


def test_the_same_judge_says_the_same_of_kept_records(compared: Comparison, place: Bench) -> None:
    work = JudgedAgain(compared, ["embedded"], plan(place), place)
    done = [(each.step, each.done, each.of) for each in work.steps()]
    assert done[-1] == ("repeats", 2 * 2, 2 * 2)
    assert work.complete
    assert work.result() == (run_source(compared),)


def test_plain_overlap_does_not_see_a_changed_number(compared: Comparison, place: Bench) -> None:
    """q1's reference says 30 days where the text says 14: 3 of its 4 terms (good, return, day) stand there."""
    work = JudgedAgain(compared, ["overlap", "embedded"], plan(place), place)
    for _ in work.steps():
        pass
    overlap, embedded = work.result() or ()
    assert (overlap.name, embedded.name) == ("overlap", "embedded")
    naive, strict = overlap.deltas["context_precision"], embedded.deltas["context_precision"]
    assert naive is not None and strict is not None
    assert naive.b == 1.0
    assert strict.b < naive.b


def test_stopped_early_it_has_what_was_judged(compared: Comparison, place: Bench) -> None:
    work = JudgedAgain(compared, ["embedded"], plan(place), place)
    assert work.result() is None
    steps = work.steps()
    next(steps)
    next(steps)
    steps.close()
    assert not work.complete
    (source,) = work.result() or ()
    delta = source.deltas["context_precision"]
    assert delta is not None
    assert delta.n == 1


def test_calls_are_counted_once_for_what_both_sides_share() -> None:
    a = run("keyword", row("q1", "wxy", "w", "w"))
    b = run("hybrid", row("q1", "wz", "w", "w"))
    judged = compare_runs(a, b)
    assert calls_needed(judged) == 4  # the chunks w, x, y, z; no answer was scored
    assert calls_needed(judged, ["faithfulness"]) == 0


def test_an_unknown_judge_is_an_error_and_not_an_empty_table(compared: Comparison, place: Bench) -> None:
    work = JudgedAgain(compared, ["nobody"], replace(plan(place), judge="embedded"), place)
    with pytest.raises(ModelError, match="nobody"):
        list(work.steps())


def test_a_chat_model_is_asked_what_was_forecast(compared: Comparison, place: Bench) -> None:
    """Its replies are kept by the call, so what both sides ask alike counts once."""

    def script(call: Asked) -> dict[str, Any]:
        assert call.schema is not None
        if "verdict" in call.schema.model_fields:
            return {"reason": "helps", "verdict": 1}
        if "reason" not in str(call.schema.model_json_schema()):
            return {"statements": ["one claim"]}
        return {"statements": [{"statement": "one claim", "reason": "seen", "verdict": 1}]}

    chat = ScriptedChat(script)
    work = JudgedAgain(compared, ["openai:j"], plan(place), replace(place, open_chat=lambda *_: chat))
    for _ in work.steps():
        pass
    assert len({(call.text, call.schema) for call in chat.calls}) == calls_needed(compared)
    (source,) = work.result() or ()
    claims, ranks = source.deltas["faithfulness"], source.deltas["context_precision"]
    assert claims is not None and ranks is not None
    assert (source.name, claims.a, claims.b, ranks.a, ranks.winner) == ("openai:j", 1, 1, pytest.approx(1), "equal")
