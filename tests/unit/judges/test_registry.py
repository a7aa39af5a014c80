"""The contract of every judge, and judges of other packages."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rag_variants.errors import ModelError
from rag_variants.judges import JUDGES, Judge, check_judge, known_judges, open_judge
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceOutput,
    BaseRagasEmbedding,
    ContextPrecisionOutput,
    ContextRecallOutput,
    InstructorBaseRagasLLM,
    StatementGeneratorOutput,
)
from rag_variants.llm.specs import CHAT_FORM
from rag_variants.metrics import METRICS
from rag_variants.types import Score
from tests.making import bench
from tests.scripted import make_subject, score
from tests.scripted_chat import Asked, ScriptedChat

STATEMENTS = ["The deposit is 50 euros.", "It is paid back in May."]
CHUNKS = ("The deposit is 50 euros.", "Cats purr.")
ASKING = [name for name, metric in METRICS.items() if "judge" in metric.needs]
JUDGED = [name for name, metric in METRICS.items() if metric.needs & {"judge", "embeddings"}]


def replies(call: Asked) -> Mapping[str, Any]:
    """What a chat model would say: everything is so."""
    schema = call.schema
    assert schema is not None
    if issubclass(schema, StatementGeneratorOutput):
        return {"statements": STATEMENTS}
    if issubclass(schema, ContextPrecisionOutput):
        return {"reason": "r", "verdict": 1}
    if issubclass(schema, ContextRecallOutput):
        return {"classifications": [{"statement": each, "reason": "r", "attributed": 1} for each in STATEMENTS]}
    if issubclass(schema, AnswerRelevanceOutput):
        return {"question": "What is the deposit?", "noncommittal": 0}
    if "claims" in schema.model_fields:
        return {"claims": STATEMENTS}
    return {"statements": [{"statement": each, "reason": "r", "verdict": 1} for each in STATEMENTS]}


def opened(spec: str) -> Judge:
    place = bench({"a.md": CHUNKS[0], "b.md": CHUNKS[1]})
    named = "openai:scripted" if spec == CHAT_FORM else spec
    return open_judge(
        named, place.embeddings("embedded"), place.background(), lambda *_: ScriptedChat(replies, "openai:scripted")
    )


def judged(judge: Judge, name: str) -> Score:
    text = " ".join(STATEMENTS)
    return score(METRICS[name], make_subject(*CHUNKS, answer=text, reference=text, judge=judge))  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", known_judges())
def test_every_judge_says_what_decides_its_verdicts(spec):
    judge = opened(spec)
    assert judge.spec == ("openai:scripted" if spec == CHAT_FORM else spec)
    assert json.loads(json.dumps(judge.settings))["judge"] == judge.spec
    assert opened(spec).settings == judge.settings
    assert len(known_judges()[spec]) > 20
    assert isinstance(judge.open(make_subject().record), InstructorBaseRagasLLM)
    assert isinstance(judge.embeddings, BaseRagasEmbedding)
    assert set(getattr(judge, "unfit", {})) <= set(JUDGED)


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize("spec", known_judges())
def test_every_judge_gives_the_same_score_twice_or_says_why_it_gives_none(spec, name):
    judge = opened(spec)
    made = judged(judge, name)
    assert made.error is None
    if (unfit := getattr(judge, "unfit", {}).get(name)) is not None:
        assert (made.value, made.reason) == (None, unfit)
    else:
        assert made.value is not None
        assert judged(judge, name) == made == judged(opened(spec), name)


def test_the_built_in_judge_is_first_and_the_chat_form_last():
    first, *_, last = known_judges()
    assert (first, last) == ("embedded", CHAT_FORM)
    check_judge("embedded")
    check_judge("house:model")


def test_a_judge_of_another_package_is_one_of_them(install):
    with pytest.raises(ModelError, match="no judge called 'extra'"):
        check_judge("extra")
    install(JUDGES, extra="tests.unit.judges.plugin_judge:EXTRA")
    check_judge("extra")
    assert list(known_judges()) == ["embedded", "overlap", "extra", CHAT_FORM]
    assert judged(opened("extra"), "faithfulness").value == 1 / 2


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("rag_variants.judges:CHAT_FORM", "is no rag_variants.judges.base.JudgeKind"),
        ("rag_variants.absent:X", "cannot be loaded"),
        ("tests.unit.judges.plugin_judge:TAKEN", "takes the name 'embedded', which is in use"),
        ("tests.unit.judges.plugin_judge:NO_WORD", "which is no word"),
    ],
)
def test_a_broken_package_is_named_and_left_out(install, target, message):
    """It costs its own judge and no other."""
    install(JUDGES, extra=target)
    assert list(JUDGES) == ["embedded", "overlap"]
    check_judge("embedded")
    [sentence] = JUDGES.left_out
    assert sentence.startswith("The judge 'extra' of an installed package ")
    assert message in sentence
    assert sentence.endswith("so it is left out. Update or uninstall that package.")
