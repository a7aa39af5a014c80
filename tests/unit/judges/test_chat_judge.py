"""A chat model as the judge, with scripted replies: values, what was asked, at the same time or not, and failures."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from rag_variants.corpus.background import mean_vector
from rag_variants.judges.base import Judge
from rag_variants.judges.chat import ChatJudge
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceOutput,
    ClaimDecompositionOutput,
    ContextPrecisionOutput,
    ContextRecallOutput,
    StatementGeneratorOutput,
)
from rag_variants.judges.translations import translation_version
from rag_variants.llm.chat import CallError
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.metrics import METRICS, label_of
from rag_variants.types import Score
from tests.making import WordVectors
from tests.scripted import make_subject, score
from tests.scripted_chat import Asked, ScriptedChat

CLAIMS = ["The deposit is 50 euros.", "It is paid back in May."]
QUESTION, ANSWER = "What is the deposit?", "The deposit is 50 euros. It is paid back in May."
CHUNKS = ("The deposit is 50 euros.", "Cats purr.", "Deposits are paid back.")


def data_of(call: Asked) -> dict[str, Any]:
    """The input that ragas put at the end of the prompt."""
    found: dict[str, Any] = json.loads(re.search(r"\ninput: (\{.*\})\nOutput: $", call.text, re.DOTALL)[1])  # type: ignore[index]
    return found


def verdict_entries(statements: list[str], verdicts: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return [{"statement": each, "reason": "seen", name: verdicts.get(each, 0)} for each in statements]


def make_script(verdicts: Mapping[str, Any], questions: tuple[str, ...] = (QUESTION,)):
    """Replies to every prompt of the metrics from verdicts by statement or chunk."""

    def script(call: Asked) -> Mapping[str, Any]:
        data, schema = data_of(call), call.schema
        assert schema is not None
        if issubclass(schema, StatementGeneratorOutput):
            return {"statements": CLAIMS}
        if issubclass(schema, ClaimDecompositionOutput):
            return {"claims": re.split(r"(?<=\.) ", data["response"])}
        if issubclass(schema, ContextPrecisionOutput):
            return {"reason": "seen", "verdict": verdicts.get(data["context"], 0)}
        if issubclass(schema, ContextRecallOutput):
            return {"classifications": verdict_entries(CLAIMS, verdicts, "attributed")}
        if issubclass(schema, AnswerRelevanceOutput):
            return {"question": questions[call.number % len(questions)], "noncommittal": verdicts.get("evasive", 0)}
        return {"statements": verdict_entries(data["statements"], verdicts, "verdict")}

    return script


def ask(
    name: str, chat: ScriptedChat, chunks: tuple[str, ...] = CHUNKS, reference: str = ANSWER, **question: Any
) -> Score:
    judge = ChatJudge(chat, CachedEmbeddings(WordVectors(), None, None), None)
    subject = make_subject(*chunks, answer=ANSWER, reference=reference, judge=judge, **question)  # type: ignore[arg-type]
    return score(METRICS[name], subject)


def test_the_centre_may_be_found_when_it_is_needed():
    """Vectors from the mean of a sample are those of the mean worked out beforehand, and it is embedded once."""
    sample, texts = ("The desk opens at nine.", "The desk is red."), ["The desk opens.", "A red desk."]
    model = WordVectors()
    later = ChatJudge(ScriptedChat(make_script({})), CachedEmbeddings(model, None, None), sample).embeddings
    mean = mean_vector(CachedEmbeddings(WordVectors(), None, None).embed_passages(sample))
    before = ChatJudge(ScriptedChat(make_script({})), CachedEmbeddings(WordVectors(), None, None), mean).embeddings
    assert asyncio.run(later.aembed_texts(texts)) == before.embed_texts(texts)
    assert asyncio.run(later.aembed_text(texts[0])) == later.embed_text(texts[0]) == before.embed_text(texts[0])
    assert sorted(model.asked) == sorted([*sample, *texts])


def test_the_judge_is_one_and_says_what_decides_its_verdicts():
    judge: Judge = ChatJudge(ScriptedChat(make_script({})), CachedEmbeddings(WordVectors(), None, None), None)

    assert judge.spec == "openai:scripted"
    assert judge.settings == {
        "judge": "openai:scripted",
        "endpoint": "http://stub/v1",
        "temperature": 0.0,
        "prompts": "ragas 0.4.3",
        "prompts_language": "the question's",
        "prompts_pl": translation_version("pl"),
        "prompts_zh": translation_version("zh"),
        "embeddings": "embedded:words",
        "embeddings_version": "1",
        "question_as": "passage",
    }


def test_faithfulness_is_the_share_of_supported_claims_and_keeps_them():
    chat = ScriptedChat(make_script({CLAIMS[0]: 1}))
    made = ask("faithfulness", chat)

    assert made.value == 1 / 2
    assert made.detail is not None
    assert [(each["statement"], each["verdict"], each["reason"]) for each in made.detail["claims"]] == [
        (CLAIMS[0], 1, "seen"),
        (CLAIMS[1], 0, "seen"),
    ]
    assert [call.number for call in chat.calls] == [0, 0]


def test_context_precision_asks_about_all_chunks_at_once_and_each_once():
    chat = ScriptedChat(make_script({CHUNKS[0]: 1, CHUNKS[2]: 1}))
    made = ask("context_precision", chat)

    assert made.value == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert made.detail is not None
    assert [each["verdict"] for each in made.detail["verdicts"]] == [1, 0, 1]
    assert [data_of(call)["context"] for call in chat.calls] == list(CHUNKS)
    assert chat.most == 3


def test_equal_chunks_of_one_score_are_told_apart():
    """The second verdict on the same text is a reply of its own, as ragas asks for it: 1, then 0."""
    chat = ScriptedChat(lambda call: {"reason": "seen", "verdict": 1 - call.number})
    made = ask("context_precision", chat, ("Same.", "Same."))

    assert [call.number for call in chat.calls] == [0, 1]
    assert made.detail is not None
    assert [each["verdict"] for each in made.detail["verdicts"]] == [1, 0]
    assert made.value == 1.0


def test_context_utilization_asks_with_the_answer():
    chat = ScriptedChat(make_script({CHUNKS[1]: 1}))

    assert ask("context_utilization", chat).value == pytest.approx(1 / 2)
    assert {data_of(call)["answer"] for call in chat.calls} == {ANSWER}
    assert (len(chat.calls), chat.most) == (3, 3)


def test_context_recall_is_the_share_of_statements_found():
    made = ask("context_recall", ScriptedChat(make_script({CLAIMS[1]: 1})))

    assert made.value == 1 / 2
    assert made.detail is not None
    assert [each["verdict"] for each in made.detail["statements"]] == [0, 1]


def test_answer_relevancy_asks_the_same_prompt_three_times_at_once():
    """Equal texts have cosine 1; the third question shares no word with the real one."""
    chat = ScriptedChat(make_script({}, (QUESTION, "What is the deposit?", "Where do cats purr?")))
    made = ask("answer_relevancy", chat)

    assert [call.number for call in chat.calls] == [0, 1, 2]
    assert len({call.text for call in chat.calls}) == 1
    assert chat.most == 3
    assert made.detail is not None and made.value is not None
    found = [each["similarity"] for each in made.detail["questions"]]
    assert found[:2] == pytest.approx([1.0, 1.0])
    assert made.value == pytest.approx((1 + 1 + found[2]) / 3)
    assert found[2] < 0.5
    assert label_of(METRICS["answer_relevancy"], "openai:scripted") == "Answer relevancy"


def test_an_evasive_answer_has_relevancy_0():
    made = ask("answer_relevancy", ScriptedChat(make_script({"evasive": 1})))

    assert (made.value, made.reason) == (0.0, "the judge finds that the answer does not commit itself")


def test_factual_correctness_is_f1_and_asks_both_sides_at_once():
    """The answer's claims: 1 of 2 stands in the reference (tp 1, fp 1). The reference's one is in the answer (fn 0).

    F1 = 2·1 ÷ (2·1 + 1 + 0) = 0.67 to two digits.
    """
    chat = ScriptedChat(make_script({CLAIMS[0]: 1}))
    made = ask("factual_correctness", chat, reference=CLAIMS[0])

    assert made.value == 0.67
    assert made.detail is not None
    assert [each["verdict"] for each in made.detail["claims"]] == [1, 0]
    assert [each["verdict"] for each in made.detail["reference_claims"]] == [1]
    assert (len(chat.calls), chat.most) == (4, 2)


@pytest.mark.parametrize("verdict", [5, -1, "1", "0", "true", "Yes", "nie", "否", True, None, 0.5])
@pytest.mark.parametrize("name", ["faithfulness", "context_precision", "context_recall", "factual_correctness"])
def test_a_verdict_other_than_0_and_1_is_unreadable(name, verdict):
    made = ask(name, ScriptedChat(make_script(dict.fromkeys((*CLAIMS, *CHUNKS), verdict))))

    assert made.value is None
    assert made.error is not None
    assert made.error.startswith("the judge's reply is not readable")


def test_a_missing_verdict_is_unreadable():
    made = ask("context_precision", ScriptedChat(lambda call: {"reason": "none given"}))

    assert made.value is None
    assert made.error == "the judge's reply is not readable: The reply does not fit."
    assert made.detail == {"replies": [{"text": '{"reason": "none given"}'}]}


def test_a_failed_call_costs_one_score_and_says_why():
    def script(call: Asked) -> Mapping[str, Any]:
        if data_of(call).get("context") == CHUNKS[1]:
            raise CallError("HTTP 500 from http://stub/v1.", kind="server")
        return make_script(dict.fromkeys((*CLAIMS, *CHUNKS), 1))(call)

    chat = ScriptedChat(script)

    made = ask("context_precision", chat)
    assert (made.value, made.error) == (None, "the judge failed: HTTP 500 from http://stub/v1.")
    assert len(chat.calls) == 3, "no call is sent again here"
    assert ask("faithfulness", chat).value == 1.0


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({"user_input": "What is the deposit?"}, "verify if the context was useful"),
        ({"user_input": "Ile wynosi kaucja za mieszkanie?"}, "czy kontekst był przydatny"),
        ({"user_input": "押金是多少？"}, "验证该上下文对得出给定答案是否有用"),
        ({"user_input": "What is the deposit?", "tags": (("language", "pl"),)}, "czy kontekst był przydatny"),
    ],
)
def test_the_judge_is_asked_in_the_questions_language(question, told):
    chat = ScriptedChat(make_script({CHUNKS[0]: 1}))

    assert ask("context_precision", chat, **question).value == 1.0
    assert all(told in call.text for call in chat.calls)
    assert len(chat.calls) == 3
