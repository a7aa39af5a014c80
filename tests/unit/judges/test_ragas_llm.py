"""What is shared with ragas: carried data, recorders, and that every installed metric lets the data through."""

import asyncio
import os

import pytest
from ragas.metrics import collections

from rag_variants.judges.prompting import carry_data
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceInput,
    CarriedPrompt,
    ClaimDecompositionInput,
    ContextPrecisionInput,
    ContextRecallInput,
    InstructorBaseRagasLLM,
    RecordingEmbeddings,
    RecordingLLM,
    StatementGeneratorInput,
)
from tests.scripted import ScriptedEmbeddings, ScriptedJudge, make_subject


def test_ragas_is_told_not_to_send_usage():
    from ragas._analytics import do_not_track

    assert os.environ["RAGAS_DO_NOT_TRACK"] == "true"
    assert do_not_track()


def test_a_carried_prompt_is_its_text():
    data = AnswerRelevanceInput(response="A.")
    prompt = CarriedPrompt("text", data)

    assert isinstance(prompt, str)
    assert (prompt, prompt.data) == ("text", data)


class Spy(InstructorBaseRagasLLM):
    """Keeps prompts and passes them on."""

    def __init__(self, llm, reads_data):
        self.llm = llm
        self.reads_data = reads_data
        self.prompts = []

    def generate(self, prompt, response_model):
        self.prompts.append(prompt)
        return self.llm.generate(prompt, response_model)

    async def agenerate(self, prompt, response_model):
        return self.generate(prompt, response_model)


METRICS = {
    "faithfulness": (
        collections.Faithfulness, ("user_input", "response", "retrieved_contexts"), StatementGeneratorInput,
    ),
    "answer_relevancy": (collections.AnswerRelevancy, ("user_input", "response"), AnswerRelevanceInput),
    "context_precision": (
        collections.ContextPrecision, ("user_input", "reference", "retrieved_contexts"), ContextPrecisionInput,
    ),
    "context_utilization": (
        collections.ContextUtilization, ("user_input", "response", "retrieved_contexts"), ContextPrecisionInput,
    ),
    "context_recall": (
        collections.ContextRecall, ("user_input", "reference", "retrieved_contexts"), ContextRecallInput,
    ),
    "factual_correctness": (collections.FactualCorrectness, ("response", "reference"), ClaimDecompositionInput),
}  # fmt: skip


@pytest.mark.parametrize("reads_data", [True, False])
@pytest.mark.parametrize("name", METRICS)
def test_data_arrives_and_text_only_where_it_is_read(name, reads_data):
    kind, fields, first_input = METRICS[name]
    subject = make_subject("The chunk.", answer="The answer.", judge=ScriptedJudge())
    spy = Spy(subject.judge.open(subject.record), reads_data)
    extra = {"embeddings": ScriptedEmbeddings()} if name == "answer_relevancy" else {}
    metric = kind(llm=RecordingLLM(spy), **extra)
    carry_data(metric, metric.llm)
    inputs = {"user_input": "Q?", "response": "The answer.", "reference": "R.", "retrieved_contexts": ["The chunk."]}
    asyncio.run(metric.ascore(**{key: inputs[key] for key in fields}))

    assert isinstance(spy.prompts[0].data, first_input)
    assert all(isinstance(prompt, CarriedPrompt) for prompt in spy.prompts)
    assert all(("JSON" in prompt) is not reads_data for prompt in spy.prompts)
    assert all(bool(prompt) is not reads_data for prompt in spy.prompts)
    assert [exchange.input for exchange in metric.llm.exchanges] == [prompt.data for prompt in spy.prompts]


def test_the_true_text_is_ragas_own():
    subject = make_subject("The chunk.", judge=ScriptedJudge())
    spy = Spy(subject.judge.open(subject.record), reads_data=False)
    ours = collections.ContextRecall(llm=spy)
    data = ContextRecallInput(question="Q?", context="C", answer="R.")
    expected = ours.prompt.to_string(data)
    carry_data(ours, spy)

    assert ours.prompt.to_string(data) == expected


def test_a_reply_models_schema_is_worked_out_once(monkeypatch):
    subject = make_subject("The chunk.", judge=ScriptedJudge())
    spy = Spy(subject.judge.open(subject.record), reads_data=False)
    data = ContextRecallInput(question="Q?", context="C", answer="R.")
    first = collections.ContextRecall(llm=spy)
    carry_data(first, spy)
    text = first.prompt.to_string(data)
    output = type(collections.ContextRecall(llm=spy).prompt).output_model
    monkeypatch.setattr(output, "model_json_schema", lambda: pytest.fail("worked out again"))
    second = collections.ContextRecall(llm=spy)
    carry_data(second, spy)

    assert second.prompt.to_string(data) == text


def test_recorded_replies_keep_what_ragas_has_no_field_for():
    judge = ScriptedJudge(verdicts={"R.": "unsure"})
    subject = make_subject("The chunk.", judge=judge)
    metric = collections.ContextRecall(llm=RecordingLLM(judge.open(subject.record)))
    carry_data(metric, metric.llm)
    asyncio.run(metric.ascore(user_input="Q?", reference="R.", retrieved_contexts=["The chunk."]))

    item = metric.llm.exchanges[0].output.classifications[0]
    assert (item.attributed, item.label, item.sentence) == (0, "unsure", "seen: unsure")


def test_recording_embeddings():
    recording = RecordingEmbeddings(ScriptedEmbeddings({"a": [1, 0], "b": [3, 4], "zero": [0, 0]}))
    asyncio.run(recording.aembed_text("a"))
    asyncio.run(recording.aembed_texts(["b", "zero"]))

    assert recording.similarity("a", "b") == pytest.approx(3 / 5)
    assert recording.similarity("a", "unseen") is None
    assert recording.similarity("a", "zero") is None


def test_an_embedded_text_is_not_asked_again():
    class Once(ScriptedEmbeddings):
        def embed_text(self, text, **kwargs):
            raise AssertionError("asked inside the event loop")

        async def aembed_text(self, text, **kwargs):
            return [1.0, 0.0]

    recording = RecordingEmbeddings(Once())
    asyncio.run(recording.aembed_texts(["a"]))

    assert recording.embed_text("a") == [1.0, 0.0]
